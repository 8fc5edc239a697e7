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
