internal import CDecompression

/// The compression of an archive's parts, numbered as in the PMTiles specification.
public enum Compression: UInt8, Sendable {
    /// Not declared, or declared with an unknown number. gzip is detected by the header of the data.
    case unknown
    case none, gzip, brotli, zstd

    /// The name for messages.
    var name: String {
        switch self {
        case .unknown: "an unknown method"
        case .none: "nothing"
        case .gzip: "gzip"
        case .brotli: "Brotli"
        case .zstd: "Zstandard"
        }
    }

    private var method: rhumb_method? {
        switch self {
        case .brotli: RHUMB_BROTLI
        case .zstd: RHUMB_ZSTD
        case .unknown, .none, .gzip: nil
        }
    }

    /// The Debian package of the library that decompresses it; nil if it can be loaded, or none is needed.
    package var missingPackage: String? {
        guard let method, !rhumb_decoder_load(method) else { return nil }
        return self == .brotli ? "libbrotli1" : "libzstd1"
    }

    /// Returns the compression of data. Brotli and Zstandard apply as declared; gzip and zlib are detected,
    /// because many archives declare them incorrectly.
    func actual(of bytes: [UInt8]) -> Compression {
        method != nil ? self : Gzip.isWrapped(bytes) ? .gzip : .none
    }

    /// Decompresses data of this compression.
    /// - Throws: `Gzip.Failure` if the data is damaged or truncated, or unpacks to more than `limit` bytes.
    ///   Data whose library is missing counts as damaged.
    package func unpacked(_ bytes: [UInt8], limit: Int = Gzip.limit) throws(Gzip.Failure) -> [UInt8] {
        guard let method else { return self == .gzip ? try Gzip.unpacked(bytes, limit: limit) : bytes }
        guard let decoder = rhumb_decoder_create(method) else { throw .damaged }
        defer { rhumb_decoder_destroy(method, decoder) }
        return try bytes.withUnsafeBufferPointer { input throws(Gzip.Failure) in
            var next = input.baseAddress, count = input.count
            var output: [UInt8] = [], state = RHUMB_NEEDS_OUTPUT
            var step = min(max(bytes.count * 4, 1024), 1 << 20)
            while state == RHUMB_NEEDS_OUTPUT {
                let piece = [UInt8](unsafeUninitializedCapacity: step) { buffer, filled in
                    var output = buffer.baseAddress, room = buffer.count
                    state = rhumb_decoder_step(method, decoder, &next, &count, &output, &room)
                    filled = buffer.count - room
                }
                guard output.count + piece.count <= limit else { throw .tooLarge }
                output += piece
                step = min(step * 2, 1 << 20)
            }
            guard state == RHUMB_END else { throw .damaged }
            return output
        }
    }
}
