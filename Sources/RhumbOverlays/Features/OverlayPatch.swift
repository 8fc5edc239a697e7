internal import RhumbBase
public import RhumbCells

/// The content of an overlay in a patch of cells: markers of its points, signs along its tracks, and the
/// lines and areas that may be labelled there.
public struct OverlayPatch: Sendable {
    /// The points in one cell or in a block of cells.
    public struct Mark: Sendable, Hashable {
        /// The cells that contain the points.
        public internal(set) var cells: CellBox
        /// The cell of the representative point.
        public let column: Int, row: Int
        /// The index of the representative feature.
        public let slot: Int
        /// The number of points.
        public internal(set) var count: Int
    }

    /// A mark on a track: its start, its end, or its direction.
    public struct Sign: Sendable, Hashable {
        /// The kind of a sign.
        public enum Kind: Sendable, Hashable {
            case start, end
            /// The direction in degrees clockwise from north.
            case arrow(Double)
        }
        /// The kind of the sign.
        public let kind: Kind
        /// The cell.
        public let column: Int, row: Int
    }

    /// The points by cell; nil if there are too many.
    public internal(set) var marks: [Mark]?
    /// The points by block.
    public internal(set) var blocks: [Mark] = []
    /// The signs of tracks, at most one per cell.
    public internal(set) var signs: [Sign] = []
    /// The indices of the first named lines and areas, and the number of world widths to shift each by.
    public internal(set) var named: [(slot: Int, turns: Double)] = []

    /// Size of a patch in cells.
    static let columns = 32, rows = 12
    /// Size of a block in cells, for clusters with a common count. Patches consist of whole blocks.
    static let blockColumns = 8, blockRows = 3
    static let trackLimit = 60, nameLimit = 40
}

/// A cache of an overlay's patches. Valid for one cell lattice, so that panning only costs the newly visible
/// patches.
public struct OverlayPatches: Sendable {
    /// The features.
    public let index: OverlayIndex
    private var lattice: CellLattice?
    private var view: CellBox?
    private var made: [SIMD2<Int>: OverlayPatch] = [:]
    private static let limit = 400

    /// Creates an empty cache.
    public init(_ index: OverlayIndex) { self.index = index }

    /// Returns the patches of a view.
    /// - Parameters:
    ///   - lattice: The cell lattice of the view.
    ///   - view: The cells of the view.
    public mutating func patches(of lattice: CellLattice, in view: CellBox) -> [OverlayPatch] {
        if lattice != self.lattice || made.count > Self.limit { made = [:] }
        self.lattice = lattice
        self.view = view
        let squares = Self.squares(in: view)
        for square in squares where made[square] == nil {
            made[square] = index.patch(Self.cells(of: square), lattice)
        }
        return squares.compactMap { made[$0] }
    }

    /// Returns the patches of new features, created for the last view.
    public func renewed(for index: OverlayIndex) -> OverlayPatches {
        var patches = OverlayPatches(index)
        if let lattice, let view { _ = patches.patches(of: lattice, in: view) }
        return patches
    }

    private static func squares(in view: CellBox) -> [SIMD2<Int>] {
        let size = SIMD2(OverlayPatch.columns, OverlayPatch.rows)
        let first = SIMD2(view.columns.lowerBound, view.rows.lowerBound).dividedDown(by: size)
        let last = SIMD2(view.columns.upperBound - 1, view.rows.upperBound - 1).dividedDown(by: size)
        guard !view.columns.isEmpty, !view.rows.isEmpty else { return [] }
        return (first.y...last.y).flatMap { y in (first.x...last.x).map { SIMD2($0, y) } }
    }

    private static func cells(of square: SIMD2<Int>) -> CellBox {
        let column = square.x * OverlayPatch.columns, row = square.y * OverlayPatch.rows
        return CellBox(
            columns: column..<(column + OverlayPatch.columns), rows: row..<(row + OverlayPatch.rows))
    }
}

extension SIMD2<Int> {
    fileprivate func dividedDown(by size: SIMD2<Int>) -> SIMD2<Int> {
        SIMD2(x.flooredDivision(by: size.x).quotient, y.flooredDivision(by: size.y).quotient)
    }
}
