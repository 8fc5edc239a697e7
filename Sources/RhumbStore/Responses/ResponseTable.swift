internal import RhumbCore

/// The prepared statements that read and write responses through one connection.
final class ResponseTable {
    let connection: Connection
    private var origins: [OriginName: Int] = [:]
    private let findOrigin, addOrigin: Statement
    private let find, findBody, addBody, replace, add, prolong, touch, remove: Statement

    init(_ connection: Connection) throws(StoreFailure) {
        self.connection = connection
        findOrigin = try connection.prepare(
            """
            SELECT id FROM origins WHERE kind = ?1 AND source = ?2 AND address = ?3 AND size = ?4 AND edition = ?5
                AND addresses = ?6
            """, to: "find a source")
        addOrigin = try connection.prepare(
            "INSERT INTO origins (kind, source, address, size, edition, addresses) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            to: "add a source")
        find = try connection.prepare(
            """
            SELECT \(StoredResponse.columns), used, body, hash, bytes FROM entries LEFT JOIN bodies ON id = body
            WHERE origin = ?1 AND z = ?2 AND x = ?3 AND y = ?4
            """, to: "read a stored answer")
        findBody = try connection.prepare(
            "SELECT id FROM bodies WHERE hash = ?1 AND bytes = ?2", to: "find an identical body")
        addBody = try connection.prepare(
            "INSERT INTO bodies (hash, bytes) VALUES (?1, ?2)", to: "store a body")
        // Uses two statements instead of an upsert, which would need SQLite's statement journal: see
        // `ResponseSchema.totals`.
        replace = try connection.prepare(
            """
            UPDATE OR FAIL entries SET body = ?5, size = ?6, received = ?7, age = ?8, lifetime = ?9, flags = ?10,
                headers = ?11, variant = ?12, version = ?13, used = ?14
            WHERE origin = ?1 AND z = ?2 AND x = ?3 AND y = ?4
            """, to: "store a response")
        add = try connection.prepare(
            "INSERT OR FAIL INTO entries VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
            to: "store a response")
        prolong = try connection.prepare(
            """
            UPDATE entries SET received = ?5, age = ?6, lifetime = ?7, flags = ?8, headers = ?9
            WHERE origin = ?1 AND z = ?2 AND x = ?3 AND y = ?4
            """, to: "prolong an answer's life")
        touch = try connection.prepare(
            """
            UPDATE entries SET used = ?5
            WHERE origin = ?1 AND z = ?2 AND x = ?3 AND y = ?4 AND used < ?5
            """, to: "note the use of an answer")
        remove = try connection.prepare(
            "DELETE FROM entries WHERE origin = ?1 AND z = ?2 AND x = ?3 AND y = ?4",
            to: "remove a response")
    }

    /// Returns the response for a key and its last use; nil if none is stored, or if a document is damaged.
    func response(for key: ResourceKey) throws(StoreFailure) -> (StoredResponse, used: UnixSeconds)? {
        guard let entry = try entry(of: key), let found = try response(at: entry) else { return nil }
        if case .document = key, found.0.isDamaged { return nil }
        return found
    }

    /// Returns the response of an entry and its last use; nil if none is stored, or if its body is missing.
    func response(at entry: EntryKey) throws(StoreFailure) -> (StoredResponse, used: UnixSeconds)? {
        try bind(entry, to: find)
        defer { find.reset() }
        guard try find.step() else { return nil }
        let body = find.bytes("bytes")
        guard body != nil || find.int("body") == nil else { return nil }
        var response = StoredResponse(row: find, body: body)
        response.isDamaged = body.map { !BodyHash.fits(find.int("hash"), $0) } ?? false
        return (response, find.moment("used") ?? UnixSeconds(0))
    }

    /// Inserts or replaces a response. Must be called within a transaction.
    func put(_ response: StoredResponse, for key: ResourceKey, used: UnixSeconds) throws(StoreFailure) {
        try put(response, at: try ensuredEntry(of: key), used: used)
    }

    func put(_ response: StoredResponse, at entry: EntryKey, used: UnixSeconds) throws(StoreFailure) {
        let body = try response.body.map { (body) throws(StoreFailure) in try bodyID(body) }
        try write(response, body, used, at: entry, by: replace)
        if connection.changedRows == 0 { try write(response, body, used, at: entry, by: add) }
    }

    private func write(
        _ response: StoredResponse, _ body: Int?, _ used: UnixSeconds, at entry: EntryKey,
        by statement: Statement
    ) throws(StoreFailure) {
        try bind(entry, to: statement)
        if let body { try statement.bind(5, body) } else { try statement.bindNull(5) }
        try statement.bind(6, response.body?.count ?? 0)
        try bindLife(response.freshness, isInvalidated: response.isInvalidated, to: statement, from: 7)
        try statement.bind(11, response.headers.storedText)
        try statement.bind(12, response.variant)
        if let version = response.dataVersion {
            try statement.bind(13, version)
        } else {
            try statement.bindNull(13)
        }
        try statement.bind(14, Int(used.value))
        try statement.step()
    }

    /// Updates the freshness and headers of a response after successful revalidation.
    func prolong(
        _ key: ResourceKey, _ freshness: Freshness, headers: HTTPHeaders
    ) throws(StoreFailure) {
        guard let entry = try entry(of: key) else { return }
        try bind(entry, to: prolong)
        try bindLife(freshness, isInvalidated: false, to: prolong, from: 5)
        try prolong.bind(9, headers.storedText)
        try prolong.step()
    }

    func touch(_ key: ResourceKey, used: UnixSeconds) throws(StoreFailure) {
        guard let entry = try entry(of: key) else { return }
        try bind(entry, to: touch)
        try touch.bind(5, Int(used.value))
        try touch.step()
    }

    func remove(_ key: ResourceKey) throws(StoreFailure) {
        guard let entry = try entry(of: key) else { return }
        try remove(entry)
    }

    func remove(_ entry: EntryKey) throws(StoreFailure) {
        try bind(entry, to: remove)
        try remove.step()
    }

    /// Returns the key of the entry of a resource, which need not exist; nil if the origin is unknown.
    func entry(of key: ResourceKey) throws(StoreFailure) -> EntryKey? {
        try originID(OriginName(key)).map { EntryKey(origin: $0, key) }
    }

    /// Returns the id of an origin; nil if unknown.
    func originID(_ origin: TileOrigin) throws(StoreFailure) -> Int? { try originID(.tiles(origin)) }

    func originID(_ name: OriginName) throws(StoreFailure) -> Int? {
        if let cached = origins[name] { return cached }
        try bind(name, to: findOrigin)
        defer { findOrigin.reset() }
        guard try findOrigin.step(), let id = findOrigin.int(0) else { return nil }
        if origins.count > 1000 { origins.removeAll() }
        origins[name] = id
        return id
    }

    private func ensuredEntry(of key: ResourceKey) throws(StoreFailure) -> EntryKey {
        EntryKey(origin: try ensuredOrigin(OriginName(key)), key)
    }

    /// Returns the id of an origin, adding it if necessary.
    func ensuredOrigin(_ name: OriginName) throws(StoreFailure) -> Int {
        if let id = try originID(name) { return id }
        try bind(name, to: addOrigin)
        try addOrigin.step()
        return connection.lastInsertedRow
    }

    private func bind(_ name: OriginName, to statement: Statement) throws(StoreFailure) {
        switch name {
        case .tiles(let origin):
            try statement.bind(1, 0)
            try statement.bind(origin, from: 2)
        case .document(let address, let edition):
            try statement.bind(1, 1)
            try statement.bind(
                TileOrigin(source: "", address: address, size: 0, edition: TileEdition(version: edition)),
                from: 2)
        }
    }

    /// Returns the stored editions of a source, newest first.
    func editions(of origin: TileOrigin) throws(StoreFailure) -> [TileEdition] {
        let statement = try connection.prepare(
            """
            SELECT \(TileOrigin.columns) FROM origins WHERE kind = 0 AND (source, address, size) = (?1, ?2, ?3)
            ORDER BY id DESC
            """, to: "find the editions of a source")
        try statement.bind(source: origin, from: 1)
        var editions: [TileEdition] = []
        while try statement.step() { editions.append(TileOrigin(row: statement).edition) }
        return editions
    }

    /// Clears the cached origin ids, which are invalid after a rollback.
    func forgetOrigins() { origins.removeAll() }

    private func bodyID(_ body: [UInt8]) throws(StoreFailure) -> Int {
        let hash = BodyHash.of(body)
        try findBody.bind(1, hash)
        let existing = try findBody.binding(2, body) { () throws(StoreFailure) in
            try findBody.step() ? findBody.int(0) : nil
        }
        if let existing { return existing }
        try addBody.bind(1, hash)
        try addBody.binding(2, body) { () throws(StoreFailure) in _ = try addBody.step() }
        return connection.lastInsertedRow
    }

    private func bind(_ entry: EntryKey, to statement: Statement) throws(StoreFailure) {
        try statement.bind(1, entry.origin)
        try statement.bind(2, entry.z)
        try statement.bind(3, entry.x)
        try statement.bind(4, entry.y)
    }

    private func bindLife(
        _ life: Freshness, isInvalidated: Bool, to statement: Statement, from first: Int
    ) throws(StoreFailure) {
        try statement.bind(first, Int(life.receivedAt.value))
        try statement.bind(first + 1, Int(life.initialAge))
        try statement.bind(first + 2, Int(life.lifetime))
        try statement.bind(first + 3, EntryFlags(life, isInvalidated: isInvalidated).rawValue)
    }
}
