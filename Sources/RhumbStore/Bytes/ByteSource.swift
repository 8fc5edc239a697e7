public import RhumbEngine

/// Bytes that can be read at any place: a file, embedded data, ranges of a web address. Several
/// threads may read at once.
public protocol ByteSource: Sendable {
    /// How many bytes there are.
    var size: UInt64 { get }

    /// Exactly `count` bytes from `offset` on.
    /// - Throws: `TileFailure` when they can't be had, or the range does not lie within the size.
    func read(offset: UInt64, count: Int) throws(TileFailure) -> [UInt8]
}

extension ByteSource {
    /// Throws unless the range lies within the size.
    func check(offset: UInt64, count: Int, name: String) throws(TileFailure) {
        guard count >= 0, offset <= size, UInt64(count) <= size - offset else {
            throw TileFailure(
                .badContent,
                "\(name) is truncated: it has \(size) bytes, but \(count) from byte \(offset) on are needed; download it again"
            )
        }
    }
}
