internal import Glibc
internal import RhumbCore

/// The schema of a database.
protocol SchemaDefinition: Sendable {
    /// The SQL that creates the tables.
    static var statements: String { get }

    /// Migrates the tables from a version to the next.
    static func migrate(_ connection: Connection, from version: Int) throws(StoreFailure)
    /// Makes the rows of a rebuilt store consistent. Runs in a transaction.
    static func settle(_ connection: Connection, _ rebuild: inout StoreRebuild) throws(StoreFailure)
}

/// The identity and settings of one of Rhumb's databases, with the code that creates and opens it.
struct StoreSchema {
    /// The application ID in SQLite's header.
    let applicationID: Int
    let version: Int
    let tables: any SchemaDefinition.Type
    /// True if commits wait until the data is on disk.
    let isDurable: Bool
    /// The page size in bytes.
    var pageSize = 16384

    /// The size in bytes to which a restarted log is truncated. It is the size that heavy writing reaches, so
    /// that the log need not grow again.
    private var journalLimit: Int { isDurable ? 12 << 20 : 20 << 20 }

    /// Versions beyond the next thousand are damage.
    private static let plausibleVersions = 1000
    /// The first version whose addresses contain no API keys.
    private static let keyless = 3

    /// The error for a file written by a newer Rhumb.
    struct Newer: Error {
        let version: Int
    }

    /// Opens the database at a path for writing. Creates it and its folder if missing. A database of the
    /// current version is opened without taking its write lock.
    /// - Throws: `StoreFailure`, with kind `notADatabase` for another program's file; or `Newer`.
    func open(_ path: String, _ lockTimeout: LockTimeout = LockTimeout()) throws -> Connection {
        StoreSchema.makeFolder(of: path)
        var turn = LockTimeout.Turn(lockTimeout, path), faults = 10
        while true {
            do {
                let connection = try Connection(path, .readWrite, lockTimeout)
                try prepare(connection)
                if isDurable { connection.checkpointInCommits() } else { connection.checkpointInBackground() }
                return connection
            } catch let failure as StoreFailure where failure.isPassing {
                // SQLite's busy handler doesn't cover other processes that create the file or move its log.
                faults -= failure.kind == .busy ? 0 : 1
                guard faults > 0, turn.sleep(milliseconds: 20) else { throw failure }
            }
        }
    }

    /// Opens the database at a path for reading.
    /// - Parameter isUnwritable: If true and locks are unavailable, reads the file without locks. A full or
    ///   read-only disk has no room for the log's index.
    /// - Throws: `StoreFailure`, or `Newer`.
    func openReader(_ path: String, isUnwritable: Bool, _ lockTimeout: LockTimeout) throws -> Connection {
        do {
            return try openReader(path, .readOnly, lockTimeout)
        } catch let failure as StoreFailure
            where isUnwritable && (failure.isAboutAccess || failure.kind == .disk)
        {
            let hasLog = Folder.size(of: path + "-wal") ?? 0 > 0
            return try openReader(path, hasLog ? .immutableWithLog : .immutable, lockTimeout)
        }
    }

    private func openReader(
        _ path: String, _ mode: Connection.Mode, _ lockTimeout: LockTimeout
    ) throws -> Connection {
        let connection = try Connection(path, mode, lockTimeout)
        try connection.execute("PRAGMA cache_size = -4096", to: "open the store")
        guard try !isBlank(connection) else { throw StoreFailure.blank(path) }
        let found = try storedVersion(connection)
        guard found == version else { throw StoreFailure.outdated(path) }
        return connection
    }

