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
            "SELECT body, parts, first, count FROM tiles WHERE \(SearchTile.condition)")
        setTile = try prepare(
            "INSERT OR REPLACE INTO tiles VALUES (@source, @z, @x, @y, @body, @parts, @first, @count)")
        removeTile = try prepare("DELETE FROM tiles WHERE \(SearchTile.condition)")
        addChunk = try prepare(
            """
            INSERT INTO chunks (source, z, x, y, west, north, east, south, categories)
            VALUES (@source, @z, @x, @y, @west, @north, @east, @south, @categories)
            """)
        addBody = try prepare("INSERT INTO bodies VALUES (@id, @bytes)")
        bodyOfChunk = try prepare("SELECT bytes FROM bodies WHERE chunk = ?1")
        removeChunk = try prepare("DELETE FROM chunks WHERE id = @id")
        removeBody = try prepare("DELETE FROM bodies WHERE chunk = @id")
        addWords = try prepare("INSERT INTO names (rowid, words) VALUES (@id, @words)")
        removeWords = try prepare("INSERT INTO names (names, rowid, words) VALUES ('delete', @id, @words)")
        setHouses = try prepare("INSERT OR REPLACE INTO houses VALUES (@source, @z, @x, @y, @bytes)")
        removeHouses = try prepare("DELETE FROM houses WHERE \(SearchTile.condition)")
        setRoads = try prepare("INSERT OR REPLACE INTO roads VALUES (@source, @z, @x, @y, @main, @others)")
        removeRoads = try prepare("DELETE FROM roads WHERE \(SearchTile.condition)")
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
        try connection.run("INSERT INTO sources (key) VALUES (@key)", ["key": key])
        return connection.lastInsertedRow
    }

    /// Replaces the indexed features of a tile.
    /// - Parameter found: The features; nil if the tile is gone or not indexed.
    func replace(
        _ tile: SearchTile, body: Int, parts: Int, with found: TileFeatures?, roads: TileRoads? = nil
    ) throws(StoreFailure) {
        try remove(tile)
        guard let found else { return }
        var first = 0, count = 0
        for group in SearchChunk.groups(of: found.features) {
            let id = try add(group, tile)
            if count == 0 { first = id }
            count += 1
        }
        try setTile.bind(tile.values)
        try setTile.run(["body": body, "parts": parts, "first": first, "count": count])
        if !found.houses.isEmpty {
            try setHouses.bind(tile.values)
            try setHouses.run(["bytes": SearchHouses.packed(found.houses)])
        }
        guard let roads else { return }
        try setRoads.bind(tile.values)
        try setRoads.run([
            "main": Gzip.small(roads.packed(isMain: true)), "others": Gzip.small(roads.packed(isMain: false)),
        ])
    }

    private func add(_ group: ArraySlice<IndexedFeature>, _ tile: SearchTile) throws(StoreFailure) -> Int {
        let limit = IndexedFeature.Place(repeating: TileFeatures.extent)
        let low = group.reduce(limit) { pointwiseMin($0, $1.middle) },
            high = group.reduce(.zero) { pointwiseMax($0, $1.middle) }
        let categories = group.reduce(0 as UInt64) { $0 | $1.category.bit }
        try addChunk.bind(tile.values)
        try addChunk.run([
            "west": Int(low.x), "north": Int(low.y), "east": Int(high.x), "south": Int(high.y),
            "categories": Int(Int64(bitPattern: categories)),
        ])
        let id = connection.lastInsertedRow
        try addBody.run(["id": id, "bytes": SearchChunk.packed(group)])
        try addWords.run(["id": id, "words": terms.text(group)])
        return id
    }

    private func remove(_ tile: SearchTile) throws(StoreFailure) {
        try findTile.bind(tile.values)
        let isThere = try findTile.step()
        let first = findTile.int(2) ?? 0, count = isThere ? findTile.int(3) ?? 0 : 0
        findTile.reset()
        guard isThere else { return }
        for id in first..<first + count { try remove(chunk: id, tile.tile) }
        for statement in [removeTile, removeHouses, removeRoads] { try statement.run(tile.values) }
        if count > 0 { try noteRemoval() }
    }

    /// Removes a chunk. The words to remove must be exactly those that were added.
    private func remove(chunk id: Int, _ tile: TileID) throws(StoreFailure) {
        try bodyOfChunk.bind(1, id)
        let bytes = try bodyOfChunk.first { $0.bytes(0) } ?? []
        if let chunk = SearchChunk(bytes, of: tile) {
            try removeWords.run(["id": id, "words": terms.text((0..<chunk.count).map(chunk.feature))])
        }
        for statement in [removeChunk, removeBody] { try statement.run(["id": id]) }
    }

    private func noteRemoval() throws(StoreFailure) {
        try connection.run(
            "INSERT INTO facts VALUES ('removals', 1) ON CONFLICT DO UPDATE SET value = value + 1")
    }

    // MARK: Sources

    /// Removes a source, one slice of its tiles at a time.
    /// - Returns: True if some tiles are left.
    func remove(source: Int, slice: Int = 200) throws(StoreFailure) -> Bool {
        let rows = try connection.prepare(
            "SELECT z, x, y FROM tiles WHERE source = @source LIMIT @limit", to: "read the search index")
        try rows.bind(["source": source, "limit": slice])
        let tiles = try rows.all(\.tile)
        for tile in tiles {
            try replace(SearchTile(source: source, tile: tile), body: 0, parts: 0, with: nil)
        }
        if tiles.count == slice { return true }
        try connection.run("DELETE FROM sources WHERE id = @id", ["id": source])
        return false
    }
}

extension SearchTile {
    /// SQL for the row of this tile.
    static let condition = "(source, z, x, y) = (@source, @z, @x, @y)"

    var values: SQLValues { ["source": source, "z": tile.zoom, "x": tile.x, "y": tile.y] }
}
