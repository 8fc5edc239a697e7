internal import RhumbCore
internal import Synchronization

/// The names of countries, oceans and seas, and of lakes at deeper zooms, centred on their visible parts.
struct AreaLabels: Sendable {
    /// An area with its name.
    struct Named: Sendable {
        let area: LabelArea
        let label: MapLabel
        /// True if the map always shows this name, even where it is wider than the area.
        let isWanted: Bool
        /// The smallest visible part of the area, as a share of the view.
        var leastPart = 0.0
    }

    /// The names that are always shown (oceans, then countries), followed by the others, each group by
    /// importance.
    let named: [Named]
    /// The positions in the last view.
    private let memory = Memory()

    /// No names.
    static let none = AreaLabels(named: [])
    /// The zoom from which the areas are lakes instead of countries, because a view then shows only one or
    /// two countries. Farther away, the names of lakes are centred on them.
    static let nearest = 7.0
    /// The zooms at which seas are named across their visible part, and the smallest share of the view with
    /// such a name. Smaller seas are named at their centre.
    private static let (seas, leastSea) = (2.0..<12, 0.03)
    /// The zooms at which capitals are placed before the names of their countries, which have more space.
    static let capitals = 4.0..<nearest
    /// The offset between map zooms and Natural Earth's ranks. The ranks assume letters a third as large as a
    /// cell, measured in map pixels.
    private static let rankShift = 2.8

    private init(named: [Named]) { self.named = named }

    private final class Memory: Sendable {
        let positions = Mutex<AreaPositions?>(nil)
    }

    /// Returns the positions in a view. They are the same while panels and marks change, as they do with each
    /// letter of a search.
    /// - Parameter grid: The grid that these names belong to.
    func positions(on grid: LabelGrid, in view: CellBox) -> AreaPositions {
        if let cached = memory.positions.withLock({ $0 }), cached.view == view { return cached }
        let new = AreaPositions(self, on: grid, in: view)
        memory.positions.withLock { $0 = new }
        return new
    }

    /// Creates the names for a zoom.
    /// - Parameter ground: The part of the world to name lakes in.
    init(at zoom: Double, over ground: WorldBox, in language: NameLanguage, isUnicode: Bool) {
        let areas = zoom < Self.nearest ? LabelArea.embedded : NaturalFeature.lakes(in: ground)
        let all = areas.enumerated().map { order, area in
            let place = isUnicode ? area.place : area.place.inASCII
            let label = MapLabel(place, order: order, in: language)
            return Named(
                area: area, label: label, isWanted: zoom < Self.nearest && area.rank <= zoom + Self.rankShift)
        }
        let seas = Self.seas.contains(zoom) ? NaturalFeature.seas : []
        let visible = seas.filter { $0.rings.contains { $0.box.meets(ground) } }.map { area in
            let place = isUnicode ? area.place : area.place.inASCII
            return Named(
                area: area, label: MapLabel(place, order: 0, in: language), isWanted: false,
                leastPart: Self.leastSea)
        }
        named = all.filter(\.isWanted) + all.filter { !$0.isWanted } + visible
    }

    /// Returns true if a place of the gazetteer is named as an area or another natural feature at a zoom.
    static func contains(_ place: NamedPlace, at zoom: Double) -> Bool {
        switch place.kind {
        case .country: LabelArea.codes.contains(place.countryCode)
        case .water:
            LabelArea.oceans.contains(place.name)
                || zoom >= NaturalFeature.farthest && NaturalFeature.lakeNames.contains(place.name)
        case .landscape, .island: NaturalFeature.areaNames.contains(place.name)
        case .peak: zoom >= NaturalFeature.farthest
        default: false
        }
    }
}

/// The candidate positions for the names of areas in a view.
final class AreaPositions: Sendable {
    let view: CellBox
    /// The cells of all countries.
    let land: CellSums
    private let ground: AreaGround
    private let named: [AreaLabels.Named]
    private let grid: LabelGrid
    private let slotsByNumber = Mutex<[Int: AreaSlots]>([:])

    fileprivate init(_ areas: AreaLabels, on grid: LabelGrid, in view: CellBox) {
        ground = AreaGround(areas.named.map(\.area), on: grid, in: view)
        land = ground.land
        self.view = view
        self.grid = grid
        named = areas.named
    }

    /// Returns the positions for the name with a number; nil if no part of its area is in the view.
    func slots(of number: Int) -> AreaSlots? {
        if let slots = slotsByNumber.withLock({ $0[number] }) { return slots }
        let named = named[number], cells = ground.boxes[number]
        guard let box = cells ?? grid.point(of: named, in: view) else { return nil }
        let shape = AreaShape(in: box) { row, column in
            cells == nil || ground.contains(row, column, number, isOcean: named.area.isOcean)
        }
        let slots = AreaSlots(named, shape: shape, land: land)
        slotsByNumber.withLock { $0[number] = slots }
        return slots
    }
}

extension LabelGrid {
    /// Returns the cell of an area smaller than a cell, if its name is always shown.
    func point(of named: AreaLabels.Named, in view: CellBox) -> CellBox? {
        guard named.isWanted, !named.area.isOcean else { return nil }
        let position = position(of: Mercator.world(named.area.place.coordinate))
        guard position.x.magnitude < 1e9, position.y.magnitude < 1e9 else { return nil }
        let column = Int(position.x.rounded(.down)), row = Int(position.y.rounded(.down))
        return view.contains(column: column, row: row)
            ? CellBox(columns: column..<(column + 1), rows: row..<(row + 1)) : nil
    }
}

