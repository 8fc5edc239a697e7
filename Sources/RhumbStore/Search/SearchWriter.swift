internal import RhumbCore

/// The statements that write a search index. Used by one thread at a time.
final class SearchWriter {
    let connection: Connection
    private let terms: SearchTerms
    private let findTile, setTile, removeTile, addChunk, addBody, removeChunk, removeBody, addWords,
        removeWords: Statement
    private let setHouses, removeHouses, setRoads, removeRoads, bodyOfChunk: Statement

    init(_ connection: Connection, _ folding: Folding) throws(StoreFailure) {
        self.connection = connection
        terms = SearchTerms(folding)
        func prepare(_ sql: String) throws(StoreFailure) -> Statement {
            try connection.prepare(sql, to: "write the search index")
        }
        findTile = try prepare(
            "SELECT body, parts, first, count FROM tiles WHERE (source, z, x, y) = (?1, ?2, ?3, ?4)")
        setTile = try prepare("INSERT OR REPLACE INTO tiles VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
        removeTile = try prepare("DELETE FROM tiles WHERE (source, z, x, y) = (?1, ?2, ?3, ?4)")
        addChunk = try prepare(
            "INSERT INTO chunks (source, z, x, y, west, north, east, south, categories) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
        )
        addBody = try prepare("INSERT INTO bodies VALUES (?1, ?2)")
        bodyOfChunk = try prepare("SELECT bytes FROM bodies WHERE chunk = ?1")
        removeChunk = try prepare("DELETE FROM chunks WHERE id = ?1")
        removeBody = try prepare("DELETE FROM bodies WHERE chunk = ?1")
        addWords = try prepare("INSERT INTO names (rowid, words) VALUES (?1, ?2)")
        removeWords = try prepare("INSERT INTO names (names, rowid, words) VALUES ('delete', ?1, ?2)")
        setHouses = try prepare("INSERT OR REPLACE INTO houses VALUES (?1, ?2, ?3, ?4, ?5)")
        removeHouses = try prepare("DELETE FROM houses WHERE (source, z, x, y) = (?1, ?2, ?3, ?4)")
        setRoads = try prepare("INSERT OR REPLACE INTO roads VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
        removeRoads = try prepare("DELETE FROM roads WHERE (source, z, x, y) = (?1, ?2, ?3, ?4)")
    }

    /// Begins a transaction.
    func begin() throws(StoreFailure) {
        try connection.execute("BEGIN IMMEDIATE", to: "write the search index")
    }

    /// Ends the transaction.
    func commit() throws(StoreFailure) { try connection.execute("COMMIT", to: "write the search index") }

    /// Rolls the transaction back.
    func undo() { try? connection.execute("ROLLBACK", to: "write the search index") }

    /// Returns unused pages and the log's space to the disk.
    func giveBackSpace() throws(StoreFailure) {
        let vacuum = try connection.prepare("PRAGMA incremental_vacuum", to: "free disk space")
        while try vacuum.step() {}
        try connection.emptyLog()
    }

    /// Returns the number of a source, adding it if it is new.
    func source(_ key: String) throws(StoreFailure) -> Int {
        let find = try connection.prepare("SELECT id FROM sources WHERE key = ?1", to: "find a source")
        try find.bind(1, key)
        defer { find.reset() }
        if try find.step(), let id = find.int(0) { return id }
        try connection.run("INSERT INTO sources (key) VALUES (?1)", [.text(key)])
        return connection.lastInsertedRow
    }

    /// Replaces the indexed features of a tile.
    /// - Parameter found: The features; nil if the tile is gone or not indexed.
    func replace(
        _ place: SearchTile, body: Int, parts: Int, with found: TileFeatures?, roads: TileRoads? = nil
    ) throws(StoreFailure) {
        try remove(place)
        guard let found else { return }
        var first = 0, count = 0
        for group in SearchChunk.groups(of: found.features) {
            let id = try add(group, place)
            if count == 0 { first = id }
            count += 1
        }
        try bind(place, to: setTile)
        try setTile.bind(5, body)
        try setTile.bind(6, parts)
        try setTile.bind(7, first)
        try setTile.bind(8, count)
        try setTile.step()
        if !found.houses.isEmpty {
            try bind(place, to: setHouses)
            try setHouses.bind(5, SearchHouses.packed(found.houses))
            try setHouses.step()
        }
        guard let roads else { return }
        try bind(place, to: setRoads)
        try setRoads.bind(5, Gzip.small(roads.packed(isMain: true)))
        try setRoads.bind(6, Gzip.small(roads.packed(isMain: false)))
        try setRoads.step()
    }

    private func add(_ group: ArraySlice<IndexedFeature>, _ tile: SearchTile) throws(StoreFailure) -> Int {
        let limit = IndexedFeature.Place(repeating: TileFeatures.extent)
        let low = group.reduce(limit) { pointwiseMin($0, $1.middle) },
            high = group.reduce(.zero) { pointwiseMax($0, $1.middle) }
        let categories = group.reduce(0 as UInt64) { $0 | $1.category.bit }
        try bind(tile, to: addChunk)
        try addChunk.bind(5, Int(low.x))
        try addChunk.bind(6, Int(low.y))
        try addChunk.bind(7, Int(high.x))
        try addChunk.bind(8, Int(high.y))
        try addChunk.bind(9, Int(Int64(bitPattern: categories)))
        try addChunk.step()
        let id = connection.lastInsertedRow
        try addBody.bind(1, id)
        try addBody.bind(2, SearchChunk.packed(group))
        try addBody.step()
        try addWords.bind(1, id)
        try addWords.bind(2, terms.text(group))
        try addWords.step()
        return id
    }

    private func remove(_ tile: SearchTile) throws(StoreFailure) {
        try bind(tile, to: findTile)
        let isThere = try findTile.step()
        let first = findTile.int(2) ?? 0, count = isThere ? findTile.int(3) ?? 0 : 0
        findTile.reset()
        guard isThere else { return }
        for id in first..<first + count { try remove(chunk: id, tile.tile) }
        for statement in [removeTile, removeHouses, removeRoads] {
            try bind(tile, to: statement)
            try statement.step()
        }
        if count > 0 { try noteRemoval() }
    }

    /// Removes a chunk. The words to remove must be exactly those that were added.
    private func remove(chunk id: Int, _ tile: TileID) throws(StoreFailure) {
        try bodyOfChunk.bind(1, id)
        let bytes = try bodyOfChunk.step() ? bodyOfChunk.bytes(0) ?? [] : []
        bodyOfChunk.reset()
        if let chunk = SearchChunk(bytes, of: tile) {
            try removeWords.bind(1, id)
            try removeWords.bind(2, terms.text((0..<chunk.count).map(chunk.feature)))
            try removeWords.step()
        }
        for statement in [removeChunk, removeBody] {
            try statement.bind(1, id)
            try statement.step()
        }
    }

    private func noteRemoval() throws(StoreFailure) {
        try connection.run(
            "INSERT INTO facts VALUES ('removals', 1) ON CONFLICT DO UPDATE SET value = value + 1", [])
    }

    private func bind(_ tile: SearchTile, to statement: Statement) throws(StoreFailure) {
        try statement.bind(tile.source, tile.tile)
    }

    // MARK: Sources

    /// Removes a source, one slice of its tiles at a time.
    /// - Returns: True if some tiles are left.
    func remove(source: Int, slice: Int = 200) throws(StoreFailure) -> Bool {
        let rows = try connection.prepare(
            "SELECT z, x, y FROM tiles WHERE source = ?1 LIMIT ?2", to: "read the search index")
        try rows.bind(1, source)
        try rows.bind(2, slice)
        var tiles: [TileID] = []
        while try rows.step() {
            if let tile = TileID(zoom: rows.int(0) ?? -1, x: rows.int(1) ?? -1, y: rows.int(2) ?? -1) {
                tiles.append(tile)
            }
        }
        for tile in tiles {
            try replace(SearchTile(source: source, tile: tile), body: 0, parts: 0, with: nil)
        }
        if tiles.count == slice { return true }
        try connection.run("DELETE FROM sources WHERE id = ?1", [.integer(source)])
        return false
    }
}

extension Statement {
    /// Binds the first four parameters.
    func bind(_ source: Int, _ tile: TileID) throws(StoreFailure) {
        try bind(1, source)
        try bind(2, tile.zoom)
        try bind(3, tile.x)
        try bind(4, tile.y)
    }
}
