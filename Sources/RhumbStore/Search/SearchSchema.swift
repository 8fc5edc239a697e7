internal import RhumbCore

/// The tables of a search index. They contain only data derived from stored tiles, and can be rebuilt.
enum SearchSchema: SchemaDefinition {
    static func settle(_ connection: Connection, _ rebuild: inout StoreRebuild) {}

    /// A row for each indexed source of a store, or for each archive.
    ///
    ///     key    its origin; for an archive, its path, size and modification time
    private static let sources = """
        CREATE TABLE sources (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE);
        """

    /// A row for each indexed tile.
    ///
    ///     body    a hash of its body, which changes with it
    ///     parts   a bit for each omitted quarter, whose own tiles are stored, and one if its roads are indexed
    ///     first   the number of its first chunk; its chunks have consecutive numbers
    private static let tiles = """
        CREATE TABLE tiles (
            source INTEGER NOT NULL, z INTEGER NOT NULL, x INTEGER NOT NULL, y INTEGER NOT NULL,
            body INTEGER NOT NULL, parts INTEGER NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL,
            PRIMARY KEY (source, z, x, y)) WITHOUT ROWID;
        """

    /// Some hundred features of a tile that are close together. Their bodies are in another table, so that
    /// all rows are read at once.
    ///
    ///     west, …     their bounding box in units of the tile
    ///     categories  a bit for each of their categories
    private static let chunks = """
        CREATE TABLE chunks (
            id INTEGER PRIMARY KEY, source INTEGER NOT NULL, z INTEGER NOT NULL, x INTEGER NOT NULL, y INTEGER NOT NULL,
            west INTEGER NOT NULL, north INTEGER NOT NULL, east INTEGER NOT NULL, south INTEGER NOT NULL,
            categories INTEGER NOT NULL);
        CREATE TABLE bodies (chunk INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
        """

    /// The house numbers of a tile.
    private static let houses = """
        CREATE TABLE houses (
            source INTEGER NOT NULL, z INTEGER NOT NULL, x INTEGER NOT NULL, y INTEGER NOT NULL, bytes BLOB NOT NULL,
            PRIMARY KEY (source, z, x, y)) WITHOUT ROWID;
        """

    /// The roads of a tile as a graph, if routes need them: the main roads, and the others.
    private static let roads = """
        CREATE TABLE roads (
            source INTEGER NOT NULL, z INTEGER NOT NULL, x INTEGER NOT NULL, y INTEGER NOT NULL, main BLOB NOT NULL,
            others BLOB NOT NULL, PRIMARY KEY (source, z, x, y)) WITHOUT ROWID;
        """

    /// The folded words of each chunk. Only the numbers of chunks are stored.
    private static let words = """
        CREATE VIRTUAL TABLE names USING fts5(
            words, content='', columnsize=0, detail=none, tokenize='ascii', prefix='1 2 3');
        CREATE VIRTUAL TABLE vocabulary USING fts5vocab(names, row);
        """

    /// Facts about the whole file.
    ///
    ///     folding   a digest of the table with which names were folded
    ///     removals  the number of removals
    private static let facts = """
        CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        """

    static let statements = sources + tiles + chunks + houses + roads + words + facts

    /// Throws, so that an older index is rebuilt.
    static func migrate(_ connection: Connection, from version: Int) throws(StoreFailure) {
        throw StoreFailure(
            code: 1, attempt: "open the search index", file: connection.file,
            reason: "it has version \(version)")
    }
}

/// A tile of a source.
struct SearchTile: Hashable {
    let source: Int
    let tile: TileID
}
