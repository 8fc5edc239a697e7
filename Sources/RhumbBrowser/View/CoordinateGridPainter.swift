internal import RhumbCore
internal import RhumbEngine

/// Draws a coordinate grid over the map: thin lines, thick main lines, double zone borders, and labels at the
/// edges.
struct CoordinateGridPainter {
    private let viewport: Viewport
    private let settings: Settings
    private let theme: Settings.Theme
    private let avoided: Set<Int>
    private let inks: [RGB]

    private typealias Line = CoordinateGrid.Line

    /// The lines in a cell of the map.
    private struct Mark {
        var isVertical = false
        var isHorizontal = false
        var weight = Line.Weight.minor
    }

    /// A label, and its first cell.
    private struct Label {
        let text: String
        let row: Int
        let column: Int
        let weight: Line.Weight
    }

    /// The minimum contrast of a line to the map.
    private static let contrast = 3.0

    /// - Parameters:
    ///   - theme: The theme of the map.
    ///   - avoided: The indices of cells that must not be drawn in, row by row.
    init(_ viewport: Viewport, _ settings: Settings, _ theme: Settings.Theme, avoiding avoided: Set<Int>) {
        self.viewport = viewport
        self.settings = settings
        self.theme = theme
        self.avoided = avoided
        inks = [Self.ink(theme), Self.ink(theme == .day ? .night : .day), RGB(0), RGB(0xFFFFFF)]
    }

    /// The usual colour of the lines.
    static func ink(_ theme: Settings.Theme) -> RGB { RGB(theme == .day ? 0x6A1B7A : 0xE3B5F2) }

    /// - Parameters:
    ///   - hasLines: False to write only the labels.
    ///   - grid: A grid at least as wide as the view.
    func draw(_ kind: GridKind, hasLines: Bool = true, on grid: inout CellGrid) {
        let found = CoordinateGrid(
            kind, over: viewport.box, columns: viewport.columns, rows: viewport.rows)
        var marks = [Mark?](repeating: nil, count: viewport.columns * viewport.rows), labels: [Label] = []
        for line in found.lines {
            let cells = viewport.cells(of: line)
            for cell in hasLines ? cells : [] {
                let at = cell.row * viewport.columns + cell.column
                var mark = marks[at] ?? Mark()
                if line.isMeridional { mark.isVertical = true } else { mark.isHorizontal = true }
                mark.weight = max(mark.weight, line.weight)
                marks[at] = mark
            }
            if let label = label(of: line, cells) { labels.append(label) }
        }
        for (at, mark) in marks.enumerated() {
            let row = at / viewport.columns, column = at % viewport.columns
            guard let mark, !avoided.contains(row * grid.columns + column) else { continue }
            draw(mark, on: &grid[row, column])
        }
        if !settings.hasFrame { write(labels, corner: found.corner, on: &grid) }
    }

    // MARK: Lines

    private func draw(_ mark: Mark, on cell: inout Cell) {
        cell.glyph = glyph(mark)
        cell.mark = nil
        cell.isContinuation = false
        cell.style = mark.weight == .minor ? [] : .bold
        switch settings.depth {
        case .truecolor, .indexed256:
            let ground = cell.mean
            cell.paper = .rgb(ground)
            cell.ink = .rgb(
                inks.first { $0.contrast(with: ground) >= CoordinateGridPainter.contrast } ?? RGB(0))
        case .indexed16:
            let ground = cell.paper.rgb ?? RGB(theme == .day ? 0xFFFFFF : 0)
            let readable = [UInt8(13), 5, 0].first {
                Palette16.colour($0).contrast(with: ground) >= CoordinateGridPainter.contrast
            }
            cell.ink = .indexed(readable ?? 15)
        case .mono:
            cell.ink = .terminal
            cell.paper = .terminal
        }
    }

    private func glyph(_ mark: Mark) -> Unicode.Scalar {
        let glyphs: [Unicode.Scalar] =
            switch (settings.isUnicode, mark.weight) {
            case (true, .minor): ["│", "─", "┼"]
            case (true, .main): ["┃", "━", "╋"]
            case (true, .border): ["║", "═", "╬"]
            case (false, .border): ["#", "=", "#"]
            case (false, _): ["|", "-", "+"]
            }
        return glyphs[mark.isVertical ? (mark.isHorizontal ? 2 : 0) : 1]
    }

    // MARK: Labels

    /// Returns the label of a line: at the upper edge of the view for a meridional line, at the left edge for
    /// another, and at the end of a zone's border.
    private func label(of line: Line, _ cells: [(row: Int, column: Int)]) -> Label? {
        let first =
            line.isMeridional
            ? cells.min { $0.row < $1.row } : cells.min { $0.column < $1.column }
        guard let first, !line.label.isEmpty,
            line.weight == .border || (line.isMeridional ? first.row : first.column) == 0
        else { return nil }
        let text = settings.isUnicode ? line.label : CoordinateGridPainter.ascii(line.label)
        return Label(
            text: text, row: first.row, column: first.column + (line.isMeridional ? 1 : 0),
            weight: line.weight)
    }

