internal import Glibc
internal import RhumbCore

/// A lock on the packages of a store, held by one operation at a time across processes. The system releases
/// it when the process ends.
final class PackageLock: Sendable {
    private let file: Int32

    private init(_ file: Int32) { self.file = file }

    deinit { close(file) }

    /// Releases the lock.
    func release() { FileLock.release(file) }

    /// Takes the lock until it is released. If no lock file can be created, nothing is locked.
    /// - Parameter store: The path of the store.
    static func take(
        of store: String, for operation: PackageOperation
    ) throws(MapLoaderBusy) -> PackageLock {
        let file = open(store + "-packages", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        // `holder` and `askToCancel` also take the lock for a moment.
        guard FileLock.take(file, waitingUpTo: .milliseconds(10)) != .heldElsewhere else {
            defer { close(file) }
            throw MapLoaderBusy(note: note(in: file))
        }
        let note = Array("\(getpid()) \(operation.rawValue)".utf8)
        if ftruncate(file, 0) == 0 { pwrite(file, note, note.count, 0) }
        return PackageLock(file)
    }

    /// Returns the operation that holds the lock; nil if none does.
    /// - Parameter store: The path of the store.
    static func holder(of store: String) -> MapLoaderBusy? { whileHeld(store) { _ in } }

    /// Asks the process that holds the lock to cancel its operation.
    /// - Parameter store: The path of the store.
    /// - Returns: The operation; nil if none holds the lock.
    static func askToCancel(on store: String) -> MapLoaderBusy? {
        whileHeld(store) { file in pwrite(file, [1], 1, noteSize) }
    }

    private static func whileHeld(_ store: String, _ body: (Int32) -> Void) -> MapLoaderBusy? {
        let file = open(store + "-packages", O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        guard FileLock.take(file, isShared: true) == .heldElsewhere else { return nil }
        body(file)
        return MapLoaderBusy(note: note(in: file))
    }

    /// True if another process has asked to cancel.
    var isAskedToCancel: Bool {
        var byte: UInt8 = 0
        return pread(file, &byte, 1, PackageLock.noteSize) == 1 && byte != 0
    }

    /// The size of the note in bytes. The byte after it is nonzero once another process has asked to cancel.
    private static let noteSize = 64

    private static func note(in file: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: noteSize)
        bytes.removeLast(bytes.count - max(pread(file, &bytes, bytes.count, 0), 0))
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

extension MapLoaderBusy {
    /// - Parameter note: The process id and the operation, such as "4711 install"; empty if not known yet.
    init(note: String) {
        let parts = note.split(separator: " ", maxSplits: 1)
        self.init(
            operation: parts.count == 2 ? PackageOperation(rawValue: String(parts[1])) : nil,
            process: parts.first.flatMap { Int($0) })
    }
}
