internal import Glibc
internal import RhumbGeo

/// Direction arrows along a line.
extension OverlayPath {
    /// Distance between arrows, in columns.
    private static let spacing = 24.0
    /// Minimum length of a line with an arrow, in columns.
    private static let shortestWithArrow = 6.0

    /// Returns the arrows on a part of the map: positions, and headings in degrees clockwise from north.
    /// Arrows are fixed to the line, so that they don't move along it while panning.
    /// - Parameters:
    ///   - grain: Width of a column, in widths of the world.
    ///   - ground: The part of the map.
    func arrows(grain: Double, on ground: WorldBox) -> [(place: SIMD2<Double>, heading: Double)] {
        let seen = ClipBox(low: SIMD2(ground.minX, ground.minY), high: SIMD2(ground.maxX, ground.maxY))
        guard seen.touches(least, greatest) else { return [] }
        let level = level(within: grain / 2)
        var found: [(place: SIMD2<Double>, heading: Double)] = []
        for (number, piece) in level.pieces.enumerated() where seen.touches(piece.least, piece.greatest) {
            let line = level.points[piece.points]
            let length = zip(line, line.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length } / grain
            // Only some pieces have an arrow if pieces are shorter than the spacing.
            let share = Int(min((Self.spacing / max(length, 0.001)).rounded(.up), 1e6))
            guard length >= Self.shortestWithArrow || level.pieces.count > 1,
                share <= 1 || number % share == 0
            else {
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
            guard length > 0, let part = PlaneGeometry.part(from: a, to: b, within: seen.low, seen.high)
            else { continue }
            // Limits the arrows to the visible part, because a segment may be longer than the world's width.
            let low = ((gone + part.lowerBound * length - first) / spacing).rounded(.up)
            let high = ((gone + part.upperBound * length - first) / spacing).rounded(.down)
            guard low <= high, high - low < 1000 else { continue }
            for number in stride(from: max(low, 0), through: high, by: 1) {
                let share = (first + number * spacing - gone) / length
                found.append((a + leg * min(max(share, 0), 1), atan2(leg.x, -leg.y).degrees))
            }
        }
    }
}

/// A box for clipping lines.
private struct ClipBox {
    let low: SIMD2<Double>, high: SIMD2<Double>

    func touches(_ least: SIMD2<Double>, _ greatest: SIMD2<Double>) -> Bool {
        all(least .<= high) && all(greatest .>= low)
    }
}
