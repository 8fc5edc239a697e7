public import RhumbGeo

/// A line on the Mercator square, with simplified ones for smaller scales, each in pieces with known boxes: a
/// million points cost no more than their visible part.
public final class OverlayPath: Sendable {
    /// The corners; x continues beyond 0…1 across the antimeridian. The first one of a ring is not repeated.
    public let points: [SIMD2<Double>]
    /// Metres above the sea, one for each point, NaN where unknown; empty where none is known.
    public let heights: [Float]
    /// Seconds since 1970, one for each point, NaN where unknown; empty where none is known.
    public let times: [Double]
    /// The least and the greatest x and y.
    public let least: SIMD2<Double>, greatest: SIMD2<Double>
    /// From the finest to the coarsest.
    private let levels: [Level]

    /// The line with less points.
    public struct Level: Sendable {
        /// The smallest distance between points, in widths of the world.
        public let tolerance: Double
        /// The corners that are left.
        public let points: [SIMD2<Double>]
        /// Some legs of the line that follow each other.
        public let pieces: [Piece]
    }

    /// Some legs of a line, and the box round them.
    public struct Piece: Sendable {
        /// The indices of their corners; the last is the first of the next piece too.
        public let points: ClosedRange<Int>
        /// The least and the greatest x and y.
        public let least: SIMD2<Double>, greatest: SIMD2<Double>
    }

    private static let pieceLength = 128
    /// Shorter lines are not simplified.
    private static let shortest = 48

    /// - Parameters:
    ///   - points: Points on the Mercator square, x of any size. Legs take the shorter way round the world.
    ///   - heights: Metres, one for each point, or empty; implausible ones count as unknown.
    ///   - times: Seconds since 1970, one for each point, or empty; implausible ones count as unknown.
    public init(_ points: [SIMD2<Double>], heights: [Float] = [], times: [Double] = []) {
        let line = Self.unwrapped(points)
        self.points = line
        let hasHeights = heights.count == line.count && heights.contains { !$0.isNaN }
        self.heights = hasHeights ? heights.map { $0.plausibleHeight ?? .nan } : []
        let hasTimes = times.count == line.count && times.contains { !$0.isNaN }
        self.times = hasTimes ? times.map { $0.plausibleTime ?? .nan } : []
        (least, greatest) = Self.extent(line[...])
        levels = Self.levels(of: line)
    }

    /// Moves points that are half a world apart across the antimeridian.
    private static func unwrapped(_ points: [SIMD2<Double>]) -> [SIMD2<Double>] {
        guard zip(points, points.dropFirst()).contains(where: { abs($0.x - $1.x) > 0.5 }) else {
            return points
        }
        var line = points
        for at in line.indices.dropFirst() { line[at].x += (line[at - 1].x - line[at].x).rounded() }
        return line
    }

    private static func extent(_ points: ArraySlice<SIMD2<Double>>) -> (SIMD2<Double>, SIMD2<Double>) {
        guard var least = points.first else { return (SIMD2(0.5, 0.5), SIMD2(0.5, 0.5)) }
        var greatest = least
        for point in points {
            least = pointwiseMin(least, point)
            greatest = pointwiseMax(greatest, point)
        }
        return (least, greatest)
    }

    private static func levels(of line: [SIMD2<Double>]) -> [Level] {
        var levels = [Level(tolerance: 0, points: line, pieces: pieces(of: line))]
        guard line.count >= shortest else { return levels }
        var finest = line
        for zoom in stride(from: 17, through: 0, by: -1) {
            let tolerance = 0.5 / (256 * Double(1 << zoom))
            let simpler = simplified(finest, tolerance)
            // A level that is hardly smaller is useless.
            guard simpler.count * 2 <= finest.count else { continue }
            levels.append(Level(tolerance: tolerance, points: simpler, pieces: pieces(of: simpler)))
            finest = simpler
            if simpler.count < shortest { break }
        }
        return levels
    }

    /// Without points that are nearer to the one before than the tolerance; the last one stays.
    private static func simplified(_ line: [SIMD2<Double>], _ tolerance: Double) -> [SIMD2<Double>] {
        var kept: [SIMD2<Double>] = [line[0]]
        for point in line.dropFirst() {
            let apart = point - kept[kept.count - 1]
            if (apart * apart).sum() >= tolerance * tolerance { kept.append(point) }
        }
        if let last = line.last, kept[kept.count - 1] != last { kept.append(last) }
        return kept
    }

    private static func pieces(of line: [SIMD2<Double>]) -> [Piece] {
        stride(from: 0, to: max(line.count - 1, 1), by: pieceLength).compactMap { start in
            let end = min(start + pieceLength, line.count - 1)
            guard end >= start, !line.isEmpty else { return nil }
            let (least, greatest) = extent(line[start...end])
            return Piece(points: start...end, least: least, greatest: greatest)
        }
    }

    /// Returns the simplest line within a tolerance, in widths of the world.
    public func level(within tolerance: Double) -> Level {
        levels.last { $0.tolerance <= tolerance } ?? levels[0]
    }

    /// The smallest box round paths.
    static func box(of paths: [OverlayPath]) -> WorldBox {
        guard let first = paths.first else { return WorldBox(minX: 0.5, minY: 0.5, maxX: 0.5, maxY: 0.5) }
        let least = paths.reduce(first.least) { pointwiseMin($0, $1.least) }
        let greatest = paths.reduce(first.greatest) { pointwiseMax($0, $1.greatest) }
        return WorldBox(minX: least.x, minY: least.y, maxX: greatest.x, maxY: greatest.y)
    }

    /// The coordinate of a point.
    public func coordinate(_ index: Int) -> Coordinate {
        Mercator.coordinate(WorldPoint(x: points[index].x, y: points[index].y))
    }
}
