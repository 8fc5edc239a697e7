internal import Glibc

/// The free space of disks.
package enum DiskSpace {
    /// Returns the number of free bytes on the disk of a file, which need not exist; nil if unknown.
    package static func bytes(beside path: String) -> Int? {
        var facts = statvfs()
        var folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
            separator: "/")
        if folder.isEmpty { folder = path.hasPrefix("/") ? "/" : "." }
        guard statvfs(folder, &facts) == 0 else { return nil }
        return Int(facts.f_bavail) * Int(facts.f_frsize)
    }
}
