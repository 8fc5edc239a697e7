public import RhumbEngine

/// Bytes with random access: a file, embedded data or a remote file. Several threads may read at once.
public protocol ByteSource: Sendable {
    /// The number of bytes.
    var size: UInt64 { get }

    /// Returns exactly `count` bytes from `offset`.
    /// - Throws: `TileFailure` if the bytes can't be read or the range exceeds the size.
    func read(offset: UInt64, count: Int) throws(TileFailure) -> [UInt8]
}

extension ByteSource {
    /// Throws if the range exceeds the size.
    func check(offset: UInt64, count: Int, name: String) throws(TileFailure) {
        guard count >= 0, offset <= size, UInt64(count) <= size - offset else {
            throw TileFailure(
                .badContent,
                "\(name) is truncated: it has \(size) bytes, but \(count) from byte \(offset) on are needed; download it again"
            )
        }
    }
}
