internal import Glibc
internal import RhumbCore

/// The tables of a database.
protocol StoreTables: Sendable {
    /// Makes them.
    static var statements: String { get }

    /// Makes those of a version the ones of the next.
    static func migrate(_ connection: Connection, from version: Int) throws(StoreFailure)
}

/// The identity and layout of one of Rhumb's databases.
struct StoreLayout {
    /// In SQLite's header.
    let applicationID: Int
    let version: Int
    let tables: any StoreTables.Type
    /// True if a commit waits until the disk has it.
    let isDurable: Bool
    /// Bytes of a page.
    var pageSize = 16384

    /// The bytes of the log that stay allocated when it is reset, so that it need not grow again.
    private var journalLimit: Int { isDurable ? 12 << 20 : 20 << 20 }

    /// The first version whose addresses hold no keys.
    private static let keyless = 3

    /// The file was written by a newer Rhumb.
    struct Newer: Error {
        let version: Int
    }

    /// Opens the database at a path to write, and makes it and its folder if it is missing. A database of
    /// this version is opened without its write lock.
    /// - Throws: `StoreFailure`, of kind `notADatabase` for another program's; or `Newer`.
    func open(_ path: String, _ patience: LockPatience = LockPatience()) throws -> Connection {
        StoreLayout.makeFolder(of: path)
        var turn = LockPatience.Turn(patience, path), faults = 10
        while true {
            do {
                let connection = try Connection(path, .readWrite, patience)
                try prepare(connection)
                if !isDurable { connection.checkpointInBackground() }
                return connection
            } catch let failure as StoreFailure where failure.isPassing {
                // SQLite does not wait for others that open the file for the first time, or move files beside
                // it.
                faults -= failure.kind == .busy ? 0 : 1
                guard faults > 0, turn.sleep(milliseconds: 20) else { throw failure }
            }
        }
    }

    /// Opens the database at a path to read.
    /// - Parameter isUnwritable: If true, and locks are not available, the file is read without them. A full
    ///   or read-only disk has no room for the index of a log.
    /// - Throws: `StoreFailure`, or `Newer`.
    func openReader(_ path: String, isUnwritable: Bool, _ patience: LockPatience) throws -> Connection {
        do {
            return try openReader(path, .readOnly, patience)
        } catch let failure as StoreFailure
            where isUnwritable && (failure.isAboutAccess || failure.kind == .disk)
        {
            var log = stat()
            let hasLog = stat(path + "-wal", &log) == 0 && log.st_size > 0
            return try openReader(path, hasLog ? .immutableWithLog : .immutable, patience)
        }
    }

    private func openReader(
        _ path: String, _ mode: Connection.Mode, _ patience: LockPatience
    ) throws -> Connection {
        let connection = try Connection(path, mode, patience)
        try connection.execute("PRAGMA cache_size = -4096", to: "open the store")
        _ = try isBlank(connection)
        let found = try connection.integer("PRAGMA user_version")
        guard found <= version else { throw Newer(version: found) }
        guard found == version else { throw StoreFailure.outdated(path) }
        return connection
    }

    private func prepare(_ connection: Connection) throws {
        let isBlank = try isBlank(connection)
        // The page size and the way of vacuuming are settled by the first table.
        if isBlank {
            try connection.execute(
                "PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = INCREMENTAL", to: "create the store")
        }
        try connection.execute(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL");
            PRAGMA wal_autocheckpoint = 512; PRAGMA journal_size_limit = \(journalLimit); PRAGMA cache_size = -8192
            """, to: "open the store")
        connection.endCuttingIfUnlocked()
        let before = try connection.integer("PRAGMA user_version")
        guard before <= version else { throw Newer(version: before) }
        guard isBlank || before < version else { return }
        try connection.transaction(to: "set up the store") { () throws(StoreFailure) in
            try create(in: connection)
            try migrate(connection)
        }
        if (1..<StoreLayout.keyless).contains(before) {
            // Moved rows may have left keys in pages in use. If the file can't be rebuilt, its rows are clean
            // all the same.
            try? connection.execute("VACUUM", to: "rebuild the store")
            try? connection.emptyLog()
        }
    }

    /// Whether nothing is in it yet; all seen at one moment, since others may be laying it out.
    /// What is another program's is not touched.
    private func isBlank(_ connection: Connection) throws(StoreFailure) -> Bool {
        let look = try connection.prepare(
            """
            SELECT user_version, application_id, (SELECT count(*) FROM sqlite_master)
            FROM pragma_user_version, pragma_application_id
            """, to: "open the store")
        defer { look.reset() }
        _ = try look.step()
        let found = look.int(0) ?? 0, id = look.int(1) ?? 0, tables = look.int(2) ?? 0
        if id == applicationID && found > 0 { return false }
        guard id == 0 && found == 0 && tables == 0 else { throw .foreign(connection.file) }
        return true
    }

    /// Within a transaction, so that of several processes that find no tables one makes them.
    private func create(in connection: Connection) throws(StoreFailure) {
        guard try isBlank(connection) else { return }
        try connection.execute(tables.statements, to: "create the tables")
        try connection.execute(
            "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)", to: "mark the store"
        )
    }

    /// Within a transaction, so that of several processes one does it, and a killed one nothing.
    private func migrate(_ connection: Connection) throws(StoreFailure) {
        let found = try connection.integer("PRAGMA user_version")
        guard found < version else { return }
        // What is taken out must not stay in the file's unused bytes.
        try connection.execute("PRAGMA secure_delete = ON", to: "migrate the store")
        for old in found..<version { try tables.migrate(connection, from: old) }
        try connection.execute(
            "PRAGMA incremental_vacuum; PRAGMA secure_delete = OFF", to: "migrate the store")
        try connection.execute("PRAGMA user_version = \(version)", to: "migrate the store")
    }

    static func makeFolder(of path: String) {
        var folder = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
            folder += part + "/"
            // Only the person may look at where he has been.
            if access(folder, F_OK) != 0 { mkdir(folder, 0o700) }
        }
    }
}

extension StoreFailure {
    /// The file itself is at fault, and not the way to it.
    var isAboutContent: Bool { kind == .corrupt || kind == .notADatabase }
    /// The way to the file is at fault: it may be read, but not written.
    var isAboutAccess: Bool { kind == .notWritable || kind == .cannotOpen || kind == .diskFull }

    /// It may go by itself: others are at the file.
    var isPassing: Bool { kind == .busy || kind == .disk }

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
    /// Gives back what a transaction frees as it is committed: slower for a little, far faster for
    /// much than `incremental_vacuum`, which looks for each page in the list of free ones.
    func cuttingItsFile<Result>(
        _ body: () throws(StoreFailure) -> Result
    ) throws(StoreFailure) -> Result {
        try execute("PRAGMA auto_vacuum = FULL; PRAGMA cache_size = -65536", to: "free disk space")
        do throws(StoreFailure) {
            let result = try body()
            try endCutting()
            return result
        } catch {
            try? endCutting()
            throw error
        }
    }

    /// Ends the cutting of a process that was killed. One that runs holds the lock now and then, and ends its
    /// own.
    func endCuttingIfUnlocked() {
        locks.waits = false
        defer { locks.waits = true }
        try? endCutting()
    }

    private func endCutting() throws(StoreFailure) {
        guard try integer("PRAGMA auto_vacuum") == 1 else { return }
        try execute("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA cache_size = -8192", to: "free disk space")
    }

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
