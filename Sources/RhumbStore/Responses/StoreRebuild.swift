internal import Glibc
internal import RhumbCore

/// Copies the readable rows of a damaged store into a new one.
struct StoreRebuild {
    /// The number of copied rows by table.
    private(set) var copied: [String: Int] = [:]
    /// The number of rows, by table, whose key or content can't be read.
    var lost: [String: Int] = [:]
    /// The number of unreadable pages by table.
    private(set) var lostPages: [String: Int] = [:]
    /// The ids of bodies that differ from their hashes.
    private(set) var damagedBodies: Set<Int> = []
    /// The rows of SQLite's own indexes of unique columns, by index. Each ends with its row's id.
    private(set) var indexRows: [String: [[ScannedValue]]] = [:]

    /// Tables whose rows are not copied: triggers compute totals, and processes enter themselves again.
    private static let skipped: Set<String> = ["totals", "workers"]
    /// The index of entries by their bodies, which ends with the key of the entry.
    static let bodyIndex = "entries_by_body"
    /// The number of rows of one transaction.
    private static let batch = 4096

    /// Sentences about the parts that can't be read.
    var faults: [String] {
        Set(lost.keys).union(lostPages.keys).sorted().map { table in
            let counts = [(lost[table] ?? 0, "row"), (lostPages[table] ?? 0, "page")].filter { $0.0 > 0 }
            return "\(table): "
                + counts.map { AmountText.count($0.0, $0.1) }
                .joined(separator: " and ") + " can't be read"
        }
    }

    /// Copies all rows, and lets the schema make them consistent.
    /// - Parameters:
    ///   - damaged: The path of the damaged store, with its log. It is not changed.
    ///   - path: The path of the new store, which must not exist.
    /// - Throws: `StoreFailure`, `ArchiveFailure`, or `StoreSchema.Newer`
    init(of damaged: String, as path: String, _ schema: StoreSchema) throws {
        let pages = try DatabasePages(damaged, usualSize: schema.pageSize)
        var scan = DatabaseScan(pages)
        let entries = try scan.schema().compactMap(SchemaEntry.init)
        let found = pages.page(1).bigEndian(60, 4)
        let connection = try schema.open(
            path, tables: (1..<schema.version).contains(found) ? (found, entries.map(\.sql)) : nil)
        let tables = try TableCopy.all(of: connection), indexes = try connection.ownIndexes()
        let trees = tables.map { ($0.name, $0.root) } + indexes
        let roots = StoreRebuild.roots(of: trees, entries, scan)
        var copies = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0) })
        try connection.execute("BEGIN", to: "copy the store")
        var count = 0
        let bodyIndex = roots.first { $0.value == Self.bodyIndex }?.key
        try scan.scan(roots.keys.filter { $0 != bodyIndex }.sorted()) { root, row throws(StoreFailure) in
            guard let name = roots[root], !Self.skipped.contains(name) else { return }
            guard copies[name] != nil else {
                indexRows[name, default: []].append(row.values)
                return
            }
            guard var values = copies[name]?.values(of: row) else {
                lost[name, default: 0] += 1
                return
            }
            if name == "bodies" { check(&values) }
            if try copies[name]?.insert(values) == true { copied[name, default: 0] += 1 }
            count += 1
            if count % Self.batch == 0 { try connection.execute("COMMIT; BEGIN", to: "copy the store") }
        }
        for (root, pages) in scan.unreadablePages {
            if let name = roots[root], copies[name] != nil, !Self.skipped.contains(name) {
                lostPages[name] = pages
            }
        }
        // The index has the keys and bodies of lost entries. It is large, so it is read only then.
        if let bodyIndex, lost["entries"] != nil || lostPages["entries"] != nil {
            try scan.scan([bodyIndex]) { _, row throws(StoreFailure) in
                indexRows[Self.bodyIndex, default: []].append(row.values)
            }
        }
        try connection.execute("COMMIT", to: "copy the store")
        let current = try schema.open(path)
        try current.transaction(to: "copy the store") { () throws(StoreFailure) in
            try schema.tables.settle(current, &self)
        }
        // Rows without their other half, such as an entry without its body, were removed again.
        for name in copied.keys { copied[name] = try current.integer("SELECT count(*) FROM \(name)") }
    }

    /// Corrects the hash of a body, and notes that it may be damaged.
    private mutating func check(_ values: inout [ScannedValue]) {
        guard values.count == 3, case .integer(let id) = values[0], case .integer(let hash) = values[1],
            case .blob(let bytes) = values[2], !BodyHash.fits(hash, bytes)
        else { return }
        values[1] = .integer(BodyHash.of(bytes))
        damagedBodies.insert(id)
    }

    /// Returns the names of trees by root, including trees whose row in the table of tables is damaged.
    private static func roots(
        of trees: [(name: String, root: Int)], _ entries: [SchemaEntry], _ scan: DatabaseScan
    ) -> [Int: String] {
        var names: [Int: String] = [:], unnamed: [(name: String, root: Int)] = []
        var free = Set(scan.mappedRoots).subtracting(entries.map(\.root))
        for tree in trees {
            let entry =
                entries.first { $0.name == tree.name }
                ?? entries.first { $0.isTable && $0.table == tree.name }
            if let entry, scan.isRoot(entry.root), names[entry.root] == nil {
                names[entry.root] = tree.name
            } else {
                unnamed.append(tree)
            }
        }
        for tree in unnamed {
            // A new store has its tables in the same order.
            let usual = free.contains(tree.root) || free.isEmpty && names[tree.root] == nil ? tree.root : nil
            guard let root = usual ?? (unnamed.count == 1 && free.count == 1 ? free.first : nil) else {
                continue
            }
            free.remove(root)
            names[root] = tree.name
        }
        return names
    }
}

