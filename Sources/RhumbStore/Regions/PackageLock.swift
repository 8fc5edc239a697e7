internal import Glibc

/// The right to change the packages of a store, which one operation at a time has, in whatever process.
/// The system takes it back from a process that ends.
public final class PackageLock: Sendable {
    private let file: Int32

    private init(_ file: Int32) { self.file = file }

    deinit { close(file) }

    /// Takes it, until it is let go of. Where no file can be made to lock, nobody is kept away.
    /// - Parameters:
    ///   - store: the file of the store.
    ///   - operation: a word that tells others what is done.
    /// - Throws: `PackageLockHeld`
    public static func take(of store: String, for operation: String) throws(PackageLockHeld) -> PackageLock {
        let file = open(store + "-packages", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            defer { close(file) }
            throw PackageLockHeld(note(in: file))
        }
        let note = Array("\(getpid()) \(operation)".utf8)
        if ftruncate(file, 0) == 0 { pwrite(file, note, note.count, 0) }
        return PackageLock(file)
    }

    private static func note(in file: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 64)
        bytes.removeLast(bytes.count - max(pread(file, &bytes, bytes.count, 0), 0))
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Another operation changes the packages of a store.
public struct PackageLockHeld: Error, Sendable, Equatable {
    /// The process that does; nil where it has not said so yet.
    public let process: Int?
    /// What it does, by its own word; empty where it has not said so yet.
    public let operation: String

    /// - Parameter note: "4711 install"
    init(_ note: String) {
        let words = note.split(separator: " ", maxSplits: 1)
        process = words.first.flatMap { Int($0) }
        operation = words.count == 2 ? String(words[1]) : ""
    }
}
