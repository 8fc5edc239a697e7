internal import Glibc
internal import RhumbGeo
internal import RhumbVector

/// Which way a line goes.
extension OverlayPath {
    /// Columns between two arrows.
    private static let spacing = 24.0
    /// Columns that a line is long at least that has an arrow.
    private static let shortest = 6.0

    /// Places on a part of the map, and where the line is heading there in degrees clockwise from north. They
    /// belong to pieces of the line, so that they stay while the map moves.
    /// - Parameters:
    ///   - grain: the width of a column, in widths of the world.
    ///   - ground: the part of the map.
    func arrows(grain: Double, on ground: WorldBox) -> [(place: SIMD2<Double>, heading: Double)] {
        let seen = ClipBox(low: SIMD2(ground.minX, ground.minY), high: SIMD2(ground.maxX, ground.maxY))
        guard seen.touches(least, greatest) else { return [] }
        let level = level(within: grain / 2)
        var found: [(place: SIMD2<Double>, heading: Double)] = []
        for (number, piece) in level.pieces.enumerated() where seen.touches(piece.least, piece.greatest) {
            let line = level.points[piece.points]
            let length = zip(line, line.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length } / grain
            // Of pieces shorter than the space between arrows only some have one.
            let share = Int(min((Self.spacing / max(length, 0.001)).rounded(.up), 1e6))
            guard length >= Self.shortest || level.pieces.count > 1, share <= 1 || number % share == 0 else {
                continue
            }
            Self.add(line, first: min(length, Self.spacing) / 2, grain, seen, &found)
        }
        return found
    }

    private static func add(
        _ line: ArraySlice<SIMD2<Double>>, first: Double, _ grain: Double, _ seen: ClipBox,
        _ found: inout [(place: SIMD2<Double>, heading: Double)]
    ) {
        var gone = 0.0
        for (a, b) in zip(line, line.dropFirst()) {
            let leg = b - a, length = leg.length / grain
            defer { gone += length }
            guard length > 0, let part = seen.part(from: a, to: b) else { continue }
            // Segments may be longer than the world is wide: only their visible part counts.
            let low = ((gone + part.lowerBound * length - first) / spacing).rounded(.up)
            let high = ((gone + part.upperBound * length - first) / spacing).rounded(.down)
            guard low <= high, high - low < 1000 else { continue }
            for number in stride(from: max(low, 0), through: high, by: 1) {
                let share = (first + number * spacing - gone) / length
                found.append((a + leg * min(max(share, 0), 1), atan2(leg.x, -leg.y) * 180 / .pi))
            }
        }
    }

    /// Returns the corner nearest to a place, of the simplest line within a tolerance; the first of several.
    /// Nil for an empty line.
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

/// A box that lines are cut to.
private struct ClipBox {
    let low: SIMD2<Double>, high: SIMD2<Double>

    func touches(_ least: SIMD2<Double>, _ greatest: SIMD2<Double>) -> Bool {
        all(least .<= high) && all(greatest .>= low)
    }

    /// The shares of a segment between which it lies inside, after Liang and Barsky; nil where it does not.
    func part(from a: SIMD2<Double>, to b: SIMD2<Double>) -> ClosedRange<Double>? {
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
}
