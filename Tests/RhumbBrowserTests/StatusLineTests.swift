@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct StatusLineTests {
    private func layer(_ attribution: String) -> TileLayer {
        var layer = TileLayer.test(BlankSource(), id: "streets")
        layer.info.attribution = attribution
        return layer
    }

    private func browser(_ columns: Int, _ rows: Int, attribution: String) -> Browser {
        .test(
            columns: columns, rows: rows, layers: [layer(attribution)],
            camera: Camera(center: Coordinate(latitude: 60.3931, longitude: 22.379), zoom: 12))
    }

    @Test func `the attribution names the maps in view only`() {
        var far = layer("© Far away"), near = layer("© Near")
        far.boundingBox = Bounds(west: 5, south: 50, east: 6, north: 51)
        near.boundingBox = Bounds(west: 22, south: 60, east: 23, north: 61)
        let camera = Camera(center: Coordinate(latitude: 60.3931, longitude: 22.379), zoom: 12)
        let browser = Browser.test(
            columns: 120, rows: 24, layers: [layer("© Everywhere"), far, near], camera: camera)
        #expect(browser.attribution == "© Everywhere | © Near")
    }

    @Test func `the scale bar has the length that it names`() throws {
        var checked = 0
        for zoom in stride(from: 1.0, through: 18, by: 0.37) {
            for columns in [40, 80, 120, 200] {
                let camera = Camera(center: Coordinate(latitude: 43.77, longitude: 11.25), zoom: zoom)
                let browser = Browser.test(columns: columns, rows: 24, layers: [layer("")], camera: camera)
                // The bar is left out where other parts need the room.
                guard let line = browser.screen.lines.first(where: { $0.contains("├") }) else { continue }
                checked += 1
                let start = try #require(line.firstIndex(of: "├")),
                    end = try #require(line.firstIndex(of: "┤"))
                let cells = line.distance(from: start, to: end) + 1
                let digits = line[start...].split { !$0.isNumber && $0 != "," }.first?.filter(\.isNumber)
                let number = try #require(digits.flatMap { Double($0) })
                let isInMetres = line[start...].contains(" m")
                let metres = number * (isInMetres ? 1 : 1000)
                let cell = Mercator.metresPerPixel(latitude: 43.77, zoom: zoom) * Viewport.pixelsPerColumn
                #expect(abs(Double(cells) - metres / cell) <= 1, "\(line)")
            }
        }
        #expect(checked > 100)
    }

    @Test func `without a hint line, the status line names the keys that lead to all others`() {
        for columns in [40, 60, 80] {
            let lines = browser(columns, 12, attribution: "© OpenStreetMap contributors").screen.lines
            #expect(lines[11].contains(columns == 40 ? "?" : "/ ? q"), "\(lines[11])")
        }
    }

    @Test func `place, zoom, scale bar, source and attribution are all shown if they fit`() {
        let lines = browser(120, 24, attribution: "© OpenStreetMap contributors").screen.lines
        #expect(lines[22].contains("60.3931 N 22.3790 E"))
        #expect(lines[22].contains("z12.0"))
        #expect(lines[22].contains("├─"))
        #expect(lines[22].contains("streets"))
        #expect(lines[23].contains("© OpenStreetMap contributors"))
        #expect(lines[23].contains("? help"))
    }

    @Test(arguments: 24...130)
    func `coordinates, zoom, source and attribution are never omitted`(columns: Int) {
        for rows in [8, 24] {
            let browser = browser(columns, rows, attribution: "© OpenStreetMap contributors")
            let bottom = browser.screen.lines.suffix(2).joined()
            #expect(bottom.contains("60."))
            #expect(bottom.contains("z12"))
            #expect(bottom.contains("str"))
            #expect(bottom.contains("©"))
        }
    }

    @Test(arguments: [(0.0, 0), (0.05, 0), (-0.04, 1), (12.3456, 2), (-33.86785, 4), (999.9999, 2)])
    func `numbers are rounded to familiar values`(value: Double, decimals: Int) {
        let expected = ["0", "0", "0.0", "12.35", "-33.8679", "1000.00"]
        let given = [0.0, 0.05, -0.04, 12.3456, -33.86785, 999.9999]
        let at = given.firstIndex(of: value) ?? 0
        #expect(value.decimals(decimals) == expected[at])
    }

    @Test(arguments: [(120, "no reply from tiles.example for 12 s"), (70, "no reply for 12 s")])
    func `a server that does not respond is named, briefly if there is little room`(
        columns: Int, words: String
    ) {
        var browser = browser(columns, 24, attribution: "© OpenStreetMap contributors")
        _ = browser.update(.silence(host: "tiles.example", seconds: 12), at: .zero)
        #expect(browser.screen.lines[22].contains(words))
        _ = browser.update(.silence(host: "", seconds: 0), at: .zero)
        #expect(!browser.screen.lines[22].contains("no reply"))
    }

    @Test func `a piece grows again when a more important one became shorter`() {
        let line = StatusLine([
            .init(wordings: ["44.0 N 11.0 E"], importance: 9),
            .init(wordings: ["firenze", "fir…"], importance: 7),
            .init(wordings: ["├─┤", ""], importance: 2),
            .init(wordings: ["a very long manoeuvre", "↖"], importance: 8),
        ])
        #expect(line.text(columns: 36) == " 44.0 N 11.0 E   firenze   ├─┤   ↖")
    }

    @Test(arguments: [40, 60, 80, 120])
    func `the percentage of a download stays where its name and rate don't fit`(columns: Int) {
        var browser = browser(columns, 24, attribution: "© OpenStreetMap contributors")
        let progress = PackageProgress(
            key: nil, name: "west 2/2", percent: 49, state: "", pace: "12/s 76 s")
        _ = browser.update(.offline(.packageProgress(progress)), at: .zero)
        #expect(browser.screen.lines.suffix(2).joined().contains("49 %"))
    }

    @Test func `a view outside the source's zooms is reported`() {
        var layer = layer("")
        layer.info.zooms = 12...15
        let far = Browser.test(
            columns: 120, layers: [layer],
            camera: Camera(center: Coordinate(latitude: 0, longitude: 0), zoom: 5))
        #expect(far.screen.lines[22].contains("zoom in to z9.0"))
        let near = Browser.test(
            columns: 120, layers: [layer],
            camera: Camera(center: Coordinate(latitude: 0, longitude: 0), zoom: 18))
        #expect(near.screen.lines[22].contains("enlarged from z15.0"))
    }

    @Test(arguments: [
        (9, 120, "No more detail here · m: open another map"), (15.35, 80, "no more detail · m: maps"),
    ])
    func
        `a map without streets says where its detail ends and what to press, in short where there is less room`(
            zoom: Double, columns: Int, words: String
        )
    {
        var source = LabelledSource()
        source.dataZooms = 0...7
        let map = LabelledMap(source, columns: columns, rows: 24, zoom: zoom)
        #expect(map.browser.screen.lines[22].contains(words))
    }
}
