/// The tiles of one zoom that a viewport shows.
public enum TileCover {
    /// Returns the tiles of a zoom in view, those nearest to the centre first.
    /// - Parameters:
    ///   - zoom: The zoom of the tiles.
    ///   - bounds: Tiles wholly outside are left out; nil for no limit.
    ///   - limit: The maximum number of tiles; farther ones are left out.
    public static func tiles(
        in viewport: Viewport, zoom: Int, bounds: Bounds? = nil, limit: Int = 1024
    ) -> [PlacedTile] {
        let side = Double(1 << zoom)
        let box = viewport.box
        let columns = indices(from: box.minX * side, to: box.maxX * side)
        let rows = indices(from: max(box.minY, 0) * side, to: min(box.maxY, 1) * side)
            .clamped(to: 0..<(1 << zoom))
        let center = (x: viewport.camera.center.x * side, y: viewport.camera.center.y * side)
        let reach = reach(limit: limit)
        let nearColumns = columns.clamped(to: around(center.x, reach))
        let nearRows = rows.clamped(to: around(center.y, reach))

        var placed: [(tile: PlacedTile, distance: Double)] = []
        for y in nearRows {
            for x in nearColumns {
                guard let tile = TileID(zoom: zoom, wrappingX: x, y: y) else { continue }
                if let bounds, !bounds.intersects(tile) { continue }
                let dx = Double(x) + 0.5 - center.x, dy = Double(y) + 0.5 - center.y
                placed.append((PlacedTile(tile: tile, copy: x >> zoom), dx * dx + dy * dy))
            }
        }
        placed.sort { ($0.distance, $0.tile.tile, $0.tile.copy) < ($1.distance, $1.tile.tile, $1.tile.copy) }
        return placed.prefix(limit).map(\.tile)
    }

    /// Returns the tiles between two edges. A tile that only touches an edge does not count.
    private static func indices(from low: Double, to high: Double) -> Range<Int> {
        let first = Int(low.rounded(.down)), last = Int(high.rounded(.up))
        return first..<max(first, last)
    }

    /// Returns the distance from the centre, in tiles, of a square of twice `limit` tiles.
    private static func reach(limit: Int) -> Int {
        var half = 1
        while 4 * half * half < 2 * limit { half += 1 }
        return half
    }

    private static func around(_ center: Double, _ reach: Int) -> Range<Int> {
        let middle = Int(center.rounded(.down))
        return (middle - reach)..<(middle + reach + 1)
    }
}
