/// A tile with the copy of the world in which it is drawn.
///
/// A `TileID` identifies the tile to fetch; a placed tile also has its position. A view that spans the
/// antimeridian shows the same tile more than once.
public struct PlacedTile: Hashable, Sendable {
    /// The tile.
    public let tile: TileID
    /// 0 for the world itself, 1 for its copy to the east, -1 to the west.
    public let copy: Int

    /// Creates a tile in one of the copies of the world side by side; 0 is the middle one.
    public init(tile: TileID, copy: Int) {
        self.tile = tile
        self.copy = copy
    }

    /// The tile's box, with x counted across the copies.
    public var box: WorldBox {
        var box = tile.box
        box.minX += Double(copy)
        box.maxX += Double(copy)
        return box
    }
}
