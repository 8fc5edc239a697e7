internal import Glibc
internal import RhumbCore

/// The cells of the whole world at one zoom, as a view cuts it: views moved by whole cells share
/// one grid, so that what is laid out on it keeps its place while the map moves.
struct LabelGrid: Sendable {
    private let cellsAcross: Double
    private let cellsDown: Double
    /// Where between two cells of the world's own the view's cells begin, in 65536ths.
    private let phase: (x: Int, y: Int)
    private let centre: Double

    init(_ viewport: Viewport) {
        let side = viewport.camera.worldPixels
        cellsAcross = side / Viewport.pixelsPerColumn
        cellsDown = side / viewport.pixelsPerRow
        centre = viewport.camera.center.x
        let corner = LabelGrid.corner(viewport, cellsAcross, cellsDown)
        phase = (corner.x & (FixedBox.one - 1), corner.y & (FixedBox.one - 1))
    }

    /// Whether another view's cells are the same ones. What moving by whole cells loses to rounding
    /// doesn't count.
    func isSame(as other: LabelGrid) -> Bool {
        func isNear(_ a: Int, _ b: Int) -> Bool {
            let apart = abs(a - b)
            return min(apart, FixedBox.one - apart) <= 64
        }
        return cellsAcross == other.cellsAcross && cellsDown == other.cellsDown && isNear(phase.x, other.phase.x)
            && isNear(phase.y, other.phase.y)
    }

    /// The cells that a view shows.
    func box(of viewport: Viewport) -> CellBox {
        let corner = LabelGrid.corner(viewport, cellsAcross, cellsDown)
        let half = FixedBox.one / 2
        let column = (corner.x - phase.x + half) >> 16, row = (corner.y - phase.y + half) >> 16
        return CellBox(columns: column..<(column + viewport.columns), rows: row..<(row + viewport.rows))
    }

    /// Where a point of the world lies, in cells; of the copies of the world, in the one nearest to
    /// the middle of the view the grid was made for.
    func position(of point: WorldPoint) -> SIMD2<Double> {
        position(of: point, turns: (centre - point.x).rounded())
    }

    /// Columns in a share of the world's width.
    func columns(of share: Double) -> Double { share * cellsAcross }

    /// Columns in a length over the ground.
    func columns(ofMetres metres: Double, at place: Coordinate) -> Double {
        columns(of: metres / (40_075_017 * max(cos(place.latitude * .pi / 180), 0.01)))
    }

    /// The positions of a line, all in the copy of the world that its first is in.
    func positions(of line: [WorldPoint]) -> [SIMD2<Double>] {
        guard let first = line.first else { return [] }
        let turns = (centre - first.x).rounded()
        return line.map { position(of: $0, turns: turns) }
    }

    private func position(of point: WorldPoint, turns: Double) -> SIMD2<Double> {
        let one = Double(FixedBox.one)
        return SIMD2(
            (point.x + turns) * cellsAcross - Double(phase.x) / one, point.y * cellsDown - Double(phase.y) / one)
    }

    private static func corner(_ viewport: Viewport, _ across: Double, _ down: Double) -> (x: Int, y: Int) {
        func fixed(_ cells: Double) -> Int { Int((cells * Double(FixedBox.one)).rounded()) }
        let center = viewport.camera.center
        return (
            fixed(center.x * across) - viewport.columns * FixedBox.one / 2,
            fixed(center.y * down) - viewport.rows * FixedBox.one / 2
        )
    }
}

/// Some rows and columns of a grid.
struct CellBox: Sendable, Equatable {
    let columns: Range<Int>
    let rows: Range<Int>

    func contains(_ other: CellBox) -> Bool {
        columns.lowerBound <= other.columns.lowerBound && columns.upperBound >= other.columns.upperBound
            && rows.lowerBound <= other.rows.lowerBound && rows.upperBound >= other.rows.upperBound
    }

    /// The cells that both have.
    func common(with other: CellBox) -> CellBox {
        CellBox(columns: columns.clamped(to: other.columns), rows: rows.clamped(to: other.rows))
    }

    /// The least box that both lie in.
    func joined(with other: CellBox) -> CellBox {
        CellBox(
            columns: min(columns.lowerBound, other.columns.lowerBound)..<max(columns.upperBound, other.columns.upperBound),
            rows: min(rows.lowerBound, other.rows.lowerBound)..<max(rows.upperBound, other.rows.upperBound))
    }

    /// The same box so many columns to the right and rows down.
    func moved(columns right: Int, rows down: Int) -> CellBox {
        CellBox(
            columns: (columns.lowerBound + right)..<(columns.upperBound + right),
            rows: (rows.lowerBound + down)..<(rows.upperBound + down))
    }

    /// Cells in it.
    var count: Int { columns.count * rows.count }

    /// The box with so many more columns and rows on every side.
    func grown(columns more: Int, rows also: Int) -> CellBox {
        CellBox(
            columns: (columns.lowerBound - more)..<(columns.upperBound + more),
            rows: (rows.lowerBound - also)..<(rows.upperBound + also))
    }
}
