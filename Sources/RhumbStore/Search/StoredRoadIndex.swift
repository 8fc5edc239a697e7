internal import Glibc
package import RhumbCore
internal import Synchronization

/// The roads in a search index. Reads only; safe to call from any thread.
package final class StoredRoadIndex: Sendable {
    /// The zooms of the tiles whose roads are indexed.
    package static let zooms = 12...16

    private let path: String
    private let reader = Mutex<Reader?>(nil)

    /// A connection with its statement.
    private final class Reader {
        let connection: Connection
        let find: Statement

        init(_ path: String) throws(StoreFailure) {
            connection = try Connection(path, .readOnly)
            find = try connection.prepare(
                "SELECT main, others FROM roads JOIN sources ON source = id WHERE key = @key AND (z, x, y) = (@z, @x, @y)",
                to: "read the roads of a tile")
        }
    }

    /// - Parameter path: The path of the search index.
    package init(_ path: String) { self.path = path }

    /// Returns the roads of a tile, or only the main ones; nil if they are not indexed yet.
    package func roads(_ tile: TileID, of source: String, isMainOnly: Bool) -> TileRoads? {
        let columns = reader.withLock { reader -> [[UInt8]]? in
            if reader?.connection.hasMoved ?? true {
                reader = access(path, F_OK) == 0 ? try? Reader(path) : nil
            }
            guard let open = reader else { return nil }
            defer { open.find.reset() }
            return (try? StoredRoadIndex.columns(tile, of: source, isMainOnly ? 1 : 2, open.find)) ?? nil
        }
        guard let columns else { return nil }
        var roads = TileRoads()
        for packed in columns {
            guard let bytes = Gzip.unpackedSmall(packed), roads.add(packed: bytes) else { return nil }
        }
        return roads
    }

    /// Returns the first columns of a tile's row; nil without a row.
    private static func columns(
        _ tile: TileID, of source: String, _ count: Int, _ find: Statement
    ) throws(StoreFailure) -> [[UInt8]]? {
        try find.bind(["key": source, "z": tile.zoom, "x": tile.x, "y": tile.y])
        guard try find.step() else { return nil }
        return (0..<count).map { find.bytes($0) ?? [] }
    }
}
