internal import Glibc
internal import RhumbCore

/// What tells one of Rhumb's databases from all other files, and how it is made.
struct StoreLayout {
    /// In SQLite's header.
    let applicationID: Int
    let version: Int
    let tables: String
    /// Whether a commit waits until the disk has it.
    let isDurable: Bool

    /// The file was written by a newer Rhumb.
    struct Newer: Error {
        let version: Int
    }

    /// Opens the database at a path, and makes it and its folder where there is none.
    /// - Throws: `StoreFailure`, of kind `notADatabase` for another program's; or `Newer`.
    func open(_ path: String) throws -> Connection {
        makeFolder(of: path)
        let connection = try Connection(path, .readWrite)
        // The page size and the way of vacuuming are settled by the first table.
        if try connection.integer("PRAGMA user_version") == 0, try connection.integer("PRAGMA application_id") == 0 {
            try connection.execute(
                "PRAGMA page_size = 16384; PRAGMA auto_vacuum = INCREMENTAL", to: "lay out the store")
        }
        try connection.execute(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL");
            PRAGMA journal_size_limit = 4194304; PRAGMA cache_size = -8192
            """, to: "open the store")
        try connection.transaction(to: "set up the store") { () throws(StoreFailure) in
            try create(in: connection)
        }
        let found = try connection.integer("PRAGMA user_version")
        guard found <= version else { throw Newer(version: found) }
        return connection
    }

    /// Within a transaction, so that of several processes that find no tables one makes them.
    private func create(in connection: Connection) throws(StoreFailure) {
        let found = try connection.integer("PRAGMA user_version"), id = try connection.integer("PRAGMA application_id")
        if id == applicationID && found > 0 { return }
        guard id == 0 && found == 0, try connection.integer("SELECT count(*) FROM sqlite_master") == 0 else {
            throw .foreign(connection.file)
        }
        try connection.execute(tables, to: "make the store's tables")
        try connection.execute(
            "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)", to: "mark the store")
    }

    private func makeFolder(of path: String) {
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

    static func foreign(_ path: String) -> StoreFailure {
        StoreFailure(code: 26, attempt: "open the store", file: path, reason: "another program's database")
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
