public import RhumbCells

/// The contents of an overlay in the cells of a part of the map: marks of its points, signs along its tracks,
/// and the lines and areas that may be named there.
public struct OverlayPatch: Sendable {
    /// Points in one cell, or in a block of cells.
    public struct Mark: Sendable, Hashable {
        /// The cells that its points are in.
        public internal(set) var cells: CellBox
        /// The cell of one of them.
        public let column: Int, row: Int
        /// That one's number.
        public let slot: Int
        /// The number of points.
        public internal(set) var count: Int
    }

    /// A sign for the start, the end or the direction of a track.
    public struct Sign: Sendable, Hashable {
        /// The kind of sign.
        public enum Kind: Sendable, Hashable {
            case start, end
            /// Degrees clockwise from north.
            case arrow(Double)
        }
        /// The kind.
        public let kind: Kind
        /// Its cell.
        public let column: Int, row: Int
    }

    /// The points, cell by cell; nil where there are too many of them.
    public internal(set) var marks: [Mark]?
    /// The points, block by block.
    public internal(set) var blocks: [Mark] = []
    /// Of tracks, one in a cell at most.
    public internal(set) var signs: [Sign] = []
    /// The numbers of the first named lines and areas, and the shift in widths of the world that moves them
    /// there.
    public internal(set) var named: [(slot: Int, turns: Double)] = []

    /// Cells of a patch.
    static let columns = 32, rows = 12
    /// Cells that many points share a count of; patches consist of whole blocks.
    static let blockColumns = 8, blockRows = 3
    static let trackLimit = 60, nameLimit = 40
}

/// The patches that were made of an overlay's features. They are kept as long as the lattice of cells is the
/// same, so that a map that moves costs no more than the patches that come into view.
public struct OverlayPatches: Sendable {
    /// The features.
    public let index: OverlayIndex
    private var lattice: CellLattice?
    private var view: CellBox?
    private var made: [SIMD2<Int>: OverlayPatch] = [:]
    private static let limit = 400

    /// None yet.
    public init(_ index: OverlayIndex) { self.index = index }

    /// The patches of a view.
    /// - Parameters:
    ///   - lattice: of the view's cells.
    ///   - view: its cells.
    public mutating func patches(of lattice: CellLattice, in view: CellBox) -> [OverlayPatch] {
        if lattice != self.lattice || made.count > Self.limit { made = [:] }
        self.lattice = lattice
        self.view = view
        let places = Self.places(in: view)
        for place in places where made[place] == nil {
            made[place] = index.patch(Self.cells(of: place), lattice)
        }
        return places.compactMap { made[$0] }
    }

    /// Returns patches of other features for the last requested view.
    public func renewed(for index: OverlayIndex) -> OverlayPatches {
        var patches = OverlayPatches(index)
        if let lattice, let view { _ = patches.patches(of: lattice, in: view) }
        return patches
    }

    private static func places(in view: CellBox) -> [SIMD2<Int>] {
        let size = SIMD2(OverlayPatch.columns, OverlayPatch.rows)
        let first = SIMD2(view.columns.lowerBound, view.rows.lowerBound).dividedDown(by: size)
        let last = SIMD2(view.columns.upperBound - 1, view.rows.upperBound - 1).dividedDown(by: size)
        guard !view.columns.isEmpty, !view.rows.isEmpty else { return [] }
        return (first.y...last.y).flatMap { y in (first.x...last.x).map { SIMD2($0, y) } }
    }

    private static func cells(of place: SIMD2<Int>) -> CellBox {
        let column = place.x * OverlayPatch.columns, row = place.y * OverlayPatch.rows
        return CellBox(
            columns: column..<(column + OverlayPatch.columns), rows: row..<(row + OverlayPatch.rows))
    }
}

extension SIMD2<Int> {
    fileprivate func dividedDown(by size: SIMD2<Int>) -> SIMD2<Int> {
        func down(_ value: Int, _ by: Int) -> Int { value >= 0 ? value / by : (value - by + 1) / by }
        return SIMD2(down(x, size.x), down(y, size.y))
    }
}
