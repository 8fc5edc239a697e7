internal import RhumbCore

/// The positions of labels on the map, without overlaps. The most important labels are placed first. The
/// layout covers more than the view, and moves with the map by whole cells.
struct LabelLayout: Sendable {
    /// A label with its position, in cells of the grid.
    struct Placed: Sendable, Equatable {
        let text: String
        let key: String
        fileprivate(set) var ink: MapLabel.Ink
        let isBold: Bool
        let row: Int
        /// The columns of the letters.
        let columns: Range<Int>
        let sign: Sign?
        /// True for the name of a country or an ocean.
        var isArea = false
        /// The number of spaces between letters.
        var blanks = 0
        /// The rows from the middle of the cells down to the line that the label is on, -0.5…0.5.
        var shift = 0.0

        struct Sign: Sendable, Equatable {
            let sign: MapSign
            let row: Int
            let column: Int
        }
    }

    /// The labels to be placed.
    struct Labels: Sendable {
        /// Countries and oceans.
        var areas = AreaLabels.none
        /// The other labels, most important first.
        let others: [MapLabel]
        /// Returns true if the map has no label of its own around a place.
        var isUnlabelled: @Sendable (Coordinate) -> Bool = { _ in true }
        fileprivate let memory = LabelAnchors.Memory()
    }

    let labels: Labels
    let grid: LabelGrid
    /// The part of the grid that was laid out.
    let box: CellBox
    let room: LabelObstacles
    private(set) var placed: [Placed] = []
    /// The occupied columns of each row.
    private var taken: [Int: [Range<Int>]] = [:]
    /// The cells of countries, if countries are named.
    var land: CellSums?
    /// The number of labels in each counting area.
    private var counts: [SIMD2<Int>: Int] = [:]
    /// The positions of labels by their keys.
    private var positions: [String: [SIMD2<Double>]] = [:]
    /// The columns of the signs of the greatest cities, by row. Names of areas avoid them.
    private var cities: [Int: [Int]] = [:]

    /// The number of columns within which a label appears once, and the name of a range or an island.
    private static let (repetition, areaRepetition) = (40.0, 240.0)
    /// The number of cities that names of areas avoid.
    private static let greatCities = 12
    /// The largest share of a sea's name over land, and the smallest share of a landscape's name.
    private static let (mostLand, leastLand) = (0.35, 0.75)
    /// The smallest width of an area, as a share of its label's width.
    private static let leastCover = 0.4

    /// - Parameters:
    ///   - fixed: The labels of another layout on the same grid that keep their positions, unless an area's
    ///       name needs them.
    init(
        _ labels: Labels, on grid: LabelGrid, in box: CellBox, with room: LabelObstacles,
        keeping fixed: [Placed] = []
    ) {
        self.init(labels, grid, in: box, with: room)
        let others = LabelAnchors(of: labels.others, on: grid, in: box)
        addCapitals(of: others)
        addMiddles(of: labels.areas, where: labels.isUnlabelled)
        for label in fixed where !label.isArea && !isFull(for: label) && isFree(label) {
            take(label, columnsAround: 1)
        }
        for other in others.all { add(other.label, at: other.anchor) }
    }

    private init(_ labels: Labels, _ grid: LabelGrid, in box: CellBox, with room: LabelObstacles) {
        self.labels = labels
        self.grid = grid
        self.box = box
        self.room = room
    }

    /// Returns the layout fitted to a view and its panels. Areas are named at the centre of their visible
    /// part, labels at the edge are moved, and others replace hidden ones.
    /// - Parameter shown: The labels that keep their positions while the view moves.
    func fitted(into room: LabelObstacles, keeping shown: [Placed]) -> LabelLayout {
        guard let view = room.view else { return self }
        let others = labels.memory.anchors(of: labels.others, on: grid, in: view)
        var layout = LabelLayout(labels, grid, in: view, with: room)
        layout.cities = Self.cities(of: others)
        for label in shown
        where label.isWithin(view) && room.admits(label) && !layout.isFull(for: label)
            && layout.isFree(label)
        {
            layout.take(label, columnsAround: 1)
        }
        layout.addCapitals(of: others)
        layout.add(labels.areas, in: view, where: labels.isUnlabelled)
        let cities = Dictionary(grouping: others.all.filter(\.label.isSettlement), by: \.label.key)
        for label in placed
        where !label.isArea && label.isWithin(view) && room.admits(label) && !layout.isFull(for: label) {
            guard layout.positions[label.key] == nil else { continue }
            if layout.isFree(label), layout.isOnItsGround(label) {
                layout.take(label, columnsAround: 1)
            } else {
                // The name of an area is there. A city finds another position before smaller ones.
                for city in cities[label.key, default: []] { layout.add(city.label, at: city.anchor) }
            }
        }
        for other in others.all { layout.add(other.label, at: other.anchor) }
        if room.density != nil, layout.placed.count < LabelObstacles.fewLabels {
            for other in others.all { layout.add(other.label.crowded, at: other.anchor) }
        }
        let areas = Set(layout.placed.filter(\.isArea).map(\.key))
        // A move shows these before the next layout, so they must not touch the others.
        layout.placed += placed.filter {
            $0.isOutside(view) && room.admits($0) && !($0.isArea && areas.contains($0.key))
                && layout.isFree($0)
        }
        return layout
    }

