package import RhumbCore
public import RhumbEngine

/// Bytes with random access: a file, embedded data or a remote file. Several threads may read at once.
public protocol ByteSource: Sendable {
    /// The number of bytes.
    var size: UInt64 { get }

    /// Returns exactly `count` bytes from `offset`.
    /// - Throws: `TileFailure` if the bytes can't be read or the range exceeds the size.
    func read(offset: UInt64, count: Int) throws(TileFailure) -> [UInt8]

    /// Reads bytes into the beginning of an array, which is extended if it is too short.
    /// - Throws: As `read(offset:count:)`.
    func read(offset: UInt64, count: Int, into buffer: inout [UInt8]) throws(TileFailure)

    /// True if the bytes are on a server, so that many small reads are slow.
    var isRemote: Bool { get }

    /// The reason why nothing more can be read for now, such as a server that fails; nil if there is none.
    var outage: TileFailure? { get }
}

/// A source that loads parts in advance.
package protocol PlannedByteSource: ByteSource {
    /// Sets the parts that will be read next, in the order of the file. Each is loaded as a whole.
    func plan(_ parts: [FileSection])
}

extension ByteSource {
    /// False by default.
    public var isRemote: Bool { false }
    /// None by default.
    public var outage: TileFailure? { nil }

    /// Replaces the array.
    public func read(offset: UInt64, count: Int, into buffer: inout [UInt8]) throws(TileFailure) {
        buffer = try read(offset: offset, count: count)
    }

    /// Returns the bytes of a section.
    func read(_ section: FileSection) throws(TileFailure) -> [UInt8] {
        try read(offset: section.offset, count: Int(clamping: section.length))
    }

    /// Sets the parts that will be read next, if the source loads parts in advance.
    package func plan(_ parts: [FileSection]) { (self as? any PlannedByteSource)?.plan(parts) }

    /// Throws if the server of the bytes fails. What could not be read then says nothing about the file.
    package func checkServer(_ name: String) throws(ArchiveFailure) {
        guard let outage else { return }
        var failure = ArchiveFailure(name, requestFailure: outage.message)
        failure.obstacle = outage.reason == .offline ? .connection : .failingServer(pause: outage.retryAfter)
        throw failure
    }

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
