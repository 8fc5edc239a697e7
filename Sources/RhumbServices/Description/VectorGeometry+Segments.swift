internal import RhumbVector

extension VectorGeometry {
    /// Returns true if the box around the points touches another one.
    func touches(_ low: SIMD2<Double>, _ high: SIMD2<Double>) -> Bool {
        guard let first = points.first else { return false }
        var least = first, greatest = first
        for point in points {
            least = pointwiseMin(least, point)
            greatest = pointwiseMax(greatest, point)
        }
        return all(SIMD2<Double>(least) .<= high) && all(SIMD2<Double>(greatest) .>= low)
    }

    /// Returns the area of the rings; infinite if they are cut off at or beyond the border of the tile.
    func area(within extent: Int32) -> Double {
        var isCut = false
        forEachSegment(isClosed: true, within: .max) { isCut = isCut || $0.isCut(to: $1, extent) }
        return isCut ? .infinity : abs(Double((0..<partCount).reduce(0) { $0 + doubleArea(ofPart: $1) })) / 2
    }

    /// Calls a closure with each segment of the lines or rings.
    /// - Parameter extent: The side of the tile. Segments beside the tile are left out, because the border of
    ///   a clipped area is no shore.
    func forEachSegment(isClosed: Bool, within extent: Int32, _ body: (Point, Point) -> Void) {
        for index in 0..<partCount {
            let range = part(index)
            guard let first = range.first, let end = range.last else { continue }
            var last = isClosed ? points[end] : points[first]
            for point in points[range] {
                defer { last = point }
                if last.isBeside(point, extent) { continue }
                body(last, point)
            }
        }
    }
}

extension VectorGeometry.Point {
    /// True if a segment to another point follows the border of a tile, or a parallel beyond it, for more
    /// than the width of a small basin.
    fileprivate func isCut(to other: Self, _ extent: Int32) -> Bool {
        let apart = other &- self, least = extent / 64
        return (abs(apart.x) > least || abs(apart.y) > least)
            && any((self .== other) .& ((self .<= 0) .| (self .>= extent)))
    }

    /// True if a segment to another point is on or beyond one side of a tile.
    fileprivate func isBeside(_ other: Self, _ extent: Int32) -> Bool {
        let low = pointwiseMin(self, other), high = pointwiseMax(self, other)
        return any(high .<= 0) || any(low .>= extent)
    }
}
