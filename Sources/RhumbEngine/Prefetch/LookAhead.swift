internal import RhumbCore

/// Which tiles somebody who looks at a view may look at next.
enum LookAhead {
    /// How many tiles of one layer are looked ahead for.
    static let limit = 96
    /// Map pixels around the view: one tile.
    private static let margin = 256.0

    /// A ring of tiles around the view, wider and earlier in the direction of motion; then what
    /// zooming out shows, and what zooming in at the middle does.
    /// - Parameter motion: how the middle moved the last time, in map pixels.
    static func tiles(around viewport: Viewport, motion: (x: Double, y: Double), of layer: TileLayer) -> [TileID] {
        let zoom = layer.tileZoom(at: viewport.camera.zoom)
        var seen = Set(layer.cover(of: viewport).map(\.tile))
        var found: [TileID] = []
        func add(_ view: Viewport, _ zoom: Int, limit: Int) {
            guard layer.sourceZooms.contains(zoom), layer.isShown(at: view.camera.zoom) else { return }
            let tiles = TileCover.tiles(in: view, zoom: zoom, bounds: layer.boundingBox, limit: limit + seen.count)
            for placed in tiles.prefix(limit + seen.count) where seen.insert(placed.tile).inserted {
                found.append(placed.tile)
            }
        }
        add(widened(viewport, motion), zoom, limit: 48)
        add(viewport.zoomed(to: viewport.camera.zoom - 1), zoom - 1, limit: 24)
        add(viewport.zoomed(to: viewport.camera.zoom + 1), zoom + 1, limit: 12)
        return Array(found.prefix(limit))
    }

    /// The view with a margin, its middle moved ahead so that what is ahead comes first and
    /// reaches a tile farther.
    private static func widened(_ viewport: Viewport, _ motion: (x: Double, y: Double)) -> Viewport {
        let length = (motion.x * motion.x + motion.y * motion.y).squareRoot()
        let ahead = length > 0 ? (x: motion.x / length, y: motion.y / length) : (x: 0, y: 0)
        let extra = length > 0 ? margin : 0
        let columns = (viewport.width + 2 * margin + extra * abs(ahead.x)) / Viewport.pixelsPerColumn
        let rows = (viewport.height + 2 * margin + extra * abs(ahead.y)) / viewport.pixelsPerRow
        let camera = viewport.camera.panned(byPixelsX: ahead.x * extra / 2, y: ahead.y * extra / 2)
        return viewport.resized(columns: Int(columns), rows: Int(rows)).with(camera)
    }
}

/// How much may be fetched before it is looked at.
public struct PrefetchLimits: Sendable, Equatable {
    public var requestsPerSecond = 8.0
    /// Over the life of the engine.
    public var bytesPerSession = 32 << 20
    /// Requests at once.
    public var atOnce = 2

    public init() {}
}
