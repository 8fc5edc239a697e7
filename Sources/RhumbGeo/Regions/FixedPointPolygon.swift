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

/// Converts shapes to the grid, and splits them at the antimeridian.
struct FixedPointPolygonBuilder {
    private var areas: [FixedPointPolygon.Edge] = []
    private var lines: [FixedPointPolygon.Edge] = []
    /// The columns of each ring and each leg.
    private(set) var spans: [FixedPointPolygon.Span] = []
    var areaEdges: Int { areas.count }

    /// Returns the edges of areas followed by those of lines, and empties the builder.
    mutating func finish() -> [FixedPointPolygon.Edge] {
        defer { areas = [] }
        areas += lines
        return areas
    }

    /// Returns the even number nearest to a position on the side of the unit square.
    static func snapped(_ position: Double) -> Int {
        let half = Double(FixedPointPolygon.side / 2)
        return Int((min(max(position, 0), 1) * half).rounded()) * 2
    }

    /// Returns the odd number in the middle of the tile of zoom 30 that contains the position.
    private static func odd(_ position: Double) -> Int {
        let half = Double(FixedPointPolygon.side / 2)
        return min(Int(min(max(position, 0), 1) * half), FixedPointPolygon.side / 2 - 1) * 2 + 1
    }

    mutating func add(_ shape: RegionShape) {
        let limit = Mercator.latitudeLimit
        guard shape.latitudes.overlaps(-limit...limit) else { return }
        switch shape {
        case .box(let bounds): for box in bounds.worldBoxes { add(box) }
        case .polygon(let outer, let holes):
            add(ring: outer.map(\.world), isHole: false)
            for hole in holes { add(ring: hole.map(\.world), isHole: true) }
        case .circle(let center, let radius):
            let ring = Outlines.circle(Position(center), radius: radius, corners: Outlines.circleCorners)
            add(ring: ring.map(\.world), isHole: false)
        case .corridor(let line, let halfWidth):
            Outlines.corridor(line, halfWidth: halfWidth) { add(ring: $0, isHole: false) }
        case .line(let line): add(line: Outlines.unrolled(line).map(\.world))
        case .point(let place): add(line: [place.world])
        }
    }

    private mutating func add(_ box: WorldBox) {
        let corners = [
            WorldPoint(x: box.minX, y: box.minY), WorldPoint(x: box.minX, y: box.maxY),
            WorldPoint(x: box.maxX, y: box.maxY), WorldPoint(x: box.maxX, y: box.minY),
        ]
        add(ring: corners, isHole: false)
    }

    private mutating func add(ring: [WorldPoint], isHole: Bool) {
        let isClockwise = signedArea(of: ring) > 0
        let turned = isClockwise == isHole ? ring : ring.reversed()
        let west = (turned.map(\.x).min() ?? 0).rounded(.down)
        let moved = turned.map { WorldPoint(x: $0.x - west, y: $0.y) }
        add(cut: clipped(moved, at: 1, keepingWest: true), isHole: isHole)
        if moved.contains(where: { $0.x > 1 }) {
            let beyond = clipped(moved, at: 1, keepingWest: false)
            add(cut: beyond.map { WorldPoint(x: $0.x - 1, y: $0.y) }, isHole: isHole)
        }
    }

    /// Adds a ring on the square. A ring without area on the grid becomes a line.
    private mutating func add(cut ring: [WorldPoint], isHole: Bool) {
        let corners = ring.map {
            (x: FixedPointPolygonBuilder.snapped($0.x), y: FixedPointPolygonBuilder.snapped($0.y))
        }
        let columns = Set(corners.map(\.x)), rows = Set(corners.map(\.y))
        if columns.count < 2 || rows.count < 2 {
            if !isHole { add(line: ring) }
            return
        }
        spans.append(FixedPointPolygon.Span(corners.map(\.x)))
        for (index, corner) in corners.enumerated() {
            let next = corners[(index + 1) % corners.count]
            if corner != next { areas.append(FixedPointPolygon.Edge(corner, next)) }
        }
    }

    /// Returns the part of a ring on one side of a meridian (I. Sutherland and G. Hodgman). Separate parts
    /// stay connected along the meridian, with no area between them.
    private func clipped(_ ring: [WorldPoint], at meridian: Double, keepingWest: Bool) -> [WorldPoint] {
        func isKept(_ point: WorldPoint) -> Bool { keepingWest ? point.x <= meridian : point.x >= meridian }
        guard var before = ring.last else { return [] }
        var kept: [WorldPoint] = []
        for corner in ring {
            if isKept(corner) != isKept(before) { kept.append(crossing(before, corner, at: meridian)) }
            if isKept(corner) { kept.append(corner) }
            before = corner
        }
        return kept
    }

    private func crossing(_ a: WorldPoint, _ b: WorldPoint, at meridian: Double) -> WorldPoint {
        WorldPoint(x: meridian, y: a.y + (b.y - a.y) * (meridian - a.x) / (b.x - a.x))
    }

    private mutating func add(line: [WorldPoint]) {
        guard let first = line.first else { return }
        if line.count == 1 { return add(leg: first, first) }
        for (from, to) in zip(line, line.dropFirst()) { add(leg: from, to) }
    }

    private mutating func add(leg from: WorldPoint, _ to: WorldPoint) {
        let west = min(from.x, to.x).rounded(.down)
        let a = WorldPoint(x: from.x - west, y: from.y), b = WorldPoint(x: to.x - west, y: to.y)
        guard max(a.x, b.x) > 1 else { return add(cut: a, b) }
        let middle = crossing(a, b, at: 1)
        let (near, far) = a.x < b.x ? (a, b) : (b, a)
        add(cut: near, middle)
        add(cut: WorldPoint(x: 0, y: middle.y), WorldPoint(x: far.x - 1, y: far.y))
    }

    private mutating func add(cut a: WorldPoint, _ b: WorldPoint) {
        let from = (x: FixedPointPolygonBuilder.odd(a.x), y: FixedPointPolygonBuilder.odd(a.y))
        let to = (x: FixedPointPolygonBuilder.odd(b.x), y: FixedPointPolygonBuilder.odd(b.y))
        spans.append(FixedPointPolygon.Span([from.x, to.x]))
        lines.append(FixedPointPolygon.Edge(from, to))
    }
}
