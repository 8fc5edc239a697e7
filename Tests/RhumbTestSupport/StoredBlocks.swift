import RhumbStore

extension Compression {
    /// Returns data in the format of this compression, in stored blocks, which are valid but uncompressed.
    /// gzip is compressed.
    package func stored(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .unknown, .none: bytes
        case .gzip: Gzip.packed(bytes)
        case .brotli: Self.brotliStored(bytes)
        case .zstd: Self.zstdStored(bytes)
        }
    }

    /// Brotli (RFC 7932): a window of 16 bits, uncompressed meta-blocks, and the last, empty meta-block.
    private static func brotliStored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 1 << 16) {
            let block = bytes[start..<min(start + 1 << 16, bytes.count)]
            // ISLAST 0, MNIBBLES 0, MLEN - 1 in 16 bits, ISUNCOMPRESSED 1; first of all WBITS 0.
            let header = ((block.count - 1) << 3 | 1 << 19) << (start == 0 ? 1 : 0)
            stream += (0..<3).map { UInt8(header >> (8 * $0) & 255) } + block
        }
        return stream + [bytes.isEmpty ? 6 : 3]
    }

    /// Zstandard (RFC 8878): a frame of a single segment with raw blocks.
    private static func zstdStored(_ bytes: [UInt8]) -> [UInt8] {
        var frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0xA0]
        frame += (0..<4).map { UInt8(bytes.count >> (8 * $0) & 255) }
        var start = 0
        repeat {
            let block = bytes[start..<min(start + 1 << 17, bytes.count)]
            start = block.endIndex
            let header = block.count << 3 | (start == bytes.count ? 1 : 0)
            frame += (0..<3).map { UInt8(header >> (8 * $0) & 255) } + block
        } while start < bytes.count
        return frame
    }
}
