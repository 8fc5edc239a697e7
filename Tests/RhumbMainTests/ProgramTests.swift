import Rhumb
import RhumbBrowser
import RhumbCore
@testable import RhumbMain
import RhumbTestSupport
import Synchronization
import Testing

/// Tests the whole program, driven by keys without a terminal.
struct ProgramTests {
    private let home = TemporaryFolder()
    private let fixture = TownFixture()

    @Test func `g goes to coordinates and u goes back`() async throws {
        let program = try await ProgramHarness(home: home)
        try await program.see(" z0  ")
        program.type("g60.39,22.37 5\r")
        try await program.see("z5.0")
        try await program.see("60.39 N 22.37 E")
        program.type("u")
        try await program.see(" z0  ")
        await program.close()
    }

    @Test func `a name typed after / moves the view there, and the status line shows the place`() async throws
    {
        let program = try await ProgramHarness(columns: 140, rows: 40, home: home)
        program.type("/åbo")
        try await program.see("Turku (Åbo)")
        program.type("\r")
        try await program.see("60.45")
        try await program.see("Turku, FI ")
        program.type("u")
        try await program.see("z0.")
        await program.close()
    }

    @Test func `help consists of the active keys, and Esc closes it`() async throws {
        let program = try await ProgramHarness(columns: 120, rows: 60, home: home)
        program.type("?")
        try await program.see("zoom by a quarter level")
        program.type("\u{1B}")
        try await program.see { !$0.lines.contains { $0.contains("zoom by a quarter level") } }
        await program.close()
    }

    @Test func `search follows :features, off and on again`() async throws {
        let program = try await ProgramHarness(columns: 140, rows: 40, home: home)
        program.type(":features rendering\r/åbo")
        try await program.see("needs the feature")
        program.type("\u{1B}:features rendering,offlineSearch\r/åbo")
        try await program.see("Turku (Åbo)")
        await program.close()
    }

    @Test func `bookmarks and typed lines are available when the program starts again`() async throws {
        let first = try await ProgramHarness(home: home)
        first.type("g60.39,22.37 5\r")
        try await first.see("z5.0")
        first.type(":units imperial\r''z")
        try await first.see("Saved")
        await first.close()
        let second = try await ProgramHarness(home: home)
        second.type("'z")
        try await second.see("60.39 N 22.37 E")
        #expect(second.program.browser.input.typedLines.lines == ["units imperial"])
        await second.close()
    }

    @Test func `while :metered is on a region waits, and continues when it is off`() async throws {
        let gate = LoopbackGate(), isHeld = Mutex(false)
        defer { gate.open() }
        let server = try LoopbackServer { _ in
            LoopbackReply(200, blankPicture(.init(0x336699), side: 256)).with {
                $0.gate = isHeld.withLock(\.self) ? gate : nil
            }
        }
        let sources =
            #"{"sources":[{"id":"web","url":"\#(server.url("/{z}/{x}/{y}.png"))","policy":{"offline":"allowed","packLimit":null}}]}"#
        let place = Camera(center: Coordinate(latitude: 10, longitude: 20), zoom: 6)
        let program = try await ProgramHarness(
            "web", at: place, columns: 120, rows: 30, home: home, sources: sources)
        program.type(":metered on\r")
        try await program.see("Metered connection: downloads paused")
        program.type("D")
        _ = await program.screen()
        program.type("r")
        try await program.see("metered")
        // Later, this notice would replace the next one.
        try await program.see { _ in
            program.program.browser.map.notices.all.contains { $0.text.contains("waiting for the network") }
        }
        // Keeps the download from ending before it is examined.
        isHeld.withLock { $0 = true }
        program.type("\u{1B}:metered off\r")
        try await program.see("Downloads resumed")
        program.type("r")
        try await program.see("running")
        await program.close()
    }

