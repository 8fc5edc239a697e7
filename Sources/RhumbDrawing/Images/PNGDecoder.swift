internal import CDeflate
internal import CSPNG
internal import CZlib
internal import RhumbCore

/// Decodes PNG (ISO/IEC 15948) with libspng. Converts every colour type, depth and interlacing to RGBA, and
/// 16-bit samples to their high byte. A wrong checksum in any chunk is an error.
enum PNGDecoder {
    /// Maximum size of chunks other than image data, compressed or not. Fits a colour profile of a few
    /// megabytes, but not a decompression bomb in a text chunk.
    private static let chunkBytes = 16 << 20

    static func header(of bytes: [UInt8]) throws(ImageFailure) -> ImageHeader {
        try reading(bytes, readHeader)
    }

    static func decode(_ bytes: [UInt8], limits: ImageLimits) throws(ImageFailure) -> Raster {
        let header = try header(of: bytes)
        let count = try header.byteCount(within: limits)
        guard isComplete(bytes) else { throw damaged("truncated") }
        let pixels = try reading(bytes) {
            (context: borrowing PNGContext) throws(PNGStatus) -> [UInt8] in
            try readPixels(context, count: count)
        }
        return try header.raster(of: pixels)
    }

    private static func reading<Result>(
        _ bytes: [UInt8], _ body: (borrowing PNGContext) throws(PNGStatus) -> Result
    ) throws(ImageFailure) -> Result {
        do throws(PNGStatus) {
            return try bytes.withUnsafeBufferPointer { file throws(PNGStatus) in
                let context = try PNGContext()
                try prepare(context, for: file)
                return try body(context)
            }
        } catch {
            throw error.failure(damaged)
        }
    }

    private static func damaged(_ reason: String) -> ImageFailure {
        .corrupt(kind: ImageKind.png.rawValue, reason: reason)
    }

    /// Returns true if the file has a whole IEND chunk. libspng accepts it without its last four bytes.
    static func isComplete(_ bytes: [UInt8]) -> Bool {
        var at = 8
        while at + 12 <= bytes.count {
            let length = Int(bigEndian: bytes[at..<at + 4])
            if bytes[at + 4..<at + 8].elementsEqual("IEND".utf8) { return true }
            at += 12 + length
        }
        return false
    }

    /// Returns the first error in the lengths and checksums of the chunks; nil if there is none.
    static func chunkFault(in bytes: [UInt8]) -> ImageFailure? {
        bytes.withUnsafeBytes { file in
            func number(_ at: Int) -> UInt32 {
                UInt32(bigEndian: file.loadUnaligned(fromByteOffset: at, as: UInt32.self))
            }
            var at = 8
            while at + 12 <= file.count {
                let length = Int(number(at)), isLast = file[at + 4..<at + 8].elementsEqual("IEND".utf8)
                guard at + 12 + length <= file.count else { break }
                // Several times as fast as the function of zlib.
                let sum = libdeflate_crc32(0, file.baseAddress?.advanced(by: at + 4), length + 4)
                guard sum == number(at + 8 + length) else {
                    return damaged("invalid chunk checksum")
                }
                if isLast { return nil }
                at += 12 + length
            }
            return damaged("truncated")
        }
    }

    private static func prepare(
        _ context: borrowing PNGContext, for file: UnsafeBufferPointer<UInt8>
    ) throws(PNGStatus) {
        let strict = Int32(SPNG_CRC_ERROR.rawValue)
        try PNGStatus.check(rhumb_spng_set_crc_action(context.pointer, strict, strict))
        try PNGStatus.check(rhumb_spng_set_chunk_limits(context.pointer, chunkBytes, chunkBytes))
        try PNGStatus.check(rhumb_spng_set_png_buffer(context.pointer, file.baseAddress, file.count))
    }

    private static func readHeader(
        _ context: borrowing PNGContext
    ) throws(PNGStatus) -> ImageHeader {
        var header = spng_ihdr()
        try PNGStatus.check(rhumb_spng_get_ihdr(context.pointer, &header))
        return ImageHeader(kind: .png, width: Int(header.width), height: Int(header.height))
    }

    private static func readPixels(
        _ context: borrowing PNGContext, count: Int
    ) throws(PNGStatus) -> [UInt8] {
        var code = SPNG_OK.rawValue
        let png = context.pointer
        let pixels = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let format = Int32(SPNG_FMT_RGBA8.rawValue)
            let flags = Int32(SPNG_DECODE_TRNS.rawValue)
            code = rhumb_spng_decode_image(png, buffer.baseAddress, count, format, flags)
            filled = code == SPNG_OK.rawValue ? count : 0
        }
        try PNGStatus.check(code)
        // Reads the rest up to IEND, to detect damage after the pixels.
        try PNGStatus.check(rhumb_spng_decode_chunks(png))
        return pixels
    }

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
            let length = Int(bigEndian: bytes[at..<at + 4])
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
