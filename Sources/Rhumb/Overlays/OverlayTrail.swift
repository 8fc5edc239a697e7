internal import RhumbCore
internal import RhumbEngine

/// The trail of a receiver, with a limited number of points.
struct OverlayTrail {
    private var points: [SIMD2<Double>] = []
    private var times: [Double] = []
    private var heights: [Float] = []
    private static let limit = 20_000
    /// The distance below which fixes count as the same place, in widths of the world: a few metres.
    private static let step = 1e-7

    /// The trail; nil if it has less than two points.
    var line: OverlayFeature? {
        guard points.count > 1 else { return nil }
        return OverlayFeature(
            .line([OverlayPath(points, heights: heights, times: times)]), id: "own way", name: "")
    }

    /// Adds fixes.
    /// - Returns: Those that are points of the trail.
    mutating func add(_ fixes: [PositionFix]) -> [PositionFix] {
        var added: [PositionFix] = []
        for fix in fixes {
            guard let place = fix.place else { continue }
            let point = Mercator.plane(place), spot = SIMD2(point.x, point.y)
            if let last = points.last, max(abs(last.x - spot.x), abs(last.y - spot.y)) < Self.step {
                continue
            }
            points.append(spot)
            times.append(fix.time ?? .nan)
            heights.append(fix.height.map { Float($0) } ?? .nan)
            added.append(fix)
        }
        if points.count > Self.limit {
            points.removeFirst(points.count - Self.limit * 3 / 4)
            times.removeFirst(times.count - Self.limit * 3 / 4)
            heights.removeFirst(heights.count - Self.limit * 3 / 4)
        }
        return added
    }
}
