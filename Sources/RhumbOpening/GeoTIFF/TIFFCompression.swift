internal import RhumbCore
internal import RhumbDrawing
internal import RhumbStore

/// A compression of the blocks of a TIFF file.
enum TIFFCompression: UInt64, Sendable {
    case none = 1, lzw = 5, jpeg = 7, deflate = 8, oldDeflate = 32_946, packBits = 32_773
    case zstandard = 50_000, webP = 50_001

    /// The names of compressions that are not supported.
    static let others: [UInt64: String] = [
        2: "CCITT RLE", 3: "CCITT fax 3", 4: "CCITT fax 4", 6: "old JPEG", 34_712: "JPEG 2000",
        34_887: "LERC", 34_925: "LZMA", 50_002: "JPEG XL", 33_003: "JPEG 2000", 33_005: "JPEG 2000",
    ]

    /// True if a block is an image file, which has 8 bits per sample.
    var isImage: Bool { self == .jpeg || self == .webP }

    /// Returns the decompressed block of a compression that isn't an image; nil if it is damaged.
    /// - Parameter count: The expected number of bytes. A longer result is cut off, a shorter one is filled
    ///   with zeros.
    func unpacked(_ bytes: [UInt8], count: Int) -> [UInt8]? {
        let found: [UInt8]? =
            switch self {
            case .none: bytes
            case .lzw: TIFFCompression.lzw(bytes, count)
            case .packBits: TIFFCompression.packBits(bytes, count)
            case .deflate, .oldDeflate: try? Gzip.unpacked(bytes, limit: count + 65_536)
            case .zstandard: try? Compression.zstd.unpacked(bytes, limit: count + 65_536)
            case .jpeg, .webP: nil
            }
        guard var found, !found.isEmpty || count == 0 else { return nil }
        if found.count > count { found.removeLast(found.count - count) }
        if found.count < count { found += [UInt8](repeating: 0, count: count - found.count) }
        return found
    }

