public import RhumbEngine

/// Bytes embedded in the program, read in place.
public struct MemoryBytes: ByteSource {
    // Safe to share: the memory is never written.
    nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

    /// - Parameter bytes: Read-only memory that remains valid while the process runs.
    public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The number of bytes.
    public var size: UInt64 { UInt64(bytes.count) }

    /// Returns a copy of a range of the bytes.
    public func read(offset: UInt64, count: Int) throws(TileFailure) -> [UInt8] {
        try check(offset: offset, count: count, name: "the built-in data")
        let start = Int(offset)
        return [UInt8](bytes[start..<start + count])
    }
}
