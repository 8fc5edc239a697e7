internal import RhumbCore
internal import RhumbTerminal

/// Painting: the time from a grid to its bytes, and how many they are.
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
        }
    }

    private static func measure(
        _ capabilities: Capabilities, _ size: (Int, Int), _ name: String, _ anchor: String,
        _ picture: (Int, Int, Int) -> CellGrid
    ) -> [BenchRow] {
        var painter = Painter(
            capabilities, depth: .truecolor, isUTF8: true, columns: size.0, rows: size.1)
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

    private static func still(_ columns: Int, _ rows: Int, _: Int) -> CellGrid { pan(columns, rows, 0) }

    /// Every cell two colours unlike all others.
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

    /// An island map: flat sea and land, a shaded coast, thin lines; an eighth of the width a step.
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
