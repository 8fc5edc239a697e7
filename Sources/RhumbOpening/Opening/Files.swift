internal import Glibc
internal import RhumbCore
internal import RhumbEngine
package import RhumbStore

/// File operations besides archives and stores.
package enum Files {
    /// The time limit for the next bytes of a pipe, in milliseconds.
    private static let timeLimit: Int32 = 5000

    /// Returns the whole content of a file; nil if it is unreadable, larger than `limit` bytes, or a pipe
    /// without a writer.
    package static func read(_ path: String, limit: Int = 1 << 20) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else {
            let code = errno
            if code != ENOENT {
                FailureLog.note("file", "can't open \(path): \(String(cString: strerror(code)))")
            }
            return nil
        }
        defer { close(file) }
        var bytes: [UInt8] = [], chunk = [UInt8](repeating: 0, count: 65536)
        while bytes.count <= limit {
            let count = Glibc.read(file, &chunk, chunk.count)
            if count > 0 { bytes += chunk[..<count] }
            if count == 0 { return bytes.isEmpty && !isRegular(file) ? nil : bytes }
            guard count > 0 || errno == EINTR || (errno == EAGAIN && isReadable(file)) else { return nil }
        }
        return nil
    }

    /// Returns the whole content of a file of at most `limit` bytes.
    package static func contents(_ path: String, limit: Int) throws(FileProblem) -> [UInt8] {
        guard let bytes = read(path, limit: limit) else { throw FileProblem(path, limit: limit) }
        return bytes
    }

    private static func isReadable(_ file: Int32) -> Bool {
        var entry = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, timeLimit) > 0
    }

    private static func isRegular(_ file: Int32) -> Bool { FileFacts(descriptor: file)?.isFile == true }

    /// Returns the size of a file, in bytes; nil if there is no such file.
    package static func size(_ path: String) -> Int? { Folder.size(of: path) }

    /// Writes a file completely or not at all.
    /// - Parameters:
    ///   - isPrivate: True if only its owner may access it.
    ///   - links: The rule for a symbolic link; nil to replace it if existing files may be replaced.
    package static func write(
        _ bytes: [UInt8], to path: String, isReplacing: Bool = true, isPrivate: Bool = false,
        links: PartFile.LinkRule? = nil
    ) throws(ExportFailure) {
        let file = try PartFile(path, isReplacing: isReplacing, isPrivate: isPrivate, links: links)
        try file.write(bytes, at: 0)
        try file.publish()
    }

    /// Creates a folder and its parents, as far as they don't exist.
    package static func makeFolder(_ path: String) { Folder.make(path, mode: 0o755) }

    /// Returns the absolute path of a file, or a web address unchanged.
    package static func named(_ name: String) -> String {
        guard !SourceDefinition.isAddress(name), !name.hasPrefix("/"), let here = getcwd(nil, 0) else {
            return name
        }
        defer { free(here) }
        return String(cString: here) + "/" + name
    }

    /// Returns the path of a file with all symbolic links resolved, or its absolute path if it doesn't exist.
    package static func real(_ path: String) -> String {
        guard let found = realpath(path, nil) else { return named(path) }
        defer { free(found) }
        return String(cString: found)
    }

    /// Returns true for a file that can be read and replaced, or that doesn't exist.
    package static func isRegularOrMissing(_ path: String) -> Bool { FileFacts(path)?.isFile != false }

    package static func isFolder(_ path: String) -> Bool { FileFacts(path)?.isFolder == true }

    /// Returns the names of visible files in a folder, sorted; empty if it can't be listed.
    package static func names(in folder: String) -> [String] {
        (FolderNames.list(folder) ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
