internal import Glibc
internal import RhumbCore

/// Opens the cache's database, makes it where there is none, and sets aside what is none.
struct CacheFile {
    /// "Rhum": the file is a shared cache of ours. Losing the last moments to a power cut is no loss.
    private static let layout = StoreLayout(
        applicationID: 0x5268_756D, version: 1, tables: ResponseSchema.statements, isDurable: false)

    let path: String

    /// The process's one writer; nil where the file may only be read.
    /// - Returns: besides it, what was wrong with the file.
    func makeWriter() throws(CacheFailure) -> sending (CacheWriter?, CacheFailure?) {
        do {
            let (connection, notice) = try openWriter()
            return (try CacheWriter(connection), notice)
        } catch CacheFailure.store(let cause) where cause.isAboutAccess {
            return (nil, .notWritten(cause))
        } catch {
            throw CacheFailure(error, path)
        }
    }

    func makeReader() throws(CacheFailure) -> sending ResponseTable {
        do {
            return try ResponseTable(openReader())
        } catch {
            throw CacheFailure(error, path)
        }
    }

    /// A connection that writes, for the one writer of the process.
    /// - Returns: the connection, and what was wrong with the file that was there before.
    private func openWriter() throws(CacheFailure) -> (Connection, CacheFailure?) {
        do throws(CacheFailure) {
            return (try open(), nil)
        } catch {
            guard case .store(let failure) = error, failure.isAboutContent else { throw error }
            let notice = try quarantine(failure.kind == .corrupt ? "damaged" : "no cache of Rhumb's")
            return (try open(), notice)
        }
    }

    /// A connection that only reads; the file must be there.
    private func openReader() throws(StoreFailure) -> Connection {
        let connection = try Connection(path, .readOnly)
        try connection.execute("PRAGMA cache_size = -4096", to: "open the cache")
        return connection
    }

    private func open() throws(CacheFailure) -> Connection {
        do {
            return try CacheFile.layout.open(path)
        } catch let newer as StoreLayout.Newer {
            throw .newerSchema(file: path, version: newer.version)
        } catch {
            throw CacheFailure(error, path)
        }
    }

    /// Renames the file with what lies beside it; nothing is thrown away.
    func quarantine(_ reason: String) throws(CacheFailure) -> CacheFailure {
        let name = freeName()
        guard rename(path, name) == 0 || errno == ENOENT else {
            throw .store(StoreFailure(
                code: 14, attempt: "set the damaged cache aside", file: path, reason: String(cString: strerror(errno))))
        }
        for suffix in ["-wal", "-shm"] { rename(path + suffix, name + suffix) }
        return .quarantined(file: path, as: name, reason: reason)
    }

    private func freeName() -> String {
        var name = "\(path).set-aside"
        for number in 2...1000 where access(name, F_OK) == 0 { name = "\(path).set-aside-\(number)" }
        return name
    }

    /// After damage showed: sets the file aside, unless another process has done so and a sound
    /// one is there already.
    func quarantineIfDamaged() throws(CacheFailure) -> CacheFailure? {
        let isSound = try? Connection(path, .readOnly).text("PRAGMA quick_check(1)") == "ok"
        return isSound == true ? nil : try quarantine("damaged")
    }
}

extension CacheFailure {
    init(_ error: any Error, _ path: String) {
        self = error as? CacheFailure ?? .store(error as? StoreFailure ?? .foreign(path))
    }
}
