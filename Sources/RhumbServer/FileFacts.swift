internal import Glibc
internal import RhumbCore

/// The size and the version of a file.
struct FileFacts {
    let size: UInt64
    let modified: UnixSeconds
    private let nanoseconds: Int

    /// Reads the facts of a file; nil if there is none.
    init?(path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        self.init(facts)
    }

    /// Reads the facts of an open file; nil if it is not a regular file.
    init?(file: Int32) {
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(facts)
    }

    private init(_ facts: stat) {
        size = UInt64(max(facts.st_size, 0))
        modified = UnixSeconds(Int64(facts.st_mtim.tv_sec))
        nanoseconds = facts.st_mtim.tv_nsec
    }

    /// The ETag, which changes with the file.
    var etag: String {
        "\"\(String(size, radix: 16))-\(String(modified.value, radix: 16))-\(String(nanoseconds, radix: 16))\""
    }
}