    private func prepare(_ connection: Connection) throws {
        let isBlank = try isBlank(connection)
        // Creating the first table fixes the page size and vacuum mode.
        if isBlank {
            try connection.execute(
                "PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = INCREMENTAL", to: "create the store")
        }
        try connection.execute(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL");
            PRAGMA journal_size_limit = \(journalLimit); PRAGMA cache_size = -8192; PRAGMA secure_delete = OFF
            """, to: "open the store")
        connection.endCuttingIfUnlocked()
        let before = try storedVersion(connection)
        guard isBlank || before < version else { return }
        try connection.transaction(to: "set up the store") { () throws(StoreFailure) in
            try create(in: connection)
            try migrate(connection)
        }
        if (1..<StoreSchema.keyless).contains(before) {
            // Rows that moved earlier may have left keys in pages in use. If the file can't be rebuilt, the
            // keys removed from its rows stay removed.
            try? connection.execute("VACUUM", to: "rebuild the store")
            try? connection.emptyLog()
        }
    }

    /// Returns the version of the database's tables, at most the current one.
    private func storedVersion(_ connection: Connection) throws -> Int {
        let found = try connection.integer("PRAGMA user_version")
        guard found > version else { return found }
        guard found <= version + StoreSchema.plausibleVersions else {
            throw StoreFailure(
                code: 11, attempt: "open the store", file: connection.file,
                reason: "its version number is damaged")
        }
        throw Newer(version: found)
    }

    /// Returns true if the database is empty. Reads everything in one statement, because another process may
    /// be creating the tables.
    /// - Throws: `StoreFailure` of kind `notADatabase` for another program's database.
    private func isBlank(_ connection: Connection) throws(StoreFailure) -> Bool {
        let lookup = try connection.prepare(
            """
            SELECT user_version, application_id, (SELECT count(*) FROM sqlite_master)
            FROM pragma_user_version, pragma_application_id
            """, to: "open the store")
        defer { lookup.reset() }
        _ = try lookup.step()
        let found = lookup.int(0) ?? 0, id = lookup.int(1) ?? 0, tables = lookup.int(2) ?? 0
        if id == applicationID && found > 0 { return false }
        guard id == 0 && found == 0 && tables == 0 else { throw .foreign(connection.file) }
        return true
    }

    /// Creates the tables. Runs in a transaction, so that only one of several processes creates them.
    private func create(in connection: Connection) throws(StoreFailure) {
        guard try isBlank(connection) else { return }
        try connection.execute(tables.statements, to: "create the tables")
        try connection.execute(
            "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)", to: "mark the store"
        )
    }

    /// Migrates the tables. Runs in a transaction, so that only one of several processes migrates, and a
    /// killed process changes nothing.
    private func migrate(_ connection: Connection) throws(StoreFailure) {
        let found = try connection.integer("PRAGMA user_version")
        guard found < version else { return }
        // Overwrites removed data, which must not remain in unused bytes of the file.
        try connection.execute("PRAGMA secure_delete = ON", to: "migrate the store")
        for old in found..<version { try tables.migrate(connection, from: old) }
        try connection.execute(
            "PRAGMA incremental_vacuum; PRAGMA secure_delete = OFF", to: "migrate the store")
        try connection.execute("PRAGMA user_version = \(version)", to: "migrate the store")
    }

    static func makeFolder(of path: String) {
        // Accessible only to the user, because the contents reveal where they have been.
        Folder.make(path.parentFolder, mode: 0o700)
    }
}

extension StoreFailure {
    /// True if the file's content is damaged or foreign. Damage of the schema appears as an error in the
    /// statements of the program.
    var isAboutContent: Bool { kind == .corrupt || kind == .notADatabase || code & 0xFF == 1 }
    /// True if the file can't be opened or written. Reading may still work.
    var isAboutAccess: Bool { kind == .notWritable || kind == .cannotOpen || kind == .diskFull }

    /// True if the error may be temporary, such as while another process uses the file.
    var isPassing: Bool { kind == .busy || kind == .disk }

    /// The failure of a file that could be created, but not filled.
    static func blank(_ path: String) -> StoreFailure {
        StoreFailure(code: 14, attempt: "open the store", file: path, reason: "the file is empty")
    }

    static func outdated(_ path: String) -> StoreFailure {
        StoreFailure(
            code: 8, attempt: "open the store", file: path, reason: "written by an older Rhumb, and read-only"
        )
    }

    static func foreign(_ path: String) -> StoreFailure {
        StoreFailure(code: 26, attempt: "open the store", file: path, reason: "database of another program")
    }
}

extension Connection {
    /// Runs a body whose transactions return freed pages on commit. Slower than `incremental_vacuum` for a
    /// few pages, but much faster for many, because that searches the list of free pages for each page.
    func cuttingItsFile<Result>(
        _ body: () throws(StoreFailure) -> Result
    ) throws(StoreFailure) -> Result {
        try execute("PRAGMA auto_vacuum = FULL; PRAGMA cache_size = -65536", to: "free disk space")
        do throws(StoreFailure) {
            let result = try body()
            // If another process holds the lock, the next opening ends it, as after a killed process.
            try? endCutting()
            return result
        } catch {
            try? endCutting()
            throw error
        }
    }

    /// Restores incremental vacuuming after a killed process. A running process holds the lock at times, and
    /// restores it itself.
    func endCuttingIfUnlocked() {
        locks.waits = false
        defer { locks.waits = true }
        try? endCutting()
    }

    private func endCutting() throws(StoreFailure) {
        guard try integer("PRAGMA auto_vacuum") == 1 else { return }
        try execute("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA cache_size = -8192", to: "free disk space")
    }

    /// Returns the first column of a statement's first row; 0 if there is none.
    func integer(_ sql: String) throws(StoreFailure) -> Int {
        let statement = try prepare(sql, to: "read \(sql)")
        return try statement.first { $0.int(0) } ?? 0
    }

    /// Returns the first column of a statement's first row as text; nil if there is none.
    func text(_ sql: String) throws(StoreFailure) -> String? {
        let statement = try prepare(sql, to: "read \(sql)")
        return try statement.first { $0.text(0) }
    }
}
