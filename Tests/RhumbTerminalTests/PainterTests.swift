import RhumbCore
import RhumbTestSupport
import Testing

@testable import RhumbTerminal

struct PainterTests {
    struct Setting: CustomTestStringConvertible {
        var term: String
        var depth: ColorDepth
        var colors: Int
        var testDescription: String { "\(term) in \(depth.rawValue)" }

        var palette: [CellColor] {
            if depth == .truecolor {
                return [.terminal, .indexed(3)] + (0..<6).map { .rgb(RGB($0 &* 0x2A6F31)) }
            }
            return [.terminal] + (0..<colors).map { .indexed(UInt8($0)) }
        }

        func painter(_ columns: Int, _ rows: Int, isUTF8: Bool = true) throws -> Painter {
            let capabilities = try #require(Capabilities.load(term, depth: depth))
            return Painter(
                capabilities, depth: depth, isUTF8: isUTF8, columns: columns, rows: rows)
        }
    }

    static let settings = [
        Setting(term: "xterm-256color", depth: .truecolor, colors: 0),
        Setting(term: "xterm-256color", depth: .indexed256, colors: 256),
        Setting(term: "xterm-256color", depth: .indexed16, colors: 16),
        Setting(term: "xterm", depth: .indexed16, colors: 8),
        Setting(term: "xterm", depth: .indexed256, colors: 256),
        Setting(term: "linux", depth: .indexed16, colors: 8),
        Setting(term: "screen", depth: .indexed16, colors: 8),
        Setting(term: "screen-256color", depth: .indexed256, colors: 256),
        Setting(term: "tmux-256color", depth: .truecolor, colors: 0),
        Setting(term: "vt100", depth: .mono, colors: 0),
        Setting(term: "xterm-256color", depth: .mono, colors: 0),
    ]

    @Test(arguments: settings, [(1, 1), (2, 3), (33, 9), (80, 24)])
    func `any sequence of grids leaves the terminal showing the last one`(
        setting: Setting, size: (Int, Int)
    ) throws {
        var painter = try setting.painter(size.0, size.1)
        var screen = ScreenModel(columns: size.0, rows: size.1)
        for seed in 0..<6 as Range<UInt64> {
            var grids = RandomGrids(
                columns: size.0, rows: size.1, palette: setting.palette, seed: seed)
            for _ in 0..<15 {
                let grid = grids.next()
                screen.feed(painter.frame(grid))
                try #require(screen.grid.difference(from: supported(grid, by: setting)) == nil)
            }
        }
        #expect(screen.unknown.isEmpty)
    }

    /// Returns a map's text over images, which are visible in blank cells: names at random places, moved, and
    /// a line below that stays.
    private func names(_ seed: UInt64, rows down: Int, columns right: Int) -> CellGrid {
        var random = SplitMix(seed: seed)
        var grid = CellGrid(columns: 60, rows: 20)
        let paper = CellColor.rgb(RGB(0x303840))
        for row in 0..<19 {
            let column = Int.random(in: 0..<30, using: &random)
            for (at, character) in "Name \(seed) \(row)".enumerated() {
                let place = (row: row + down, column: column + right + at)
                guard 0..<19 ~= place.row, 0..<60 ~= place.column else { continue }
                grid.write(
                    String(character), row: place.row, column: place.column, ink: .rgb(RGB(0xEEEEEE)),
                    paper: paper)
            }
        }
        grid.write("a status line", row: 19, column: 0)
        return grid
    }

