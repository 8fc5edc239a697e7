internal import RhumbCore
internal import RhumbEngine

/// Draws the points of live layers and their names over the map's cells. The names avoid each other and the
/// map's names.
struct OverlayPainter {
    let viewport: Viewport
    let settings: Settings
    let theme: Settings.Theme
    private let lattice: CellLattice
    /// The view's cells on the lattice.
    let cells: CellBox
    /// The cells occupied by names of the map and by marks.
    var taken: Set<Int>
    private var names: [LabelLayout.Placed] = []
    private static let nameLimit = 160
    private static let longestName = 28
    private static let lineNameLimit = 80

    /// - Parameter taken: The indices of the cells with names of the map, row by row.
    init(_ viewport: Viewport, _ settings: Settings, _ theme: Settings.Theme, taken: Set<Int>) {
        self.viewport = viewport
        self.settings = settings
        self.theme = theme
        self.taken = taken
        lattice = CellLattice(viewport)
        cells = lattice.box(of: viewport)
    }

    /// Draws the points of layers, bottom to top, and then the names.
    mutating func draw(_ layers: [TileLayer], on grid: inout CellGrid) {
        var wanted: [(mark: OverlayMarks.Mark, feature: OverlayFeature, palette: OverlayPalette)] = []
        for layer in layers {
            guard let live = layer.live, layer.isShown(at: viewport.camera.zoom) else { continue }
            let (index, patches) = live.patches(of: lattice, in: cells), isFaint = layer.opacity < 0.7
            drawSigns(of: patches, isFaint: isFaint, on: &grid)
            for mark in OverlayMarks(cells: cells).marks(of: patches) {
                let ink = index.features[mark.slot].style?.ink ?? live.palette.ink
                guard mark.count == 1 else {
                    draw(Self.text(mark.count), at: mark, ink, isFaint: isFaint, on: &grid)
                    continue
                }
                let feature = index.features[mark.slot]
                draw(glyph(of: feature, live.palette), at: mark, ink, isFaint: isFaint, on: &grid)
                if !feature.name.isEmpty { wanted.append((mark, feature, live.palette)) }
            }
            wanted += lineNames(index, patches, live.palette)
        }
        for (mark, feature, palette) in wanted.prefix(Self.nameLimit) { place(feature, palette, mark) }
        let view = CellBox(columns: 0..<viewport.columns, rows: 0..<viewport.rows)
        LabelPainter(view: view, theme: theme, depth: settings.depth, isUnicode: settings.isUnicode).draw(
            names, on: &grid)
    }

    // MARK: Marks

    private mutating func draw(
        _ text: String, at mark: OverlayMarks.Mark, _ ink: RGB, isFaint: Bool, on grid: inout CellGrid
    ) {
        let column = mark.columns(text.width, within: viewport).lowerBound
        for (at, character) in text.enumerated() where column + at < viewport.columns {
            let beneath = grid[mark.row, column + at]
            let (pen, paper, style) = mark.count == 1 ? single(ink, beneath) : many(ink)
            grid.write(
                String(character), row: mark.row, column: column + at, ink: pen, paper: paper,
                style: isFaint ? .dim : style)
            taken.insert(mark.row * viewport.columns + column + at)
        }
    }

    /// Returns a number as text, such as "7", "120", "3.4k" or "1.2M".
    static func text(_ count: Int) -> String {
        switch count {
        case ..<1000: "\(count)"
        case ..<10_000: "\(count / 1000).\(count / 100 % 10)k"
        case ..<1_000_000: "\(count / 1000)k"
        default: "\(count / 1_000_000).\(count / 100_000 % 10)M"
        }
    }

    private func glyph(of feature: OverlayFeature, _ palette: OverlayPalette) -> String {
        let isUnicode = settings.isUnicode
        if let symbol = feature.style?.symbol {
            if symbol.width == 1, symbol.count == 1, isUnicode || symbol.utf8.count == 1 { return symbol }
            if let sign = MapSign(icon: symbol) { return isUnicode ? sign.unicode : sign.ascii }
        }
        if !feature.heading.isNaN { return Heading.arrow(Double(feature.heading), isUnicode: isUnicode) }
        let own = settings.depth.needsGlyphs ? palette.glyph : OverlayPalette(0).glyph
        return String(Character(isUnicode ? own.unicode : own.ascii))
    }

