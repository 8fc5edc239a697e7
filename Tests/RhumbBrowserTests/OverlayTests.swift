@testable import RhumbBrowser
import RhumbCore
import RhumbDrawing
import RhumbEngine
import RhumbTestSupport
import Testing

/// Tests live layers in the program: marks, names, lists, navigation keys and the position.
struct OverlayTests: OverlayFixture {
    private func glyphs(_ browser: Browser) -> String { browser.screen.lines.joined(separator: "\n") }

    @Test func `a typed name selects its feature before the place that it also denotes`() {
        var browser = browser([live([point(60, 22, "hut2")])])
        browser.type("/hut2")
        _ = browser.press(.enter)
        #expect(
            abs((browser.movement.flight?.move.end ?? browser.map.viewport.camera).coordinate.latitude - 60)
                < 0.1)
    }

    @Test func `a recorded track is announced with its file, and saved under a name`() throws {
        var browser = browser([live([])])
        var status = OverlayStatus(id: "over.0", isLive: true)
        status.recording.path = "/home/me/tracks/a.gpx"
        _ = browser.update(.overlay(status), at: browser.map.now)
        #expect(browser.shows("Recording the track in /home/me/tracks/a.gpx"))
        for command in [":track walk.gpx", ":save walk.gpx"] {
            browser.type(command)
            let asked = browser.press(.enter).queries(ExportTrack.self)
            #expect(asked == [ExportTrack(track: "/home/me/tracks/a.gpx", file: "walk.gpx")])
        }
        browser.type(":track walk.png")
        _ = browser.press(.enter)
        #expect(browser.shows("saved as GPX"))
    }

    @Test(arguments: [ColorDepth.truecolor, .indexed256, .indexed16, .mono])
    func `a point has its mark and name with any colours`(depth: ColorDepth) {
        let browser = browser([live([point(60, 22, "Harbour")])], depth: depth)
        #expect(browser.shows("● Harbour"))
    }

    @Test func `with few colours overlays are distinguished by glyphs`() {
        let browser = browser([live([point(60, 22)]), live([point(60.01, 22)], number: 1)], depth: .mono)
        #expect(glyphs(browser).contains("●") && glyphs(browser).contains("◆"))
    }

    @Test func `a heading is shown as an arrow, a symbol as its character`() {
        var ship = point(60, 22), shop = point(60.01, 22)
        ship.heading = 92
        shop.style = OverlayStyle(symbol: "★")
        let text = glyphs(browser([live([ship, shop])]))
        #expect(text.contains("→") && text.contains("★"))
    }

    private func marks(of live: LiveLayer, in view: Viewport) -> [OverlayMarks.Mark] {
        let lattice = CellLattice(view), cells = lattice.box(of: view)
        return OverlayMarks(cells: cells).marks(of: live.patches(of: lattice, in: cells).patches)
    }

    @Test func `points in one cell are counted, and many points in blocks, without losing any`() {
        #expect(browser([live([point(60, 22), point(60, 22), point(60, 22)])]).shows("3"))
        var random = SplitMix(seed: 2)
        let many = (0..<20_000).map { _ in
            point(
                Double.random(in: 59.7...60.3, using: &random), Double.random(in: 21.4...22.6, using: &random)
            )
        }
        let browser = browser([live(many)], zoom: 5)
        let marks = marks(of: live(many), in: browser.map.viewport)
        #expect(marks.reduce(0) { $0 + $1.count } == 20_000)
        #expect(marks.count < browser.map.viewport.columns * browser.map.viewport.rows / 8)
    }

    @Test func `blocks keep their counts while the map moves by whole cells`() {
        var random = SplitMix(seed: 3)
        let many = live(
            (0..<5000).map { _ in
                point(
                    Double.random(in: 59.9...60.1, using: &random),
                    Double.random(in: 21.8...22.2, using: &random))
            })
        let view = browser([live([])], zoom: 7).map.viewport
        func counts(_ view: Viewport) -> [Int] { marks(of: many, in: view).map(\.count).sorted() }
        #expect(counts(view) == counts(view.panned(columns: 3, rows: -2)))
    }

    @Test func `names don't overlap, and counts are short`() {
        let crowd = (0..<12).map { point(60 + Double($0) * 0.0005, 22, "A rather long name \($0)") }
        let lines = browser([live(crowd)], zoom: 10).screen.lines
        #expect(lines.allSatisfy { $0.components(of: "A rather") <= 1 })
        #expect(
            [7, 999, 3400, 120_000, 3_400_000].map(OverlayPainter.text) == [
                "7", "999", "3.4k", "120k", "3.4M",
            ])
    }

    @Test func `the list of layers shows the numbers of features and of omitted ones`() {
        var browser = browser([live([point(60, 22)])])
        var reader = FeatureReader()
        reader.read(Array("60,22\nnonsense of the third kind\n".utf8))
        reader.finish()
        var status = OverlayStatus(id: "over.0", isLive: false)
        status.count = 1
        status.faults = reader.faults
        status.isWhole = true
        _ = browser.send(.overlay(status))
        #expect(browser.shows("1 skipped"))
        _ = browser.press(.character("m"))
        #expect(
            browser.shows("own 0") && browser.shows("1 feature") && browser.shows("skipped: 1")
                && browser.shows("line 2"))
    }

    @Test func `skipped lines of live data are reported at once, and later ones update the notice`() {
        var browser = browser([live([point(60, 22)])])
        var reader = FeatureReader(), status = OverlayStatus(id: "over.0", isLive: true)
        for (line, count) in [("60,22", 0), ("nonsense 1", 1), ("nonsense 2", 2), ("60,22", 2)] {
            reader.read(Array((line + "\n").utf8))
            status.faults = reader.faults
            _ = browser.send(.overlay(status))
            let notices = browser.map.notices.all.map(\.text)
            #expect(notices.count == min(count, 1))
            #expect(notices.allSatisfy { $0.contains(": \(count) skipped, line 2: ") })
        }
    }

    @Test func `the status line does not count an overlay without features`() {
        var browser = browser([live([point(60, 22)]), live([], number: 1)])
        #expect(browser.shows(" +2"))
        var status = OverlayStatus(id: "over.1", isLive: false)
        status.problem = "nothing to show in empty.csv: it contains no features"
        status.isWhole = true
        _ = browser.send(.overlay(status))
        #expect(browser.shows(" +1") && !browser.shows(" +2"))
    }

    @Test func `full stop and comma walk through the features`() {
        var browser = browser([live([point(60, 22, "first"), point(50, 10, "second")])])
        browser.map.settings.animates = false
        _ = browser.press(.character("."))
        #expect(browser.shows("1 of 2: first"))
        _ = browser.update(.tick, at: .seconds(20))
        _ = browser.press(.character("."))
        #expect(browser.shows("2 of 2: second"))
        #expect(abs(browser.map.viewport.camera.coordinate.latitude - 50) < 0.01)
        _ = browser.update(.tick, at: .seconds(40))
        _ = browser.press(.character("."))
        _ = browser.update(.tick, at: .seconds(60))
        _ = browser.press(.character(","))
        #expect(browser.shows("2 of 2: second"))
        var bare = Browser.test()
        _ = bare.press(.character("."))
        #expect(bare.shows("Nothing to step through"))
    }

    @Test func `few features are searched at once, many by a query that a later key overtakes`() throws {
        var small = browser([live([point(60, 22, "Café Ñandú"), point(50, 10, "inn")])])
        small.type("/ÑANDÚ")
        #expect(small.shows("Café Ñandú"))
        let many = (0..<5_000).map { point(60, 22, "mast \($0)") }
        var large = browser([live(many)])
        _ = large.press(.character("/"))
        let early = try #require(large.press(.character("4")).queries(OverlayNamesQuery.self).first)
        let effects = ["9", "9", "9"].flatMap { large.press(.character($0)) }
        let last = try #require(effects.queries(OverlayNamesQuery.self).last)
        _ = large.update(.response([OverlayMatch](), to: early), at: .zero)
        #expect(!large.shows("mast 4999"))
        _ = large.update(.response(last.matches(in: large.map.layers), to: last), at: .zero)
        #expect(large.shows("mast 4999"))
    }

    @Test func `the view moves to the features once, unless the user has moved it before`() {
        let layer = live([])
        var browser = browser([layer])
        browser.framesOverlays()
        layer.index = OverlayIndex([point(50, 10), point(51, 11)])
        var status = OverlayStatus(id: "over.0", isLive: false)
        status.count = 2
        status.isWhole = true
        _ = browser.send(.overlay(status))
        #expect(abs(browser.map.viewport.camera.coordinate.latitude - 50.5) < 0.1)
        var moved = self.browser([layer])
        moved.framesOverlays()
        _ = moved.press(.character("l"))
        _ = moved.send(.overlay(status))
        #expect(abs(moved.map.viewport.camera.coordinate.latitude - 60) < 1)
    }

    private func fix(_ latitude: Double, _ longitude: Double) -> Event {
        var status = OverlayStatus(id: "over.0", isLive: true)
        status.fixes = [
            PositionFix(
                place: Coordinate(latitude: latitude, longitude: longitude), accuracy: 3000, heading: 90,
                speed: 5)
        ]
        return .overlay(status)
    }

    @Test func `f follows the position in the middle, then lower, and a pan suspends this`() {
        var browser = browser([live([])])
        _ = browser.press(.character("f"))
        #expect(browser.shows("No GPS position"))
        _ = browser.send(fix(60.02, 22.02))
        #expect(glyphs(browser).contains("▶"))
        _ = browser.press(.character("f"))
        var cell = browser.map.viewport.cell(
            of: Mercator.world(Coordinate(latitude: 60.02, longitude: 22.02)))
        #expect(abs(cell.column - 40) < 1 && abs(cell.row - Double(browser.map.viewport.rows) / 2) < 1)
        _ = browser.press(.character("f"))
        cell = browser.map.viewport.cell(of: Mercator.world(Coordinate(latitude: 60.02, longitude: 22.02)))
        #expect(cell.row > Double(browser.map.viewport.rows) * 0.6)
        _ = browser.press(.character("l"))
        let panned = browser.map.viewport.camera
        _ = browser.send(fix(60.03, 22.03))
        #expect(browser.map.viewport.camera == panned)
        _ = browser.press(.character("f"))
        #expect(browser.map.viewport.camera != panned)
    }

    @Test func `a receiver that is connected and silent is named with the time of its silence`() {
        var browser = browser([live([])])
        var status = OverlayStatus(id: "over.0", isLive: true)
        status.isSilent = true
        status.silence = 0
        _ = browser.update(.overlay(status), at: .seconds(1))
        #expect(!browser.shows("silent for"))
        _ = browser.update(.tick, at: .seconds(46))
        #expect(browser.shows("silent for 45 s"))
        _ = browser.press(.character("m"))
        #expect(browser.shows("connected, but has sent nothing for 45 s"))
        _ = browser.press(.escape)
        _ = browser.press(.character("f"))
        #expect(browser.shows("No GPS position: "))
    }

    @Test func `an old position and a lost fix are marked as such`() {
        var browser = browser([live([])])
        _ = browser.send(fix(60, 22))
        _ = browser.update(.tick, at: .seconds(12))
        #expect(browser.shows("position 12 s old"))
        var status = OverlayStatus(id: "over.0", isLive: true)
        status.fixes = [PositionFix(place: nil)]
        _ = browser.update(.overlay(status), at: .seconds(20))
        #expect(browser.shows("no fix for 20 s"))
    }

    @Test func `the profile of a track has a cursor on the map, and statistics of a part`() {
        let places = (0..<200).map { (60 + Double($0) * 0.0005, 22.0) }
        var browser = browser([live([line(places, heights: (0..<200).map { Float(100 + $0) })])])
        _ = browser.openProfile()
        #expect(
            browser.shows("length 11.09 km") && browser.shows("█") && browser.shows("here: 0 m, height 100 m")
        )
        #expect(glyphs(browser).contains("◆"))
        _ = browser.press(.character(" "))
        _ = browser.press(.end)
        #expect(browser.shows("part: length 11.09 km"))
        _ = browser.press(.escape)
        #expect(!browser.shows("part:"))
        var bare = Browser.test()
        _ = bare.openProfile()
        #expect(bare.shows("No track loaded"))
    }

    @Test func `where polygons of an area overlap, the area is filled`() throws {
        func square(_ west: Double) -> [OverlayPath] {
            [
                OverlayPath(
                    [(-40.0, west), (-40, west + 60), (40, west + 60), (40, west)].map {
                        Coordinate(latitude: $0.0, longitude: $0.1)
                    })
            ]
        }
        let layer = OverlayDrawing.layer(live([OverlayFeature(.area([square(-50), square(-10)]))]))
        let tile = try #require(layer.drawing?.cachedTile(.world))
        let raster = try tile.picture(of: .world, side: 256)
        #expect(raster.pixels[(128 * 256 + 128) * 4 + 3] > 0)
    }

    @Test(arguments: [ColorDepth.indexed16, .mono])
    func `with few colours, lines are dots`(depth: ColorDepth) throws {
        let live = live([line([(59.9, 21.5), (60.1, 22.5)])], depth: depth),
            layer = OverlayDrawing.layer(live)
        let browser = browser([live], depth: depth), view = browser.map.viewport
        var scene = LayerScene(layer: layer, tileZoom: layer.tileZoom(at: view.camera.zoom))
        for placed in layer.cover(of: view) {
            let tile = try #require(layer.drawing?.cachedTile(placed.tile)),
                raster = try tile.picture(of: placed.tile, side: 256)
            scene.pictures.append(.init(raster: raster, tile: placed, area: placed))
        }
        var painter = MapPainter()
        let cells = painter.paint(
            Scene(layers: [scene]), viewport: view, settings: browser.map.settings, theme: .night)
        let dots = cells.cells.filter { (0x2801...0x28FF).contains($0.glyph.value) }
        #expect(dots.count > view.columns / 2 && dots.count < view.columns * 3)
    }
}

extension String {
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
