internal import Glibc
internal import RhumbCore

/// Opens the cache's database, makes it where there is none, and sets aside what is none.
struct CacheFile {
    /// "Rhum" in SQLite's header: the file is a shared cache of ours.
    private static let applicationID = 0x5268_756D
    private static let schemaVersion = 1

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
            makeFolder()
            let connection = try Connection(path, .readWrite)
            try prepare(connection)
            return connection
        } catch {
            throw CacheFailure(error, path)
        }
    }

    /// The page size and the way of vacuuming are settled by the first table.
    private func prepare(_ connection: Connection) throws {
        let version = try connection.integer("PRAGMA user_version"), id = try connection.integer("PRAGMA application_id")
        if version == 0 && id == 0 {
            try connection.execute(
                "PRAGMA page_size = 16384; PRAGMA auto_vacuum = INCREMENTAL", to: "lay out the cache")
        }
        try connection.execute(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
            PRAGMA journal_size_limit = 4194304; PRAGMA cache_size = -8192
            """, to: "open the cache")
        try connection.transaction(to: "set up the cache") { () throws(StoreFailure) in
            try create(in: connection)
        }
        let found = try connection.integer("PRAGMA user_version")
        guard found <= CacheFile.schemaVersion else { throw CacheFailure.newerSchema(file: path, version: found) }
    }

    /// Within a transaction, so that of several processes that find no tables one makes them.
    private func create(in connection: Connection) throws(StoreFailure) {
        let version = try connection.integer("PRAGMA user_version"), id = try connection.integer("PRAGMA application_id")
        if id == CacheFile.applicationID && version > 0 { return }
        guard id == 0 && version == 0,
            try connection.integer("SELECT count(*) FROM sqlite_master") == 0
        else { throw StoreFailure.foreign(path) }
        try connection.execute(ResponseSchema.statements, to: "make the cache's tables")
        try connection.execute(
            "PRAGMA application_id = \(CacheFile.applicationID); PRAGMA user_version = \(CacheFile.schemaVersion)",
            to: "mark the cache")
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

    private func makeFolder() {
        var folder = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
            folder += part + "/"
            // Only the person may look at where he has been.
            if access(folder, F_OK) != 0 { mkdir(folder, 0o700) }
        }
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

extension StoreFailure {
    /// The file itself is at fault, and not the way to it.
    var isAboutContent: Bool { kind == .corrupt || kind == .notADatabase }
    /// The way to the file is at fault: it may be read, but not written.
    var isAboutAccess: Bool { kind == .notWritable || kind == .cannotOpen || kind == .diskFull }

    static func foreign(_ path: String) -> StoreFailure {
        StoreFailure(code: 26, attempt: "open the cache", file: path, reason: "another program's database")
    }
}

extension Connection {
    /// The first column of a statement's first row; 0 if there is none.
    func integer(_ sql: String) throws(StoreFailure) -> Int {
        let statement = try prepare(sql, to: "read \(sql)")
        defer { statement.reset() }
        return try statement.step() ? statement.int(0) ?? 0 : 0
    }

    /// The same for a text.
    func text(_ sql: String) throws(StoreFailure) -> String? {
        let statement = try prepare(sql, to: "read \(sql)")
        defer { statement.reset() }
        return try statement.step() ? statement.text(0) : nil
    }
}