    /// Returns the colours of a single mark: its own colour, on the map's colour shifted away from it.
    func single(_ ink: RGB, _ beneath: Cell) -> (CellColor, CellColor, Cell.Style) {
        switch settings.depth {
        case .mono: return (.terminal, .terminal, [.bold, .reverse])
        case .indexed16:
            let pen = Palette16.nearest(ink), paper: UInt8 = theme == .day ? 7 : 0
            return (.indexed(pen == paper ? (paper == 0 ? 15 : 0) : pen), .indexed(paper), .bold)
        case .truecolor, .indexed256:
            let ground = beneath.paper.rgb ?? theme.unknown
            let paper = ground.mixed(with: theme == .day ? RGB(0xFFFFFF) : RGB(0x0B0F14), 0.7)
            return (.rgb(theme == .night ? ink.mixed(with: RGB(0xFFFFFF), 0.25) : ink), .rgb(paper), .bold)
        }
    }

    /// Returns the colours of a count, which has the overlay's colour as its background.
    private func many(_ ink: RGB) -> (CellColor, CellColor, Cell.Style) {
        switch settings.depth {
        case .mono: (.terminal, .terminal, .reverse)
        case .indexed16: (.indexed(15), .indexed(Palette16.nearest(ink) & 7), .bold)
        case .truecolor, .indexed256: (.rgb(RGB(0xFFFFFF)), .rgb(ink.mixed(with: RGB(0), 0.15)), .bold)
        }
    }

    // MARK: Names

    /// Returns the names of lines, at their points nearest to the centre of the view, and of areas, at their
    /// centres.
    private func lineNames(
        _ index: OverlayIndex, _ patches: [OverlayPatch], _ palette: OverlayPalette
    ) -> [(OverlayMarks.Mark, OverlayFeature, OverlayPalette)] {
        let named = Set(patches.lazy.flatMap(\.named).map { SIMD2(Double($0.slot), $0.turns) })
        let marks = named.sorted { ($0.x, $0.y) < ($1.x, $1.y) }.lazy.compactMap {
            slot -> (OverlayMarks.Mark, OverlayFeature, OverlayPalette)? in
            let feature = index.features[Int(slot.x)]
            guard let cell = anchor(feature, slot.y) else { return nil }
            return (
                OverlayMarks.Mark(row: cell.row, column: cell.column, slot: Int(slot.x), count: 1), feature,
                palette
            )
        }
        return Array(marks.prefix(Self.lineNameLimit))
    }

    private func anchor(_ feature: OverlayFeature, _ turns: Double) -> (row: Int, column: Int)? {
        let box = viewport.box, middle = SIMD2((box.minX + box.maxX) / 2 - turns, (box.minY + box.maxY) / 2)
        let grain = (box.maxX - box.minX) / Double(viewport.columns)
        let candidates =
            feature.kind == .polygon
            ? [SIMD2(feature.middle.x, feature.middle.y)]
            : feature.paths.compactMap { $0.corner(nearestTo: middle, within: grain) }
        let nearest = candidates.min { a, b in
            ((a - middle) * (a - middle)).sum() < ((b - middle) * (b - middle)).sum()
        }
        guard let nearest else { return nil }
        let cell = lattice.cell(of: SIMD2(nearest.x + turns, nearest.y))
        return cells.contains(column: cell.column, row: cell.row)
            ? (cell.row - cells.rows.lowerBound, cell.column - cells.columns.lowerBound) : nil
    }

    /// Places the name of a feature beside its mark, if there is space.
    private mutating func place(
        _ feature: OverlayFeature, _ palette: OverlayPalette, _ mark: OverlayMarks.Mark
    ) {
        let text = (settings.isUnicode ? feature.name : Transliteration.ascii(feature.name)).clipped(
            to: Self.longestName)
        let width = text.width, middle = mark.column - width / 2
        let cells = [
            (mark.row, mark.column + 2), (mark.row, mark.column - 1 - width), (mark.row + 1, middle),
            (mark.row - 1, middle),
        ]
        guard width > 0, let (row, column) = cells.first(where: { isFree($0.0, $0.1, width) }) else {
            return
        }
        for at in (column - 1)..<(column + width + 1) { taken.insert(row * viewport.columns + at) }
        names.append(
            LabelLayout.Placed(
                text: text, key: text, ink: .style(feature.style?.ink ?? palette.ink), isBold: false,
                row: row,
                columns: column..<(column + width), sign: nil))
    }

