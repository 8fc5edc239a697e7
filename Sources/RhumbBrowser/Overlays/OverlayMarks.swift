internal import RhumbCore

/// The points of live layers as marks in cells. Each point has a mark of its own unless there are too many;
/// then a mark shows a number of points.
struct OverlayMarks {
    /// A mark in a cell of the view.
    struct Mark {
        let row: Int, column: Int
        /// The index of the feature, or of one of several features.
        let slot: Int
        let count: Int
    }

    /// The view's cells.
    let cells: CellBox
    /// The minimum number of the view's cells for each mark of a single point.
    private static let crowd = 10

    /// Returns the marks in view, row by row.
    func marks(of patches: [OverlayPatch]) -> [Mark] {
        let limit = max(cells.count / Self.crowd, 40)
        if patches.allSatisfy({ $0.marks != nil }) {
            let single = patches.flatMap { $0.marks ?? [] }.compactMap(inView)
            if single.count <= limit { return sorted(single) }
        }
        return sorted(patches.flatMap(\.blocks).compactMap(inView))
    }

    /// Returns a mark moved to its visible part.
    private func inView(_ mark: OverlayPatch.Mark) -> Mark? {
        let seen = mark.cells.common(with: cells)
        guard seen.count > 0 else { return nil }
        let row = min(max(mark.row, seen.rows.lowerBound), seen.rows.upperBound - 1)
        let column = min(max(mark.column, seen.columns.lowerBound), seen.columns.upperBound - 1)
        return Mark(
            row: row - cells.rows.lowerBound, column: column - cells.columns.lowerBound, slot: mark.slot,
            count: mark.count)
    }

    private func sorted(_ marks: [Mark]) -> [Mark] {
        marks.sorted { ($0.row, $0.column) < ($1.row, $1.column) }
    }
}
