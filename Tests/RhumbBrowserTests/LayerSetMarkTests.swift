@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

/// Tests the ends of routes and the position in the appearance of the map's style.
struct LayerSetMarkTests {
    private static let places = [(43.727, 7.42), (43.734, 7.44)].map {
        Coordinate(latitude: $0.0, longitude: $0.1)
    }

    /// Returns a style with its own layers for all sets.
    private static func style() throws -> Style {
        func symbol(
            _ id: String, _ set: MandatoryLayerSet, _ text: JSON, _ colour: JSON, _ halo: JSON
        ) -> JSON {
            [
                "id": .string(id), "type": "symbol", "source": .string(set.rawValue),
                "layout": ["text-field": text],
                "paint": ["text-color": colour, "text-halo-color": halo, "text-halo-width": 1],
            ]
        }
        func circle(_ id: String, _ colour: JSON) -> JSON {
            [
                "id": .string(id), "type": "circle",
                "source": .string(MandatoryLayerSet.positionAccuracy.rawValue),
                "paint": [
                    "circle-color": colour, "circle-opacity": 0.5, "circle-stroke-width": 1,
                    "circle-stroke-color": "#804000",
                ],
            ]
        }
        return try Style([
            "version": 8,
            "sources": .object(
                MandatoryLayerSet.allCases.reduce(into: JSONObject()) {
                    $0[$1.rawValue] = ["type": "geojson"]
                }),
            "layers": [
                symbol("start", .routeStart, "GO", "#FFFFFF", "#008000"),
                symbol("end", .routeEnd, "X", "#C00000", "#FFFF00"),
                symbol("here", .position, "o", "#00FFFF", "#000080"),
                symbol("here-dimmed", .position, "u", "#C0C0C0", "#404040"),
                symbol("arrow", .chevron, "^", "#FFFF00", "#000080"),
                symbol("arrow-dimmed", .chevron, "^", "#A0A0A0", "#202020"),
                circle("ring", "#FF8000"), circle("ring-dimmed", "#606060"),
            ],
        ])
    }

    private func browser(_ depth: ColorDepth, isStyled: Bool = true) throws -> Browser {
        var settings = Settings(), layer = TileLayer.test(BlankSource(), id: "osm")
        settings.animates = false
        settings.labels = false
        settings.show(in: depth)
        if isStyled { layer.layerSets = LayerSetStyle(try Self.style()) }
        var browser = Browser(
            columns: 80, rows: 24, layers: [layer],
            camera: Camera(center: Coordinate(latitude: 43.73, longitude: 7.43), zoom: 13),
            settings: settings)
        let route = Route(line: Self.places, legs: [], distance: 1600, duration: 0)
        browser.begin(
            with: RouteAnswer(
                RouteRequest(from: Self.places[0], to: Self.places[1]), [route], provider: "Example",
                attribution: "",
                time: UnixSeconds(0), mayBeStored: true))
        return browser
    }

    private func move(_ browser: inout Browser, heading: Double? = nil, accuracy: Double = 300) {
        var status = OverlayStatus(id: "over.0", isLive: true)
        status.fixes = [
            PositionFix(
                place: Coordinate(latitude: 43.73, longitude: 7.43), accuracy: accuracy, heading: heading)
        ]
        _ = browser.update(.overlay(status), at: .seconds(1))
    }

    private func cell(_ browser: Browser, _ place: Coordinate) -> Cell {
        let cell = browser.map.viewport.cell(of: Mercator.world(place))
        return browser.screen[Int(cell.row), Int(cell.column)]
    }

    private var here: Coordinate { Coordinate(latitude: 43.73, longitude: 7.43) }

    @Test(arguments: [ColorDepth.truecolor, .indexed256])
    func `the ends of a route and the position have the text and the paint of the style`(
        depth: ColorDepth
    ) throws {
        var browser = try browser(depth)
        #expect(browser.shows("GO"))
        let start = cell(browser, Self.places[0]), end = cell(browser, Self.places[1])
        #expect(start.ink == .rgb(RGB(0xFFFFFF)) && start.paper == .rgb(RGB(0x008000)))
        #expect(end.glyph == "X" && end.ink == .rgb(RGB(0xC00000)) && end.paper == .rgb(RGB(0xFFFF00)))
        move(&browser)
        #expect(cell(browser, here).glyph == "o" && cell(browser, here).ink == .rgb(RGB(0x00FFFF)))
        move(&browser, heading: 90)
        #expect(cell(browser, here).glyph == "▶" && cell(browser, here).ink == .rgb(RGB(0xFFFF00)))
    }

    @Test func `with 16 colours marks have the nearest ones, and without colours they stand out`() throws {
        var browser = try browser(.indexed16)
        move(&browser)
        #expect(
            cell(browser, here).glyph == "o"
                && cell(browser, here).ink == .indexed(Palette16.nearest(RGB(0x00FFFF))))
        #expect(cell(browser, here).paper == .indexed(Palette16.nearest(RGB(0x000080))))
        browser.map.settings.show(in: .mono)
        #expect(
            cell(browser, here).glyph == "o" && cell(browser, here).style.contains(.reverse)
                && browser.shows("GO"))
    }

    @Test func `a lost position has the dimmed colours, including its circle`() throws {
        var browser = try browser(.truecolor)
        move(&browser, heading: 90)
        _ = browser.update(.tick, at: .seconds(60))
        #expect(
            cell(browser, here).ink == .rgb(RGB(0xA0A0A0)) && cell(browser, here).paper == .rgb(RGB(0x202020))
        )
        #expect(!browser.screen.dotted.isEmpty)
    }

    @Test func `the circle of accuracy is filled and edged by the style`() throws {
        var browser = try browser(.truecolor)
        move(&browser)
        let ground = RGB(0x204060)
        var map = CellGrid(columns: browser.map.viewport.columns, rows: browser.map.viewport.rows)
        for at in map.cells.indices { map.cells[at] = Cell(" ", paper: .rgb(ground)) }
        let screen = browser.view(
            TileBoard().scene(of: browser.map.viewport, layers: browser.map.layers), map: map)
        let middle = browser.map.viewport.cell(of: Mercator.world(here)), row = Int(middle.row),
            column = Int(middle.column)
        #expect(screen[row, column + 3].paper == .rgb(RGB(red: 0x90, green: 0x60, blue: 0x30)))
        #expect(screen[0, 0].paper == .rgb(ground))
        #expect(
            screen.cells.contains {
                (0x2801...0x28FF).contains($0.glyph.value) && $0.ink == .rgb(RGB(0x804000))
            })
        let raster = try #require(
            Raster(width: 160, height: 88, pixels: [UInt8](repeating: 255, count: 160 * 88 * 4)))
        let tinted = browser.tinted(raster),
            at = 4 * (Int(middle.row / 22 * 88) * 160 + Int(middle.column * 2))
        #expect(Array(tinted.pixels[at..<at + 3]) == [255, 192, 128] && tinted.pixels[1] == 255)
    }

    @Test
    func
        `the chosen style has its sets drawn over maps of pictures, and Rhumb's own marks are used without any`()
        throws
    {
        var browser = try browser(.truecolor, isStyled: false)
        move(&browser)
        #expect(browser.shows("A") && browser.shows("B") && browser.shows("◉") && !browser.shows("GO"))
        let styled = StyledLayers(StyleChoice("/x/a"), .night, [:], sets: LayerSetStyle(try Self.style()))
        _ = browser.update(.styled(.success(styled)), at: .seconds(1))
        #expect(browser.shows("GO") && !browser.shows("◉"))
    }
}
