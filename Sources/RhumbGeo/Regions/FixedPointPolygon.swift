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
