internal import RhumbCore

/// The tiles that are likely to be viewed after a view.
enum LookAhead {
    /// The maximum number of prefetched tiles of one layer.
    static let limit = 96
    /// The margin around the view in map pixels: one tile.
    private static let margin = 256.0

    /// Returns a ring of tiles around the view. In the direction of motion, it is wider and its tiles come
    /// first: it extends by as much as the centre moved, at least a tile and at most a view. The tiles that
    /// zooming out shows follow, and then those that zooming in at the centre shows.
    /// - Parameter motion: The last movement of the centre, in map pixels.
    static func tiles(
        around viewport: Viewport, motion: (x: Double, y: Double), of layer: TileLayer
    ) -> [TileID] {
        let zoom = layer.tileZoom(at: viewport.camera.zoom)
        var seen = Set(layer.cover(of: viewport).map(\.tile))
        var found: [TileID] = []
        func add(_ view: Viewport, _ zoom: Int, limit: Int, toward focus: WorldPoint) {
            guard layer.sourceZooms.contains(zoom), layer.isShown(at: view.camera.zoom) else { return }
            let tiles = TileCover.tiles(
                in: view, zoom: zoom, bounds: layer.boundingBox, limit: limit + seen.count
            )
            .filter { seen.insert($0.tile).inserted }
            found += nearest(tiles, to: focus).prefix(limit)
        }
        let heading = direction(of: motion), ahead = heading.ahead, middle = viewport.camera.center
        let reach = abs(ahead.x) * viewport.width / 2 + abs(ahead.y) * viewport.height / 2 + margin
        let extra = max(min(heading.length, max(viewport.width, viewport.height)), margin)
        let focus = viewport.camera.panned(byPixelsX: ahead.x * reach, y: ahead.y * reach).center
        add(widened(viewport, ahead, by: extra), zoom, limit: 48, toward: ahead == (0, 0) ? middle : focus)
        add(viewport.zoomed(to: viewport.camera.zoom - 1), zoom - 1, limit: 24, toward: middle)
        add(viewport.zoomed(to: viewport.camera.zoom + 1), zoom + 1, limit: 12, toward: middle)
        return Array(found.prefix(limit))
    }

    private static func nearest(_ tiles: [PlacedTile], to focus: WorldPoint) -> [TileID] {
        let ranked = tiles.map { placed -> (distance: Double, tile: TileID) in
            let side = Double(1 << placed.tile.zoom)
            let dx = (Double(placed.tile.x) + 0.5) / side + Double(placed.copy) - focus.x
            let dy = (Double(placed.tile.y) + 0.5) / side - focus.y
            return (dx * dx + dy * dy, placed.tile)
        }
        return ranked.sorted { ($0.distance, $0.tile) < ($1.distance, $1.tile) }.map(\.tile)
    }

    private static func direction(
        of motion: (x: Double, y: Double)
    ) -> (ahead: (x: Double, y: Double), length: Double) {
        let length = (motion.x * motion.x + motion.y * motion.y).squareRoot()
        return length > 0
            ? (ahead: (x: motion.x / length, y: motion.y / length), length: length)
            : (ahead: (x: 0, y: 0), length: 0)
    }

    /// Returns the view with a margin that extends farther ahead.
    private static func widened(
        _ viewport: Viewport, _ ahead: (x: Double, y: Double), by extra: Double
    ) -> Viewport {
        let columns = (viewport.width + 2 * margin + extra * abs(ahead.x)) / Viewport.pixelsPerColumn
        let rows = (viewport.height + 2 * margin + extra * abs(ahead.y)) / viewport.pixelsPerRow
        let camera = viewport.camera.panned(byPixelsX: ahead.x * extra / 2, y: ahead.y * extra / 2)
        return viewport.resized(columns: Int(columns), rows: Int(rows)).with(camera)
    }
}

/// The limits of prefetching and of drawing ahead.
public struct PrefetchLimits: Sendable, Equatable {
    /// The number of requests per second, for all sources together.
    public var requestsPerSecond = 8.0
    /// The maximum number of bytes during the life of the engine.
    public var bytesPerSession = 32 << 20
    /// The maximum number of concurrent requests.
    public var atOnce = 2
    /// True to draw pictures before they are in view, if their tiles are stored.
    var drawsAhead = true

    /// The limits for interactive use.
    public init() {}

    /// Limits that allow no prefetching and no drawing ahead.
    public static let none: PrefetchLimits = {
        var limits = PrefetchLimits()
        limits.bytesPerSession = 0
        limits.drawsAhead = false
        return limits
    }()
}
