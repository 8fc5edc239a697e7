internal import Glibc

/// Folders that survive a power cut.
package enum Folder {
    /// Creates a folder and its missing parents, and makes their names durable. Does nothing if it exists.
    /// - Parameter mode: The permissions, less the umask.
    package static func make(_ path: String, mode: UInt32) {
        guard access(path, F_OK) != 0 else { return }
        var made = path.hasPrefix("/") ? "/" : "", parent = path.hasPrefix("/") ? "/" : "."
        for part in path.split(separator: "/") {
            made += part
            if mkdir(made, mode) == 0 { sync(parent) }
            parent = made
            made += "/"
        }
    }

    /// Makes the names in a folder durable. Errors are ignored, because some file systems can't do it.
    package static func sync(_ path: String) {
        let opened = open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { return }
        fsync(opened)
        close(opened)
    }

    /// Removes a file, or a folder with its contents. Links are not followed.
    package static func erase(_ path: String) {
        guard unlink(path) != 0, errno == EISDIR else { return }
        for name in FolderNames.list(path) ?? [] { erase("\(path)/\(name)") }
        rmdir(path)
    }

    /// Returns the size of a file in bytes; nil if there is no such file.
    package static func size(of path: String) -> Int? { FileFacts(path).map { Int(clamping: $0.size) } }

    /// Returns the size of a SQLite database and its log in bytes.
    package static func size(ofDatabase path: String) -> Int {
        [path, path + "-wal"].reduce(0) { $0 + (size(of: $1) ?? 0) }
    }
}

/// Lists the contents of folders.
package enum FolderNames {
    /// Returns the names in a folder, unordered; nil if it can't be listed.
    package static func list(_ folder: String) -> [String]? {
        guard let handle = opendir(folder) else { return nil }
        defer { closedir(handle) }
        var names: [String] = []
        while let item = readdir(handle) {
            let name = withUnsafeBytes(of: &item.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }
}
