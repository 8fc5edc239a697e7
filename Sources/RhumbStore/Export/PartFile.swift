internal import CLinux
internal import Glibc
internal import RhumbCore

/// A private temporary file next to its destination, which is renamed when complete and otherwise removed.
/// Files and folders left by dead processes are removed by the next writer in that folder.
public final class PartFile {
    let destination: String
    /// The path of the temporary file.
    let path: String
    private let descriptor: Int32
    /// The final mode: that of the replaced file, or 0666 less the umask; 0600 for private files.
    private let mode: mode_t
    private let isReplacing: Bool
    private var isPublished = false

    /// The treatment of a destination that is a symbolic link. Others may have made it to have any file of
    /// the user replaced.
    public enum LinkRule: Sendable {
        /// Fail.
        case refuse
        /// Replace the link, not its target.
        case replace
        /// Replace its target. For the program's own files, which users link to other folders.
        case follow
    }

    /// Creates the temporary file.
    /// - Parameters:
    ///   - destination: The final path.
    ///   - isReplacing: If true, an existing file may be replaced.
    ///   - isPrivate: If true, only the owner can access the file.
    ///   - links: The rule for a symbolic link; nil to replace it if existing files may be replaced.
    /// - Throws: `ExportFailure`, also if the path exists and isn't a regular file.
    public init(
        _ destination: String, isReplacing: Bool, isPrivate: Bool = false, links: LinkRule? = nil
    ) throws(ExportFailure) {
        let links = links ?? (isReplacing ? .replace : .refuse)
        var facts = stat(), mode = 0o666 & ~PartFile.umask
        if lstat(destination, &facts) == 0 {
            let isLink = facts.st_mode & S_IFMT == S_IFLNK
            guard stat(destination, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
                throw .noFile(destination, facts.st_mode)
            }
            if isLink, links == .refuse {
                throw ExportFailure(
                    destination, .exists, "it is a symbolic link to \(PartFile.real(destination))",
                    "name that file, or choose another name")
            }
            guard isReplacing else { throw .existing(destination) }
            if !isLink || links == .follow { mode = facts.st_mode & 0o777 }
        }
        self.isReplacing = isReplacing
        self.mode = isPrivate ? 0o600 : mode
        self.destination = links == .follow ? PartFile.real(destination) : destination
        PartFile.removeOrphans(beside: self.destination)
        (path, descriptor) = try PartFile.create(beside: self.destination) {
            Glibc.open($0, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        }
        // The lock shows that the writer is alive.
        FileLock.take(descriptor)
    }

    deinit {
        close(descriptor)
        if !isPublished { UnfinishedFiles.remove(path) }
    }

    /// Writes all bytes at an offset.
    /// - Throws: `ExportFailure`.
    public func write(_ bytes: [UInt8], at offset: Int) throws(ExportFailure) {
        var written = 0
        let problem = bytes.withUnsafeBytes { bytes -> Int32? in
            while written < bytes.count, let start = bytes.baseAddress {
                let count = pwrite(descriptor, start + written, bytes.count - written, offset + written)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return count < 0 ? errno : EIO }
                written += count
            }
            return nil
        }
        if let problem { throw ExportFailure(destination, errno: problem) }
    }

    /// Copies a whole file with its time of modification. File systems that can share blocks, such as Btrfs
    /// and XFS, use no further space.
    package func copy(_ source: String) throws(ExportFailure) {
        let file = Glibc.open(source, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw ExportFailure(source, errno: errno) }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0 else { throw ExportFailure(source, errno: errno) }
        var copied = 0
        while true {
            let count = copy_file_range(file, nil, descriptor, nil, 1 << 30, 0)
            if count == 0 { break }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let code = errno
                guard copied == 0, [EINVAL, ENOSYS, EOPNOTSUPP, EXDEV].contains(code) else {
                    throw ExportFailure(destination, errno: code)
                }
                copied = try copyBytes(file, source)
                break
            }
            copied += count
        }
        guard copied == Int(facts.st_size) else { throw ExportFailure(source, errno: EIO) }
        let times = [facts.st_atim, facts.st_mtim]
        guard futimens(descriptor, times) == 0 else { throw ExportFailure(destination, errno: errno) }
    }

    /// Copies a file on a file system without `copy_file_range`.
    private func copyBytes(_ file: Int32, _ source: String) throws(ExportFailure) -> Int {
        var copied = 0, chunk = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = pread(file, &chunk, chunk.count, copied)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ExportFailure(source, errno: errno) }
            if count == 0 { return copied }
            try write(Array(chunk[..<count]), at: copied)
            copied += count
        }
    }

    /// Returns previously written bytes; fewer at the end of the file.
    package func read(at offset: Int, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let start = buffer.baseAddress {
                let got = pread(descriptor, start + filled, count - filled, offset + filled)
                if got < 0 && errno == EINTR { continue }
                guard got > 0 else { return }
                filled += got
            }
        }
    }

    /// Removes the name. The system deletes the file when it is closed.
    package func hide() {
        UnfinishedFiles.remove(path)
        isPublished = true
    }

    /// Syncs the file to disk and renames it to its destination.
    /// - Returns: The size in bytes.
    /// - Throws: `ExportFailure`, also if the destination exists by now and may not be replaced.
    @discardableResult
    public func publish() throws(ExportFailure) -> Int {
        guard fchmod(descriptor, mode) == 0, fsync(descriptor) == 0,
            let facts = FileFacts(descriptor: descriptor),
            UnfinishedFiles.finish(path, as: destination, isReplacing: isReplacing)
        else {
            let code = errno
            if code == EEXIST, !isReplacing { throw .existing(destination) }
            throw ExportFailure(destination, errno: code)
        }
        isPublished = true
        Folder.sync(destination.parentFolder)
        return Int(clamping: facts.size)
    }
}

