@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

/// Tests the coordinate grids over the map, and the commands that show them.
struct CoordinateGridViewTests {
    private func browser(
        _ kind: GridKind?, _ latitude: Double = 60.4, _ longitude: Double = 22.25, zoom: Double = 12,
        depth: ColorDepth = .truecolor, isUnicode: Bool = true, theme: ThemeRule = .always(.night)
    ) -> Browser {
        var settings = Settings()
        settings.themeRule = theme
        settings.depth = depth
        settings.isUnicode = isUnicode
        settings.grid = kind
        return Browser(
            columns: 60, rows: 18, layers: [.test(BlankSource())],
            camera: Camera(center: Coordinate(latitude: latitude, longitude: longitude), zoom: zoom),
            settings: settings)
    }

    /// The rows of the map, without blanks at their ends.
    private func map(_ browser: Browser) -> String {
        browser.screen.lines.prefix(browser.map.viewport.rows).map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    @Test(arguments: GridKind.allCases)
    func `each kind has lines across the map and labels at its edges`(kind: GridKind) throws {
        let expected: [GridKind: String] = [
            .mgrs: """
            34VEM  ┃680         │685         ┃690         │695
                   ┃            │            ┃            │            ┃
            970━━━━╋━━━━━━━━━━━━╋━━━━━━━━━━━━╋━━━━━━━━━   │            ┃
                   ┃            │            ┃         ━━━╋━━━━━━━━━━━━╋
            """,
            .utm: """
            34V    ┃568000E     │568500E     ┃569000E     │569500E
                   ┃            │            ┃            │            ┃
            6697000N━━━━━━━━━━━━╋━━━━━━━━━━━━╋━━━━━━━━━   │            ┃
                   ┃            │            ┃         ━━━╋━━━━━━━━━━━━╋
            """,
            .maidenhead: """
                 │KP10cj87   │KP10cj97    ┃KP10dj07   │KP10dj17   │
            KP10cj77─────────┼────────────╋───────────┼───────────┼─────
                 │           │            ┃           │           │
            """,
            .degrees: """
                 ┃22°14′00″E │22°14′30″E  ┃22°15′00″E │22°15′30″E ┃
            60°24′15″N───────┼────────────╋───────────┼───────────╋─────
                 ┃           │            ┃           │           ┃
            """,
        ]
        let found = try #require(expected[kind])
        #expect(map(browser(kind)).hasPrefix(found + "\n"))
    }

    @Test(arguments: GridKind.allCases)
    func `a frame has the labels outside the map, with ticks at the lines`(kind: GridKind) {
        var framed = browser(kind)
        framed.map.settings.hasFrame = true
        let view = framed.map.viewport
        let inner = framed.labelled(CellGrid(columns: view.columns, rows: view.rows))
        #expect(!inner.lines.joined().unicodeScalars.contains { "0123456789".unicodeScalars.contains($0) })
        let rows = CoordinateFrame(framed).around(inner).lines.map(Array.init)
        #expect(rows.count == view.rows + 4 && rows[0].count == view.columns + 22)
        let ticks = rows[1].indices.filter { rows[1][$0] == "┴" }
        #expect(ticks.count >= 3)
        for tick in ticks {
            #expect("│┃║┼╋╬".contains(rows[2][tick]), "a line of the map begins at each tick")
            #expect(rows[0][tick] != " ", "a label is above each tick")
        }
        let sides = rows.indices.filter { rows[$0][10] == "┤" }
        #expect(sides.count >= 2)
        #expect(sides.allSatisfy { "─━═┼╋╬".contains(rows[$0][11]) && rows[$0][8] != " " })
        #expect(rows[rows.count - 2].contains("┬") && rows.contains { $0[$0.count - 11] == "├" })
    }

    @Test func `without a grid, a frame has degrees and the map has no lines`() {
        var framed = browser(nil)
        framed.map.settings.hasFrame = true
        let map = CellGrid(columns: framed.map.viewport.columns, rows: framed.map.viewport.rows)
        let inner = framed.labelled(map)
        #expect(!inner.lines.joined().contains("│"))
        #expect(CoordinateFrame(framed).around(inner).lines[0].contains("22°15′00″E"))
        framed.map.settings.isUnicode = false
        let text = CoordinateFrame(framed).around(framed.labelled(map)).lines.joined()
        #expect(text.unicodeScalars.allSatisfy(\.isASCII) && text.contains("22d15'00\"E"))
    }

    @Test func `zone borders are double lines`() {
        let rows = map(browser(.utm, 60, 7.3, zoom: 4)).split(separator: "\n")
        let borders = rows.map { row in row.indices.filter { row[$0] == "║" }.count }
        #expect(rows[0].hasPrefix("31V") && rows[0].contains("║32") && rows[0].contains("║33"))
        #expect(borders.allSatisfy { $0 == 2 })
    }

    @Test(arguments: [ColorDepth.truecolor, .indexed256, .indexed16, .mono])
    func `in ASCII, lines and labels are ASCII`(depth: ColorDepth) {
        for kind in GridKind.allCases {
            let text = map(browser(kind, depth: depth, isUnicode: false))
            #expect(text.unicodeScalars.allSatisfy { $0.isASCII })
            #expect(text.contains("+---") && text.contains("|"))
        }
        #expect(map(browser(.degrees, isUnicode: false)).contains("22d15'00\"E"))
    }

    @Test(
        arguments: [ColorDepth.truecolor, .indexed256, .indexed16],
        [RGB(0), RGB(0x808080), RGB(0xFFFFFF), RGB(0x2E7D32), RGB(0xF2E8C9)])
    func `lines are readable on every colour`(depth: ColorDepth, ground: RGB) throws {
        for theme in [MapTheme.day, .night] {
            let browser = browser(.degrees, depth: depth, theme: .always(theme))
            let paper: CellColor = depth == .indexed16 ? .indexed(Palette16.nearest(ground)) : .rgb(ground)
            var grid = CellGrid(columns: browser.map.viewport.columns, rows: browser.map.viewport.rows)
            for at in grid.cells.indices { grid.cells[at] = Cell(" ", paper: paper) }
            browser.drawCoordinateGrid(avoiding: [], on: &grid)
            let lines = grid.cells.filter { $0.glyph == "│" || $0.glyph == "─" }
            #expect(!lines.isEmpty)
            for line in lines {
                let ink = try #require(line.ink.rgb), paper = try #require(line.paper.rgb)
                #expect(ink.contrast(with: paper) >= 3, "\(line)")
            }
        }
    }

    @Test func `without colours, labels are reversed and lines bold or plain`() {
        let screen = browser(.utm, depth: .mono).screen
        #expect(screen[0, 0].style == .reverse && screen[0, 0].glyph == "3")
        #expect(screen.cells.contains { $0.glyph == "│" && $0.style == [] && $0.ink == .terminal })
    }

    @Test func `labels do not touch each other`() {
        for kind in GridKind.allCases {
            for zoom in stride(from: 0.0, through: 20, by: 0.5) {
                let browser = browser(kind, zoom: zoom, depth: .mono)
                let row = browser.screen.lines[0]
                let labels = row.split { " │┃║─━═┼╋╬".contains($0) }
                #expect(labels.allSatisfy { $0.count <= 13 }, "\(kind) \(zoom): \(row)")
                #expect(labels.count < 8)
            }
        }
    }

    @Test func `the grid does not cover an open panel`() throws {
        var browser = browser(.degrees)
        _ = browser.press(.character("?"))
        let open = browser.screen
        var plain = browser
        _ = plain.perform(plain.showingGrid(nil))
        let covered = plain.screen
        let frame = try #require(
            browser.drawnPanel(TileBoard().scene(of: browser.map.viewport, layers: browser.map.layers))?.frame
        )
        for row in frame.row..<(frame.row + frame.rows) {
            for column in frame.column..<(frame.column + frame.columns) {
                #expect(open[row, column] == covered[row, column])
            }
        }
    }

