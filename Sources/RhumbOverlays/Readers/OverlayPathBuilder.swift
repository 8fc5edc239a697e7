internal import RhumbGeo

/// Builds a line point by point, with heights and times.
struct OverlayPathBuilder: Sendable {
    private var points: [SIMD2<Double>] = []
    private var heights: [Float] = []
    private var times: [Double] = []
    private var hasHeights = false, hasTimes = false

    mutating func append(_ point: WorldPoint, height: Double = .nan, time: Double = .nan) {
        // Heights and times are stored only from the first known one on, padded with NaN.
        if !height.isNaN, !hasHeights {
            hasHeights = true
            heights = Array(repeating: .nan, count: points.count)
        }
        if !time.isNaN, !hasTimes {
            hasTimes = true
            times = Array(repeating: .nan, count: points.count)
        }
        points.append(SIMD2(point.x, point.y))
        if hasHeights { heights.append(Float(height)) }
        if hasTimes { times.append(time) }
    }

    /// Returns the line and resets the builder; nil without points. A line of one point is drawn as a dot.
    /// - Parameter isRing: True for the ring of a polygon.
    mutating func finish(isRing: Bool = false) -> OverlayPath? {
        defer { self = OverlayPathBuilder() }
        return points.isEmpty ? nil : OverlayPath(points, heights: heights, times: times, isRing: isRing)
    }
}
