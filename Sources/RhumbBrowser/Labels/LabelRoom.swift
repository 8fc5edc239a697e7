internal import RhumbCore

/// Where on a grid labels may stand besides keeping clear of each other.
struct LabelRoom: Sendable, Equatable {
    /// What is seen: a label lies wholly in it or wholly outside; nil: it may lie anywhere.
    var view: CellBox?
    /// Parts of it that panels and legends lie over.
    var covered: [CellBox] = []
    /// Cells with marks on the map, column and row: no letter is written over one.
    var marks: Set<SIMD2<Int>> = []
    /// How many labels are wanted in so many cells; nil: all that fit.
    let density: Double?

    /// In views of 80 × 24 cells: up to the zooms of the whole world, and where streets have no names yet.
    static let (worldDensity, mapDensity) = (40.0 / (80 * 24), 25.0 / (80 * 24))
    /// Where labels are counted, a view with fewer may have them close together.
    static let fewLabels = 8
    /// Outside a view labels are counted by blocks of so many cells.
    private static let block = (columns: 40, rows: 12)

    /// Whether nothing of a label would be cut or hidden.
    func admits(_ label: LabelLayout.Placed) -> Bool {
        guard marks.isEmpty || !label.columns.contains(where: { marks.contains(SIMD2($0, label.row)) }) else {
            return false
        }
        guard let view else { return true }
        let boxes = label.parts.map { CellBox(columns: $0.columns, rows: $0.row..<($0.row + 1)) }
        let seen = boxes.count { $0.common(with: view).count > 0 }
        guard seen > 0 else { return true }
        return boxes.allSatisfy { box in
            view.contains(box) && !covered.contains { $0.common(with: box).count > 0 }
        }
    }

    /// Columns where a text may begin that belongs around a column: there, or moved so that it fits.
    func beginnings(around middle: Int, width: Int) -> [Int] {
        let wanted = middle - width / 2
        guard let view, view.columns.contains(middle) else { return [wanted] }
        let edges =
            [view.columns.lowerBound + 1, view.columns.upperBound - width - 1]
            + covered.map { $0.columns.lowerBound - width - 1 }
        return [wanted] + edges.filter { $0 != wanted && abs($0 - wanted) <= width / 2 + 1 }
    }

    /// Where a label is counted, and how many of those there may be; nil: labels are not counted.
    func count(of label: LabelLayout.Placed) -> (place: SIMD2<Int>, most: Int)? {
        guard let density, !label.text.isEmpty else { return nil }
        func most(_ cells: Int) -> Int { max(Int(density * Double(cells)), 6) }
        if let view, label.isWithin(view) { return (SIMD2(.min, .min), most(view.count)) }
        let (columns, rows) = LabelRoom.block
        let place = SIMD2(label.columns.lowerBound.quotient(by: columns), label.row.quotient(by: rows))
        return (place, most(columns * rows))
    }
}

extension Int {
    /// Rounded down.
    fileprivate func quotient(by divisor: Int) -> Int {
        (self - (self % divisor + divisor) % divisor) / divisor
    }
}