    /// Decompresses LZW with codes of 9 to 12 bits, the highest bit first.
    private static func lzw(_ bytes: [UInt8], _ count: Int) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(count)
        // Each entry is a part of the output: its start and length.
        var starts = [Int](repeating: 0, count: 4097), lengths = starts
        var next = 258, width = 9, buffer = 0, bits = 0, previous: (start: Int, length: Int)?
        for byte in bytes {
            buffer = (buffer << 8 | Int(byte)) & 0xFFFFFF
            bits += 8
            guard bits >= width else { continue }
            bits -= width
            let code = buffer >> bits & (1 << width - 1)
            if code == 257 { return output }
            if code == 256 {
                next = 258
                width = 9
                previous = nil
                continue
            }
            let start = output.count
            if code < 256 {
                output.append(UInt8(code))
            } else if code < next {
                for at in 0..<lengths[code] { output.append(output[starts[code] + at]) }
            } else if code == next, let previous {
                for at in 0..<previous.length { output.append(output[previous.start + at]) }
                output.append(output[previous.start])
            } else {
                return nil
            }
            if let previous, next < 4096 {
                starts[next] = previous.start
                lengths[next] = previous.length + 1
                next += 1
            }
            if next + 1 >= 1 << width, width < 12 { width += 1 }
            previous = (start, output.count - start)
            if output.count >= count { return output }
        }
        return output
    }

    private static func packBits(_ bytes: [UInt8], _ count: Int) -> [UInt8]? {
        var output: [UInt8] = [], at = 0
        while at < bytes.count, output.count < count {
            let head = Int8(bitPattern: bytes[at])
            at += 1
            if head >= 0 {
                let end = min(at + Int(head) + 1, bytes.count)
                output += bytes[at..<end]
                at = end
            } else if head > -128, at < bytes.count {
                output += repeatElement(bytes[at], count: 1 - Int(head))
                at += 1
            }
        }
        return output
    }

    /// Returns an image block as samples, interleaved; nil if it is damaged.
    /// - Parameters:
    ///   - tables: The JPEG tables that all blocks share.
    ///   - samples: The number of samples per pixel, 1, 3 or 4.
    ///   - isYCbCr: True if JPEG stores brightness and colour differences.
    /// - Returns: The samples, and the size of the image.
    func image(
        _ bytes: [UInt8], tables: [UInt8], samples: Int, isYCbCr: Bool
    ) -> (samples: [UInt8], width: Int, height: Int)? {
        let file = self == .jpeg ? TIFFCompression.jpeg(bytes, tables, samples, isYCbCr) : bytes
        guard let image = try? SniffingDecoder().decode(file, limits: .tile) else { return nil }
        if samples == 4 { return (image.pixels, image.width, image.height) }
        let pixels = image.pixels
        let output = [UInt8](unsafeUninitializedCapacity: image.width * image.height * samples) {
            out, count in
            pixels.withUnsafeBufferPointer { pixels in
                for pixel in 0..<(image.width * image.height) {
                    for sample in 0..<samples { out[pixel * samples + sample] = pixels[pixel * 4 + sample] }
                }
            }
            count = image.width * image.height * samples
        }
        return (output, image.width, image.height)
    }

    /// Returns a complete JPEG file. An Adobe marker names the colours, which readers otherwise guess.
    private static func jpeg(
        _ bytes: [UInt8], _ tables: [UInt8], _ samples: Int, _ isYCbCr: Bool
    ) -> [UInt8] {
        guard bytes.starts(with: [0xFF, 0xD8]) else { return bytes }
        let shared =
            tables.starts(with: [0xFF, 0xD8]) && tables.count > 4 ? tables[2..<(tables.count - 2)] : []
        let marker: [UInt8] =
            samples == 3
            ? [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, isYCbCr ? 1 : 0] : []
        return [0xFF, 0xD8] + marker + shared + bytes.dropFirst(2)
    }

    /// Adds the differences of predictor 2 (horizontal) or 3 (floating point) along each row.
    static func undoPrediction(
        _ predictor: UInt64, _ bytes: inout [UInt8], row: Int, samples: Int, size: Int
    ) {
        guard row > 0, row.isMultiple(of: samples * size) else { return }
        for start in stride(from: 0, to: bytes.count - row + 1, by: row) {
            if predictor == 2 { addHorizontally(&bytes, start, row, samples, size) }
            if predictor == 3 { addFloats(&bytes, start, row, samples, size) }
        }
    }

    private static func addHorizontally(
        _ bytes: inout [UInt8], _ start: Int, _ row: Int, _ samples: Int, _ size: Int
    ) {
        bytes.withUnsafeMutableBytes { bytes in
            let step = samples * size
            guard row > step else { return }
            for at in stride(from: start + step, to: start + row, by: size) {
                switch size {
                case 1: bytes[at] &+= bytes[at - step]
                case 2: TIFFCompression.add(UInt16.self, bytes, at, step)
                case 4: TIFFCompression.add(UInt32.self, bytes, at, step)
                default: TIFFCompression.add(UInt64.self, bytes, at, step)
                }
            }
        }
    }

    private static func add<Number: FixedWidthInteger>(
        _ type: Number.Type, _ bytes: UnsafeMutableRawBufferPointer, _ at: Int, _ step: Int
    ) {
        let before = bytes.loadUnaligned(fromByteOffset: at - step, as: type)
        let own = bytes.loadUnaligned(fromByteOffset: at, as: type)
        bytes.storeBytes(of: own &+ before, toByteOffset: at, as: type)
    }

    /// Rows of floating-point numbers store all first bytes, then all second ones, the highest first.
    private static func addFloats(
        _ bytes: inout [UInt8], _ start: Int, _ row: Int, _ samples: Int, _ size: Int
    ) {
        for at in (start + samples)..<max(start + row, start + samples) { bytes[at] &+= bytes[at - samples] }
        let planes = Array(bytes[start..<(start + row)]), count = row / size
        for number in 0..<count {
            for byte in 0..<size {
                bytes[start + number * size + byte] = planes[(size - 1 - byte) * count + number]
            }
        }
    }
}
