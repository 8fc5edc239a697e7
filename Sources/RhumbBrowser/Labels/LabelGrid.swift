internal import Glibc
internal import RhumbCore

/// The lattice of a view's cells for the layout of labels, and the copy of the world that the view shows.
struct LabelGrid: Sendable {
    private let lattice: CellLattice
    private let centre: Double

    init(_ viewport: Viewport) {
        lattice = CellLattice(viewport)
        centre = viewport.camera.center.x
    }

    /// Returns true if another view has the same cells, apart from rounding errors of moves by whole cells.
    func isSame(as other: LabelGrid) -> Bool {
        func isNear(_ a: Int, _ b: Int) -> Bool {
            let apart = abs(a - b)
            return min(apart, FixedPointRect.one - apart) <= 64
        }
        return lattice.across == other.lattice.across && lattice.down == other.lattice.down
            && isNear(lattice.phase.x, other.lattice.phase.x)
            && isNear(lattice.phase.y, other.lattice.phase.y)
    }

    /// Returns the cells that a view shows.
    func box(of viewport: Viewport) -> CellBox { lattice.box(of: viewport) }

    /// Returns the position of a point in cells, in the copy of the world nearest to the centre of the grid's
    /// view.
    func position(of point: WorldPoint) -> SIMD2<Double> {
        position(of: point, turns: (centre - point.x).rounded())
    }

    /// Returns the number of columns that a share of the world's width spans.
    func columns(of share: Double) -> Double { share * lattice.across }

    /// Returns the number of columns that a distance in metres spans at a place.
    func columns(ofMetres metres: Double, at place: Coordinate) -> Double {
        columns(of: metres / (40_075_017 * max(cos(place.latitude * .pi / 180), 0.01)))
    }

    /// Returns the positions of a line's points, all in the copy of the world chosen for the first point.
    func positions(of line: [WorldPoint]) -> [SIMD2<Double>] {
        guard let first = line.first else { return [] }
        let turns = (centre - first.x).rounded()
        return line.map { position(of: $0, turns: turns) }
    }

    /// Returns the extent of a line in cells.
    func reach(of line: [WorldPoint]) -> LineLabelExtent? {
        guard let first = line.first else { return nil }
        let turns = (centre - first.x).rounded()
        var reach = LineLabelExtent(position(of: first, turns: turns))
        for point in line.dropFirst() { reach.take(position(of: point, turns: turns)) }
        return reach
    }

    /// Returns the part of the world below a box of cells. Its x may be outside 0…1.
    func ground(of box: CellBox) -> WorldBox { lattice.ground(of: box) }

    /// Returns the coordinate of the upper left corner of a cell.
    func coordinate(row: Int, column: Int) -> Coordinate {
        let box = ground(of: CellBox(columns: column..<(column + 1), rows: row..<(row + 1)))
        return Mercator.coordinate(WorldPoint(x: box.minX, y: box.minY).wrapped)
    }

    /// Returns the number of cells in an area of the Mercator square.
    func cells(of size: Double) -> Double { size * lattice.across * lattice.down }

    /// Returns the position of a point, in cells.
    /// - Parameter turns: The copy of the world, 0 for the first.
    func position(of point: WorldPoint, turns: Double) -> SIMD2<Double> {
        let one = Double(FixedPointRect.one)
        return SIMD2(
            (point.x + turns) * lattice.across - Double(lattice.phase.x) / one,
            point.y * lattice.down - Double(lattice.phase.y) / one)
    }
}
