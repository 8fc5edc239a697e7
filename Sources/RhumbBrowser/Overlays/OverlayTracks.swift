internal import Glibc
internal import RhumbCore

/// Which way tracks go: arrows along them, and marks where they begin and end.
extension OverlayPainter {
    private static let trackLimit = 60
    /// Columns between two arrows.
    private static let spacing = 24.0
    /// Columns that a track is long at least that has an arrow.
    private static let shortest = 6.0

    mutating func drawTracks(of index: OverlayIndex, isFaint: Bool, on grid: inout CellGrid) {
        guard index.hasShapes else { return }
        for (slot, turns) in index.shapes(touching: viewport.box).lazy.filter({ index.features[$0.slot].isTrack }).prefix(Self.trackLimit) {
            let paths = index.features[slot].paths
            drawEnds(paths, turns, isFaint, &grid)
            for path in paths {
                for (place, heading) in arrows(along: path, turns) {
                    put(Heading.arrow(heading, isUnicode: settings.isUnicode), place, theme == .day ? RGB(0x101418) : RGB(0xFFFFFF), isFaint, &grid)
                }
            }
        }
    }

    private mutating func drawEnds(_ paths: [OverlayPath], _ turns: Double, _ isFaint: Bool, _ grid: inout CellGrid) {
        guard let start = paths.first?.points.first, let end = paths.last?.points.last else { return }
        put(settings.isUnicode ? "○" : "o", SIMD2(start.x + turns, start.y), RGB(0x12A150), isFaint, &grid)
        put(settings.isUnicode ? "⚑" : "#", SIMD2(end.x + turns, end.y), RGB(0xE5383B), isFaint, &grid)
    }

    /// Names and other marks stay as they are.
    private mutating func put(_ glyph: String, _ place: SIMD2<Double>, _ ink: RGB, _ isFaint: Bool, _ grid: inout CellGrid) {
        let cell = viewport.cell(of: WorldPoint(x: place.x, y: place.y))
        let row = Int(cell.row.rounded(.down)), column = Int(cell.column.rounded(.down))
        guard (0..<viewport.rows).contains(row), (0..<viewport.columns).contains(column),
            taken.insert(row * viewport.columns + column).inserted
        else { return }
        let (pen, paper, style) = single(ink, grid[row, column])
        grid.write(glyph, row: row, column: column, ink: pen, paper: paper, style: isFaint ? .dim : style)
    }

    /// Places in view and directions. They belong to pieces of the line, so that they stay while the map moves.
    private func arrows(along path: OverlayPath, _ turns: Double) -> [(place: SIMD2<Double>, heading: Double)] {
        let view = viewport.box, grain = (view.maxX - view.minX) / Double(viewport.columns)
        let seen = ClipBox(low: SIMD2(view.minX - turns, view.minY), high: SIMD2(view.maxX - turns, view.maxY))
        let level = path.level(within: grain / 2)
        var found: [(place: SIMD2<Double>, heading: Double)] = []
        for (number, piece) in level.pieces.enumerated() where seen.touches(piece.least, piece.greatest) {
            let line = level.points[piece.points]
            let length = zip(line, line.dropFirst()).reduce(0) { $0 + Self.length($1.1 - $1.0) } / grain
            // Of pieces shorter than the space between arrows only some have one.
            let share = Int(min((Self.spacing / max(length, 0.001)).rounded(.up), 1e6))
            guard length >= Self.shortest || level.pieces.count > 1, share <= 1 || number % share == 0 else { continue }
            add(line, first: min(length, Self.spacing) / 2, grain, seen, turns, &found)
        }
        return found
    }

    private func add(
        _ line: ArraySlice<SIMD2<Double>>, first: Double, _ grain: Double, _ seen: ClipBox, _ turns: Double,
        _ found: inout [(place: SIMD2<Double>, heading: Double)]
    ) {
        var gone = 0.0
        for (a, b) in zip(line, line.dropFirst()) {
            let leg = b - a, length = Self.length(leg) / grain
            defer { gone += length }
            guard length > 0, let part = seen.part(from: a, to: b) else { continue }
            // Only what is in view of legs that may be longer than the world is wide.
            let low = ((gone + part.lowerBound * length - first) / Self.spacing).rounded(.up)
            let high = ((gone + part.upperBound * length - first) / Self.spacing).rounded(.down)
            guard low <= high, high - low < 1000 else { continue }
            for number in stride(from: max(low, 0), through: high, by: 1) {
                let share = (first + number * Self.spacing - gone) / length
                let place = a + leg * min(max(share, 0), 1)
                found.append((SIMD2(place.x + turns, place.y), atan2(leg.x, -leg.y) * 180 / .pi))
            }
        }
    }

    private static func length(_ leg: SIMD2<Double>) -> Double { (leg * leg).sum().squareRoot() }
}

/// A box that lines are cut to.
private struct ClipBox {
    let low: SIMD2<Double>, high: SIMD2<Double>

    func touches(_ least: SIMD2<Double>, _ greatest: SIMD2<Double>) -> Bool { all(least .<= high) && all(greatest .>= low) }

    /// The shares of a leg between which it lies inside, after Liang and Barsky; nil where it does not.
    func part(from a: SIMD2<Double>, to b: SIMD2<Double>) -> ClosedRange<Double>? {
        var start = 0.0, end = 1.0
        let leg = b - a
        for axis in 0..<2 {
            if leg[axis] == 0 {
                guard a[axis] >= low[axis], a[axis] <= high[axis] else { return nil }
                continue
            }
            let first = (low[axis] - a[axis]) / leg[axis], second = (high[axis] - a[axis]) / leg[axis]
            (start, end) = (max(start, min(first, second)), min(end, max(first, second)))
        }
        return start <= end ? start...end : nil
    }
}
