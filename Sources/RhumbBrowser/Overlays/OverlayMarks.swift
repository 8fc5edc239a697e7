internal import RhumbCore
internal import RhumbEngine

/// The points of live layers as marks in cells: each by itself where there is room, else how many there are.
struct OverlayMarks {
    /// Something that is marked.
    struct Mark {
        let row: Int, column: Int
        /// The feature's number; of many one of them.
        let slot: Int
        let count: Int
    }

    private let viewport: Viewport
    private let place: CellPlacement
    /// Cells that many points share a count of.
    private static let blockColumns = 8, blockRows = 3
    /// Of the view's cells as many may be marked one by one.
    private static let crowd = 10

    init(_ viewport: Viewport) {
        self.viewport = viewport
        place = CellPlacement(viewport)
    }

    /// The marks of an overlay's points in view.
    func marks(of index: OverlayIndex) -> [Mark] {
        let limit = max(viewport.columns * viewport.rows / Self.crowd, 40)
        if let single = clusters(index, grain: 0.5, limit: limit * 4), case let marks = joined(single, index, 1, 1), marks.count <= limit {
            return marks
        }
        let many = clusters(index, grain: Double(Self.blockRows) / 2, limit: .max) ?? []
        return joined(many, index, Self.blockColumns, Self.blockRows)
    }

    /// - Parameter grain: in columns.
    private func clusters(_ index: OverlayIndex, grain: Double, limit: Int) -> [(slot: Int, count: Int)]? {
        let box = viewport.box, column = (box.maxX - box.minX) / Double(viewport.columns)
        var found: [(slot: Int, count: Int)] = []
        for turn in Int(box.minX.rounded(.down))...Int(box.maxX.rounded(.down)) {
            let low = max(box.minX - Double(turn), 0), high = min(box.maxX - Double(turn), 1)
            guard low <= high else { continue }
            let part = WorldBox(minX: low, minY: max(box.minY, 0), maxX: high, maxY: min(box.maxY, 1))
            guard let more = index.points(in: part, grain: grain * column, limit: limit) else { return nil }
            found += more
        }
        return found
    }

    /// Those in the same block of the world's cells together, so that blocks keep their places while the map moves.
    private func joined(_ clusters: [(slot: Int, count: Int)], _ index: OverlayIndex, _ columns: Int, _ rows: Int) -> [Mark] {
        var marks: [Int: Mark] = [:]
        let left = place.left >> 16, top = place.top >> 16
        for (slot, count) in clusters {
            guard case .point(let point) = index.features[slot].shape else { continue }
            for cell in place.cells(at: point) {
                let row = cell / viewport.columns, column = cell % viewport.columns
                let key = (row + top).dividedDown(by: rows) << 32 ^ (column + left).dividedDown(by: columns)
                if let known = marks[key] {
                    marks[key] = Mark(row: known.row, column: known.column, slot: known.slot, count: known.count + count)
                } else {
                    marks[key] = Mark(row: row, column: column, slot: slot, count: count)
                }
            }
        }
        return marks.values.sorted { ($0.row, $0.column) < ($1.row, $1.column) }
    }
}

extension Int {
    fileprivate func dividedDown(by divisor: Int) -> Int { self >= 0 ? self / divisor : (self - divisor + 1) / divisor }
}