    @Test func `place names stay clear of the edges with labels`() {
        let browser = browser(.utm),
            scene = TileBoard().scene(of: browser.map.viewport, layers: browser.map.layers)
        let covered = browser.use(of: scene, hasBackdrop: false).covered
        #expect(covered.contains(CellBox(columns: 0..<60, rows: 0..<1)))
        #expect(self.browser(nil).use(of: scene, hasBackdrop: false).covered.isEmpty)
        // A picture of an exact size may lose a part of its first row and column.
        let cut = self.browser(nil).use(of: scene, hasBackdrop: false, isCut: true).covered
        #expect(
            cut.contains { $0.contains(column: 0, row: 5) } && cut.contains { $0.contains(column: 5, row: 0) }
        )
        #expect(!cut.contains { $0.contains(column: 1, row: 1) })
    }

    @Test(arguments: [(GridKind.mgrs, "34VEM"), (.utm, "34V 5"), (.maidenhead, "KP10")])
    func `the details of a place have its position in the grid`(kind: GridKind, notation: String) {
        var browser = browser(kind)
        browser.type("i")
        #expect(browser.openPanel?.word == "here" && browser.shows(notation))
    }

    @Test func `the command line shows and removes a grid`() {
        var browser = browser(nil)
        browser.type(":grid mgrs")
        #expect(browser.press(.enter).contains(.updateView))
        #expect(browser.map.settings.grid == .mgrs && browser.shows("34V"))
        browser.type(":grid off")
        _ = browser.press(.enter)
        #expect(browser.map.settings.grid == nil)
        browser.type(":grid square")
        _ = browser.press(.enter)
        #expect(browser.shows("grid: expected one of mgrs"))
    }

    @Test func `the panel of layers has a row that goes through the kinds`() {
        var browser = browser(nil)
        browser.type("m")
        #expect(browser.shows("○ Coordinate grid"))
        _ = browser.press(.end)
        var kinds: [GridKind?] = []
        for _ in 0..<5 {
            _ = browser.press(.enter)
            kinds.append(browser.map.settings.grid)
        }
        #expect(kinds == [.mgrs, .utm, .maidenhead, .degrees, nil])
    }
}
