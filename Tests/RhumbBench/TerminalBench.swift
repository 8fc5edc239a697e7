internal import RhumbCore
internal import RhumbTerminal

/// Measures painting: the time from a grid to its bytes, and their number.
enum TerminalBench {
    private static let sizes = [(80, 24), (200, 60), (240, 67)]

    static func rows() -> [BenchRow] {
        guard let capabilities = Capabilities.load("xterm-256color", depth: .truecolor) else {
            return []
        }
        return sizes.flatMap { size in
            [
                ("every cell new", noise, "ncurses refresh"), ("pan over a map", pan, "goal 8 ms"),
                ("nothing changed", still, ""),
            ].flatMap { name, picture, anchor in
                measure(capabilities, size, name, anchor, picture)
            }
        } + streetPans(capabilities)
    }

    private static func measure(
        _ capabilities: Capabilities, _ size: (Int, Int), _ name: String, _ anchor: String,
        _ picture: (Int, Int, Int) -> CellGrid
    ) -> [BenchRow] {
        var painter = Painter(
            capabilities, depth: .truecolor, isUTF8: true, columns: size.0, rows: size.1,
            tolerance: Screen.tolerance)
        var times: [Duration] = []
        var bytes: [Int] = []
        let clock = ContinuousClock()
        for frame in 0..<60 {
            let grid = picture(size.0, size.1, frame)
            times.append(clock.measure { bytes.append(painter.frame(grid).count) })
        }
        let slow = times.dropFirst(2).sorted()[54]
        let title = "paint \(size.0)x\(size.1), \(name)"
        return [
            BenchRow(name: "\(title): p95", value: slow / .milliseconds(1), unit: "ms", anchor: anchor),
            BenchRow(
                name: "\(title): per frame", value: Double(bytes.sorted()[30]), unit: "bytes", anchor: ""),
        ]
    }

    /// Measures the bytes for a street map that moves by an eighth of the view, and for a complete redraw,
    /// beside the output of libchafa for the same picture.
    private static func streetPans(_ capabilities: Capabilities) -> [BenchRow] {
        let columns = 240, rows = 67
        var painter = Painter(
            capabilities, depth: .truecolor, isUTF8: true, columns: columns, rows: rows,
            tolerance: Screen.tolerance)
        let whole = painter.frame(street(columns, rows, east: 0, south: 0)).count
        let across = painter.frame(street(columns, rows, east: columns / 8, south: 0)).count
        let down = painter.frame(street(columns, rows, east: columns / 8, south: rows / 8)).count
        let picture = StreetMap.raster(width: columns * 4, height: rows * 10)
        let theirs = Chafa()?.printedBytes(
            picture.pixels, width: picture.width, height: picture.height, columns: columns,
            rows: rows, tags: Chafa.Tags.sextant)
        return [("drawn anew", whole), ("moved across", across), ("moved down", down)].map { name, bytes in
            let share = theirs.map {
                "\((Double(bytes) / Double($0) * 100).rounded() / 100) of libchafa's \($0)"
            }
            return BenchRow(
                name: "street map \(columns)x\(rows), \(name)", value: Double(bytes), unit: "bytes",
                anchor: share ?? "")
        }
    }

    /// Returns a street map at an offset in cells to the east and south, with 4 × 10 pixels per cell.
    private static func street(_ columns: Int, _ rows: Int, east: Int, south: Int) -> CellGrid {
        let raster = StreetMap.raster(
            east: east * 4, south: south * 10, width: columns * 4, height: rows * 10)
        var options = CellRenderer.Options()
        options.bits = 5
        var picture = Picture(columns: columns, rows: rows, symbols: .sextant)
        picture.draw(
            raster,
            at: FixedPointRect(x0: 0, y0: 0, x1: columns * FixedPointRect.one, y1: rows * FixedPointRect.one))
        var grid = CellGrid(columns: columns, rows: rows)
        CellRenderer(symbols: .sextant, depth: .truecolor, options: options).render(picture, into: &grid)
        return grid
    }

    private static func still(_ columns: Int, _ rows: Int, _: Int) -> CellGrid { pan(columns, rows, 0) }

    /// Returns a grid in which every cell has two colours unlike all others.
    private static func noise(_ columns: Int, _ rows: Int, _ frame: Int) -> CellGrid {
        var grid = CellGrid(columns: columns, rows: rows)
        for at in grid.cells.indices {
            let mixed = UInt64(at + frame * 1_000_003) &* 0x9E37_79B9_7F4A_7C15
            grid.cells[at] = Cell(
                "▚", ink: .rgb(RGB(UInt32(truncatingIfNeeded: mixed >> 8))),
                paper: .rgb(RGB(UInt32(truncatingIfNeeded: mixed >> 36))))
        }
        return grid
    }

    /// Returns a map of an island that moves by an eighth of the width per frame: flat sea and land, a shaded
    /// coast, and thin lines.
    private static func pan(_ columns: Int, _ rows: Int, _ frame: Int) -> CellGrid {
        var grid = CellGrid(columns: columns, rows: rows)
        for row in 0..<rows {
            for column in 0..<columns {
                grid[row, column] = place(column + frame * (columns / 8), row)
            }
        }
        return grid
    }

    private static func place(_ x: Int, _ y: Int) -> Cell {
        let height = ((x * 7 + y * 13) % 211) / 10 + (x / 9 + y / 5) % 17 - 18
        let sea = CellColor.rgb(RGB(0x10202E))
        let land = CellColor.rgb(RGB(0x232C33))
        if (x + y * 3) % 23 == 0 { return Cell("▞", ink: .rgb(RGB(0xA8894A)), paper: land) }
        if height < -2 { return Cell(" ", paper: sea) }
        if height > 2 { return Cell(" ", paper: land) }
        let shade = UInt8(clamping: 0x20 + (x * 3 + y * 5) % 48)
        return Cell("▚", ink: .rgb(RGB(red: shade, green: 0x2C, blue: 0x33)), paper: sea)
    }
}