    @Test(
        arguments: [(0, 7), (0, -7), (4, 0), (-4, 0), (2, -3), (30, 0), (0, 70)],
        0..<4 as Range<UInt64>)
    func `text over images moves with them in fewer bytes, and the terminal shows every cell`(
        move: (rows: Int, columns: Int), seed: UInt64
    ) throws {
        var painter = try Self.settings[0].painter(60, 20)
        var plain = painter
        var screen = ScreenModel(columns: 60, rows: 20)
        let first = names(seed, rows: 0, columns: 0)
        screen.feed(painter.frame(first))
        _ = plain.frame(first)
        let map = CellBox(columns: 0..<60, rows: 0..<19)
        let moved = names(seed, rows: move.rows, columns: move.columns)
        plain.scrolls = false
        let shift = ScreenShift(rows: -move.rows, columns: -move.columns)
        let bytes = painter.frame(moved, movedBy: shift, in: map), still = plain.frame(moved)
        screen.feed(bytes)
        #expect(screen.grid.difference(from: moved) == nil && screen.unknown.isEmpty)
        if abs(move.rows) < 19, abs(move.columns) < 60 {
            #expect(bytes.count < still.count * 3 / 4)
        } else {
            #expect(bytes.count <= still.count)
        }
        let next = names(seed + 1, rows: 0, columns: 0)
        screen.feed(painter.frame(next, movedBy: shift, in: map))
        #expect(screen.grid.difference(from: next) == nil)
    }

    /// Returns the grid without attributes that the terminal's entry lacks: screen and vt100 have no dim.
    private func supported(_ grid: CellGrid, by setting: Setting) -> CellGrid {
        guard let entry = Capabilities.load(setting.term, depth: setting.depth), entry.dim == nil
        else { return grid }
        var grid = grid
        for at in grid.cells.indices { grid.cells[at].style.remove(.dim) }
        return grid
    }

    @Test(arguments: settings)
    func `an unchanged grid sends nothing`(setting: Setting) throws {
        var painter = try setting.painter(60, 20)
        var grids = RandomGrids(columns: 60, rows: 20, palette: setting.palette, seed: 5)
        for _ in 0..<10 {
            let grid = grids.next()
            _ = painter.frame(grid)
            #expect(painter.frame(grid).isEmpty)
        }
    }

    @Test func `a forgotten screen is painted completely`() throws {
        var painter = try Self.settings[0].painter(20, 3)
        var grid = CellGrid(columns: 20, rows: 3)
        grid.write("here", row: 1, column: 4)
        _ = painter.frame(grid)
        painter.forget()
        var screen = ScreenModel(columns: 20, rows: 3)
        screen.feed("garbage everywhere on the screen".utf8)
        screen.feed(painter.frame(grid))
        #expect(screen.grid.difference(from: grid) == nil)
    }

    @Test(arguments: [(30, 10), (5, 2), (8, 40)])
    func `a grid of another size is clipped or leaves the rest blank`(size: (Int, Int)) throws {
        var painter = try Self.settings[0].painter(20, 6)
        var screen = ScreenModel(columns: 20, rows: 6)
        screen.feed(painter.frame(CellGrid(columns: size.0, rows: size.1, filledWith: Cell("x"))))
        for row in 0..<6 {
            for column in 0..<20 {
                let isInside = row < size.1 && column < size.0
                #expect(screen.grid[row, column].glyph == (isInside ? "x" : " "))
            }
        }
    }

    @Test(arguments: ["\u{1B}", "\u{7}", "\u{9B}", "\u{301}", "\u{202E}", "東"] as [Unicode.Scalar])
    func `a character that would disturb the terminal is shown as a space`(
        scalar: Unicode.Scalar
    ) throws {
        var painter = try Self.settings[0].painter(4, 1)
        var grid = CellGrid(columns: 4, rows: 1, filledWith: Cell("a"))
        grid[0, 1] = Cell(scalar)
        grid[0, 2].mark = "\u{1B}"
        var screen = ScreenModel(columns: 4, rows: 1)
        screen.feed(painter.frame(grid))
        #expect(screen.grid.lines == ["a aa"])
    }

    @Test func `without UTF-8, everything is drawn in ASCII`() throws {
        var painter = try Self.settings[8].painter(24, 1, isUTF8: false)
        var grid = CellGrid(columns: 24, rows: 1)
        grid.write("Ã▄├─┤ → 東 e\u{301} ü⣿\u{1FB00}", row: 0, column: 0)
        let bytes = painter.frame(grid)
        #expect(bytes.allSatisfy { $0 < 0x80 })
        var screen = ScreenModel(columns: 24, rows: 1)
        screen.feed(bytes)
        #expect(screen.text == "A#+-+ >    e u:#")
    }

