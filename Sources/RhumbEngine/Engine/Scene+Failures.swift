internal import RhumbCore

extension Scene {
    /// The shortest pause of the servers that refuse tiles in view for now; nil if there is none.
    public var retryPause: Duration? {
        layers.flatMap(\.gaps).compactMap { gap -> Duration? in
            guard case .failed(let failure) = gap.reason, failure.reason == .refused else { return nil }
            return failure.retryAfter
        }.min()
    }

    /// The reasons why parts of tiles in view are missing in their pictures. Pictures of one tile share
    /// theirs.
    public var omissions: [TileFailure] {
        layers.flatMap(\.pictures).compactMap(\.mark.omission).reduce(into: []) { found, omission in
            if !found.contains(omission) { found.append(omission) }
        }
    }

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