    private static func cities(of labels: LabelAnchors) -> [Int: [Int]] {
        var cities: [Int: [Int]] = [:]
        for city in labels.all.lazy.filter(\.label.isSettlement).prefix(greatCities) {
            guard case .point(let position) = city.anchor else { continue }
            cities[Int(position.y.rounded(.down)), default: []].append(Int(position.x.rounded(.down)))
        }
        return cities
    }

    /// Returns true if a name covers the sign of one of the greatest cities.
    private func hidesCity(_ label: Placed) -> Bool {
        cities[label.row]?.contains { label.columns.grown(1).contains($0) } == true
    }

    func isNamed(areaOf key: String) -> Bool { placed.contains { $0.isArea && $0.key == key } }

    /// Returns true if a label with this key is placed.
    func isWritten(_ key: String) -> Bool { positions[key] != nil }

    /// Returns true if no other label overlaps a label.
    private func isFree(_ label: Placed) -> Bool {
        label.parts.allSatisfy { part in !(taken[part.row] ?? []).contains { $0.overlaps(part.columns) } }
    }

    private mutating func addCapitals(of others: LabelAnchors) {
        for other in others.all where other.label.isCapital { add(other.label, at: other.anchor) }
    }

    private mutating func add(_ label: MapLabel, at anchor: LabelAnchors.Anchor) {
        switch anchor {
        case .point(let position): addPoint(label, at: position)
        case .line(let slots):
            for slot in slots where isOnItsGround(label, row: slot.row, column: slot.column) {
                put(label, row: slot.row, column: slot.column, sign: nil, shift: slot.shift)
            }
        }
    }

    private mutating func addPoint(_ label: MapLabel, at position: SIMD2<Double>) {
        guard position.x.magnitude < 1e12, position.y.magnitude < 1e12 else { return }
        let row = Int(position.y.rounded(.down)), column = Int(position.x.rounded(.down))
        guard box.rows.contains(row), box.columns.contains(column) else { return }
        let middles = room.beginnings(around: column, width: label.width)
        guard let sign = label.sign else {
            // The label of a small area waits until there is enough space.
            guard
                label.breadth == 0 || grid.columns(of: label.breadth) >= Double(label.width) * Self.leastCover
            else { return }
            let positions = middles.flatMap { middle in [row, row - 1, row + 1].map { ($0, middle) } }
            let isLand = land?.count(row: row, column..<(column + 1)) != 0
            let isSea = (label.ink == .water || label.ink == .landscape) && !isLand
            _ = positions.contains { row, column in
                (isSea
                    ? isOverWater(label, row: row, column: column)
                    : isOnItsGround(label, row: row, column: column))
                    && put(label, row: row, column: column, sign: nil)
            }
            return
        }
        let mark = Placed.Sign(sign: sign, row: row, column: column)
        let beside = [(row, column + 2), (row, column - 1 - label.width)]
        _ = (beside + middles.flatMap { [(row + 1, $0), (row - 1, $0)] })
            .contains { put(label, row: $0.0, column: $0.1, sign: mark) }
    }

    /// Returns true if most of a sea's name is over water, and all of the name of a ridge in it.
    private func isOverWater(_ label: MapLabel, row: Int, column: Int) -> Bool {
        let over = land?.count(row: row, column..<(column + label.width)) ?? 0
        return Double(over) <= (label.ink == .water ? Double(label.width) * Self.mostLand : 0)
    }

