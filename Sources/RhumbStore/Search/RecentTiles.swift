package import RhumbCore
internal import RhumbEngine
internal import Synchronization

/// The tiles of a single description. Roads and features are read from the same ones, and to unpack one takes
/// some 2 ms.
package final class RecentTiles: Sendable {
    private struct Key: Hashable {
        let source: String
        let tile: TileID
    }

    private let tiles = Mutex<[Key: Lazy<VectorTile?>]>([:])

    package init() {}

    /// Returns a stored tile; nil if it is missing or damaged.
    package func tile(_ tile: TileID, of source: String, in store: any SearchableTiles) -> VectorTile? {
        let key = Key(source: source, tile: tile)
        let found = tiles.withLock { tiles in
            let found = tiles[key] ?? Lazy { store.body(tile, of: source).flatMap { try? VectorTile($0) } }
            tiles[key] = found
            return found
        }
        return found.value
    }
}