/// The candidate positions for an area's name, best first.
struct AreaSlots: Sendable {
    /// A candidate position for the name.
    struct Slot: Sendable {
        /// The number of spaces between letters.
        let blanks: Int
        let row: Int
        let columns: Range<Int>
        /// The score of the position; higher is better.
        let score: Double
    }

    /// The score penalty of a position with another name right above or below it.
    static let crowding = 0.4
    /// The minimum shares of a name within its own area, for countries and for water. Names of countries that
    /// are always shown may go below it.
    private static let (leastShare, leastOceanShare) = (0.85, 0.5)
    private static let (manyCells, mostSlots) = (200, 160)

    /// The letter spacings, each with the largest share of its row that the name may take and the minimum
    /// depth of the area.
    private static let spacings: [(blanks: Int, share: Double, depth: Double)] = [
        (3, 0.4, 4.5), (2, 0.5, 3), (1, 0.62, 1.5),
    ]

    /// The area's cells.
    let shape: AreaShape
    private let named: AreaLabels.Named
    private let land: CellSums
    /// The positions if most of the area is visible, and otherwise.
    private var fitting: (ofWhole: [Slot], ofPart: [Slot]) = ([], [])

    /// - Parameters:
    ///   - shape: The area's cells.
    ///   - land: The cells of all countries.
    init(_ named: AreaLabels.Named, shape: AreaShape, land: CellSums) {
        self.named = named
        self.shape = shape
        self.land = land
        let width = named.label.width
        let plain = width > 0 ? slots(width) : []
        let spaced = plain.first.map { self.spaced(around: $0) } ?? []
        func positions(_ isWhole: Bool) -> [Slot] { spaced + plain.filter { isFit($0, isWhole: isWhole) } }
        fitting = (positions(true), positions(false))
    }

    /// Returns the positions.
    /// - Parameter isWhole: True if most of the area is visible.
    func slots(isWhole: Bool) -> [Slot] { isWhole ? fitting.ofWhole : fitting.ofPart }

    /// Returns true if enough of a position is within the area.
    private func isFit(_ slot: Slot, isWhole: Bool) -> Bool {
        let width = Double(named.label.width)
        let share = Double(shape.count(row: slot.row, slot.columns)) / width
        if named.area.isOcean, named.leastPart == 0 { return share >= Self.leastOceanShare }
        let isLarge = Double(shape.count) >= width * 0.08 || named.area.rank <= 2
        return share >= Self.leastShare || named.isWanted && isWhole && isLarge
    }

    private func spaced(around best: Slot) -> [Slot] {
        let text = named.label.text, middle = (best.columns.lowerBound + best.columns.upperBound) / 2
        guard text.unicodeScalars.allSatisfy({ $0.value < 0x530 }) else { return [] }
        let run = Double(shape.run(row: best.row, around: middle))
        for (blanks, share, depth) in Self.spacings {
            let width = text.width + blanks * (text.count - 1)
            guard Double(width) <= run * share, shape.depth >= depth else { continue }
            return slots(width, blanks).filter {
                shape.count(row: $0.row, $0.columns) == width && $0.score > best.score - 0.5
            }
        }
        return []
    }

    /// Returns the positions for a name of a given width, best first: deep inside the area, near its centre
    /// and clear of other countries.
    private func slots(_ width: Int, _ blanks: Int = 0) -> [Slot] {
        let size = max(Double(shape.cells.count).squareRoot(), 1), ocean = named.area.isOcean
        var found: [Slot] = [], leastScore = -Double.infinity
        func sort() {
            found.sort {
                ($1.score, $0.row, $0.columns.lowerBound) < ($0.score, $1.row, $1.columns.lowerBound)
            }
            found.removeLast(max(found.count - Self.mostSlots, 0))
        }
        func consider(_ row: Int, _ middle: Int, _ depth: Double) {
            let first = middle - width / 2, columns = first..<(first + width)
            let own = Double(shape.count(row: row, columns)) / Double(width)
            let over = Double(land.count(row: row, columns)) / Double(width)
            let aside = SIMD2((Double(middle) + 0.5 - shape.middle.x) / 2, Double(row) + 0.5 - shape.middle.y)
            let far = (aside * aside).sum().squareRoot() / size
            let score = depth / max(shape.depth, 1) - 0.9 * far + 2 * own - (ocean ? 2 * over : over - own)
            guard score >= leastScore else { return }
            found.append(Slot(blanks: blanks, row: row, columns: columns, score: score))
            // An ocean has thousands of positions. Only the best ones are sorted.
            guard found.count == 4 * Self.mostSlots else { return }
            sort()
            leastScore = found.last?.score ?? leastScore
        }
        // In a large area, positions near the edge are never the best.
        let least = shape.cells.count > Self.manyCells ? shape.depth * 0.4 : 0
        for cell in shape.cells where cell.depth >= least { consider(cell.row, cell.column, cell.depth) }
        if shape.box.columns.count < width {
            // A name wider than its area may be beside it.
            let around = shape.box.grown(columns: width / 2 + 1, rows: 1)
            for row in around.rows { for middle in around.columns { consider(row, middle, 0) } }
        }
        sort()
        return found
    }
}
