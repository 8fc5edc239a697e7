import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct PictureTests {
    private func browser(
        _ depth: ColorDepth = .truecolor, credit: String = "© OpenStreetMap contributors"
    ) -> Browser {
        var settings = Settings()
        settings.showsHints = false
        settings.depth = depth
        let layer = TileLayer(
            id: "m", source: BlankSource(), info: TileSourceInfo(name: "M", attribution: credit))
        return Browser(columns: 60, rows: 21, layers: [layer], settings: settings)
    }

    private func blank(_ browser: Browser) -> CellGrid {
        CellGrid(
            columns: browser.map.viewport.columns, rows: browser.map.viewport.rows,
            filledWith: Cell(" ", paper: .rgb(RGB(0x336699))))
    }

    @Test(arguments: ColorDepth.allCases)
    func `a picture has its attribution at the lower right, in legible letters`(depth: ColorDepth) {
        let browser = browser(depth), grid = browser.notes(on: blank(browser), depth: depth)
        #expect(grid.lines.last?.hasSuffix(" © OpenStreetMap contributors ") == true)
        #expect(grid.lines.dropLast().allSatisfy { $0.allSatisfy { $0 == " " } })
        let cell = grid[grid.rows - 1, grid.columns - 5]
        if depth == .truecolor { #expect(cell.ink != cell.paper && cell.paper != .terminal) }
    }

    @Test func `the scale bar is shown on request, and the attribution unless it is elsewhere`() {
        let browser = browser()
        let both = browser.notes(on: blank(browser), hasLegend: true, depth: .truecolor).lines
        #expect(both.contains { $0.contains("km") } && both.last?.contains("OpenStreetMap") == true)
        let bare = browser.notes(on: blank(browser), isBare: true, depth: .truecolor).lines
        #expect(bare.allSatisfy { $0.allSatisfy { $0 == " " } })
    }

    @Test func `an attribution wider than the picture is shortened`() {
        let browser = browser(credit: "© " + String(repeating: "somebody ", count: 20))
        let last = browser.notes(on: blank(browser), depth: .truecolor).lines.last
        #expect(last?.contains("© somebody") == true && last?.count ?? 99 <= 60)
    }

    @Test func `only text is drawn over a picture of pixels`() throws {
        let raster = Raster(width: 40, height: 32, filledWith: RGB(0x336699))
        var written = CellGrid(columns: 1, rows: 1)
        let same = PixelView.written(
            over: raster, columns: 5, rows: 2,
            { ground in
                #expect(ground[1, 4].paper == .rgb(RGB(0x336699)))
                var grid = ground
                grid.write("ab", row: 1, column: 2, ink: .rgb(RGB(0xFFFFFF)), paper: .rgb(RGB(0)))
                return grid
            },
            { cells, raster in
                written = cells
                return raster
            })
        #expect(same == raster && written.lines.map { $0.filter { $0 != " " } } == ["", "ab"])
        #expect(written[0, 0] == .blank && written[1, 2].glyph == "a")
    }
}
