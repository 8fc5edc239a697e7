internal import Glibc
public import RhumbCore

/// Opens or creates the cache's database, and renames a damaged or foreign file.
struct CacheFile {
    /// The layout of the cache, with application ID "Rhum". Not durable, because losing the last writes in a
    /// power cut is acceptable.
    private static let layout = StoreSchema(
        applicationID: 0x5268_756D, version: 3, tables: ResponseSchema.self, isDurable: false)

    let path: String
    var lockTimeout = LockTimeout()

    /// Opens the process's only writer.
    /// - Returns: The writer, nil if the file is read-only, and any problem with the file.
    func makeWriter() throws(CacheFailure) -> sending (CacheWriter?, CacheFailure?) {
        do {
            return try openWriter()
        } catch CacheFailure.store(let cause) where cause.isAboutAccess {
            return (nil, .notWritten(cause))
        } catch {
            throw CacheFailure(error, path)
        }
    }

    func makeReader(isUnwritable: Bool) throws(CacheFailure) -> sending ResponseTable {
        do {
            return try ResponseTable(
                CacheFile.layout.openReader(path, isUnwritable: isUnwritable, lockTimeout))
        } catch {
            throw CacheFailure(error, path)
        }
    }

    /// Opens the process's only writer.
    /// - Returns: The writer, and any problem with the previous file.
    private func openWriter() throws(CacheFailure) -> sending (CacheWriter?, CacheFailure?) {
        let found = identity
        do throws(CacheFailure) {
            return (try open(), nil)
        } catch {
            guard case .store(let failure) = error, failure.isAboutContent else { throw error }
            let isForeign = failure.kind == .notADatabase
            let notice = try quarantine(found, isForeign ? "not a Rhumb cache" : "damaged")
            return (try open(), notice)
        }
    }

    private func open() throws(CacheFailure) -> sending CacheWriter {
        // Keeps another process that is renaming the old file from also renaming the log of the new one.
        let folder = lockFolder(isShared: true)
        defer { close(folder) }
        do {
            return try CacheWriter(CacheFile.layout.open(path, lockTimeout))
        } catch {
            throw CacheFailure(error, path)
        }
    }

    /// Renames a file, unless another process has already replaced it.
    /// - Returns: The failure to report; nil if another process renamed the file.
    func quarantine(_ file: Identity?, _ reason: String) throws(CacheFailure) -> CacheFailure? {
        let folder = lockFolder()
        defer { close(folder) }
        return identity == file ? try setAside(reason) : nil
    }

    /// Locks the cache's folder across processes until the returned descriptor is closed.
    private func lockFolder(isShared: Bool = false) -> Int32 {
        let folder = Glibc.open(path.parentFolder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        FileLock.take(folder, isShared: isShared, waitingUpTo: nil)
        return folder
    }

    /// Renames the file with its `-wal` and `-shm`, and copies its readable entries to a new one. Deletes
    /// nothing.
    private func setAside(_ reason: String) throws(CacheFailure) -> CacheFailure {
        let name = freeName()
        if let rebuild = try? CacheFile.layout.recover(path, movingTo: name) {
            return .quarantined(
                file: path, as: name, reason: reason, recovered: rebuild.copied["entries"] ?? 0)
        }
        guard rename(path, name) == 0 || errno == ENOENT else {
            throw .store(StoreFailure(system: errno, attempt: "rename the damaged cache", file: path))
        }
        for suffix in ["-wal", "-shm"] { rename(path + suffix, name + suffix) }
        return .quarantined(file: path, as: name, reason: reason)
    }

    private func freeName() -> String {
        var name = "\(path).set-aside"
        for number in 2...1000 where access(name, F_OK) == 0 { name = "\(path).set-aside-\(number)" }
        return name
    }

    /// The identity of a file, which distinguishes it from a replacement with the same name.
    struct Identity: Equatable {
        let device, inode: UInt64
    }

    /// The identity of the file; nil if it doesn't exist.
    var identity: Identity? {
        FileFacts(path).map { Identity(device: $0.device, inode: $0.node) }
    }
}

extension CacheFailure {
    init(_ error: any Error, _ path: String) {
        if let newer = error as? StoreSchema.Newer {
            self = .newerSchema(file: path, version: newer.version)
        } else {
            self = error as? CacheFailure ?? .store(error as? StoreFailure ?? .foreign(path))
        }
    }
}

/// The reason why the shared cache is unusable or limited. The map works without it.
public enum CacheFailure: RecoverableError, Equatable, Sendable, CustomStringConvertible {
    /// The file was written by a newer Rhumb.
    case newerSchema(file: String, version: Int)
    /// The file was damaged or foreign. It was renamed, and a new one was created with this number of its
    /// entries.
    case quarantined(file: String, as: String, reason: String, recovered: Int = 0)
    /// Writing failed. Stored entries may still be readable.
    case notWritten(StoreFailure)
    case store(StoreFailure)

    public var description: String {
        switch self {
        case .newerSchema(let file, let version):
            "the cache \(safe(file)) was written by a newer Rhumb (schema \(version)); update Rhumb"
        case .quarantined(let file, let name, let reason, let recovered):
            "the cache \(safe(file)) was \(reason); it was renamed to \(safe(name)), and a new one was created"
                + (recovered > 0
                    ? " with \(AmountText.count(recovered, "entry", plural: "entries")) of it" : "")
        case .notWritten(let failure):
            "can't write to the cache: \(failure.reason), \(failure.advice); continuing without it"
        case .store(let failure): "\(failure)"
        }
    }

    /// Suggests another cache file if a newer Rhumb wrote this one; nil otherwise.
    public var remedy: RecoverySuggestion? { if case .newerSchema = self { .nameCacheFile } else { nil } }

    /// True if the error may be temporary, such as while another process uses the file.
    var isPassing: Bool { if case .store(let failure) = self { failure.isPassing } else { false } }

    private func safe(_ text: String) -> String { SafeText.sanitised(text, limit: 300) }
}