    /// Returns a label in ASCII, such as 22d30'E.
    static func ascii(_ label: String) -> String {
        let signs: [Character: Character] = ["°": "d", "′": "'", "″": "\""]
        return String(label.map { signs[$0] ?? $0 })
    }

    /// Writes the labels that fit beside each other, the most important first.
    private func write(_ labels: [Label], corner: String, on grid: inout CellGrid) {
        let corner = corner.isEmpty ? [] : [Label(text: corner, row: 0, column: 0, weight: .border)]
        let ordered = labels.enumerated().sorted {
            ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset)
        }
        var used = avoided
        for label in corner + ordered.map(\.element) {
            let columns = label.column..<(label.column + label.text.width)
            guard columns.upperBound <= viewport.columns else { continue }
            let around = max(columns.lowerBound - 1, 0)..<min(columns.upperBound + 1, viewport.columns)
            guard !around.contains(where: { used.contains(label.row * grid.columns + $0) }) else { continue }
            used.formUnion(columns.map { label.row * grid.columns + $0 })
            let pen = pen
            grid.write(
                label.text, row: label.row, column: label.column, ink: pen.ink, paper: pen.paper,
                style: pen.style)
        }
    }

    /// The colours of labels.
    private var pen: (ink: CellColor, paper: CellColor, style: Cell.Style) {
        switch settings.depth {
        case .truecolor, .indexed256: (.rgb(inks[0]), .rgb(theme.unknown), .bold)
        case .indexed16: (.indexed(15), .indexed(5), .bold)
        case .mono: (.terminal, .terminal, .reverse)
        }
    }
}

extension Viewport {
    /// Returns the cells of the view that a line passes through: one in each row of a meridional line, and
    /// one in each column of another.
    func cells(of line: CoordinateGrid.Line) -> [(row: Int, column: Int)] {
        let box = box
        let spots = line.points.map { point in
            (
                x: (point.x - box.minX) / (box.maxX - box.minX) * Double(columns),
                y: (point.y - box.minY) / (box.maxY - box.minY) * Double(rows)
            )
        }
        var cells: [(row: Int, column: Int)] = []
        for (a, b) in zip(spots, spots.dropFirst()) {
            let (from, to, start, end) = line.isMeridional ? (a.y, b.y, a.x, b.x) : (a.x, b.x, a.y, b.y)
            let limit = Double(line.isMeridional ? rows : columns)
            let low = Int(min(max(min(from, to) - 0.5, 0), limit).rounded(.up)),
                high = Int(min(max(max(from, to) + 0.5, 0), limit).rounded(.up))
            for at in low..<max(low, high) {
                let share = (Double(at) + 0.5 - from) / (to - from)
                let across = Int((start + (end - start) * share).rounded(.down))
                let cell = line.isMeridional ? (row: at, column: across) : (row: across, column: at)
                guard (0..<rows).contains(cell.row), (0..<columns).contains(cell.column)
                else { continue }
                cells.append(cell)
            }
        }
        return cells
    }
}

extension Browser {
    /// The maximum width of labels at the left edge of the map, in columns.
    private static let gridLabelColumns = 10

    func showingGrid(_ kind: GridKind?) -> [Action] { [changing(\.grid, to: kind), .effect(.updateView)] }

    /// Returns the actions that show the next kind of grid, and none after the last.
    func showingNextGrid() -> [Action] {
        let kinds = GridKind.allCases
        let next = map.settings.grid.flatMap(kinds.firstIndex).map { $0 + 1 } ?? 0
        return showingGrid(next < kinds.count ? kinds[next] : nil)
    }

    /// The edges of the map that the labels of the grid use.
    var coordinateGridEdges: [CellBox] {
        guard map.settings.grid != nil, !map.settings.hasFrame else { return [] }
        return [
            CellBox(columns: 0..<map.viewport.columns, rows: 0..<1),
            CellBox(
                columns: 0..<min(Browser.gridLabelColumns, map.viewport.columns),
                rows: 1..<max(map.viewport.rows, 1)),
        ]
    }

    /// - Parameters:
    ///   - avoided: The indices of cells that must not be drawn in, row by row.
    ///   - hasLines: False to write only the labels.
    func drawCoordinateGrid(avoiding avoided: Set<Int>, hasLines: Bool = true, on screen: inout CellGrid) {
        guard let kind = map.settings.grid else { return }
        CoordinateGridPainter(map.viewport, map.settings, theme, avoiding: avoided)
            .draw(kind, hasLines: hasLines, on: &screen)
    }
}
