@testable import RhumbBrowser
import RhumbCore
import RhumbDrawing
import RhumbEngine
import RhumbTestSupport
import Testing

/// Tests tracks in the program: their direction, statistics and heights, and prefetching along a course.
struct OverlayTrackTests: OverlayFixture {
    private func browser(
        _ features: [OverlayFeature], zoom: Double = 10, depth: ColorDepth = .truecolor
    ) -> Browser {
        browser([live(features)], columns: 120, rows: 40, zoom: zoom, depth: depth)
    }

    private func count(_ glyph: Character, _ browser: Browser) -> Int {
        browser.screen.lines.joined().count { $0 == glyph }
    }

    @Test(arguments: [ColorDepth.truecolor, .indexed16, .mono])
    func `a track has arrows along it, and marks at both ends`(depth: ColorDepth) {
        let east = browser([track([(60, 21.85), (60, 22.15)])], depth: depth)
        #expect((2...6).contains(count("→", east)))
        #expect(count("○", east) == 1 && count("⚑", east) == 1)
        let west = browser([track([(60, 22.15), (60, 21.85)])], depth: depth)
        #expect(count("←", west) > 1 && count("→", west) == 0)
        let plain = browser([line([(60, 21.85), (60, 22.15)])], depth: depth)
        #expect(count("→", plain) == 0 && count("⚑", plain) == 0)
    }

    @Test
    func `arrows keep their places while the map moves, and a very long segment also has some`() {
        var browser = browser([track([(60, -60), (60, 100)])])
        let row = { (browser: Browser) in
            browser.screen.lines.compactMap { line in
                line.firstIndex(of: "→").map { line.distance(from: line.startIndex, to: $0) }
            }.first
        }
        let before = row(browser), seen = count("→", browser)
        #expect(seen >= 3 && seen <= 7)
        browser.map.viewport = browser.map.viewport.panned(columns: -2, rows: 0)
        #expect(row(browser) == before.map { $0 + 2 })
        let long = (0..<200_000).map { (60.0, 10.0 + Double($0) * 0.0001) }
        #expect((3...12).contains(count("→", self.browser([track(long)]))))
    }

    @Test func `arrows avoid the labels of the map, and a mark is not drawn over another`() {
        let view = browser([]).map.viewport, lattice = CellLattice(view), cells = lattice.box(of: view)
        let patches = live([track([(60, 21.85), (60, 22.15)]), track([(60, 22.15), (60, 21.85)])]).patches(
            of: lattice, in: cells
        ).patches
        var free = OverlayPainter(view, Settings(), .night, taken: []),
            grid = CellGrid(columns: view.columns, rows: view.rows)
        free.drawSigns(of: patches, isFaint: false, on: &grid)
        let drawn = grid.cells.filter { "→←○⚑".unicodeScalars.contains($0.glyph) }.count
        #expect(drawn > 6 && drawn < free.taken.count + 1)
        var full = OverlayPainter(view, Settings(), .night, taken: Set(0..<view.columns * view.rows))
        var blank = CellGrid(columns: view.columns, rows: view.rows)
        full.drawSigns(of: patches, isFaint: false, on: &blank)
        #expect(!blank.cells.contains { "→←○⚑".unicodeScalars.contains($0.glyph) })
    }

    private func copied(_ effects: [Effect]) -> String? {
        for case .copy(let text) in effects { return text }
        return nil
    }

    @Test func `the statistics of a track, and of a part of it, are copied`() throws {
        var browser = browser([
            track(
                (0..<200).map { (60 + Double($0) * 0.0005, 22.0) }, heights: (0..<200).map { Float(100 + $0) }
            )
        ])
        _ = browser.openProfile()
        let whole = try #require(copied(browser.press(.character("y"))))
        #expect(whole.hasPrefix("way\nlength: 11.09 km\n") && whole.contains("heights: 100 m to 299 m"))
        _ = browser.press(.character(" "))
        _ = browser.press(.arrow(.right, shift: true))
        let part = try #require(copied(browser.press(.character("y"))))
        #expect(part.hasPrefix("way, 0 m to ") && !part.contains("11.06"))
        _ = browser.send(.copied(whole, isSure: true))
        #expect(browser.shows("Copied way …"))
    }

