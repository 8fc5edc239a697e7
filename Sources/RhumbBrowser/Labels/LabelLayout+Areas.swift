internal import RhumbCore

/// Names of countries and oceans.
extension LabelLayout {
    /// An area with fewer cells counts as visible if its centre is; a larger one if this share of it is.
    private static let (fewCells, mostOfIt) = (20.0, 0.6)
    /// The number of cells of a country below which its name is not repeated beside a capital of the same
    /// name.
    private static let cityCells = 240.0

    /// Adds the names of areas that have none yet, each at the centre of its part within some cells.
    /// - Parameter isUnlabelled: Returns true if the map has no label of its own around a place.
    mutating func add(_ areas: AreaLabels, in view: CellBox, where isUnlabelled: (Coordinate) -> Bool) {
        guard !areas.named.isEmpty else { return }
        let grid = grid, positions = areas.positions(on: grid, in: view)
        if areas.named.contains(where: { !$0.area.isOcean }) { land = positions.land }
        for (number, named) in areas.named.enumerated() where !isNamed(areaOf: named.label.key) {
            guard let slots = positions.slots(of: number) else { continue }
            let cells = grid.cells(of: named.area.size)
            let mayRepeat = cells >= Self.cityCells && !named.area.isOcean
            guard mayRepeat || !isWritten(named.label.key) else { continue }
            let isSmall = cells < Self.fewCells
            let isWhole =
                !isCovered(slots.shape)
                && (isSmall
                    ? grid.point(of: named, in: view) != nil
                    : Double(slots.shape.count) >= cells * Self.mostOfIt)
            put(named, slots.slots(isWhole: isWhole)) { slot in
                isUnlabelled(grid.coordinate(row: slot.row, column: slot.columns.lowerBound))
            }
        }
    }

    /// Adds the names of areas at their centres, for the surroundings of a view.
    mutating func addMiddles(of areas: AreaLabels, where isUnlabelled: (Coordinate) -> Bool) {
        for named in areas.named
        where named.isWanted && isUnlabelled(named.area.place.coordinate)
            && (grid.cells(of: named.area.size) >= Self.cityCells || !isWritten(named.label.key))
        {
            let position = grid.position(of: Mercator.world(named.area.place.coordinate))
            let row = Int(position.y.rounded(.down)),
                first = Int(position.x.rounded(.down)) - named.label.width / 2
            guard box.contains(column: first, row: row) else { continue }
            let columns = first..<(first + named.label.width)
            put(
                named,
                [0, -1, 1].map { AreaSlots.Slot(blanks: 0, row: row + $0, columns: columns, score: 0) }
            ) { _ in true }
        }
    }

    /// Returns true if the middle of an area is under a panel.
    private func isCovered(_ shape: AreaShape) -> Bool {
        let column = Int(shape.middle.x.rounded(.down)), row = Int(shape.middle.y.rounded(.down))
        return room.covered.contains { $0.contains(column: column, row: row) }
    }

    private func isClearOfEdges(_ label: Placed) -> Bool {
        guard room.admits(label), let view = room.view?.columns else { return room.admits(label) }
        return label.columns.lowerBound > view.lowerBound && label.columns.upperBound < view.upperBound
    }

    /// Uses the best free position. A position that touches other labels must be much better.
    private mutating func put(
        _ named: AreaLabels.Named, _ slots: [AreaSlots.Slot], where isOpen: (AreaSlots.Slot) -> Bool
    ) {
        var crowded: (placed: Placed, score: Double)?
        for slot in slots {
            if let crowded, slot.score < crowded.score - AreaSlots.crowding { break }
            let new = Placed(
                text: named.label.text, key: named.label.key, ink: named.label.ink,
                isBold: named.label.isBold, row: slot.row,
                columns: slot.columns, sign: nil, isArea: true, blanks: slot.blanks)
            guard !isFull(for: new), isClearOfEdges(new), isOpen(slot) else { continue }
            if fits(new, named.label) {
                take(new, columnsAround: 1)
                return
            }
            if crowded == nil, named.isWanted, fits(new, named.label.crowded) { crowded = (new, slot.score) }
        }
        if let crowded { take(crowded.placed, columnsAround: 1) }
    }
}
