internal import CZlib
internal import RhumbCore

extension PNGDecoder {
    /// Checks that a file can be decoded.
    ///
    /// Pictures of grey or colour samples of 8 bits are only decompressed, in half the time. All others are
    /// decoded.
    static func check(_ bytes: [UInt8], limits: ImageLimits) throws(ImageFailure) {
        let header = try header(of: bytes)
        _ = try header.byteCount(within: limits)
        if let fault = chunkFault(in: bytes) { throw fault }
        if let plain = PlainPNG(bytes, header), plain.isSound(bytes) { return }
        _ = try decode(bytes, limits: limits)
    }
}

/// The image data of a picture without palette and interlacing, with samples of 8 bits.
private struct PlainPNG {
    /// The size of a row in bytes, including the number of its filter.
    let rowLength: Int
    let height: Int
    /// The parts of the file with image data.
    private var parts: [Range<Int>] = []

    /// The number of samples per pixel for each colour type.
    private static let samples: [UInt8: Int] = [0: 1, 2: 3, 4: 2, 6: 4]
    /// The chunks that don't affect decoding.
    private static let ignored: Set<String> = ["IHDR", "IEND", "tEXt", "pHYs", "gAMA", "sRGB", "tIME"]
    private static let lastFilter: UInt8 = 4

    /// - Parameter bytes: A file whose chunks have valid lengths and checksums.
    /// - Returns: nil for other kinds of pictures.
    init?(_ bytes: [UInt8], _ header: ImageHeader) {
        guard bytes.count > 33, bytes[24] == 8, bytes[28] == 0, let samples = PlainPNG.samples[bytes[25]]
        else { return nil }
        rowLength = 1 + header.width * samples
        height = header.height
        var at = 8
        while at + 12 <= bytes.count {
            let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            let name = String(decoding: bytes[at + 4..<at + 8], as: UTF8.self)
            guard at + 12 + length <= bytes.count else { return nil }
            if name == "IDAT" {
                if let last = parts.last, last.upperBound + 12 != at + 8 { return nil }
                parts.append(at + 8..<at + 8 + length)
            } else if !PlainPNG.ignored.contains(name) {
                return nil
            }
            if name == "IEND" { break }
            at += 12 + length
        }
        if parts.isEmpty { return nil }
    }

    /// Returns true if the image data has the right size and checksum, and each row a valid filter.
    func isSound(_ bytes: [UInt8]) -> Bool {
        let size = rowLength * height
        var isWhole = false
        // One byte more, so that excess data is noticed.
        let rows = [UInt8](unsafeUninitializedCapacity: size + 1) { buffer, filled in
            isWhole = inflate(bytes, into: buffer)
            filled = isWhole ? size : 0
        }
        return isWhole
            && stride(from: 0, to: size, by: rowLength).allSatisfy { rows[$0] <= PlainPNG.lastFilter }
    }

    /// Returns true if the data fills the buffer except for the last byte.
    private func inflate(_ bytes: [UInt8], into buffer: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        var stream = z_stream()
        guard inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return false
        }
        defer { inflateEnd(&stream) }
        stream.next_out = buffer.baseAddress
        stream.avail_out = UInt32(buffer.count)
        var code = Z_OK
        bytes.withUnsafeBufferPointer { file in
            for part in parts where code == Z_OK {
                stream.next_in = UnsafeMutablePointer(
                    mutating: file.baseAddress?.advanced(by: part.lowerBound))
                stream.avail_in = UInt32(part.count)
                code = CZlib.inflate(&stream, Z_NO_FLUSH)
                // An empty part is no error.
                if code == Z_BUF_ERROR, part.isEmpty { code = Z_OK }
            }
        }
        return code == Z_STREAM_END && stream.avail_out == 1
    }
}
