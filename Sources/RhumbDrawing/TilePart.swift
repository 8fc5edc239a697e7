public import RhumbCore

/// A tile to draw and the tile that contains its data: the same one, or an ancestor beyond the maximum zoom
/// of the data.
public struct TilePart: Sendable, Hashable {
    /// The tile to draw.
    public let tile: TileID
    /// The tile with the data: the same or an ancestor.
    public let data: TileID

    /// Finds the tile with the data.
    /// - Parameter deepest: Maximum zoom of the data.
    public init(_ tile: TileID, deepest: Int) {
        self.tile = tile
        data = tile.ancestor(levels: max(tile.zoom - max(deepest, 0), 0)) ?? tile
    }

    /// The number of such parts along a side of the data's tile.
    var count: Int { 1 << (tile.zoom - data.zoom) }

    /// The column and row of the part in the data's tile.
    var corner: SIMD2<Double> {
        SIMD2(Double(tile.x - data.x * count), Double(tile.y - data.y * count))
    }
}
