internal import RhumbCore

/// Which labels stand where on the map: the most important first, none over another. It is made
/// for more than what is in view, and moves with the map by whole cells.
struct LabelLayout: Sendable {
    /// A label where it stands, in the cells of the grid.
    struct Placed: Sendable, Equatable {
        let text: String
        let key: String
        let ink: MapLabel.Ink
        let isBold: Bool
        let row: Int
        /// The columns of the letters.
        let columns: Range<Int>
        let sign: Sign?

        struct Sign: Sendable, Equatable {
            let sign: MapSign
            let row: Int
            let column: Int
        }
    }

    let grid: LabelGrid
    /// The part of the grid that was laid out.
    let box: CellBox
    private let room: LabelRoom
    private(set) var placed: [Placed] = []
    /// By row, the columns that are taken.
    private var taken: [Int: [Range<Int>]] = [:]
    /// How many labels are where they are counted.
    private var counts: [SIMD2<Int>: Int] = [:]
    /// Where labels stand, by their keys.
    private var positions: [String: [SIMD2<Double>]] = [:]

    /// The same label stands at most once within as many columns.
    private static let repetition = 40.0
    /// An area is at least as broad as this share of its label.
    private static let leastCover = 0.4

    /// - Parameters:
    ///   - labels: the most important first.
    ///   - kept: labels of another layout on the same grid that keep their places.
    init(_ labels: [MapLabel], on grid: LabelGrid, in box: CellBox, with room: LabelRoom, keeping kept: [Placed] = []) {
        self.grid = grid
        self.box = box
        self.room = room
        for label in kept where !isFull(for: label) { take(label, columnsAround: 1) }
        for label in labels { add(label) }
    }

    /// The same labels where a view with its panels leaves them room: those that it cuts elsewhere, and others in
    /// place of what is hidden.
    /// - Parameter shown: labels that keep the places they were drawn at, while the view moves.
    func fitted(_ labels: [MapLabel], into room: LabelRoom, keeping shown: [Placed]) -> LabelLayout {
        guard let view = room.view else { return self }
        let shown = shown.filter { $0.isWithin(view) && room.admits($0) }
        let whole = shown + placed.filter { label in
            label.isWithin(view) && room.admits(label) && !shown.contains { $0.key == label.key || $0.touches(label) }
        }
        var layout = LabelLayout(labels, on: grid, in: view, with: room, keeping: whole)
        if room.density != nil, layout.placed.count < LabelRoom.fewLabels {
            for label in labels { layout.add(label.crowded) }
        }
        layout.placed += placed.filter { $0.isOutside(view) && room.admits($0) }
        return layout
    }

    private mutating func add(_ label: MapLabel) {
        switch label.anchor {
        case .point(let point): addPoint(label, at: grid.position(of: point))
        case .line(let line):
            guard let reach = grid.reach(of: line), LineSlots.mayExist(on: reach, width: label.width, in: box) else { return }
            for slot in LineSlots(grid.positions(of: line), width: label.width, in: box).slots {
                put(label, row: slot.row, column: slot.column, sign: nil)
            }
        }
    }

    private mutating func addPoint(_ label: MapLabel, at position: SIMD2<Double>) {
        guard position.x.magnitude < 1e12, position.y.magnitude < 1e12 else { return }
        let row = Int(position.y.rounded(.down)), column = Int(position.x.rounded(.down))
        guard box.rows.contains(row), box.columns.contains(column) else { return }
        let middles = room.beginnings(around: column, width: label.width)
        guard let sign = label.sign else {
            // The label of a small area waits until there is room for it.
            guard label.breadth == 0 || grid.columns(of: label.breadth) >= Double(label.width) * Self.leastCover else { return }
            let places = middles.flatMap { middle in [row, row - 1, row + 1].map { ($0, middle) } }
            _ = places.contains { put(label, row: $0.0, column: $0.1, sign: nil) }
            return
        }
        let mark = Placed.Sign(sign: sign, row: row, column: column)
        let beside = [(row, column + 2), (row, column - 1 - label.width)]
        _ = (beside + middles.flatMap { [(row + 1, $0), (row - 1, $0)] })
            .contains { put(label, row: $0.0, column: $0.1, sign: mark) }
    }

    @discardableResult
    private mutating func put(_ label: MapLabel, row: Int, column: Int, sign: Placed.Sign?) -> Bool {
        let new = Placed(
            text: label.text, key: label.key, ink: label.ink, isBold: label.isBold, row: row, columns: column..<(column + label.width),
            sign: sign)
        guard !isFull(for: new), !isRepeated(new), room.admits(new), fits(new, label) else { return false }
        take(new, columnsAround: label.columnsAround)
        return true
    }

    private func isFull(for new: Placed) -> Bool {
        room.count(of: new).map { counts[$0.place, default: 0] >= $0.most } ?? false
    }

    private func isRepeated(_ new: Placed) -> Bool {
        guard !new.text.isEmpty, let others = positions[new.key] else { return false }
        return others.contains { other in
            let apart = (new.middle - other) * SIMD2(1, 2)
            return (apart * apart).sum() < Self.repetition * Self.repetition
        }
    }

    /// Labels right above each other read badly only where they touch.
    private func fits(_ new: Placed, _ label: MapLabel) -> Bool {
        new.parts.allSatisfy { part in
            let wide = part.columns.grown(label.columnsAround)
            return ((part.row - label.rowsAround)...(part.row + label.rowsAround)).allSatisfy { row in
                let reach = row == part.row ? wide : part.columns
                return !(taken[row] ?? []).contains { $0.overlaps(reach) }
            }
        }
    }

    private mutating func take(_ new: Placed, columnsAround: Int) {
        for part in new.parts { taken[part.row, default: []].append(part.columns.grown(columnsAround)) }
        positions[new.key, default: []].append(new.middle)
        if let count = room.count(of: new) { counts[count.place, default: 0] += 1 }
        placed.append(new)
    }
}

extension LabelLayout.Placed {
    var middle: SIMD2<Double> { SIMD2(Double(columns.lowerBound + columns.upperBound) / 2, Double(row)) }

    /// What it covers: its letters, with the sign where that stands beside them.
    var parts: [(row: Int, columns: Range<Int>)] {
        guard let sign else { return [(row, columns)] }
        let own = sign.column..<(sign.column + 1)
        guard sign.row == row else { return [(row, columns), (sign.row, own)] }
        return [(row, min(columns.lowerBound, own.lowerBound)..<max(columns.upperBound, own.upperBound))]
    }

    /// Whether both claim a cell.
    func touches(_ other: LabelLayout.Placed) -> Bool {
        parts.contains { part in other.parts.contains { $0.row == part.row && $0.columns.overlaps(part.columns) } }
    }

    /// Whether nothing of it lies in a box.
    func isOutside(_ box: CellBox) -> Bool {
        parts.allSatisfy { CellBox(columns: $0.columns, rows: $0.row..<($0.row + 1)).common(with: box).count == 0 }
    }

    /// Whether all of it lies in a box.
    func isWithin(_ box: CellBox) -> Bool {
        func contains(_ row: Int, _ columns: Range<Int>) -> Bool {
            box.rows.contains(row) && columns.lowerBound >= box.columns.lowerBound
                && columns.upperBound <= box.columns.upperBound
        }
        return contains(row, columns) && sign.map { contains($0.row, $0.column..<($0.column + 1)) } ?? true
    }
}

extension Range<Int> {
    fileprivate func grown(_ more: Int) -> Range<Int> { (lowerBound - more)..<(upperBound + more) }
}
