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
        add(tile.x...tile.x, tile.y...tile.y, zoom: tile.zoom)
    }

    /// Adds tiles with consecutive PMTiles ids.
    mutating func add(_ ids: Range<UInt64>) {
        tiles = tiles.saturatingAdd(ids.count)
        for (zoom, ids) in TileRuns.zooms(of: ids) {
            for square in TileRuns.squares(ids, zoom: zoom) { add(square.columns, square.rows, zoom: zoom) }
        }
    }

    private mutating func add(_ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>, zoom: Int) {
        if let deepest = zooms?.upperBound, zoom <= deepest {
            if zoom == deepest {
                self.columns = joined(self.columns, columns)
                self.rows = joined(self.rows, rows)
            }
        } else {
            self.columns = columns
            self.rows = rows
        }
        zooms = zooms.map { joined($0, zoom...zoom) } ?? zoom...zoom
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