    private func isFree(_ row: Int, _ column: Int, _ width: Int) -> Bool {
        guard (0..<viewport.rows).contains(row), column >= 0, column + width <= viewport.columns else {
            return false
        }
        return !(column..<(column + width)).contains { taken.contains(row * viewport.columns + $0) }
    }
}

extension OverlayMarks.Mark {
    /// Returns the columns of a text that is centred on the mark, moved into the view.
    fileprivate func columns(_ width: Int, within viewport: Viewport) -> Range<Int> {
        let first = max(min(column - width / 2, viewport.columns - width), 0)
        return first..<(first + width)
    }
}

/// Directions as glyphs.
enum Heading {
    /// Returns one of eight arrows for a direction.
    static func arrow(_ degrees: Double, isUnicode: Bool) -> String {
        let arrows =
            isUnicode
            ? ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"] : ["^", "/", ">", "\\", "v", "/", "<", "\\"]
        let turn = (degrees / 45).rounded().truncatingRemainder(dividingBy: 8)
        return arrows[Int(clamping: turn < 0 ? turn + 8 : turn) % 8]
    }
}

extension Browser {
    /// Draws the parts of the live layers that consist of cells.
    func drawOverlays(on screen: inout CellGrid) {
        let live = map.layers.filter { $0.live != nil }
        guard !live.isEmpty, !isTooSmall else { return }
        var painter = OverlayPainter(map.viewport, map.settings, theme, taken: labelledCells)
        painter.draw(live, on: &screen)
    }

    /// The cells with marks of features, and that of the position.
    var overlayMarks: Set<Int> {
        let viewport = map.viewport, lattice = CellLattice(viewport), cells = lattice.box(of: viewport)
        var found = Set(
            position.fix?.place.map { CellPlacement(viewport).cells(at: Mercator.world($0)) } ?? [])
        for layer in map.layers where layer.isShown(at: viewport.camera.zoom) {
            guard let live = layer.live else { continue }
            for mark in OverlayMarks(cells: cells).marks(of: live.patches(of: lattice, in: cells).patches) {
                let width = mark.count == 1 ? 1 : OverlayPainter.text(mark.count).width
                for column in mark.columns(width, within: viewport) {
                    found.insert(mark.row * viewport.columns + column)
                }
            }
        }
        return found
    }

    /// The cells with names of the map.
    private var labelledCells: Set<Int> {
        guard showsLabels, let layout = labels.layout, layout.grid.isSame(as: LabelGrid(map.viewport)) else {
            return []
        }
        let view = layout.grid.box(of: map.viewport)
        var cells: Set<Int> = []
        for label in layout.placed where label.isWithin(view) {
            for part in label.parts {
                let row = part.row - view.rows.lowerBound
                for column in part.columns {
                    cells.insert(row * map.viewport.columns + column - view.columns.lowerBound)
                }
            }
        }
        return cells
    }
}

/// The directions of tracks: arrows along them, and marks at their starts and ends.
extension OverlayPainter {
    mutating func drawSigns(of patches: [OverlayPatch], isFaint: Bool, on grid: inout CellGrid) {
        for sign in patches.lazy.flatMap(\.signs) where cells.contains(column: sign.column, row: sign.row) {
            put(sign, isFaint, &grid)
        }
    }

    /// Draws a sign, but not over names and other marks.
    private mutating func put(_ sign: OverlayPatch.Sign, _ isFaint: Bool, _ grid: inout CellGrid) {
        let row = sign.row - cells.rows.lowerBound, column = sign.column - cells.columns.lowerBound
        guard taken.insert(row * viewport.columns + column).inserted else { return }
        let (glyph, ink) = self.glyph(of: sign.kind), (pen, paper, style) = single(ink, grid[row, column])
        grid.write(glyph, row: row, column: column, ink: pen, paper: paper, style: isFaint ? .dim : style)
    }

    private func glyph(of kind: OverlayPatch.Sign.Kind) -> (glyph: String, ink: RGB) {
        switch kind {
        case .start: (settings.isUnicode ? "○" : "o", RGB(0x12A150))
        case .end: (settings.isUnicode ? "⚑" : "#", RGB(0xE5383B))
        case .arrow(let degrees):
            (
                Heading.arrow(degrees, isUnicode: settings.isUnicode),
                theme == .day ? RGB(0x101418) : RGB(0xFFFFFF)
            )
        }
    }
}

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
