/// A tile where it is drawn: which tile, and in which copy of the world.
///
/// `TileID` answers what to fetch; a placed tile answers where it goes. A view that spans the
/// antimeridian shows the same tile more than once.
public struct PlacedTile: Hashable, Sendable {
    /// The tile.
    public let tile: TileID
    /// 0 for the world itself, 1 for its copy to the east, -1 to the west.
    public let copy: Int

    /// A tile in one of the worlds side by side; 0 is the middle one.
    public init(tile: TileID, copy: Int) {
        self.tile = tile
        self.copy = copy
    }

    /// The tile's place, x counted across the copies.
    public var box: WorldBox {
        var box = tile.box
        box.minX += Double(copy)
        box.maxX += Double(copy)
        return box
    }
}
