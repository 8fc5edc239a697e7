/// Offsets lines to their right, seen in the direction of the line with y pointing down. Negative distances
/// offset to the left.
enum LineOffset {
    /// Minimum of 1 + cos(turn) at a mitred corner. Sharper corners are bevelled, because their mitre would
    /// be too far away.
    private static let leastLean = 0.25

    /// Returns the offset line.
    /// - Parameters:
    ///   - points: Points without equal neighbours.
    ///   - isRing: True to join the last point with the first.
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

    /// Returns the unit vector to the right of a segment; zero for a segment without length.
    private static func side(of leg: SIMD2<Double>) -> SIMD2<Double> {
        let length = (leg * leg).sum().squareRoot()
        return length > 0 ? SIMD2(-leg.y, leg.x) / length : .zero
    }
}
