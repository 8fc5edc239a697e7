internal import RhumbCore

/// Draws outlines on the map as lines of dots, 2 × 4 to a cell.
struct OutlinePainter {
    private let viewport: Viewport
    private let settings: Settings
    private let ink: CellColor
    private let avoided: Set<Int>

    private typealias Spot = (column: Double, row: Double)

    /// - Parameters:
    ///   - theme: The theme of the map.
    ///   - avoided: The indices of cells that must not be drawn in, row by row.
    ///   - colour: The colour of the lines; nil for that of the theme.
    init(
        _ viewport: Viewport, _ settings: Settings, _ theme: Settings.Theme, avoiding avoided: Set<Int>,
        colour: RGB? = nil
    ) {
        self.viewport = viewport
        self.settings = settings
        self.avoided = avoided
        ink =
            settings.depth.needsGlyphs
            ? .indexed(colour.map(Palette16.nearest) ?? 12) : .rgb(colour ?? Self.colour(theme))
    }

    /// The usual colour of lines over a map.
    static func colour(_ theme: Settings.Theme) -> RGB { RGB(theme == .day ? 0x1D3FD0 : 0x8FC1FF) }

    /// Draws closed lines.
    /// - Parameter grid: A grid at least as wide as the view.
    func draw(_ rings: [[Position]], on grid: inout CellGrid) {
        var dots: [Int: Int] = [:]
        for ring in rings { add(ring, to: &dots) }
        for (cell, bits) in dots where !avoided.contains(cell) {
            OverlayDots.put(bits, ink, settings, on: &grid[cell / viewport.columns, cell % viewport.columns])
        }
    }

    /// Adds a ring to the dots, keyed by cell of the view.
    private func add(_ ring: [Position], to dots: inout [Int: Int]) {
        let spots = spots(ring)
        guard var last = spots.last else { return }
        for (at, spot) in spots.enumerated() where at == spots.count - 1 || OutlinePainter.isApart(last, spot)
        {
            addLine(from: last, to: spot, to: &dots)
            last = spot
        }
    }

    /// Returns the corners on the screen, in the copy of the world nearest to the centre.
    private func spots(_ ring: [Position]) -> [Spot] {
        let box = viewport.box
        let columns = Double(viewport.columns), rows = Double(viewport.rows)
        return Self.points(ring, near: viewport.camera.center.x).map { point in
            (
                Self.inside((point.x - box.minX) / (box.maxX - box.minX) * columns, columns, width: 1),
                Self.inside((point.y - box.minY) / (box.maxY - box.minY) * rows, rows, width: 0.5)
            )
        }
    }

    /// Returns a position so that a line on the last edge of the view is in view, as it is on the first edge.
    /// - Parameter width: The width of the line in cells.
    private static func inside(_ position: Double, _ edge: Double, width: Double) -> Double {
        abs(position - edge) < 0.01 ? edge - width : position
    }

    /// Returns the corners in the world, in the copy nearest to an x.
    static func points(_ ring: [Position], near center: Double) -> [SIMD2<Double>] {
        let middle = ring.reduce(0) { $0 + $1.longitude } / Double(max(ring.count, 1)) / 360 + 0.5
        let turns = (center - middle).rounded()
        return ring.map { corner in
            let y = Mercator.world(Coordinate(latitude: corner.latitude, longitude: 0)).y
            return SIMD2(corner.longitude / 360 + 0.5 + turns, y)
        }
    }

    /// Returns true if two corners are at least half a cell apart; closer ones would make a line ragged.
    private static func isApart(_ a: Spot, _ b: Spot) -> Bool {
        max(abs(a.column - b.column), abs(a.row - b.row)) >= 0.5
    }

    /// Adds a line, two dots thick.
    private func addLine(from a: Spot, to b: Spot, to dots: inout [Int: Int]) {
        guard let (start, end) = visible(a, b) else { return }
        let across = 2 * (b.column - a.column), down = 4 * (b.row - a.row), isFlat = abs(across) > abs(down)
        let steps = Int(max(abs(across), abs(down)) * (end - start)) + 1
        for step in 0...steps {
            let share = start + (end - start) * Double(step) / Double(steps)
            let x = Int((2 * a.column + across * share).rounded(.down))
            let y = Int((4 * a.row + down * share).rounded(.down))
            add(x, y, to: &dots)
            add(isFlat ? x : x + 1, isFlat ? y + 1 : y, to: &dots)
        }
    }

    private func add(_ x: Int, _ y: Int, to dots: inout [Int: Int]) {
        guard (0..<2 * viewport.columns).contains(x), (0..<4 * viewport.rows).contains(y) else { return }
        dots[y / 4 * viewport.columns + x / 2, default: 0] |= 1 << (y % 4 * 2 + x % 2)
    }

    /// Returns the part of the line that can be in view, as shares of its length; nil for none.
    private func visible(_ a: Spot, _ b: Spot) -> (Double, Double)? {
        var start = 0.0, end = 1.0
        for (from, to, size) in [
            (a.column, b.column, Double(viewport.columns)), (a.row, b.row, Double(viewport.rows)),
        ] {
            if from == to {
                guard (-1...size + 1).contains(from) else { return nil }
                continue
            }
            let ends = [(-1 - from) / (to - from), (size + 1 - from) / (to - from)].sorted()
            start = max(start, ends[0])
            end = min(end, ends[1])
        }
        return start < end ? (start, end) : nil
    }
}

extension Bounds {
    /// The corners. Across the antimeridian, longitudes continue beyond 180°.
    var ring: [Position] {
        let east = crossesAntimeridian ? east + 360 : east
        return [(west, south), (east, south), (east, north), (west, north)].map {
            Position(longitude: $0.0, latitude: $0.1)
        }
    }
}
