internal import RhumbCore

extension Scene {
    /// The tiles in view that failed, by layer. A tile occurs once, even if several areas of the view show
    /// parts of it.
    public var failedTiles: Set<TileKey> {
        var tiles: Set<TileKey> = []
        for layer in layers {
            for gap in layer.gaps where gap.isFailed {
                let excess = max(gap.area.tile.zoom - layer.layer.sourceZooms.upperBound, 0)
                tiles.insert(
                    TileKey(
                        layer: layer.layer.id, tile: gap.area.tile.ancestor(levels: excess) ?? gap.area.tile))
            }
        }
        return tiles
    }
}
