public import RhumbCore

/// A margin around a map with the coordinates of a grid, for prints: a line around the map with a tick at
/// each line of the grid, and the labels outside it.
public struct CoordinateFrame: Sendable {
    /// The margin on the left and on the right: labels, a gap and the line.
    public static let columns = 11
    /// The margin at the top and at the bottom: labels and the line.
    public static let rows = 2

    private let browser: Browser
    /// The ticks and labels.
    private let lines: [CoordinateGrid.Line]
    private let corner: String

    /// - Parameter browser: The browser with the view of the map.
    public init(_ browser: Browser) {
        self.browser = browser
        let view = browser.map.viewport
        let grid = CoordinateGrid(
            browser.map.settings.grid ?? .degrees, over: view.box, columns: view.columns, rows: view.rows)
        lines = grid.lines.filter { !$0.label.isEmpty }
        corner = grid.corner
    }

    /// Returns the map with its frame.
    public func around(_ map: CellGrid) -> CellGrid {
        let (ink, paper) = browser.theme.page, isPlain = browser.map.settings.depth == .mono
        let blank = isPlain ? Cell.blank : Cell(" ", ink: .rgb(ink), paper: .rgb(paper))
        var grid = CellGrid(
            columns: map.columns + 2 * CoordinateFrame.columns, rows: map.rows + 2 * CoordinateFrame.rows,
            filledWith: blank)
        grid.place(map, columns: CoordinateFrame.columns, rows: CoordinateFrame.rows)
        drawBorder(on: &grid, pen: blank)
        drawLabels(on: &grid, pen: blank)
        return grid
    }

    // MARK: Drawing

    /// The first and the last column and row of the line around the map.
    private func border(_ grid: CellGrid) -> (left: Int, right: Int, top: Int, bottom: Int) {
        (
            CoordinateFrame.columns - 1, grid.columns - CoordinateFrame.columns, CoordinateFrame.rows - 1,
            grid.rows - CoordinateFrame.rows
        )
    }

    private func drawBorder(on grid: inout CellGrid, pen: Cell) {
        let (left, right, top, bottom) = border(grid), isUnicode = browser.map.settings.isUnicode
        let (across, down) = isUnicode ? ("─", "│") : ("-", "|")
        let corners = isUnicode ? ["┌", "┐", "└", "┘"] : ["+", "+", "+", "+"]
        func put(_ text: String, _ row: Int, _ column: Int) {
            grid.write(text, row: row, column: column, ink: pen.ink, paper: pen.paper)
        }
        for column in left...right {
            put(across, top, column)
            put(across, bottom, column)
        }
        for row in top...bottom {
            put(down, row, left)
            put(down, row, right)
        }
        for (text, cell) in zip(corners, [(top, left), (top, right), (bottom, left), (bottom, right)]) {
            put(text, cell.0, cell.1)
        }
    }

    private func drawLabels(on grid: inout CellGrid, pen: Cell) {
        let (left, right, top, bottom) = border(grid), isUnicode = browser.map.settings.isUnicode
        var used: Set<Int> = []
        /// Writes a label unless another one is too near.
        func write(_ label: String, row: Int, column: Int, isMain: Bool) -> Bool {
            let text = isUnicode ? label : CoordinateGridPainter.ascii(label)
            let start = min(max(column, 0), max(grid.columns - text.width, 0))
            let cells = (start - 1...start + text.width).map { row * grid.columns + $0 }
            guard !cells.contains(where: used.contains) else { return false }
            used.formUnion(cells)
            grid.write(
                text, row: row, column: start, ink: pen.ink, paper: pen.paper, style: isMain ? .bold : [])
            return true
        }
        func tick(_ text: String, row: Int, column: Int) {
            grid.write(text, row: row, column: column, ink: pen.ink, paper: pen.paper)
        }
        if !corner.isEmpty { _ = write(corner, row: 0, column: 0, isMain: true) }
        let ordered = lines.enumerated().sorted {
            ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset)
        }.map(\.element)
        for line in ordered {
            let cells = browser.map.viewport.cells(of: line), isMain = line.weight != .minor
            let width = (isUnicode ? line.label : CoordinateGridPainter.ascii(line.label)).width
            if line.isMeridional {
                let ends = [
                    (cells.first { $0.row == 0 }, 0, top, isUnicode ? "┴" : "+"),
                    (
                        cells.first { $0.row == browser.map.viewport.rows - 1 }, grid.rows - 1, bottom,
                        isUnicode ? "┬" : "+"
                    ),
                ]
                for case (let cell?, let row, let edge, let sign) in ends {
                    let column = cell.column + CoordinateFrame.columns
                    if write(line.label, row: row, column: column - width / 2, isMain: isMain) {
                        tick(sign, row: edge, column: column)
                    }
                }
            } else {
                if let cell = cells.first(where: { $0.column == 0 }) {
                    let row = cell.row + CoordinateFrame.rows
                    if write(line.label, row: row, column: left - 1 - width, isMain: isMain) {
                        tick(isUnicode ? "┤" : "+", row: row, column: left)
                    }
                }
                if let cell = cells.first(where: { $0.column == browser.map.viewport.columns - 1 }) {
                    let row = cell.row + CoordinateFrame.rows
                    if write(line.label, row: row, column: right + 2, isMain: isMain) {
                        tick(isUnicode ? "├" : "+", row: row, column: right)
                    }
                }
            }
        }
    }
}

extension PixelView {
    /// Returns an image of a map with a coloured margin around it.
    /// - Parameters:
    ///   - columns: The width of the margin on each side, in cells.
    ///   - rows: The height of the margin at the top and the bottom, in cells.
    public static func padded(_ raster: Raster, columns: Int, rows: Int, _ paper: RGB) -> Raster {
        let right = columns * 8, down = rows * 16, from = raster.pixels
        let width = raster.width + 2 * right, height = raster.height + 2 * down
        var all = Raster(width: width, height: height, filledWith: paper).pixels
        for y in 0..<raster.height {
            let to = ((y + down) * width + right) * 4, start = y * raster.width * 4
            all.replaceSubrange(to..<to + raster.width * 4, with: from[start..<start + raster.width * 4])
        }
        return Raster(width: width, height: height, pixels: all) ?? raster
    }
}
