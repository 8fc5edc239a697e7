internal import RhumbCore

/// The zooms and area of the tiles written so far.
struct ExportExtent {
    private(set) var tiles = 0
    private(set) var zooms: ClosedRange<Int>?
    /// The columns at the deepest zoom.
    private var columns = 0...0
    private var rows = 0...0

    mutating func add(_ tile: TileID) {
        tiles += 1
        let own = (tile.x...tile.x, tile.y...tile.y)
        if let deepest = zooms?.upperBound, tile.zoom <= deepest {
            if tile.zoom == deepest { (columns, rows) = (joined(columns, own.0), joined(rows, own.1)) }
        } else {
            (columns, rows) = own
        }
        zooms = zooms.map { joined($0, tile.zoom...tile.zoom) } ?? tile.zoom...tile.zoom
    }

    private func joined(_ a: ClosedRange<Int>, _ b: ClosedRange<Int>) -> ClosedRange<Int> {
        min(a.lowerBound, b.lowerBound)...max(a.upperBound, b.upperBound)
    }

    /// Returns west, south, east and north in degrees. Archive formats can't describe a box across the
    /// antimeridian, so it is extended around the world.
    func edges(_ declared: Bounds?) -> [Double] {
        let found = zooms.flatMap { Bounds(zoom: $0.upperBound, columns: columns, rows: rows) }
        let box = declared ?? found ?? .world
        let limit = Mercator.latitudeLimit
        let across = box.crossesAntimeridian
        return [
            across ? -180 : box.west, min(max(box.south, -limit), limit), across ? 180 : box.east,
            min(max(box.north, -limit), limit),
        ]
    }

    /// Returns the initial centre of the map.
    func center(_ declared: Bounds?) -> Coordinate {
        if let declared { return declared.center }
        let edges = edges(nil)
        return Coordinate(latitude: (edges[1] + edges[3]) / 2, longitude: (edges[0] + edges[2]) / 2)
    }
}
