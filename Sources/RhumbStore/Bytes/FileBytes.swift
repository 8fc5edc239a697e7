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
            while filled < count, let start = buffer.baseAddress {
                let got = pread(descriptor, start + filled, count - filled, off_t(offset) + filled)
                if got < 0 && errno == EINTR { continue }
                guard got > 0 else {
                    problem = got == 0 ? "it was truncated" : String(cString: strerror(errno))
                    return
                }
                filled += got
            }
        }
        if let problem {
            throw TileFailure(
                .unreadable, "can't read \(SafeText.sanitised(path)): \(problem); open the map again")
        }
        return bytes
    }
}