    @Test func `times are those of the time zone, with its name and with dates`() {
        #expect(ClockZone.utc.time(1_753_099_400) == "12:03:20 UTC")
        #expect(ClockZone.utc.span(1_753_099_400, 1_753_106_600) == "2025-07-21 12:03 to 14:03 UTC")
        #expect(
            ClockZone.utc.span(1_753_099_400, 1_753_186_000)
                == "2025-07-21 12:03 to 2025-07-22 12:06 UTC")
        #expect(ClockZone.utc.time(-1) == "23:59:59 UTC" && ClockZone.local.time(1e300) == "unknown")
    }

    @Test func `the profile has an axis of heights, from the lowest to the highest`() throws {
        let places = (0..<200).map { (60 + Double($0) * 0.0005, 22.0) }
        var browser = browser([track(places, heights: (0..<200).map { Float(1100 + $0) })])
        _ = browser.openProfile()
        let rows = browser.screen.lines.filter { $0.contains(" m ") && $0.contains("█") }
        #expect(rows.count == 3)
        for (row, height) in zip(rows, ["1299 m", "1200 m", "1100 m"]) {
            #expect(row.contains(" \(height) "))
        }
        let last = browser.screen.lines.last { $0.contains("█") }
        #expect(last.map { $0.count { $0 == " " } < 16 } == true, "\(last ?? "")")
    }

    @Test func `a track without heights requests the ground's, and reports if there are none`() throws {
        let line = track((0..<50).map { (60 + Double($0) * 0.001, 22.0) })
        var browser = browser([line])
        let effects = browser.openProfile(), question = HeightQuestion(paths: line.paths)
        #expect(effects.contains(.ask(question)) && browser.shows("looking it up"))
        var other = browser
        _ = other.send(.heights([], from: nil, for: question))
        #expect(other.shows("no elevation source covers it"))
        _ = browser.send(
            .heights(
                [(0..<50).map { Float($0) }], from: "Alps",
                for: HeightQuestion(paths: track([(1, 1), (2, 2)]).paths)))
        #expect(!browser.shows("Alps"))
        _ = browser.send(.heights([(0..<50).map { Float($0 * 2) }], from: "Alps", for: question))
        #expect(
            browser.shows("elevation: Alps") && browser.shows("heights 0 m to 98 m") && browser.shows("█"))
    }

    @Test func `a profile with gaps has their length and the reason`() {
        let line = track((0..<50).map { (60 + Double($0) * 0.001, 22.0) })
        var browser = browser([line])
        _ = browser.openProfile()
        let question = HeightQuestion(paths: line.paths)
        let heights = (0..<50).map { $0 < 25 ? Float($0) : .nan }
        var other = browser
        _ = browser.send(
            .response(
                HeightQuestion.Response([heights], from: "Alps", gapReason: "HTTP 500"), to: question))
        #expect(browser.shows("without heights 2.79 km") && browser.shows("incomplete: HTTP 500"))
        _ = other.send(
            .response(
                HeightQuestion.Response(
                    [heights.map { _ in .nan }], from: "Alps", gapReason: "no network"), to: question))
        #expect(other.shows("Track has no elevation: no network"))
    }

    @Test func `i at the position shows what the receiver reports, and its age`() {
        var browser = browser([])
        var status = OverlayStatus(id: "over.0", isLive: true)
        status.fixes = [
            PositionFix(
                place: browser.map.viewport.camera.coordinate, accuracy: 5, heading: 120, speed: 5, height: 80
            )
        ]
        _ = browser.send(.overlay(status))
        browser.type("i")
        let lines = browser.panels.top?.text(browser, Scene(layers: [])).plain ?? ""
        let text = lines.replacing("\n", with: " ")
        for fact in ["18.0 km/h", "course 120° SE", "height 80 m", "±5 m", "0 s ago"] {
            #expect(text.contains(fact), "\(text)")
        }
    }

    @Test func `the course of a followed position is prefetched`() {
        var browser = browser([])
        var status = OverlayStatus(id: "over.0", isLive: true)
        status.fixes = [PositionFix(place: Coordinate(latitude: 60, longitude: 22), heading: 120, speed: 5)]
        _ = browser.send(.overlay(status))
        #expect(browser.course == nil)
        _ = browser.press(.character("f"))
        #expect(browser.course == 120)
        _ = browser.press(.character("l"))
        #expect(browser.course == nil)
        _ = browser.press(.character("f"))
        _ = browser.update(.tick, at: .seconds(100))
        #expect(browser.course == nil)
    }

    @Test func `overlays are excluded from downloads`() throws {
        var browser = Browser(
            columns: 120, rows: 40,
            layers: [
                .test(RemoteSource(), id: "osm"), OverlayDrawing.layer(live([track([(60, 21), (60, 23)])])),
            ],
            camera: Camera(center: Coordinate(latitude: 60, longitude: 22), zoom: 12))
        let drafts = browser.press(.character("d")).queries(RegionPlanQuery.self).map(\.draft)
        #expect(try #require(drafts.first).layers == ["osm"])
        var own = self.browser([track([(60, 21), (60, 23)])])
        _ = own.press(.character("d"))
        #expect(own.shows("needs no download"))
    }

    @Test func `the list of layers shows the age of the data`() {
        var browser = browser([])
        var status = OverlayStatus(id: "over.0", isLive: true)
        status.count = 1
        status.silence = 400
        status.problem = "quakes.geojson: no network"
        _ = browser.update(.overlay(status), at: .seconds(1000))
        _ = browser.press(.character("m"))
        #expect(browser.shows("updated 6 min ago") && browser.shows("no network"))
    }

    @Test func `the shown age of the data grows, with one request to draw a second`() {
        var browser = browser([])
        var status = OverlayStatus(id: "over.0", isLive: true)
        status.silence = 1
        func wakes(_ effects: [Effect]) -> Int {
            effects.count { if case .wake(after: .seconds(1)) = $0 { true } else { false } }
        }
        #expect(wakes(browser.update(.overlay(status), at: .seconds(1000))) == 0)
        #expect(wakes(browser.update(.key(.character("m"), times: 1), at: .seconds(1000))) == 1)
        #expect(browser.shows("updated 1 s ago"))
        #expect(wakes(browser.update(.overlay(status), at: .milliseconds(1_000_500))) == 0)
        #expect(wakes(browser.update(.tick, at: .seconds(1001))) == 1)
        #expect(wakes(browser.update(.tick, at: .seconds(1010))) == 1)
        #expect(browser.shows("updated 10 s ago"))
    }
}
