internal import RhumbCore

/// The tables of a search index. All of it is made of what is stored elsewhere, and can be made again.
enum SearchSchema: SchemaDefinition {
    /// What is indexed: a source of a store, or an archive.
    ///
    ///     key    its origin; of an archive the file's path with its size and time
    private static let sources = """
        CREATE TABLE sources (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE);
        """

    /// A row for each tile that was looked at.
    ///
    ///     body    mark of its body, of a store's a hash of it; another one means that it changed
    ///     parts   bits of the quarters that were left out, since their own tiles are stored
    ///     first   the number of its first chunk; its chunks follow each other
    private static let tiles = """
        CREATE TABLE tiles (
            source INTEGER NOT NULL, z INTEGER NOT NULL, x INTEGER NOT NULL, y INTEGER NOT NULL,
            body INTEGER NOT NULL, parts INTEGER NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL,
            PRIMARY KEY (source, z, x, y)) WITHOUT ROWID;
        """

    /// Some hundred things of a tile that lie near each other. Kept apart from their bodies, so that all rows
    /// are read at once.
    ///
    ///     west, …     the box they lie in, in units of the tile
    ///     categories  bits of the categories among them
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

    /// Which words occur in which chunks, folded. Nothing but the numbers of chunks is kept.
    private static let words = """
        CREATE VIRTUAL TABLE names USING fts5(
            words, content='', columnsize=0, detail=none, tokenize='ascii', prefix='1 2 3');
        CREATE VIRTUAL TABLE vocabulary USING fts5vocab(names, row);
        """

    /// What holds for the whole file.
    ///
    ///     folding   a digest of the table that names were folded with
    ///     removals  how often something was taken out
    private static let facts = """
        CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        """

    static let statements = sources + tiles + chunks + houses + words + facts

    /// An older index is made anew.
    static func migrate(_ connection: Connection, from version: Int) throws(StoreFailure) {
        throw StoreFailure(
            code: 1, attempt: "open the search index", file: connection.file,
            reason: "it has version \(version)")
    }
}

/// Which tile of which source.
struct SearchTile: Hashable {
    let source: Int
    let tile: TileID
}