    @Test func `a region gets a free id if its own was taken while its plan was shown`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackReply(200, blankPicture(.init(0x336699), side: 256))
        }
        let sources =
            #"{"sources":[{"id":"web","url":"\#(server.url("/{z}/{x}/{y}.png"))","policy":{"offline":"allowed","packLimit":null}}]}"#
        let place = Camera(center: Coordinate(latitude: 10, longitude: 20), zoom: 6)
        let program = try await ProgramHarness("web", at: place, home: home, sources: sources)
        program.type("d\t\u{15}Trip\r")
        try await program.see("total")
        let queue = try program.program.session.offline.regions()
        let other = try RegionDefinition(
            id: RegionID("trip"), geometry: .box(.world), zooms: ZoomRange(0, 0), sources: ["web"],
            features: ["rendering"])
        _ = try await queue.add(queue.plan(other))
        program.type("\r")
        try await program.see("Trip")
        let regions = try queue.regions.store.regions()
        #expect(Set(regions.map(\.id)) == ["trip", "trip-2"])
        #expect(regions.first { $0.id == "trip" }?.definition == other)
        await program.close()
    }

    @Test func `a street, a kind in the user's language, and an accepted service are found`() async throws {
        let list =
            #"[{"lat":"43.77","lon":"11.25","name":"Osteria Lontana","display_name":"Osteria Lontana, Firenze","type":"restaurant"}]"#
        let server = try LoopbackServer { _ in
            LoopbackReply(200, Array(list.utf8), headers: ["Content-Type": "application/json"])
        }
        let tile = try #require(TileID(zoom: 14, x: 8704, y: 5973))
        let program = try await ProgramHarness(
            town(around: tile), at: Camera(center: tile.center, zoom: 15), columns: 80, rows: 24, home: home,
            environment: ["RHUMB_NOMINATIM_URL": server.url("")]
        ) { $0.language = "de" }
        program.type("/via dei ne")
        try await program.see("Via dei Neri")
        program.type("\u{15}apotheke")
        try await program.see("Molteni")
        try await program.see("Apotheke")
        program.type("\u{1B}\u{1B}:online nominatim\r")
        try await program.see("Search the web with Nominatim?")
        program.type("y")
        try await program.see("Online search: Nominatim")
        program.type("/osteria lontana")
        try await program.see("ask Nominatim")
        #expect(server.requestCount == 0)
        program.type("\r")
        try await program.see("OpenStreetMap")
        try await program.see("Osteria Lontana")
        #expect(server.requestCount == 1)
        program.type("\r")
        try await program.see("Firenze, Nominatim")
        await program.close()
    }

    /// Creates an archive with a street and a pharmacy in one tile.
    private func town(around tile: TileID) -> String {
        let street = VectorTileFixture.Feature(
            .line, through: [(100, 2000), (3900, 2000)],
            [("name", .string("Via dei Neri")), ("kind", .string("minor_road"))])
        let pharmacy = VectorTileFixture.Feature(
            .point, through: [(2000, 1000)], [("name", .string("Molteni")), ("kind", .string("pharmacy"))])
        var archive = PMTilesFixture([
            (tile, VectorTileFixture([("roads", [street]), ("pois", [pharmacy])]).bytes)
        ])
        archive.metadata = Array(#"{"name":"Town","vector_layers":[{"id":"roads"},{"id":"pois"}]}"#.utf8)
        archive.patches = [(98, 1), (99, 1)]
        return home.write(archive.bytes, to: "town.pmtiles")
    }

    // MARK: Styles

    private func townProgram() async throws -> ProgramHarness {
        let place = Camera(center: Coordinate(latitude: 10, longitude: 10), zoom: 4)
        return try await ProgramHarness(fixture.town, at: place, home: home)
    }

    @Test func `style changes the map at once, and default restores Rhumb's own`() async throws {
        let red = home.write(TownFixture.style("#ff0000"), to: "red.json")
        let program = try await townProgram(), before = await program.screen()[10, 30]
        program.type(":style \(red)\r")
        try await program.see { TownFixture.isDrawn(RGB(0xFF0000), $0) }
        program.type(":style default\r")
        try await program.see { $0[10, 30] == before }
        await program.close()
    }

    @Test func `a fault in a style is reported, and the map stays unchanged`() async throws {
        let bad = home.write(Array("{\n \"version\": 8,\n \"layers\": 3 }".utf8), to: "bad.json")
        let program = try await townProgram(), before = await program.screen()[10, 30]
        program.type(":style \(bad)\r")
        try await program.see("no \"layers\"")
        #expect(await program.screen()[10, 30] == before)
        await program.close()
    }

    @Test func `the panel draws the view in each style of the folder, and Enter applies one`() async throws {
        home.write(TownFixture.style("#00ff00"), to: "style/green.json")
        let program = try await townProgram()
        program.type("S")
        try await program.see("green")
        try await program.see { screen in
            screen.cells.contains {
                if case .rgb(let paper) = $0.paper.kind { paper.green > 240 && paper.red < 12 } else { false }
            }
        }
        program.type("j\r")
        try await program.see { TownFixture.isDrawn(RGB(0x00FF00), $0) }
        await program.close()
    }
}