    /// Returns true unless the name of a landscape runs into the sea.
    private func isOnItsGround(_ label: MapLabel, row: Int, column: Int) -> Bool {
        !label.isArea || label.ink != .landscape || isLandOrSea(row, column..<(column + label.width))
    }

    /// Returns true unless a label, which may name a landscape, runs into the sea.
    private func isOnItsGround(_ label: Placed) -> Bool {
        label.ink != .landscape || label.sign != nil || isLandOrSea(label.row, label.columns)
    }

    private func isLandOrSea(_ row: Int, _ columns: Range<Int>) -> Bool {
        guard let land else { return true }
        let over = land.count(row: row, columns)
        return over == 0 || Double(over) >= Double(columns.count) * Self.leastLand
    }

    @discardableResult
    private mutating func put(
        _ label: MapLabel, row: Int, column: Int, sign: Placed.Sign?, shift: Double = 0
    ) -> Bool {
        let new = Placed(
            text: label.text, key: label.key, ink: label.ink, isBold: label.isBold, row: row,
            columns: column..<(column + label.width),
            sign: sign, shift: shift)
        guard !isFull(for: new), !isRepeated(new, label), room.admits(new), fits(new, label) else {
            return false
        }
        take(new, columnsAround: label.columnsAround)
        return true
    }

    func isFull(for new: Placed) -> Bool {
        room.count(of: new).map { counts[$0.cell, default: 0] >= $0.most } ?? false
    }

    private func isRepeated(_ new: Placed, _ label: MapLabel) -> Bool {
        guard !new.text.isEmpty, let others = positions[new.key] else { return false }
        // The layout of a view has nothing else in it.
        if label.isNamedOnce, room.view != nil { return true }
        let reach = label.isNamedOnce ? Self.areaRepetition : Self.repetition
        return others.contains { other in
            let apart = (new.middle - other) * SIMD2(1, 2)
            return (apart * apart).sum() < reach * reach
        }
    }

    /// Returns true if there is enough space around a label. Labels in adjacent rows are hard to read only if
    /// they touch.
    func fits(_ new: Placed, _ label: MapLabel) -> Bool {
        new.parts.allSatisfy { part in
            let wide = part.columns.grown(label.columnsAround)
            return ((part.row - label.rowsAround)...(part.row + label.rowsAround)).allSatisfy { row in
                let reach = row == part.row ? wide : part.columns
                return !(taken[row] ?? []).contains { $0.overlaps(reach) }
            }
        }
    }

    mutating func take(_ new: Placed, columnsAround: Int) {
        var new = new
        // Ridges and basins of the ocean have the colour of its name.
        if new.ink == .landscape, let land, land.count(row: new.row, new.columns) == 0 { new.ink = .water }
        for part in new.parts { taken[part.row, default: []].append(part.columns.grown(columnsAround)) }
        positions[new.key, default: []].append(new.middle)
        if let count = room.count(of: new) { counts[count.cell, default: 0] += 1 }
        placed.append(new)
    }
}

extension LabelLayout.Placed {
    var middle: SIMD2<Double> { SIMD2(Double(columns.lowerBound + columns.upperBound) / 2, Double(row)) }

    /// The cells of the label: its letters and its sign.
    var parts: [(row: Int, columns: Range<Int>)] {
        guard let sign else { return [(row, columns)] }
        let own = sign.column..<(sign.column + 1)
        guard sign.row == row else { return [(row, columns), (sign.row, own)] }
        return [(row, min(columns.lowerBound, own.lowerBound)..<max(columns.upperBound, own.upperBound))]
    }

    /// Returns true if the label lies outside a box.
    func isOutside(_ box: CellBox) -> Bool {
        parts.allSatisfy {
            CellBox(columns: $0.columns, rows: $0.row..<($0.row + 1)).common(with: box).count == 0
        }
    }

    /// Returns true if the label lies within a box.
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
            guard let slots = positions.slots(of: number),
                Double(slots.shape.count) >= named.leastPart * Double(view.count)
            else { continue }
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
            if fits(new, named.label), !hidesCity(new) {
                take(new, columnsAround: 1)
                return
            }
            if crowded == nil, named.isWanted, fits(new, named.label.crowded) { crowded = (new, slot.score) }
        }
        if let crowded { take(crowded.placed, columnsAround: 1) }
    }
}
