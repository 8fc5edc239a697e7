/// A geometry as edges on an integer grid with 2^31 units per side of the world. All tests on it are exact.
/// Corners of areas and borders of tiles (to zoom 30) have even coordinates; lines and points have odd ones,
/// so that none lies on a border.
struct FixedPointPolygon: Sendable {
    static let side = 1 << 31

    /// An edge. Areas lie to the right of edges that point down the map.
    struct Edge: Sendable {
        let fromX: UInt32, fromY: UInt32, toX: UInt32, toY: UInt32

        init(_ from: (x: Int, y: Int), _ to: (x: Int, y: Int)) {
            fromX = UInt32(from.x)
            fromY = UInt32(from.y)
            toX = UInt32(to.x)
            toY = UInt32(to.y)
        }
    }

    /// The range of columns of connected edges.
    struct Span: Sendable {
        let west: UInt32, east: UInt32

        init(_ columns: [Int]) { (west, east) = (UInt32(columns.min() ?? 0), UInt32(columns.max() ?? 0)) }
    }

    /// The edges; those of areas come first.
    let edges: [Edge]
    private let spans: [Span]
    /// The number of edges of areas.
    let areaEdges: Int
    /// The boxes that form the whole geometry, if it is a single box with an area; otherwise nil.
    let boxes: [TileGridRect]?

    init(_ geometry: RegionGeometry) {
        var builder = FixedPointPolygonBuilder()
        for shape in geometry.shapes { builder.add(shape) }
        spans = builder.spans
        areaEdges = builder.areaEdges
        edges = builder.finish()
        let only = geometry.shapes.count == 1 ? geometry.shapes[0] : nil
        if case .box(let bounds)? = only, edges.count == areaEdges {
            boxes = bounds.worldBoxes.map(TileGridRect.init).filter { !$0.isEmpty }
        } else {
            boxes = nil
        }
    }

    /// The total extent of the edges east or west and north or south.
    var length: Int {
        edges.reduce(0) { $0 + abs(Int($1.toX) - Int($1.fromX)) + abs(Int($1.toY) - Int($1.fromY)) }
    }

    /// The smallest box around all edges.
    var bounds: Bounds {
        let north = edges.lazy.map { min($0.fromY, $0.toY) }.min() ?? 0
        let south = edges.lazy.map { max($0.fromY, $0.toY) }.max() ?? 0
        let (west, east) = widestGap
        func degrees(_ y: UInt32) -> Double {
            Mercator.coordinate(WorldPoint(x: 0, y: Double(y) / Double(FixedPointPolygon.side))).latitude
        }
        func longitude(_ x: Int) -> Double { Double(x) / Double(FixedPointPolygon.side) * 360 - 180 }
        let box = Bounds(
            west: longitude(west), south: degrees(south), east: longitude(east), north: degrees(north))
        return box ?? .world
    }

    /// The columns between the end of the widest gap between edges and its beginning.
    private var widestGap: (west: Int, east: Int) {
        let spans = spans.map { (Int($0.west), Int($0.east)) }.sorted { $0.0 < $1.0 }
        guard let first = spans.first else { return (0, FixedPointPolygon.side) }
        var end = first.1
        var gap = -1
        var west = first.0
        var east = 0
        for span in spans.dropFirst() {
            if span.0 - end > gap { (gap, west, east) = (span.0 - end, span.0, end) }
            end = max(end, span.1)
        }
        let across = first.0 + FixedPointPolygon.side - end
        return across >= gap ? (first.0, end) : (west, east)
    }
}

/// A box on the grid. Its edges have even coordinates.
struct TileGridRect: Hashable, Sendable {
    let columns: Range<Int>
    let rows: Range<Int>

    init(_ box: WorldBox) {
        columns = FixedPointPolygonBuilder.snapped(box.minX)..<FixedPointPolygonBuilder.snapped(box.maxX)
        rows = FixedPointPolygonBuilder.snapped(box.minY)..<FixedPointPolygonBuilder.snapped(box.maxY)
    }

    var isEmpty: Bool { columns.isEmpty || rows.isEmpty }
}

/// Exact tests of edges on the grid. Tested points are moved slightly to the south, and slightly more to the
/// east, so that no point lies on an edge.
extension FixedPointPolygon.Edge {
    private var dx: Int { Int(toX) - Int(fromX) }
    private var dy: Int { Int(toY) - Int(fromY) }

    /// Returns true if a point of the edge lies inside the box.
    func passes(_ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int) -> Bool {
        guard max(fromX, toX) > x0, min(fromX, toX) < x1, max(fromY, toY) > y0, min(fromY, toY) < y1
        else { return false }
        let dx = dx, dy = dy
        if dx == 0 || dy == 0 { return true }
        // The corners farthest to either side of the edge's line; products stay within 2^62.
        let right = dx * ((dx > 0 ? y1 : y0) - Int(fromY)), rightX = dy * ((dy > 0 ? x0 : x1) - Int(fromX))
        let left = dx * ((dx > 0 ? y0 : y1) - Int(fromY)), leftX = dy * ((dy > 0 ? x1 : x0) - Int(fromX))
        return right > rightX && left < leftX
    }

    /// Returns true if the point lies south of the line through an eastward edge.
    private func isBelow(_ x: Int, _ y: Int) -> Bool {
        let down = dx * (y - Int(fromY)), along = dy * (x - Int(fromX))
        if down != along { return down > along }
        return dy != 0 ? dy < 0 : dx > 0
    }

    /// Returns the change of the winding number between two points, if the path between them crosses the
    /// edge.
    private func winding(from isBelow: Bool, to isBelowThen: Bool) -> Int {
        isBelow == isBelowThen ? 0 : isBelow ? 1 : -1
    }

    /// Returns the change along a row.
    func windingAlongRow(_ y: Int, fromX x0: Int, toX x1: Int) -> Int {
        guard (fromY <= y) != (toY <= y) else { return 0 }
        return winding(from: isBelow(x0, y), to: isBelow(x1, y))
    }

    /// Returns the change along a column.
    func windingAlongColumn(_ x: Int, fromY y0: Int, toY y1: Int) -> Int {
        guard (fromX <= x) != (toX <= x) else { return 0 }
        return winding(from: isBelow(x, y0), to: isBelow(x, y1))
    }

    /// Returns the change along a row that starts beyond the western edge of the world.
    func windingFromWest(atX x: Int, y: Int) -> Int {
        guard (fromY <= y) != (toY <= y) else { return 0 }
        return winding(from: dy > 0, to: isBelow(x, y))
    }
}
