import RhumbCore
import RhumbTestSupport
import Testing

@testable import RhumbTerminal

/// Tests frames for slow lines, which are drawn by colour and in pieces.
struct SlowFrameTests {
    private func painter(_ columns: Int, _ rows: Int, tolerance: UInt8 = 9) throws -> Painter {
        let capabilities = try #require(Capabilities.load("xterm-256color", depth: .truecolor))
        return Painter(
            capabilities, depth: .truecolor, isUTF8: true, columns: columns, rows: rows, tolerance: tolerance)
    }

    private let greys = (0..<20).map { CellColor.rgb(RGB(UInt32($0) * 0x060606)) }

    @Test(arguments: PainterTests.settings, [(1, 1), (2, 3), (33, 9), (80, 24)])
    func `pieces of frames, each of the newest grid, leave the terminal showing the last one`(
        setting: PainterTests.Setting, size: (Int, Int)
    ) throws {
        var painter = try setting.painter(size.0, size.1)
        var screen = ScreenModel(columns: size.0, rows: size.1)
        for seed in 0..<4 as Range<UInt64> {
            var random = SplitMix(seed: seed)
            var grids = RandomGrids(columns: size.0, rows: size.1, palette: setting.palette, seed: seed)
            for _ in 0..<15 {
                let grid = grids.next()
                painter.pieceSize = [40, 400, nil, .max].randomElement(using: &random) ?? nil
                for _ in 0..<Int.random(in: 1...4, using: &random) { screen.feed(painter.frame(grid)) }
            }
            let last = grids.next()
            painter.pieceSize = 300
            repeat { screen.feed(painter.frame(last)) } while painter.isInterrupted
            var supported = last
            if Capabilities.load(setting.term, depth: setting.depth)?.dim == nil {
                for at in supported.cells.indices { supported.cells[at].style.remove(.dim) }
            }
            try #require(screen.grid.difference(from: supported) == nil)
            #expect(painter.frame(last).isEmpty)
        }
        #expect(screen.unknown.isEmpty)
    }

    /// Returns a grid of blocks in eight colours at random.
    private func blocks(_ random: inout SplitMix) -> CellGrid {
        var grid = CellGrid(columns: 120, rows: 40)
        let colours = (0..<8).map { CellColor.rgb(RGB(UInt32($0) * 0x1B2C15)) }
        for at in grid.cells.indices {
            let glyph: Unicode.Scalar? = "▀▌▘▝▖▗▚".unicodeScalars.randomElement(using: &random)
            grid.cells[at] = Cell(
                glyph ?? " ", ink: colours.randomElement(using: &random) ?? .terminal,
                paper: colours.randomElement(using: &random) ?? .terminal)
        }
        return grid
    }

    @Test func `a piece has hardly more bytes than allowed, and all of them than the frame`() throws {
        var whole = try painter(120, 40), pieces = whole
        var random = SplitMix(seed: 1)
        let grid = blocks(&random)
        whole.pieceSize = .max
        pieces.pieceSize = 500
        var sizes: [Int] = []
        repeat { sizes.append(pieces.frame(grid).count) } while pieces.isInterrupted
        #expect(sizes.count > 10 && sizes.allSatisfy { $0 < 600 })
        #expect(sizes.reduce(0, +) < whole.frame(grid).count + 40 * sizes.count)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `joined colours are within the tolerance, and sharpened ones are exact`(seed: UInt64) throws {
        var painter = try painter(40, 12)
        painter.pieceSize = .max
        var screen = ScreenModel(columns: 40, rows: 12)
        var grids = RandomGrids(columns: 40, rows: 12, palette: greys, seed: seed)
        for _ in 0..<15 {
            let grid = grids.next()
            screen.feed(painter.frame(grid))
            try #require(screen.grid.difference(from: grid, tolerance: 9) == nil)
        }
        let last = grids.next()
        screen.feed(painter.frame(last))
        screen.feed(painter.sharpen())
        #expect(screen.grid.difference(from: last) == nil)
    }

    @Test func `a frame drawn by colour has two thirds of the bytes of one in rows`() throws {
        var random = SplitMix(seed: 1)
        let grid = blocks(&random)
        var rows = try painter(120, 40), colourwise = rows
        colourwise.pieceSize = .max
        var screen = ScreenModel(columns: 120, rows: 40)
        let bytes = colourwise.frame(grid)
        screen.feed(bytes)
        #expect(screen.grid.difference(from: grid) == nil)
        #expect(bytes.count * 3 < rows.frame(grid).count * 2)
    }

    @Test func `the cursor moves by the fewest bytes`() throws {
        let capabilities = try #require(Capabilities.load("xterm-256color", depth: .truecolor))
        var encoder = FrameEncoder(capabilities, columns: 200)
        func bytes(to row: Int, _ column: Int) -> String {
            encoder.move(toRow: 20, column: 120)
            _ = encoder.takeBytes()
            encoder.move(toRow: row, column: column)
            return String(decoding: encoder.takeBytes(), as: UTF8.self).replacing("\u{1B}", with: "^")
        }
        #expect(bytes(to: 21, 120) == "^[B" && bytes(to: 18, 119) == "^[2A\u{8}")
        #expect(bytes(to: 21, 125) == "^[B^[5C" && bytes(to: 21, 100) == "^[B^[20D")
        #expect(bytes(to: 3, 7) == "^[4;8H" && bytes(to: 40, 150) == "^[41;151H")
    }

    @Test func `flat areas are exact, also among similar colours`() throws {
        var painter = try painter(20, 2)
        painter.pieceSize = .max
        var grid = CellGrid(columns: 20, rows: 2, filledWith: Cell(" ", paper: .rgb(RGB(0x404040))))
        for column in 0..<8 { grid[0, column].paper = .rgb(RGB(0x484848)) }
        var screen = ScreenModel(columns: 20, rows: 2)
        screen.feed(painter.frame(grid))
        #expect(screen.grid.difference(from: grid) == nil)
    }
}

/// Tests the measurement of lines whose buffers are full.
struct FullLineTests {
    /// Returns the bytes per second of a line that accepts bytes after pauses in milliseconds.
    private func rate(_ steps: [(bytes: Int, milliseconds: Double)]) -> Double? {
        var now = ContinuousClock.now, line = FullLine(now)
        for step in steps {
            now += .milliseconds(step.milliseconds)
            line.accept(step.bytes, at: now)
        }
        return line.timePerByte.map { 1 / ($0 / .seconds(1)) }
    }

    @Test func `a line that takes steadily has the rate of its steps`() throws {
        let steady = try #require(rate(Array(repeating: (bytes: 4000, milliseconds: 80), count: 5)))
        #expect(abs(steady - 50_000) < 1)
    }

    @Test func `a terminal that is busy once is not a slow line`() throws {
        let quick = Array(repeating: (bytes: 4000, milliseconds: 0.1), count: 5)
        let busyFirst = try #require(rate([(4000, 400)] + quick))
        let busyLater = try #require(rate(quick + [(4000, 400)] + quick))
        #expect(busyFirst > 10_000_000 && busyLater > 10_000_000)
    }

    @Test func `few bytes and single pauses do not measure a line`() {
        #expect(rate([(4000, 400)]) == nil && rate([(40_000, 400)]) == nil)
        #expect(rate([(1000, 20), (1000, 20), (1000, 20)]) == nil)
    }
}
