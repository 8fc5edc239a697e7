internal import Glibc

/// Arcs of circles in a plane, each given by its start, a point on it and its end.
enum CircularArc {
    /// The angle between the vertices of the line that replaces an arc, as in GDAL.
    private static let step = 4 * Double.pi / 180

    /// Returns a line along consecutive arcs, which share their ends. Points that are left over are joined
    /// by straight lines.
    static func line(
        through points: [SIMD2<Double>], heights: [Float]
    ) -> (points: [SIMD2<Double>], heights: [Float]) {
        guard let first = points.first, let height = heights.first else { return ([], []) }
        var line = [first], lineHeights = [height], at = 0
        while at + 2 < points.count {
            let inner = between(points[at], points[at + 1], points[at + 2])
            line += inner + [points[at + 2]]
            lineHeights += (1...inner.count + 1).map { part in
                let share = Float(part) / Float(inner.count + 1)
                return heights[at] + (heights[at + 2] - heights[at]) * share
            }
            at += 2
        }
        return (line + points[(at + 1)...], lineHeights + heights[(at + 1)...])
    }

    /// Returns the vertices between the ends of an arc; the middle alone for a straight line.
    private static func between(
        _ start: SIMD2<Double>, _ middle: SIMD2<Double>, _ end: SIMD2<Double>
    ) -> [SIMD2<Double>] {
        guard let centre = centre(start, middle, end) else { return [middle] }
        let spoke = start - centre, radius = (spoke.x * spoke.x + spoke.y * spoke.y).squareRoot()
        func angle(_ point: SIMD2<Double>) -> Double { atan2(point.y - centre.y, point.x - centre.x) }
        // Angles from the start, counter-clockwise.
        func turn(_ point: SIMD2<Double>) -> Double {
            let turn = angle(point) - angle(start)
            return turn < 0 ? turn + 2 * .pi : turn
        }
        let toEnd = start == end ? 2 * .pi : turn(end)
        let sweep = start == end || turn(middle) <= toEnd ? toEnd : toEnd - 2 * .pi
        guard sweep.isFinite, radius.isFinite else { return [middle] }
        let parts = max(Int((abs(sweep) / step).rounded(.up)), 2)
        return (1..<parts).map { part in
            let angle = angle(start) + sweep * Double(part) / Double(parts)
            return centre + radius * SIMD2(cos(angle), sin(angle))
        }
    }

    /// Returns the centre of the circle through three points; nil for a straight line. If the ends are equal,
    /// the arc is a full circle, and the middle is opposite to them.
    private static func centre(
        _ start: SIMD2<Double>, _ middle: SIMD2<Double>, _ end: SIMD2<Double>
    ) -> SIMD2<Double>? {
        if start == end { return start == middle ? nil : (start + middle) / 2 }
        let b = middle - start, c = end - start, area = 2 * (b.x * c.y - b.y * c.x)
        let bb = b.x * b.x + b.y * b.y, cc = c.x * c.x + c.y * c.y
        guard abs(area) > 1e-12 * (bb + cc) else { return nil }
        return start + SIMD2(c.y * bb - b.y * cc, b.x * cc - c.x * bb) / area
    }
}