    @Test func `bright colours on an eight-colour terminal are drawn bold`() throws {
        var painter = try Self.settings[5].painter(2, 1)
        let cell = Cell("x", ink: .indexed(9), paper: .indexed(12))
        var screen = ScreenModel(columns: 2, rows: 1)
        screen.feed(painter.frame(CellGrid(columns: 2, rows: 1, filledWith: cell)))
        #expect(screen.grid[0, 0] == Cell("x", ink: .indexed(1), paper: .indexed(4), style: .bold))
    }

    @Test(arguments: [(ColorDepth.indexed256, UInt8(208)), (.indexed16, 11)])
    func `a colour finer than the terminal's becomes the nearest`(
        depth: ColorDepth, index: UInt8
    ) throws {
        var painter = try Setting(term: "xterm-256color", depth: depth, colors: 0).painter(1, 1)
        var screen = ScreenModel(columns: 1, rows: 1)
        let rgb = depth == .indexed256 ? RGB(0xFF8700) : RGB(0xF8F810)
        screen.feed(painter.frame(CellGrid(columns: 1, rows: 1, filledWith: Cell("x", ink: .rgb(rgb)))))
        #expect(screen.grid[0, 0].ink == .indexed(index))
    }

    @Test(arguments: [(0, 7), (0, -7), (3, 0), (-3, 0), (2, -5), (-1, 4)], [0, 12])
    func `a map that moved by whole cells is scrolled, and only exposed cells are drawn`(
        by: (rows: Int, columns: Int), panel: Int
    ) throws {
        var painter = try Self.settings[0].painter(80, 24)
        var random = SplitMix(seed: 3)
        let world = (0..<(60 * 160)).map { _ in
            Cell("▚", ink: .rgb(RGB(UInt32.random(in: 0..<0x1000000, using: &random))))
        }
        func view(row: Int, column: Int) -> CellGrid {
            var grid = CellGrid(columns: 80, rows: 24)
            for y in 0..<23 { for x in 0..<(80 - panel) { grid[y, x] = world[(row + y) * 160 + column + x] } }
            for y in 0..<23 { grid.write(panel > 0 ? "│ line \(y)" : "", row: y, column: 80 - panel) }
            grid.write("Helsinki 東京", row: 23, column: 0)
            return grid
        }
        var screen = ScreenModel(columns: 80, rows: 24)
        let whole = painter.frame(view(row: 10, column: 40))
        let moved = painter.frame(view(row: 10 + by.rows, column: 40 + by.columns))
        for bytes in [whole, moved] { screen.feed(bytes) }
        #expect(screen.grid.difference(from: view(row: 10 + by.rows, column: 40 + by.columns)) == nil)
        #expect(screen.unknown.isEmpty)
        #expect(moved.count < whole.count / 2)
    }

