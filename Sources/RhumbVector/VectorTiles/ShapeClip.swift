/// Clips lines and rings to a box. Rings that extend beyond it follow its edges.
package struct ShapeClip {
    package typealias Point = SIMD2<Double>

    package let low: Point
    package let high: Point

    package init(low: Point, high: Point) {
        self.low = low
        self.high = high
    }

    /// Returns the parts of a line inside the box.
    package func lines(_ line: [Point]) -> [[Point]] {
        var parts: [[Point]] = [], part: [Point] = []
        func end() {
            if part.count > 1 { parts.append(part) }
            part = []
        }
        for (a, b) in zip(line, line.dropFirst()) {
            guard let (from, to) = leg(a, b) else { end(); continue }
            if part.last != from {
                end()
                part = [from]
            }
            part.append(to)
        }
        end()
        return parts
    }

    /// Returns the part of a ring inside the box; fewer than three corners if nothing is left.
    func ring(_ ring: [Point]) -> [Point] {
        var ring = ring
        for axis in 0..<2 {
            ring = cut(ring, axis, at: low[axis]) { $0 >= $1 }
            ring = cut(ring, axis, at: high[axis]) { $0 <= $1 }
        }
        return ring
    }

    private func cut(
        _ ring: [Point], _ axis: Int, at edge: Double, isInside: (Double, Double) -> Bool
    ) -> [Point] {
        guard var last = ring.last else { return [] }
        var kept: [Point] = []
        for point in ring {
            let comes = isInside(point[axis], edge)
            if comes != isInside(last[axis], edge) {
                kept.append(last + (point - last) * ((edge - last[axis]) / (point[axis] - last[axis])))
            }
            if comes { kept.append(point) }
            last = point
        }
        return kept
    }

    /// Returns the part of a segment inside the box; nil if there is none.
    private func leg(_ a: Point, _ b: Point) -> (Point, Point)? {
        var start = 0.0, end = 1.0
        let way = b - a
        for axis in 0..<2 {
            let toLow = low[axis] - a[axis], toHigh = high[axis] - a[axis]
            guard way[axis] != 0 else {
                if toLow > 0 || toHigh < 0 { return nil }
                continue
            }
            let first = toLow / way[axis], second = toHigh / way[axis]
            start = max(start, min(first, second))
            end = min(end, max(first, second))
        }
        guard start <= end else { return nil }
        return (start == 0 ? a : a + way * start, end == 1 ? b : a + way * end)
    }
}
