import Rhumb
import RhumbTestSupport
import Testing

/// Maps that are drawn in another style while they are open.
struct RestylingTests {
    private let folder = TemporaryFolder()
    private let session: MapSession
    private let town: String

    init() async throws {
        var options = MapSession.Options(userAgent: try UserAgent("RhumbTests/1 (+https://rhumb.example)"))
        options.styleFolder = folder.path + "/style"
        town = folder.write(MapServer.archive(MapServer.vectorTile), to: "town.pmtiles")
        session = await MapSession.open(options)
    }

    /// Where the water is in the tile, the style's colour.
    private func style(_ colour: String) -> [UInt8] {
        Array(
            #"""
            {"version":8,"sources":{"openmaptiles":{"type":"vector","url":"https://x.example/t.json"}},"layers":[
             {"id":"w","type":"fill","source":"openmaptiles","source-layer":"water","paint":{"fill-color":"\#(colour)"}}]}
            """#.utf8)
    }

    /// The colour of the water as the layer shows it.
    private func water(_ layer: TileLayer) async throws -> RGB {
        let engine = TileEngine(decoder: SniffingDecoder(), fetcher: session.fetcher)
        let view = Viewport(camera: Camera(center: WorldPoint(x: 0.25, y: 0.5), zoom: 3), columns: 8, rows: 4, cellAspect: 2)
        engine.show(view, layers: [layer])
        await engine.settled()
        let raster = try #require(engine.board.scene(of: view, layers: [layer]).layers.first?.pictures.first?.raster)
        return RGB(red: raster.pixels[0], green: raster.pixels[1], blue: raster.pixels[2])
    }

    @Test func `an open map changes to the style of a file, and back`() async throws {
        defer { session.close() }
        let layer = try await session.opener.openLayer(town), path = folder.write(style("#ff0000"), to: "red.json")
        let changed = try await session.opener.setStyle(StyleChoice(path), of: [layer], .night)
        let red = try #require(changed[layer.id])
        #expect(red.words == town && session.opener.styles.choice == StyleChoice(path))
        #expect(try await water(red) == RGB(0xFF0000))
        let back = try await session.opener.setStyle(.standard, of: [red], .night)
        #expect(back[red.id]?.id == layer.id)
    }

    @Test func `the styles of a pair change with the theme`() async throws {
        defer { session.close() }
        for (name, colour) in ["red": "#ff0000", "blue": "#0000ff"] { folder.write(style(colour), to: "style/\(name).json") }
        let layer = try await session.opener.openLayer(town)
        let choice = StyleChoice(day: "red", night: "blue")
        let night = try #require(try await session.opener.setStyle(choice, of: [layer], .night)[layer.id])
        #expect(try await water(night) == RGB(0x0000FF))
        let day = try #require(session.opener.themed([night], .day)?[night.id])
        #expect(try await water(day) == RGB(0xFF0000))
        #expect(session.opener.themed([day], .day)?.isEmpty == true)
    }

    @Test func `maps that are opened later are drawn in the style, too`() async throws {
        defer { session.close() }
        folder.write(style("#00ff00"), to: "style/green.json")
        _ = try await session.opener.setStyle(StyleChoice("green"), of: [], .night)
        #expect(try await water(session.opener.openLayer(town)) == RGB(0x00FF00))
    }

    @Test func `a file that changed is read anew when it is chosen again`() async throws {
        defer { session.close() }
        let path = folder.write(style("#ff0000"), to: "s.json")
        var layer = try await session.opener.openLayer(town)
        layer = try #require(try await session.opener.setStyle(StyleChoice(path), of: [layer], .night)[layer.id])
        folder.write(style("#0000ff"), to: "s.json")
        let again = try #require(try await session.opener.setStyle(StyleChoice(path), of: [layer], .night)[layer.id])
        #expect(try await water(again) == RGB(0x0000FF))
    }

    @Test(arguments: ["{", #"{"version":8}"#, #"{"version":8,"sources":{},"layers":[]}"#])
    func `a style that fails leaves the old one`(text: String) async throws {
        defer { session.close() }
        let layer = try await session.opener.openLayer(town), path = folder.write(Array(text.utf8), to: "bad.json")
        await #expect(throws: MapOpenFailure.self) {
            try await session.opener.setStyle(StyleChoice(path), of: [layer], .night)
        }
        await #expect(throws: MapOpenFailure.self) {
            try await session.opener.setStyle(StyleChoice("/nowhere.json"), of: [layer], .night)
        }
        #expect(session.opener.styles.choice == .standard)
        #expect(session.opener.themed([layer], .night)?.isEmpty == true)
    }

    @Test func `styles in the folder are known by their names`() {
        defer { session.close() }
        for name in ["b.json", "a.json", "notes.txt"] { folder.write(style("red"), to: "style/" + name) }
        let styles = InstalledStyles(folder: folder.path + "/style")
        #expect(styles.all.map(\.name) == ["a", "b"] && styles.place(of: "a") == folder.path + "/style/a.json")
        #expect(styles.place(of: "c") == nil && styles.place(of: "../style/a") == nil)
        #expect(InstalledStyles(folder: nil).all.isEmpty)
    }
}
