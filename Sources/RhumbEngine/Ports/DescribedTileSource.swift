public import RhumbCore

/// A source of pictures that also knows which names stand on them and what lies where. What it
/// is asked may take some milliseconds: not for the thread that draws. Safe to call from any.
public protocol DescribedTileSource: TileLayerDataSource {
    /// Whether its style writes any names.
    var hasNames: Bool { get }
    /// The zooms of the tiles that hold its data. Pictures of deeper zooms come from the deepest.
    var describedZooms: ClosedRange<Int> { get }

    /// The names on a tile of the data, the most important first.
    /// - Parameters:
    ///   - tile: of one of `describedZooms`.
    ///   - zoom: of the pictures they are for; the tile's or deeper.
    /// - Returns: nil where there is no such tile.
    /// - Throws: `TileFailure` where it can't be had.
    func names(of tile: TileID, at zoom: Int, in language: NameLanguage) throws(TileFailure) -> [VectorLabel]?

    /// What lies at a place, points first, areas last.
    /// - Parameters:
    ///   - zoom: of the pictures shown there.
    ///   - reach: how near points and lines must lie, in shares of the world's width.
    /// - Throws: `TileFailure` where it can't be had.
    func features(at place: WorldPoint, zoom: Int, reach: Double) throws(TileFailure) -> [MapFeature]
}
