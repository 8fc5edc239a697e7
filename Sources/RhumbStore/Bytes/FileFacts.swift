internal import Glibc
package import RhumbCore

/// The identity, type, size and time of the last change of a file or folder.
package struct FileFacts: Hashable, Sendable {
    /// The number of the file system.
    package let device: UInt64
    /// The number of the file in its file system. Hard links share it, copies don't.
    package let node: UInt64
    /// The size in bytes.
    package let size: UInt64
    /// The time of the last change, in whole seconds.
    package let modified: UnixSeconds
    /// The rest of the time of the last change.
    package let nanoseconds: Int
    private let type: UInt32

    /// Reads the facts of a file. Symbolic links are followed. nil if it can't be found, as `errno` explains.
    package init?(_ path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        self.init(facts)
    }

    /// Reads the facts of an open file.
    package init?(descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return nil }
        self.init(facts)
    }

    private init(_ facts: stat) {
        device = UInt64(facts.st_dev)
        node = UInt64(facts.st_ino)
        size = UInt64(max(facts.st_size, 0))
        modified = UnixSeconds(Int64(facts.st_mtim.tv_sec))
        nanoseconds = facts.st_mtim.tv_nsec
        type = facts.st_mode & S_IFMT
    }

    /// True for a regular file.
    package var isFile: Bool { type == S_IFREG }
    package var isFolder: Bool { type == S_IFDIR }

    /// Returns true for facts of the same file, which may have changed.
    package func isSameFile(as other: Self) -> Bool { device == other.device && node == other.node }

    /// The time of the last change, for comparisons.
    package var moment: (Int64, Int) { (modified.value, nanoseconds) }
}

/// The free space of disks.
package enum DiskSpace {
    /// Returns the number of free bytes on the disk of a file, which need not exist; nil if unknown.
    package static func bytes(beside path: String) -> Int? {
        var facts = statvfs()
        guard statvfs(path.parentFolder, &facts) == 0 else { return nil }
        return Int(facts.f_bavail) * Int(facts.f_frsize)
    }
}
