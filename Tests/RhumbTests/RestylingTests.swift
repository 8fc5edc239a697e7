import Rhumb
import RhumbTestSupport
import Synchronization
import Testing

/// Tests maps whose style is changed while they are open.
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

    /// Returns a style that draws the tile's water in a colour.
    private func style(_ colour: String) -> [UInt8] {
        Array(
            #"""
            {"version":8,"sources":{"openmaptiles":{"type":"vector","url":"https://x.example/t.json"}},"layers":[
             {"id":"w","type":"fill","source":"openmaptiles","source-layer":"water","paint":{"fill-color":"\#(colour)"}}]}
            """#.utf8)
    }

    /// Returns the colour of the water as shown by the layer.
    private func water(_ layer: TileLayer) async throws -> RGB {
        let engine = TileEngine(decoder: SniffingDecoder(), fetcher: session.fetcher)
        let view = Viewport(
            camera: Camera(center: WorldPoint(x: 0.25, y: 0.5), zoom: 3), columns: 8, rows: 4, cellAspect: 2)
        engine.show(view, layers: [layer])
        await engine.settled()
        let raster = try #require(
            engine.board.scene(of: view, layers: [layer]).layers.first?.pictures.first?.raster)
        return RGB(red: raster.pixels[0], green: raster.pixels[1], blue: raster.pixels[2])
    }

    @Test func `an open map changes to the style of a file and back`() async throws {
        defer { session.close() }
        let layer = try await session.opener.openLayer(town),
            path = folder.write(style("#ff0000"), to: "red.json")
        let changed = try await session.opener.setStyle(StyleChoice(path), of: [layer], .night)
        let red = try #require(changed[layer.id])
        #expect(red.specifier == town && session.opener.styles.choice == StyleChoice(path))
        #expect(try await water(red) == RGB(0xFF0000))
        let back = try await session.opener.setStyle(.standard, of: [red], .night)
        #expect(back[red.id]?.id == layer.id)
    }

    /// Returns a style with its own routes, for a map of vector tiles or for some land alone.
    private func routeStyle(isMap: Bool) -> [UInt8] {
        let ground =
            isMap
            ? ##"{"id":"w","type":"fill","source":"land","paint":{"fill-color":"#00ff00"}},"##
            : ##"{"id":"w","type":"fill","source":"openmaptiles","source-layer":"water","paint":{"fill-color":"#00ff00"}},"##
        return Array(
            #"""
            {"version":8,"sources":{"openmaptiles":{"type":"vector","url":"https://x.example/t.json"},
             "land":{"type":"geojson","data":{"type":"Polygon","coordinates":[[[-90,-40],[90,-40],[90,40],[-90,40],[-90,-40]]]}},
             "tomtom-active-route":{"type":"geojson"},"tomtom-inactive-route":{"type":"geojson"}},
             "layers":[\#(ground)
             {"id":"o","type":"line","source":"tomtom-active-route","paint":{"line-color":"#800080","line-width":9}},
             {"id":"f","type":"line","source":"tomtom-active-route","paint":{"line-color":"#ff00ff","line-width":7}},
             {"id":"i","type":"line","source":"tomtom-inactive-route","paint":{"line-color":"#ff8000","line-width":7}}]}
            """#.utf8)
    }

    /// Returns the colours in a layer's images, including thin lines but not faint edges.
    private func colours(_ layer: TileLayer) async -> Set<RGB> {
        let engine = TileEngine(decoder: SniffingDecoder(), fetcher: session.fetcher)
        let view = Viewport(
            camera: Camera(center: Coordinate(latitude: 0.5, longitude: 0.5), zoom: 9), columns: 40, rows: 20)
        engine.show(view, layers: [layer])
        await engine.settled()
        let rasters = engine.board.scene(of: view, layers: [layer]).layers.flatMap(\.pictures).map(\.raster)
        var counts: [RGB: Int] = [:]
        for raster in rasters {
            for at in stride(from: 0, to: raster.pixels.count, by: 4) where raster.pixels[at + 3] >= 128 {
                // Rounds to steps of a quarter, because antialiasing changes colours slightly.
                func step(_ channel: Int) -> UInt8 {
                    UInt8(min((Int(raster.pixels[at + channel]) + 32) / 64 * 64, 192))
                }
                counts[RGB(red: step(0), green: step(1), blue: step(2)), default: 0] += 1
            }
        }
        return Set(counts.filter { $0.value > 50 }.keys)
    }

    private var answer: RouteAnswer {
        let lines = [1.0, 0.8].map { x in
            [Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 1, longitude: x)]
        }
        return RouteAnswer(
            RouteRequest(from: lines[0][0], to: lines[0][1]),
            lines.map { Route(line: $0, legs: [], distance: 1, duration: 1) },
            provider: "", attribution: "", time: UnixSeconds(0), mayBeStored: true)
    }

    @Test(arguments: [false, true])
    func `routes are drawn in the style of the map, whether selected for it or opened as the map`(
        isMap: Bool
    ) async throws {
        defer { session.close() }
        let path = folder.write(routeStyle(isMap: isMap), to: "routes.json")
        var maps = isMap ? try await session.opener.open(path) : [try await session.opener.openLayer(town)]
        if !isMap {
            maps = [
                try #require(
                    try await session.opener.setStyle(StyleChoice(path), of: maps, .night)[maps[0].id])
            ]
        }
        #expect(maps.style(of: .activeRoute) != nil)
        for depth in [ColorDepth.truecolor, .indexed256, .indexed16, .mono] {
            session.opener.styles.depth = depth
            let layers = session.opener.layers(of: answer, chosen: 0, number: 1, .night, over: maps)
            #expect(await colours(layers[1]).contains(RGB(0xC000C0)), "\(depth)")
            #expect(await colours(layers[0]).contains(RGB(0xC08000)), "\(depth)")
        }
    }

    @Test(arguments: [ColorDepth.truecolor, .indexed256, .indexed16, .mono])
    func `a route is drawn without any style, even with few colours`(depth: ColorDepth) async throws {
        defer { session.close() }
        session.opener.styles.depth = depth
        let layers = session.opener.layers(of: answer, chosen: 0, number: 1, .night, over: [])
        #expect(layers.count == 2 && layers[0].opacity < 1)
        #expect(await !colours(layers[1]).isEmpty)
    }

    @Test func `a style that mostly draws traffic also fits the map below it`() async throws {
        defer { session.close() }
        let text = #"""
            {"version":8,"sources":{"v":{"type":"vector"},"flow":{"type":"vector"}},"layers":[
             {"id":"w","type":"fill","source":"v","source-layer":"water","paint":{"fill-color":"#ff0000"}},
             {"id":"a","type":"line","source":"flow","source-layer":"Traffic flow"},
             {"id":"b","type":"line","source":"flow","source-layer":"Traffic flow"}]}
            """#
        let layer = try await session.opener.openLayer(town),
            path = folder.write(Array(text.utf8), to: "traffic.json")
        #expect(try await session.opener.misfit(of: [layer], to: path) == nil)
        let changed = try await session.opener.setStyle(StyleChoice(path), of: [layer], .night)
        #expect(try await water(try #require(changed[layer.id])) == RGB(0xFF0000))
    }

    @Test func `the styles of a pair change with the theme`() async throws {
        defer { session.close() }
        for (name, colour) in ["red": "#ff0000", "blue": "#0000ff"] {
            folder.write(style(colour), to: "style/\(name).json")
        }
        let layer = try await session.opener.openLayer(town)
        let choice = StyleChoice(day: "red", night: "blue")
        let night = try #require(try await session.opener.setStyle(choice, of: [layer], .night)[layer.id])
        #expect(try await water(night) == RGB(0x0000FF))
        let day = try #require(session.opener.themed([night], .day)?[night.id])
        #expect(try await water(day) == RGB(0xFF0000))
        #expect(session.opener.themed([day], .day)?.isEmpty == true)
    }

    @Test func `maps that are opened later are drawn in the style too`() async throws {
        defer { session.close() }
        folder.write(style("#00ff00"), to: "style/green.json")
        _ = try await session.opener.setStyle(StyleChoice("green"), of: [], .night)
        #expect(try await water(session.opener.openLayer(town)) == RGB(0x00FF00))
    }

    @Test func `a changed file is read again if it is selected again`() async throws {
        defer { session.close() }
        let path = folder.write(style("#ff0000"), to: "s.json")
        var layer = try await session.opener.openLayer(town)
        layer = try #require(
            try await session.opener.setStyle(StyleChoice(path), of: [layer], .night)[layer.id])
        folder.write(style("#0000ff"), to: "s.json")
        let again = try #require(
            try await session.opener.setStyle(StyleChoice(path), of: [layer], .night)[layer.id])
        #expect(try await water(again) == RGB(0x0000FF))
    }

    @Test(arguments: ["{", #"{"version":8}"#, #"{"version":8,"sources":{},"layers":[]}"#])
    func `if a style fails, the old one stays`(text: String) async throws {
        defer { session.close() }
        let layer = try await session.opener.openLayer(town),
            path = folder.write(Array(text.utf8), to: "bad.json")
        await #expect(throws: MapOpenFailure.self) {
            try await session.opener.setStyle(StyleChoice(path), of: [layer], .night)
        }
        await #expect(throws: MapOpenFailure.self) {
            try await session.opener.setStyle(StyleChoice("/nowhere.json"), of: [layer], .night)
        }
        #expect(session.opener.styles.choice == .standard)
        #expect(session.opener.themed([layer], .night)?.isEmpty == true)
    }

    /// A style for OpenMapTiles, which doesn't fit an archive of Protomaps tiles.
    private var foreign: [UInt8] {
        Array(
            #"""
            {"version":8,"sources":{"openmaptiles":{"type":"vector","url":"https://x.example/t.json"}},"layers":[
             {"id":"l","type":"fill","source":"openmaptiles","source-layer":"landcover","paint":{"fill-color":"#ff0000"}},
             {"id":"w","type":"fill","source":"openmaptiles","source-layer":"water","filter":["==","class","sea"]},
             {"id":"t","type":"line","source":"openmaptiles","source-layer":"transportation"},
             {"id":"p","type":"symbol","source":"openmaptiles","source-layer":"place"}]}
            """#.utf8)
    }

    private func city() -> String {
        var archive = PMTilesFixture([(.world, MapServer.vectorTile)])
        archive.metadata = Array(
            #"{"vector_layers":[{"id":"water"},{"id":"earth"},{"id":"roads"},{"id":"places"}]}"#.utf8)
        archive.patches = [(99, 1)]
        return folder.write(archive.bytes, to: "city.pmtiles")
    }

    @Test func `a style for other tiles is rejected with the layers it misses, and the old one stays`()
        async throws
    {
        defer { session.close() }
        let layer = try await session.opener.openLayer(city()),
            path = folder.write(foreign, to: "positron.json")
        let failure = await #expect(throws: MapOpenFailure.self) {
            try await session.opener.setStyle(StyleChoice(path), of: [layer], .night)
        }
        let words =
            "made for other tiles (openmaptiles, not protomaps): it needs the layers landcover, place, transportation, "
            + "but the map has earth, places, roads and 1 more"
        #expect(failure?.description.contains(words) == true, "\(String(describing: failure))")
        #expect(session.opener.styles.choice == .standard)
    }

    @Test func `a map opened in a style for other tiles is drawn in Rhumb's own, by day and by night`()
        async throws
    {
        defer { session.close() }
        let plain = try await session.opener.openLayer(city()), remarks = Mutex<[String]>([])
        session.opener.styles.choice = StyleChoice(folder.write(foreign, to: "positron.json"))
        var opener = session.opener
        opener.onRemark = { _, words in remarks.withLock { $0 += words } }
        let layer = try await opener.openLayer(city())
        #expect(layer.id == plain.id)
        #expect(remarks.withLock { $0.first?.hasSuffix("using Rhumb's own style") } == true)
        #expect(opener.themed([layer], .night)?.isEmpty == true && opener.themed([layer], .day)?.count == 1)
    }

    @Test func `styles in the folder are found by their names`() {
        defer { session.close() }
        for name in ["b.json", "a.json", "notes.txt"] { folder.write(style("red"), to: "style/" + name) }
        let styles = InstalledStyles(folder: folder.path + "/style")
        #expect(
            styles.all.map(\.name) == ["a", "b"] && styles.path(of: "a") == folder.path + "/style/a.json")
        #expect(styles.path(of: "c") == nil && styles.path(of: "../style/a") == nil)
        #expect(InstalledStyles(folder: nil).all.isEmpty)
    }
}