    @Test(arguments: [("Tokyo-", true), ("東京-", false)], [-3, 3])
    func `only rows without wide characters are moved, because a move might split one`(
        text: (word: String, isMoved: Bool), columns: Int
    ) throws {
        var painter = try Self.settings[0].painter(60, 4)
        func view(_ column: Int) -> CellGrid {
            var grid = CellGrid(columns: 60, rows: 4)
            for row in 0..<4 {
                grid.write(String(repeating: text.word, count: 9), row: row, column: column + row)
            }
            return grid
        }
        _ = painter.frame(view(4))
        let bytes = painter.frame(
            view(4 + columns), movedBy: ScreenShift(rows: 0, columns: -columns),
            in: CellBox(columns: 0..<60, rows: 0..<4))
        let isMoved = String(decoding: bytes, as: UTF8.self).contains(/\u{1B}\[\d*[P@]/)
        #expect(isMoved == text.isMoved)
    }

    @Test func `a flat area costs a few bytes per row`() throws {
        var painter = try Self.settings[0].painter(200, 60)
        let sea = CellGrid(
            columns: 200, rows: 60, filledWith: Cell(" ", paper: .rgb(RGB(0x10202E))))
        #expect(painter.frame(sea).count < 60 * 6 + 60)
    }

    @Test func `one changed cell costs its position, colours and character`() throws {
        var painter = try Self.settings[0].painter(80, 24)
        var grid = CellGrid(columns: 80, rows: 24)
        _ = painter.frame(grid)
        grid[11, 39] = Cell("x", ink: .rgb(RGB(0x010203)), paper: .rgb(RGB(0x040506)))
        let expected = "\u{1B}[12;40H\u{1B}[38;2;1;2;3;48;2;4;5;6mx"
        #expect(String(decoding: painter.frame(grid), as: UTF8.self) == expected)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `with a tolerance, no colour is further off than it, and frames are smaller`(seed: UInt64) throws {
        let capabilities = try #require(Capabilities.load("xterm-256color", depth: .truecolor))
        func painter(_ tolerance: UInt8) -> Painter {
            Painter(
                capabilities, depth: .truecolor, isUTF8: true, columns: 40, rows: 12, tolerance: tolerance)
        }
        var painters = [painter(0), painter(9)], sizes = [0, 0]
        var screen = ScreenModel(columns: 40, rows: 12)
        let greys = (0..<20).map { CellColor.rgb(RGB(UInt32($0) * 0x060606)) }
        var grids = RandomGrids(columns: 40, rows: 12, palette: greys, seed: seed)
        for _ in 0..<15 {
            let grid = grids.next(), frames = painters.indices.map { painters[$0].frame(grid) }
            for (at, frame) in frames.enumerated() { sizes[at] += frame.count }
            screen.feed(frames[1])
            for (shown, wanted) in zip(screen.grid.cells, grid.cells) where !shown.isContinuation {
                let asShown = shown.glyph == wanted.glyph ? wanted : wanted.complement ?? wanted
                try #require(shown.glyph == asShown.glyph)
                try #require(asShown.isBlank || shown.ink.difference(from: asShown.ink) <= 9)
                try #require(shown.paper.difference(from: asShown.paper) <= 9)
            }
        }
        #expect(sizes[1] < sizes[0])
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `sharpened cells have exactly their colours, also after the terminal moved them`(seed: UInt64) throws
    {
        let capabilities = try #require(Capabilities.load("xterm-256color", depth: .truecolor))
        var painter = Painter(
            capabilities, depth: .truecolor, isUTF8: true, columns: 40, rows: 12, tolerance: 9)
        var screen = ScreenModel(columns: 40, rows: 12)
        let greys = (0..<20).map { CellColor.rgb(RGB(UInt32($0) * 0x060606)) }
        var grids = RandomGrids(columns: 40, rows: 12, palette: greys, seed: seed)
        for step in 0..<12 {
            var grid = grids.next()
            screen.feed(painter.frame(grid))
            for row in 0..<11 {
                for column in 0..<40 { grid[row, column] = grid[row + 1, column] }
            }
            screen.feed(painter.frame(grid))
            guard step % 3 == 2 else { continue }
            screen.feed(painter.sharpen())
            for (shown, wanted) in zip(screen.grid.cells, grid.cells) where !shown.isContinuation {
                let asShown = shown.glyph == wanted.glyph ? wanted : wanted.complement ?? wanted
                try #require(shown.glyph == asShown.glyph && shown.paper == asShown.paper)
                try #require(asShown.isBlank || shown.ink == asShown.ink)
            }
            #expect(painter.sharpen().isEmpty)
        }
    }

    @Test func `with a tolerance, flat areas are exact`() throws {
        let capabilities = try #require(Capabilities.load("xterm-256color", depth: .truecolor))
        var painter = Painter(
            capabilities, depth: .truecolor, isUTF8: true, columns: 20, rows: 1, tolerance: 9)
        var grid = CellGrid(columns: 20, rows: 1, filledWith: Cell(" ", paper: .rgb(RGB(0x404040))))
        for column in 0..<8 { grid[0, column].paper = .rgb(RGB(0x484848)) }
        var screen = ScreenModel(columns: 20, rows: 1)
        screen.feed(painter.frame(grid))
        #expect(screen.grid.difference(from: grid) == nil)
    }
}
