public import RhumbGeo

/// The grid of cells that a view at one zoom lays over the whole world. Views moved by whole cells share a
/// lattice, so layouts on it stay in place while the map moves.
public struct CellLattice: Hashable, Sendable {
    /// The number of cells around the world.
    public let across: Double
    /// The number of cells from the upper edge of the world to the lower.
    public let down: Double
    /// The offset of the view's cells from the world's, in 65536ths.
    public let phase: SIMD2<Int>

    /// The lattice of a view's cells.
    public init(_ viewport: Viewport) {
        let side = viewport.camera.worldPixels
        across = side / Viewport.pixelsPerColumn
        down = side / viewport.pixelsPerRow
        phase = Self.corner(of: viewport, across, down) & (FixedPointRect.one - 1)
    }

    /// Returns a view's upper left corner, in 65536ths of a cell from the world's upper left corner.
    public func corner(of viewport: Viewport) -> SIMD2<Int> { Self.corner(of: viewport, across, down) }

    private static func corner(of viewport: Viewport, _ across: Double, _ down: Double) -> SIMD2<Int> {
        let centre = viewport.camera.center, half = FixedPointRect.one / 2
        return SIMD2(
            fixed(centre.x * across) &- viewport.columns * half,
            fixed(centre.y * down) &- viewport.rows * half)
    }

    /// Returns a number of cells as the nearest number of 65536ths; 0 for NaN.
    public static func fixed(_ cells: Double) -> Int {
        let units = (cells * Double(FixedPointRect.one)).rounded()
        return units.magnitude < 1e18 ? Int(units) : 0
    }

    /// Returns the cells that a view shows.
    public func box(of viewport: Viewport) -> CellBox {
        let first = (corner(of: viewport) &- phase &+ FixedPointRect.one / 2) &>> 16
        return CellBox(
            columns: first.x..<(first.x + viewport.columns), rows: first.y..<(first.y + viewport.rows))
    }

    /// Returns the cell of a position on the Mercator square, whose x continues beyond 0…1 into other copies
    /// of the world.
    public func cell(of position: SIMD2<Double>) -> (column: Int, row: Int) {
        ((Self.fixed(position.x * across) &- phase.x) >> 16, (Self.fixed(position.y * down) &- phase.y) >> 16)
    }

    /// Returns the area of the map that some cells show; its x may extend outside 0…1.
    public func ground(of box: CellBox) -> WorldBox {
        let shift = SIMD2<Double>(Double(phase.x), Double(phase.y)) / Double(FixedPointRect.one)
        return WorldBox(
            minX: (Double(box.columns.lowerBound) + shift.x) / across,
            minY: (Double(box.rows.lowerBound) + shift.y) / down,
            maxX: (Double(box.columns.upperBound) + shift.x) / across,
            maxY: (Double(box.rows.upperBound) + shift.y) / down)
    }
}
