public import RhumbCore

/// A square to be drawn, and where it lies on the tile that has its data: the tile itself, or a
/// part of it beyond the data's deepest zoom.
public struct TilePart: Sendable, Hashable {
    /// What is drawn.
    public let tile: TileID
    /// The tile whose data it is drawn from: the same or an ancestor.
    public let data: TileID

    /// - Parameter deepest: the deepest zoom that has data.
    public init(_ tile: TileID, deepest: Int) {
        self.tile = tile
        data = tile.ancestor(levels: max(tile.zoom - max(deepest, 0), 0)) ?? tile
    }

    /// How many of the squares lie side by side on the data's tile.
    var count: Int { 1 << (tile.zoom - data.zoom) }

    /// Where the square begins on the data's tile, counted in squares.
    var corner: SIMD2<Double> {
        SIMD2(Double(tile.x - data.x * count), Double(tile.y - data.y * count))
    }
}
