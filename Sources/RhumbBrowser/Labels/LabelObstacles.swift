internal import RhumbCore

/// The space for labels on a grid: its limits, its obstacles and the density of labels.
struct LabelObstacles: Sendable, Equatable {
    /// The visible cells; nil for no limit. A label is either completely inside or completely outside.
    var view: CellBox?
    /// The parts of the view below panels and legends.
    var covered: [CellBox] = []
    /// The columns with marks on the map, by row. No letter covers them.
    var marks: [Int: Set<Int>] = [:]
    /// The name written at a mark; nil if there is none. No label near a mark repeats it, and no label of a
    /// lake or a river, which may be named far from the mark.
    var markedName: String?
    /// The number of labels per area; nil for as many as fit.
    let density: Double?

    /// The densities, based on views of 80 × 24 cells: for zooms that show the whole world, and for zooms
    /// without street names.
    static let (worldDensity, mapDensity) = (40.0 / (80 * 24), 25.0 / (80 * 24))
    /// The number of labels in a view below which they may be close together.
    static let fewLabels = 8
    /// The distance from a mark within which its name is not repeated, in cells.
    private static let repetition = (columns: 12, rows: 3)
    /// The size of the blocks in which labels are counted outside a view, in cells.
    private static let block = (columns: 40, rows: 12)

    /// Returns true if no part of a label would be cut or hidden.
    func admits(_ label: LabelLayout.Placed) -> Bool {
        if let marked = marks[label.row], marked.contains(where: { label.columns.contains($0) }) {
            return false
        }
        if label.text == markedName, label.ink == .water || isNearMark(label) { return false }
        guard let view else { return true }
        let boxes = label.parts.map { CellBox(columns: $0.columns, rows: $0.row..<($0.row + 1)) }
        guard boxes.contains(where: { $0.meets(view) }) else { return true }
        return boxes.allSatisfy { box in view.contains(box) && !covered.contains { $0.meets(box) } }
    }

    private func isNearMark(_ label: LabelLayout.Placed) -> Bool {
        let (columns, rows) = LabelObstacles.repetition
        let near = (label.columns.lowerBound - columns)..<(label.columns.upperBound + columns)
        return ((label.row - rows)...(label.row + rows)).contains { row in
            marks[row]?.contains { near.contains($0) } == true
        }
    }

    /// Returns the columns where a text around a column may begin: centred, or shifted to fit.
    func beginnings(around middle: Int, width: Int) -> [Int] {
        let wanted = middle - width / 2
        guard let view, view.columns.contains(middle) else { return [wanted] }
        let edges =
            [view.columns.lowerBound + 1, view.columns.upperBound - width - 1]
            + covered.map { $0.columns.lowerBound - width - 1 }
        return [wanted] + edges.filter { $0 != wanted && abs($0 - wanted) <= width / 2 + 1 }
    }

    /// Returns the area in which a label is counted, and the most labels in it; nil if labels are not
    /// counted.
    func count(of label: LabelLayout.Placed) -> (cell: SIMD2<Int>, most: Int)? {
        guard let density, !label.text.isEmpty else { return nil }
        func most(_ cells: Int) -> Int { max(Int(density * Double(cells)), 6) }
        if let view, label.isWithin(view) { return (SIMD2(.min, .min), most(view.count)) }
        let (columns, rows) = LabelObstacles.block
        let column = label.columns.lowerBound.flooredDivision(by: columns).quotient
        let row = label.row.flooredDivision(by: rows).quotient
        return (SIMD2(column, row), most(columns * rows))
    }
}
