internal import RhumbCore

/// The prepared statements that read and write responses through one connection.
final class ResponseTable {
    let connection: Connection
    private var origins: [OriginName: Int] = [:]
    private let findOrigin, addOrigin: Statement
    private let find, findEntry, findBody, addBody, replace, add, prolong, touch, remove: Statement

    init(_ connection: Connection) throws(StoreFailure) {
        self.connection = connection
        findOrigin = try connection.prepare(
            """
            SELECT id FROM origins WHERE kind = @kind AND source = @source AND address = @address AND size = @size
                AND edition = @edition AND addresses = @addresses
            """, to: "find a source")
        addOrigin = try connection.prepare(
            "INSERT INTO origins (kind, \(TileOrigin.columns)) VALUES (@kind, \(TileOrigin.parameters))",
            to: "add a source")
        find = try connection.prepare(
            """
            SELECT \(StoredResponse.columns), used, body, hash, bytes FROM entries LEFT JOIN bodies ON id = body
            WHERE \(EntryKey.condition)
            """, to: "read a stored answer")
        findEntry = try connection.prepare(
            "SELECT 1 FROM entries WHERE \(EntryKey.condition)", to: "find a stored response")
        findBody = try connection.prepare(
            "SELECT id FROM bodies WHERE hash = ?1 AND bytes = ?2", to: "find an identical body")
        addBody = try connection.prepare(
            "INSERT INTO bodies (hash, bytes) VALUES (?1, ?2)", to: "store a body")
        // Uses two statements instead of an upsert, which would need SQLite's statement journal: see
        // `ResponseSchema.totals`.
        replace = try connection.prepare(
            """
            UPDATE OR FAIL entries SET body = @body, size = @size, received = @received, age = @age,
                lifetime = @lifetime, flags = @flags, headers = @headers, variant = @variant, version = @version,
                used = @used
            WHERE \(EntryKey.condition)
            """, to: "store a response")
        add = try connection.prepare(
            """
            INSERT OR FAIL INTO entries VALUES (@origin, @z, @x, @y, @body, @size, @received, @age, @lifetime,
                @flags, @headers, @variant, @version, @used)
            """, to: "store a response")
        prolong = try connection.prepare(
            """
            UPDATE entries SET received = @received, age = @age, lifetime = @lifetime, flags = @flags,
                headers = @headers
            WHERE \(EntryKey.condition)
            """, to: "prolong an answer's life")
        touch = try connection.prepare(
            "UPDATE entries SET used = @used WHERE \(EntryKey.condition) AND used < @used",
            to: "note the use of an answer")
        remove = try connection.prepare(
            "DELETE FROM entries WHERE \(EntryKey.condition)",
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
        try find.bind(entry.values)
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
        let statement = try contains(entry) ? replace : add
        try statement.bind(entry.values)
        try statement.bind(values(response.freshness, isInvalidated: response.isInvalidated))
        try statement.run([
            "body": body, "size": response.body?.count ?? 0, "headers": response.headers.storedText,
            "variant": response.variant, "version": response.dataVersion, "used": Int(used.value),
        ])
    }

    private func contains(_ entry: EntryKey) throws(StoreFailure) -> Bool {
        try findEntry.bind(entry.values)
        defer { findEntry.reset() }
        return try findEntry.step()
    }

    /// Updates the freshness and headers of a response after successful revalidation.
    func prolong(
        _ key: ResourceKey, _ freshness: Freshness, headers: HTTPHeaders
    ) throws(StoreFailure) {
        guard let entry = try entry(of: key) else { return }
        try prolong.bind(entry.values)
        try prolong.bind(values(freshness, isInvalidated: false))
        try prolong.run(["headers": headers.storedText])
    }

    func touch(_ key: ResourceKey, used: UnixSeconds) throws(StoreFailure) {
        guard let entry = try entry(of: key) else { return }
        try touch.bind(entry.values)
        try touch.run(["used": Int(used.value)])
    }

    func remove(_ key: ResourceKey) throws(StoreFailure) {
        guard let entry = try entry(of: key) else { return }
        try remove(entry)
    }

    func remove(_ entry: EntryKey) throws(StoreFailure) { try remove.run(entry.values) }

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
            try statement.bind("kind", 0)
            try statement.bind(origin.values)
        case .document(let address, let edition):
            try statement.bind("kind", 1)
            try statement.bind(
                ["source": "", "address": address, "size": 0, "edition": edition, "addresses": ""])
        }
    }

    /// Returns the stored editions of a source, newest first.
    func editions(of origin: TileOrigin) throws(StoreFailure) -> [TileEdition] {
        let statement = try connection.prepare(
            """
            SELECT \(TileOrigin.columns) FROM origins WHERE kind = 0 AND \(TileOrigin.isEdition)
            ORDER BY id DESC
            """, to: "find the editions of a source")
        try statement.bind(origin.sourceValues)
        return try statement.all { TileOrigin(row: $0).edition }
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

    private func values(_ life: Freshness, isInvalidated: Bool) -> SQLValues {
        [
            "received": Int(life.receivedAt.value), "age": Int(life.initialAge),
            "lifetime": Int(life.lifetime),
            "flags": EntryFlags(life, isInvalidated: isInvalidated).rawValue,
        ]
    }
}
