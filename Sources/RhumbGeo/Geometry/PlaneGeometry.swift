/// Points, segments and rings in a plane.
package enum PlaneGeometry {
    package typealias Point = SIMD2<Double>

    /// The position of a point relative to a polygon.
    package enum Side { case inside, edge, outside }

    /// Returns true if a ring encloses a point. An edge belongs to the side of greater coordinates, and a
    /// lower corner to its edge, so that of areas without gaps or overlaps, exactly one contains a point.
    ///
    /// A polygon contains a point that an odd number of its rings enclose.
    /// - Parameter ring: The corners. The first one may be repeated at the end.
    @inlinable
    package static func encloses(_ ring: some Collection<Point>, _ point: Point) -> Bool {
        var before: Point?, first: Point?, isInside = false
        for corner in ring {
            if let before {
                if crosses(before, corner, point) { isInside.toggle() }
            } else {
                first = corner
            }
            before = corner
        }
        if let before, let first, crosses(before, first, point) { isInside.toggle() }
        return isInside
    }

    /// Returns the position of a point relative to a polygon.
    /// - Parameters:
    ///   - rings: The outer ring, then its holes, as in `encloses(_:_:)`.
    ///   - tolerance: The maximum cross product of an edge and the way to a point on it.
    @inlinable
    package static func side<Ring: BidirectionalCollection<Point>>(
        of point: Point, _ rings: some Collection<Ring>, tolerance: Double = 0
    ) -> Side {
        let isOnEdge = rings.contains { ring in
            guard var before = ring.last else { return false }
            return ring.contains { corner in
                let from = before
                before = corner
                let low = pointwiseMin(from, corner), high = pointwiseMax(from, corner)
                return all(low .<= point) && all(high .>= point)
                    && abs(cross(corner - from, point - from)) <= tolerance
            }
        }
        if isOnEdge { return .edge }
        return rings.count { encloses($0, point) }.isMultiple(of: 2) ? .outside : .inside
    }

    /// Returns true if a ray from a point towards greater x crosses an edge, whose upper end belongs to the
    /// next edge.
    @inlinable
    static func crosses(_ from: Point, _ to: Point, _ point: Point) -> Bool {
        guard (from.y > point.y) != (to.y > point.y) else { return false }
        // From the lower end, so that both areas at an edge compute the same crossing.
        let (low, high) = from.y < to.y ? (from, to) : (to, from)
        return point.x < (high.x - low.x) * (point.y - low.y) / (high.y - low.y) + low.x
    }

    /// Returns the point of a segment nearest to a point, as a share of its length, and the distance.
    @inlinable
    package static func nearest(
        _ point: Point, _ from: Point, _ to: Point
    ) -> (share: Double, distance: Double) {
        let along = to - from, square = (along * along).sum(), offset = point - from
        let share = square > 0 ? min(max((offset * along).sum() / square, 0), 1) : 0
        return (share, (offset - along * share).length)
    }

    /// Returns the point of a line nearest to a point, and its distance; infinite if the line has no corners.
    @inlinable
    package static func nearest(
        _ point: Point, along line: some Sequence<Point>
    ) -> (point: Point, distance: Double) {
        var best = (point: point, distance: Double.infinity), before: Point?
        for corner in line {
            let from = before ?? corner, (share, distance) = nearest(point, from, corner)
            if distance < best.distance { best = (from + (corner - from) * share, distance) }
            before = corner
        }
        return best
    }

    /// Returns the fractions of a segment between which it is inside a box, by the Liang–Barsky algorithm;
    /// nil if it is outside.
    @inlinable
    package static func part(
        from a: Point, to b: Point, within low: Point, _ high: Point
    ) -> ClosedRange<Double>? {
        var start = 0.0, end = 1.0
        let leg = b - a
        for axis in 0..<2 {
            if leg[axis] == 0 {
                guard a[axis] >= low[axis], a[axis] <= high[axis] else { return nil }
                continue
            }
            let first = (low[axis] - a[axis]) / leg[axis], second = (high[axis] - a[axis]) / leg[axis]
            start = max(start, min(first, second))
            end = min(end, max(first, second))
        }
        return start <= end ? start...end : nil
    }

    /// Returns the signed area of the parallelogram of two steps.
    @inlinable
    package static func cross(_ a: Point, _ b: Point) -> Double { a.x * b.y - b.x * a.y }
}

extension SIMD2<Double> {
    /// The length of the step.
    @inlinable package var length: Double { (self * self).sum().squareRoot() }
}
