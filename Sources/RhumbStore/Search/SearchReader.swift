internal import RhumbCore

/// A connection that reads a search index, with cached data. Used by one thread at a time.
final class SearchReader {
    let connection: Connection
    let folding: Folding
    private(set) var map = SearchMap()
    private(set) var sources: [Int: String] = [:]
    private var seenVersion = -1
    private let matches, body, housesOf: Statement
    private var unpacked: [Int: FoldedChunk] = [:]
    private var words: Vocabulary?
    /// The number of cached unpacked chunks, about 30 KB each.
    private static let cacheLimit = 256

    /// A chunk with folded names.
    struct FoldedChunk {
        let chunk: SearchChunk
        let names: [[[UInt8]]]
    }

    init(_ connection: Connection, _ folding: Folding) throws(StoreFailure) {
        self.connection = connection
        self.folding = folding
        matches = try connection.prepare("SELECT rowid FROM names(?1)", to: "search the index")
        body = try connection.prepare(
            "SELECT bytes FROM bodies WHERE chunk = ?1", to: "read the search index")
        housesOf = try connection.prepare(
            "SELECT bytes FROM houses WHERE \(SearchTile.condition)", to: "read the search index")
    }

    /// Reads the changes since the last query.
    func follow() throws(StoreFailure) {
        let version = try connection.integer("PRAGMA data_version")
        guard version != seenVersion else { return }
        // The number of a removed chunk may have been reused.
        if try map.follow(connection) { unpacked = [:] }
        let rows = try connection.prepare("SELECT id, key FROM sources", to: "read the search index")
        sources = [:]
        while try rows.step() { sources[rows.int(0) ?? 0] = rows.text(1) ?? "" }
        seenVersion = version
        words = nil
    }

    /// Returns the numbers of the chunks that match a full-text query.
    func chunks(matching query: String) throws(StoreFailure) -> [Int] {
        try matches.bind(1, query)
        defer { matches.reset() }
        return try matches.all { $0.int(0) }
    }

    /// Returns a chunk; nil if it is missing or damaged.
    func chunk(_ entry: SearchMap.Entry) throws(StoreFailure) -> FoldedChunk? {
        if let cached = unpacked[entry.id] { return cached }
        try body.bind(1, entry.id)
        defer { body.reset() }
        guard try body.step(), let chunk = SearchChunk(body.bytes(0) ?? [], of: entry.tile) else {
            return nil
        }
        if unpacked.count >= SearchReader.cacheLimit { unpacked = [:] }
        let names = (0..<chunk.count).map { index in chunk.names(index).map { folding.fold(utf8: $0) } }
        let folded = FoldedChunk(chunk: chunk, names: names)
        unpacked[entry.id] = folded
        return folded
    }

    /// Returns all words of names. They are read when a mistyped word is searched, and cached until the index
    /// changes.
    func vocabulary() throws(StoreFailure) -> Vocabulary {
        if let words { return words }
        let rows = try connection.prepare(
            "SELECT term FROM vocabulary WHERE term < '\(SearchTerms.end)'", to: "read the search index")
        var lines: [UInt8] = []
        while try rows.step() { lines += (rows.bytes(0) ?? []) + [UInt8(ascii: "\n")] }
        let vocabulary = Vocabulary(Array(lines.dropLast()))
        words = vocabulary
        return vocabulary
    }

    /// Returns the house numbers of a tile.
    func houses(_ source: Int, _ tile: TileID) throws(StoreFailure) -> [HouseNumber] {
        try housesOf.bind(SearchTile(source: source, tile: tile).values)
        let bytes = try housesOf.first { $0.bytes(0) } ?? []
        return SearchHouses.unpacked(bytes)
    }

    /// Returns the number of indexed tiles of a source.
    func count(of source: String) throws(StoreFailure) -> Int {
        let row = try connection.prepare(
            "SELECT count(*) FROM tiles JOIN sources ON source = id WHERE key = ?1",
            to: "read the search index")
        try row.bind(1, source)
        return try row.first { $0.int(0) } ?? 0
    }

    /// Returns the deepest tile of each source that contains a point.
    func tiles(at point: WorldPoint) throws(StoreFailure) -> [(source: String, tile: TileID)] {
        let find = try connection.prepare(
            "SELECT 1 FROM tiles WHERE \(SearchTile.condition)", to: "read the search index")
        var found: [(source: String, tile: TileID)] = []
        for (id, key) in sources {
            for zoom in (0...22).reversed() {
                let tile = TileID(zoom: zoom, containing: point)
                try find.bind(SearchTile(source: id, tile: tile).values)
                let isThere = try find.step()
                find.reset()
                if isThere {
                    found.append((key, tile))
                    break
                }
            }
        }
        return found
    }
}