/// A row of SQLite's table of tables and indexes.
private struct SchemaEntry {
    let isTable: Bool
    let name, table: String
    let root: Int
    let sql: String

    init?(_ row: ScannedRow) {
        guard row.values.count >= 4, case .integer(let root) = row.values[3] else { return nil }
        func text(_ at: Int) -> String {
            guard row.values.indices.contains(at), case .text(let bytes) = row.values[at] else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }
        self.root = root
        (isTable, name, table, sql) = (text(0) == "table", text(1), text(2), text(4))
    }
}

/// Inserts the rows of a table.
private struct TableCopy {
    let name: String
    /// The root page of the table in a new store.
    let root: Int
    private let columns: [Column]
    private let connection: Connection
    private let insertion: Statement

    private struct Column {
        let name: String
        let type: String
        let mayBeNull: Bool
        let isKey: Bool
    }

    static func all(of connection: Connection) throws(StoreFailure) -> [TableCopy] {
        let rows = try connection.prepare(
            "SELECT name, rootpage FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
            to: "copy the store")
        var copies: [TableCopy] = []
        while try rows.step() {
            copies.append(try TableCopy(rows.text(0) ?? "", root: rows.int(1) ?? 0, connection))
        }
        return copies
    }

    private init(_ name: String, root: Int, _ connection: Connection) throws(StoreFailure) {
        let rows = try connection.prepare(
            "SELECT name, type, \"notnull\", pk FROM pragma_table_info('\(name)')", to: "copy the store")
        var columns: [Column] = []
        while try rows.step() {
            let isKey = rows.int(3) ?? 0 > 0, name = rows.text(0) ?? ""
            columns.append(
                Column(
                    name: name, type: rows.text(1) ?? "", mayBeNull: rows.int(2) == 0 && !isKey,
                    // An entry without a body means that the tile doesn't exist.
                    isKey: isKey || name == "body"))
        }
        self.name = name
        self.root = root
        self.columns = columns
        self.connection = connection
        let parameters = (1...max(columns.count, 1)).map { "?\($0)" }.joined(separator: ", ")
        insertion = try connection.prepare(
            "INSERT OR IGNORE INTO \(name) VALUES (\(parameters))", to: "copy the store")
    }

