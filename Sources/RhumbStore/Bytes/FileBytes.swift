internal import Glibc
internal import RhumbCore
public import RhumbEngine

/// A file's bytes, read with `pread`.
public final class FileBytes: ByteSource {
    /// The size of the file in bytes.
    public let size: UInt64
    private let path: String
    private let descriptor: Int32

    /// Opens a regular file for reading.
    /// - Throws: `ArchiveFailure` if the file doesn't exist or can't be read.
    public init(_ path: String) throws(ArchiveFailure) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        self.path = path
        guard descriptor >= 0 else { throw ArchiveFailure.cannotOpen(path, errno: errno) }
        guard let facts = FileFacts(descriptor: descriptor), facts.isFile else {
            close(descriptor)
            throw ArchiveFailure(path, .notRecognised, "it is not a regular file", "use a file")
        }
        size = facts.size
    }

    deinit { close(descriptor) }

    /// Reads a part of the file.
    public func read(offset: UInt64, count: Int) throws(TileFailure) -> [UInt8] {
        try check(offset: offset, count: count, name: SafeText.sanitised(path))
        var problem: String?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            problem = fill(UnsafeMutableRawBufferPointer(buffer), count, from: offset)
            filled = problem == nil ? count : 0
        }
        if let problem { throw failure(problem) }
        return bytes
    }

    /// Reads a part of the file into the beginning of an array, which is extended if it is too short.
    public func read(offset: UInt64, count: Int, into buffer: inout [UInt8]) throws(TileFailure) {
        try check(offset: offset, count: count, name: SafeText.sanitised(path))
        if buffer.count < count { buffer = [UInt8](repeating: 0, count: count) }
        if let problem = buffer.withUnsafeMutableBytes({ fill($0, count, from: offset) }) {
            throw failure(problem)
        }
    }

    /// Reads bytes.
    /// - Returns: The problem; nil if all were read.
    private func fill(_ buffer: UnsafeMutableRawBufferPointer, _ count: Int, from offset: UInt64) -> String? {
        var filled = 0
        while filled < count, let start = buffer.baseAddress {
            let got = pread(descriptor, start + filled, count - filled, off_t(offset) + filled)
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else { return got == 0 ? "it was truncated" : String(cString: strerror(errno)) }
            filled += got
        }
        return nil
    }

    private func failure(_ problem: String) -> TileFailure {
        TileFailure(.unreadable, "can't read \(SafeText.sanitised(path)): \(problem); open the map again")
    }
}

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
