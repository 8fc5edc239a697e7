/// Moves lines to their right, seen along them where y points down; to their left by negative distances.
enum LineOffset {
    /// Corners whose sides lean farther apart than this are cut: their points would lie far out.
    private static let leastLean = 0.25

    /// - Parameters:
    ///   - points: no two that follow each other are the same.
    ///   - isRing: whether the last is joined with the first.
    static func moved(_ points: [SIMD2<Double>], by distance: Double, isRing: Bool) -> [SIMD2<Double>] {
        guard distance != 0, points.count > 1 else { return points }
        let legs = isRing ? points.count : points.count - 1
        let sides = (0..<legs).map { side(of: points[($0 + 1) % points.count] - points[$0]) }
        var moved: [SIMD2<Double>] = []
        moved.reserveCapacity(points.count)
        for (at, point) in points.enumerated() {
            let before = at > 0 ? sides[at - 1] : isRing ? sides[legs - 1] : sides[0]
            let after = at < legs ? sides[at] : before
            let lean = 1 + (before * after).sum()
            if lean < leastLean {
                moved += [point + before * distance, point + after * distance]
            } else {
                moved.append(point + (before + after) * (distance / lean))
            }
        }
        return moved
    }

    /// The way to the right of a leg, one pixel far; nowhere for a leg without length.
    private static func side(of leg: SIMD2<Double>) -> SIMD2<Double> {
        let length = (leg * leg).sum().squareRoot()
        return length > 0 ? SIMD2(-leg.y, leg.x) / length : .zero
    }
}
