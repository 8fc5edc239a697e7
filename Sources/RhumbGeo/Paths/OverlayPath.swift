/// A line on the Mercator square, with simplifications for smaller scales. Each is split into pieces with
/// bounding boxes, so that a million points cost no more than the visible ones.
public final class OverlayPath: Sendable {
    /// The corners; x is outside 0…1 where the line crosses the antimeridian, y near the poles. A ring's
    /// first corner isn't repeated.
    public let points: [SIMD2<Double>]
    /// Metres above sea level, one for each point, NaN if unknown; empty if none is known.
    public let heights: [Float]
    /// Seconds since 1970, one for each point, NaN if unknown; empty if none is known.
    public let times: [Double]
    /// The minimum and the maximum of x and y.
    public let least: SIMD2<Double>, greatest: SIMD2<Double>
    /// The simplifications, from the finest to the coarsest.
    private let levels: [Level]

    /// A simplification of the line.
    public struct Level: Sendable {
        /// Minimum distance between points, in widths of the world.
        public let tolerance: Double
        /// The remaining corners.
        public let points: [SIMD2<Double>]
        /// The pieces of the line.
        public let pieces: [Piece]
    }

    /// Consecutive segments of a line, with their bounding box.
    public struct Piece: Sendable {
        /// The indices of the corners. The last corner is also the first one of the next piece.
        public let points: ClosedRange<Int>
        /// The minimum and the maximum of x and y.
        public let least: SIMD2<Double>, greatest: SIMD2<Double>
    }

    private static let pieceLength = 128
    /// Minimum number of points of a line worth simplifying.
    private static let shortest = 48

    /// Creates a line.
    /// - Parameters:
    ///   - points: Points on the Mercator square, x of any size. Segments take the shorter way around the
    ///     world.
    ///   - heights: Metres, one for each point, or empty; implausible ones count as unknown.
    ///   - times: Seconds since 1970, one for each point, or empty; implausible ones count as unknown.
    ///   - isRing: True for a ring, whose segments may also be those of a box around the world.
    public init(
        _ points: [SIMD2<Double>], heights: [Float] = [], times: [Double] = [], isRing: Bool = false
    ) {
        let unwrapped = Self.unwrapped(points),
            line = isRing && Self.isWorldwide(points, unwrapped) ? points : unwrapped
        self.points = line
        let hasHeights = heights.count == line.count && heights.contains { !$0.isNaN }
        self.heights = hasHeights ? heights.map { $0.plausibleHeight ?? .nan } : []
        let hasTimes = times.count == line.count && times.contains { !$0.isNaN }
        self.times = hasTimes ? times.map { $0.plausibleTime ?? .nan } : []
        (least, greatest) = Self.extent(line[...])
        levels = Self.levels(of: line)
    }

    /// Unwraps x where neighbours are more than half a world apart, which means across the antimeridian.
    private static func unwrapped(_ points: [SIMD2<Double>]) -> [SIMD2<Double>] {
        guard zip(points, points.dropFirst()).contains(where: { abs($0.x - $1.x) > 0.5 }) else {
            return points
        }
        var line = points
        for at in line.indices.dropFirst() { line[at].x += (line[at - 1].x - line[at].x).rounded() }
        return line
    }

    /// Returns true for a ring with a segment from 180° west to 180° east that is no crossing of the
    /// antimeridian: unwrapped, the ring has no width or no end.
    private static func isWorldwide(_ ring: [SIMD2<Double>], _ unwrapped: [SIMD2<Double>]) -> Bool {
        guard let first = unwrapped.first, let last = unwrapped.last,
            zip(ring, ring.dropFirst() + ring.prefix(1)).contains(where: { abs($0.x - $1.x) > 1 - 1e-9 })
        else { return false }
        return abs(first.x - last.x) > 0.5 || unwrapped.allSatisfy { abs($0.x - first.x) < 1e-9 }
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
            // Skips simplifications that save less than half of the points.
            guard simpler.count * 2 <= finest.count else { continue }
            levels.append(Level(tolerance: tolerance, points: simpler, pieces: pieces(of: simpler)))
            finest = simpler
            if simpler.count < shortest { break }
        }
        return levels
    }

    /// Removes points closer to the previous one than the tolerance, except for the last point.
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

    /// Returns the coarsest simplification within a tolerance, in widths of the world.
    public func level(within tolerance: Double) -> Level {
        levels.last { $0.tolerance <= tolerance } ?? levels[0]
    }

    /// Returns the bounding box of paths.
    package static func box(of paths: [OverlayPath]) -> WorldBox {
        guard let first = paths.first else { return WorldBox(minX: 0.5, minY: 0.5, maxX: 0.5, maxY: 0.5) }
        let least = paths.reduce(first.least) { pointwiseMin($0, $1.least) }
        let greatest = paths.reduce(first.greatest) { pointwiseMax($0, $1.greatest) }
        return WorldBox(minX: least.x, minY: least.y, maxX: greatest.x, maxY: greatest.y)
    }

    /// Returns the coordinate of a point.
    public func coordinate(_ index: Int) -> Coordinate {
        Mercator.coordinate(onPlane: WorldPoint(x: points[index].x, y: points[index].y))
    }

    /// Returns the corner nearest to a position, in the coarsest simplification within a tolerance; the first
    /// one if several are equally near. nil for a line without corners.
    public func corner(nearestTo place: SIMD2<Double>, within tolerance: Double) -> SIMD2<Double>? {
        let level = level(within: tolerance)
        var best: SIMD2<Double>?, square = Double.infinity
        for piece in level.pieces {
            let apart = place - place.clamped(lowerBound: piece.least, upperBound: piece.greatest)
            guard (apart * apart).sum() < square else { continue }
            for point in level.points[piece.points] {
                let apart = point - place, its = (apart * apart).sum()
                if its < square { (best, square) = (point, its) }
            }
        }
        return best
    }
}

extension OverlayPath {
    /// Creates a path along the ground.
    /// - Parameter heights: Metres above sea level; empty or one for each place.
    public convenience init(_ line: [Coordinate], heights: [Float] = []) {
        self.init(
            line.map { place in
                let point = Mercator.world(place)
                return SIMD2(point.x, point.y)
            }, heights: heights)
    }
}
