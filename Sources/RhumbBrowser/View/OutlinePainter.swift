internal import RhumbCore

/// Draws rings of coordinates on the map as lines of cells.
struct OutlinePainter {
    let viewport: Viewport
    let isUnicode: Bool

    private typealias Spot = (column: Double, row: Double)

    func draw(_ ring: [Position], on grid: inout CellGrid) {
        let spots = spots(ring)
        guard var last = spots.last else { return }
        for (at, spot) in spots.enumerated() where at == spots.count - 1 || OutlinePainter.isApart(last, spot) {
            line(from: last, to: spot, on: &grid)
            last = spot
        }
    }

    /// The corners on the screen, on the copy of the world that is nearest to the middle.
    private func spots(_ ring: [Position]) -> [Spot] {
        guard !ring.isEmpty else { return [] }
        let box = viewport.box, middle = ring.reduce(0) { $0 + $1.longitude } / Double(ring.count) / 360 + 0.5
        let turns = (viewport.camera.center.x - middle).rounded()
        return ring.map { corner in
            let x = corner.longitude / 360 + 0.5 + turns
            let y = Mercator.world(Coordinate(latitude: corner.latitude, longitude: 0)).y
            return (
                (x - box.minX) / (box.maxX - box.minX) * Double(viewport.columns),
                (y - box.minY) / (box.maxY - box.minY) * Double(viewport.rows)
            )
        }
    }

    /// Corners nearer than a cell would only make a line ragged.
    private static func isApart(_ a: Spot, _ b: Spot) -> Bool { max(abs(a.column - b.column), abs(a.row - b.row)) >= 1 }

    private func line(from a: Spot, to b: Spot, on grid: inout CellGrid) {
        guard let (start, end) = visible(a, b) else { return }
        let across = b.column - a.column, down = b.row - a.row, glyph = glyph(across, down)
        let steps = Int(max(abs(across), abs(down)) * (end - start)) + 1
        for step in 0...steps {
            let share = start + (end - start) * Double(step) / Double(steps)
            put(glyph, Int((a.row + down * share).rounded(.down)), Int((a.column + across * share).rounded(.down)), on: &grid)
        }
    }

    /// The shares of the line between which it can be in view; nil where it is not.
    private func visible(_ a: Spot, _ b: Spot) -> (Double, Double)? {
        var start = 0.0, end = 1.0
        for (from, to, size) in [(a.column, b.column, Double(viewport.columns)), (a.row, b.row, Double(viewport.rows))] {
            if from == to {
                guard (-1...size + 1).contains(from) else { return nil }
                continue
            }
            let ends = [(-1 - from) / (to - from), (size + 1 - from) / (to - from)].sorted()
            (start, end) = (max(start, ends[0]), min(end, ends[1]))
        }
        return start < end ? (start, end) : nil
    }

    /// A slanted stroke goes through one cell from corner to corner: beside others of a flat line it would be a hatch.
    private func glyph(_ across: Double, _ down: Double) -> String {
        if abs(down) < abs(across) * 0.6 { return isUnicode ? "━" : "=" }
        if abs(down) > abs(across) * 1.7 { return isUnicode ? "┃" : "|" }
        let falls = (down > 0) == (across > 0)
        return falls ? (isUnicode ? "╲" : "\\") : (isUnicode ? "╱" : "/")
    }

    private func put(_ glyph: String, _ row: Int, _ column: Int, on grid: inout CellGrid) {
        guard (0..<viewport.rows).contains(row), (0..<viewport.columns).contains(column) else { return }
        grid.write(glyph, row: row, column: column, ink: .indexed(12), style: .bold)
    }
}

extension Bounds {
    /// Its corners; the longitudes of one across the antimeridian go on beyond 180.
    var ring: [Position] {
        let east = crossesAntimeridian ? east + 360 : east
        return [(west, south), (east, south), (east, north), (west, north)].map { Position(longitude: $0.0, latitude: $0.1) }
    }
}
