internal import CLinux
internal import Glibc
internal import RhumbCore
internal import Synchronization

/// The temporary files and folders of this process. A signal that ends the process removes them.
package enum UnfinishedFiles {
    private struct State {
        var paths: Set<String> = []
        /// True if a file was renamed to its destination, outside of temporary folders.
        var hasFinished = false
    }

    private static let state = Mutex(State())

    /// Creates a file or folder, and adds it.
    /// - Returns: The result of `create`; negative if it failed.
    static func add(_ path: String, _ create: () -> Int32) -> Int32 {
        state.withLock { state in
            let result = create()
            if result >= 0 { state.paths.insert(path) }
            return result
        }
    }

    /// Runs work that may create folders. After a signal, it waits for the end of the process.
    static func whileRunning(_ work: () -> Void) { state.withLock { _ in work() } }

    /// Removes a file or folder that is not needed any more.
    static func remove(_ path: String) {
        state.withLock { state in
            state.paths.remove(path)
            erase(path)
        }
    }

    /// Renames a complete file or folder to its destination.
    /// - Parameter isReplacing: If true, it may replace a file, or an empty folder.
    /// - Returns: False if that failed; `errno` has the reason.
    static func finish(_ path: String, as destination: String, isReplacing: Bool = true) -> Bool {
        state.withLock { state in
            let isMoved = isReplacing ? rename(path, destination) == 0 : move(path, to: destination)
            guard isMoved else { return false }
            state.paths.remove(path)
            if !state.paths.contains(where: { destination.hasPrefix($0 + "/") }) { state.hasFinished = true }
            return true
        }
    }

    /// Renames a file if the new name is unused.
    private static func move(_ path: String, to destination: String) -> Bool {
        guard access(destination, F_OK) != 0 else {
            errno = EEXIST
            return false
        }
        return rename(path, destination) == 0
    }

    /// Moves the contents of a complete folder to the folder that contains it.
    /// - Parameter last: The name of the file that is moved last.
    /// - Returns: False if that failed; `errno` has the reason.
    static func empty(_ path: String, into destination: String, last: String) -> Bool {
        state.withLock { state in
            let names = (FolderNames.list(path) ?? []).filter { $0 != last } + [last]
            for name in names {
                guard rename("\(path)/\(name)", "\(destination)/\(name)") == 0 else { return false }
                state.hasFinished = true
            }
            rmdir(path)
            state.paths.remove(path)
            return true
        }
    }

    /// Removes all files and folders, and ends the process. None is created or finished meanwhile.
    /// - Parameter end: Receives true if the process has written files to their destinations.
    package static func removeAll(_ end: (Bool) -> Never) -> Never {
        state.withLock { state in
            for path in state.paths { erase(path) }
            end(state.hasFinished)
        }
    }

    private static func erase(_ path: String) {
        // Under a new name, the writer can't add files to a folder meanwhile. The name is one of a temporary
        // folder, too, so that later writers beside it remove it.
        let ending = ".part", new = String(path.dropLast(ending.count)) + "0" + ending
        let isRenamed = path.hasSuffix(ending) && rename(path, new) == 0
        Folder.erase(isRenamed ? new : path)
    }
}

/// A private temporary folder next to its destination, which is renamed when complete and otherwise removed
/// with its contents. Folders left by dead processes are removed by the next writer beside them.
package final class PartFolder {
    /// The path of the temporary folder.
    package let path: String
    private let destination: String
    /// The file that is moved last to an existing destination; nil if the folder is renamed.
    private let last: String?
    /// The open folder. Its lock shows that the writer is alive.
    private let descriptor: Int32
    private var isPublished = false

    /// Creates the folder.
    /// - Parameters:
    ///   - destination: The final path, without a slash at its end.
    ///   - last: The file that is moved last to the destination, an empty folder that may not be replaceable,
    ///     such as a disk. The temporary folder is within it. nil to rename the folder.
    /// - Throws: `ExportFailure`
    package init(_ destination: String, filledUpTo last: String? = nil) throws(ExportFailure) {
        self.destination = destination
        self.last = last
        let name = last.map { "\(destination)/\($0)" } ?? destination
        PartFile.removeOrphans(beside: name)
        path = try PartFile.create(beside: name) { mkdir($0, 0o700) }.path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        FileLock.take(descriptor)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if !isPublished { UnfinishedFiles.remove(path) }
    }

    /// Creates a folder within it, with its missing parents.
    package func makeFolder(_ name: String) {
        UnfinishedFiles.whileRunning { Folder.make("\(path)/\(name)", mode: 0o755) }
    }

    /// Syncs the contents to disk and renames the folder, or moves its contents, to the destination.
    /// - Throws: `ExportFailure`
    package func publish() throws(ExportFailure) {
        guard fchmod(descriptor, 0o777 & ~PartFile.umask) == 0, syncfs(descriptor) == 0,
            last.map({ UnfinishedFiles.empty(path, into: destination, last: $0) })
                ?? UnfinishedFiles.finish(path, as: destination)
        else { throw ExportFailure(destination, errno: errno) }
        isPublished = true
        Folder.sync(last == nil ? destination.parentFolder : destination)
    }
}