    /// Returns the values of a row, with empty ones in place of damaged ones; nil if its key, a body, or all
    /// but the key is damaged.
    func values(of row: ScannedRow) -> [ScannedValue]? {
        guard row.values.count <= columns.count, row.isWhole || row.values.count > 1 else { return nil }
        var values: [ScannedValue] = []
        for (at, column) in columns.enumerated() {
            var value = row.values.indices.contains(at) ? row.values[at] : nil
            // SQLite stores the row's id outside of the record.
            if at == 0, let id = row.rowID, column.isKey, column.type == "INTEGER" { value = .integer(id) }
            switch (value, column.type) {
            case (.integer?, "INTEGER"), (.text?, "TEXT"), (.blob?, "BLOB"): break
            case (.null?, _) where column.mayBeNull: break
            case _ where column.isKey || column.type == "BLOB": return nil
            case (_, "TEXT"): value = .text([])
            default: value = column.mayBeNull ? .null : .integer(0)
            }
            values.append(value ?? .null)
        }
        return values
    }

    /// - Returns: False if there is such a row.
    mutating func insert(_ values: [ScannedValue]) throws(StoreFailure) -> Bool {
        for (at, value) in values.enumerated() { try value.bind(to: insertion, at + 1) }
        try insertion.step()
        return connection.changedRows > 0
    }
}

extension ScannedValue: SQLValue {
    func bind(to statement: Statement, _ parameter: Int) throws(StoreFailure) {
        switch self {
        case .null: try statement.bindNull(parameter)
        case .integer(let number): try statement.bind(parameter, number)
        case .real(let number): try statement.bind(parameter, number)
        case .text(let bytes): try statement.bind(parameter, String(decoding: bytes, as: UTF8.self))
        case .blob(let bytes): try statement.bind(parameter, bytes)
        }
    }
}

extension Connection {
    /// Returns the names and roots of the indexes that SQLite creates for unique columns, and of that by
    /// body.
    fileprivate func ownIndexes() throws(StoreFailure) -> [(String, Int)] {
        let rows = try prepare(
            """
            SELECT name, rootpage FROM sqlite_master
            WHERE type = 'index' AND (sql IS NULL OR name = '\(StoreRebuild.bodyIndex)')
            """, to: "copy the store")
        return try rows.all { ($0.text(0) ?? "", $0.int(1) ?? 0) }
    }
}

extension StoreSchema {
    /// Creates a store.
    /// - Parameter tables: The version and the statements of an older schema; nil for the current one.
    fileprivate func open(
        _ path: String, tables older: (version: Int, statements: [String])?
    ) throws -> Connection {
        guard let older else { return try open(path) }
        let connection = try Connection(path, .readWrite)
        try connection.execute(
            "PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = INCREMENTAL", to: "create the store")
        for statement in older.statements where !statement.isEmpty {
            // A damaged statement leaves out its table.
            try? connection.execute(statement, to: "create the tables")
        }
        try connection.execute(
            "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(older.version)",
            to: "mark the store")
        return connection
    }

    /// Replaces a damaged store by one with its readable rows.
    /// - Parameter aside: The new path of the damaged store.
    /// - Throws: `StoreFailure`. The damaged store is unchanged then.
    func recover(_ path: String, movingTo aside: String) throws(StoreFailure) -> StoreRebuild {
        let part = path + ".part", suffixes = ["", "-wal", "-shm", "-journal"]
        func removePart() { for suffix in suffixes { unlink(part + suffix) } }
        removePart()
        do {
            let rebuild = try StoreRebuild(of: path, as: part, self)
            guard rename(path, aside) == 0 else {
                throw StoreFailure(system: errno, attempt: "rename the damaged store", file: path)
            }
            rename(path + "-wal", aside + "-wal")
            unlink(path + "-shm")
            for suffix in suffixes where suffix != "-shm" { rename(part + suffix, path + suffix) }
            Folder.sync(path.parentFolder)
            return rebuild
        } catch {
            removePart()
            throw error as? StoreFailure
                ?? StoreFailure(code: 14, attempt: "recover the store", file: path, reason: "\(error)")
        }
    }
}