/// Names and orphaned files.
extension PartFile {
    private static let mark = ".rhumb-"
    private static let ending = ".part"

    /// The process's umask, read once and early, because reading changes it briefly.
    static let umask: mode_t = {
        let usual = Glibc.umask(0o077)
        _ = Glibc.umask(usual)
        return usual
    }()

    /// Creates a file or folder with an unused temporary name.
    /// - Parameter create: Creates it at a path. Returns a negative number, and sets `errno`, if that failed.
    static func create(
        beside destination: String, _ create: (String) -> Int32
    ) throws(ExportFailure) -> (path: String, result: Int32) {
        for attempt in 0..<100 {
            let path = "\(destination)\(mark)\(getpid())-\(attempt)\(ending)"
            let result = UnfinishedFiles.add(path) { create(path) }
            if result >= 0 { return (path, result) }
            guard errno == EEXIST else { break }
        }
        throw ExportFailure(destination, errno: errno)
    }

    private static func real(_ path: String) -> String {
        guard let found = realpath(path, nil) else { return path }
        defer { free(found) }
        return String(cString: found)
    }

    /// Returns a folder's path without slashes at its end.
    package static func withoutSlash(_ path: String) -> String {
        var name = Substring(path)
        while name.count > 1, name.last == "/" { name.removeLast() }
        return String(name)
    }

    /// Removes the temporary files and folders of dead processes.
    package static func removeOrphans(beside destination: String) {
        let folder = destination.parentFolder
        for name in FolderNames.list(folder) ?? [] {
            if let process = process(ofPart: name), process != getpid() {
                remove("\(folder)/\(name)", of: process)
            }
        }
    }

    /// Returns the process that writes a temporary file; nil for other names.
    private static func process(ofPart name: String) -> pid_t? {
        guard name.hasSuffix(ending), let at = name.firstRange(of: mark) else { return nil }
        let numbers = name[at.upperBound...].dropLast(ending.count).split(
            separator: "-", omittingEmptySubsequences: false)
        guard numbers.count == 2, Int(numbers[1]) != nil else { return nil }
        return pid_t(numbers[0])
    }

    /// Removes a file or folder if its process is gone and no process locks it, including those in other
    /// containers.
    private static func remove(_ path: String, of process: pid_t) {
        guard kill(process, 0) != 0, errno == ESRCH else { return }
        let descriptor = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard FileLock.take(descriptor) == .held else { return }
        Folder.erase(path)
    }
}

extension ExportFailure {
    fileprivate static func existing(_ path: String) -> ExportFailure {
        ExportFailure(path, .exists, "the file exists", "choose another name or remove it")
    }

    fileprivate static func noFile(_ path: String, _ mode: mode_t) -> ExportFailure {
        let kind =
            switch mode & S_IFMT {
            case S_IFDIR: "a folder"
            case S_IFCHR, S_IFBLK: "a device"
            case S_IFIFO: "a pipe"
            case S_IFSOCK: "a socket"
            default: "a broken link"
            }
        return ExportFailure(path, .notRegular, "it is \(kind)", "use a file")
    }
}

/// A part of a file that grows by appending, written in pieces of about a megabyte.
struct BufferedPart {
    private let file: PartFile
    private let start: Int
    private var written = 0
    private var buffer: [UInt8] = []

    init(_ file: PartFile, from start: Int) {
        self.file = file
        self.start = start
    }

    /// The number of bytes appended.
    var count: Int { written + buffer.count }

    mutating func append(_ bytes: [UInt8]) throws(ExportFailure) {
        buffer += bytes
        if buffer.count >= 1 << 20 { try flush() }
    }

    mutating func flush() throws(ExportFailure) {
        try file.write(buffer, at: start + written)
        written += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }

    /// Returns previously appended bytes. The offset is relative to the part's start.
    func read(at offset: Int, count: Int) -> [UInt8] {
        if offset >= written { return Array(buffer[(offset - written)..<(offset - written + count)]) }
        return file.read(at: start + offset, count: count)
    }

    /// All bytes, in pieces of a megabyte.
    var pieces: some Sequence<[UInt8]> {
        stride(from: 0, to: count, by: 1 << 20).lazy.map { [self] offset in
            read(at: offset, count: min(1 << 20, count - offset))
        }
    }
}
