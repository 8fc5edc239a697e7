public import RhumbCore
public import RhumbEngine

/// A source whose tiles are parts of a file on a server: it locates and requests them itself, and stores them
/// under its own origin.
public protocol PartTileSource: TileLayerDataSource {
    /// A tile, kept or from the server; without a body: known not to exist.
    /// - Throws: `TileFailure`. A cancelled task ends soon.
    func answer(of tile: TileID, priority: HTTPPriority) async throws(TileFailure) -> StoredResponse
}
