import Rhumb
import RhumbCore
import RhumbEngine
import RhumbHTTP
@testable import RhumbOpening
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests styles that are maps themselves, whose sources become layers.
struct StyleMapTests {
    private static func layer(_ id: String, _ type: String, _ source: String, _ paint: JSON = [:]) -> JSON {
        [
            "id": .string(id), "type": .string(type), "source": .string(source), "source-layer": "land",
            "paint": paint,
        ]
    }

    private static let ground: JSON = [
        "id": "bg", "type": "background", "paint": ["background-color": "#0000FF"],
    ]

    private static func style(_ sources: JSON, _ layers: [JSON]) throws -> Style {
        try Style([
            "version": 8, "name": "Town", "center": [3, 4], "zoom": 5, "sources": sources,
            "layers": .array(layers),
        ])
    }

    private static func sources(_ base: String) -> JSON {
        [
            "v": ["type": "vector", "tiles": [.string(base + "/{z}/{x}/{y}.pbf")], "maxzoom": 2],
            "r": ["type": "raster", "url": "r.json", "tileSize": 256],
            "g": ["type": "geojson", "data": ["type": "Point", "coordinates": [3, 4]]],
            "d": [
                "type": "raster-dem", "tiles": [.string(base + "/d/{z}/{x}/{y}.png")],
                "encoding": "terrarium", "tileSize": 256,
            ],
            "m": ["type": "vector", "url": "mapbox://streets"],
        ]
    }

    @Test func `consecutive layers that draw the same source are one part`() throws {
        let names = [
            ("a", "fill", "v"), ("b", "line", "v"), ("r", "raster", "r"), ("c", "line", "v"),
            ("p", "circle", "g"), ("n", "symbol", "v"),
        ]
        let map = StyleMap(
            try Self.style(
                Self.sources("http://x"), [Self.ground] + names.map { Self.layer($0.0, $0.1, $0.2) }))
        #expect(map.parts.map(\.name) == ["v", "r", "v", "g"])
        #expect(
            map.parts.map { $0.style.layers.map(\.id) } == [["bg", "a", "b"], ["r"], ["c", "n"], ["p"]])
        #expect(map.parts.map(\.isLowest) == [true, false, false, false] && map.background == RGB(0x0000FF))
    }

    @Test func `a source that only has labels is a part, too`() throws {
        let sources = Self.sources("http://x")
        let map = StyleMap(
            try Self.style(
                sources, [Self.ground, Self.layer("a", "fill", "v"), Self.layer("n", "symbol", "g")]))
        #expect(map.parts.map(\.name) == ["v", "g"])
        #expect(map.parts.map { $0.style.layers.map(\.id) } == [["bg", "a"], ["n"]])
        let alone = StyleMap(try Self.style(sources, [Self.ground, Self.layer("n", "symbol", "v")]))
        #expect(alone.parts.map { $0.style.layers.map(\.id) } == [["bg", "n"]])
    }

    @Test(
        arguments: [
            ("pmtiles:///maps/town.pmtiles", "/maps/town.pmtiles"),
            ("mbtiles:///maps/town.mbtiles", "/maps/town.mbtiles"),
            ("pmtiles://file:///maps/a%20b.pmtiles", "/maps/a b.pmtiles"),
            ("mbtiles:///maps/a%20b.mbtiles", "/maps/a b.mbtiles"),
            ("mbtiles://town.mbtiles", "/styles/town.mbtiles"),
            ("../town.pmtiles", "/styles/../town.pmtiles"),
            ("file:///maps/town.mbtiles", "/maps/town.mbtiles"),
            ("pmtiles://https://x/town.pmtiles", nil), ("https://x/town.json", nil), ("mapbox://town", nil),
        ] as [(String, String?)])
    func `a source may be an archive on this machine, but not in a style from a server`(
        url: String, path: String?
    ) throws {
        let style = try Self.style(["v": ["type": "vector", "url": .string(url)]], [])
        let source = try #require(style.sources["v"])
        #expect(source.archivePath(in: "/styles/style.json") == path)
        #expect(source.archivePath(in: "https://x/style.json") == nil)
    }

    @Test func `an archive of other content than the style states is reported`() async throws {
        let (_, opener, _) = try opener()
        let pictures = FeatureTileSource(try FeatureCollection(["type": "Point", "coordinates": [3, 4]]))
        var place = StyleEnvironment(base: "style.json", id: "town", decoder: ThreeByteDecoder())
        place.archive = { path throws(SourceFailure) in
            TileLayer(id: path, source: pictures, info: TileSourceInfo(name: "x", zooms: 0...1))
        }
        let style = try Self.style(
            ["v": ["type": "vector", "url": "mbtiles:///town.mbtiles"]], [Self.layer("a", "fill", "v")])
        await #expect(throws: WebSourceFailure.self) { try await opener.layers(of: style, place) }
    }

    @Test func `live traffic in a style is omitted, and reported`() throws {
        let flow: JSON = ["id": "f", "type": "line", "source": "m", "source-layer": "Traffic flow"]
        let map = StyleMap(try Self.style(Self.sources("http://x"), [Self.layer("a", "fill", "v"), flow]))
        #expect(map.parts.map(\.name) == ["v"] && map.remarks.count == 1)
        #expect(map.remarks.first?.hasPrefix("m: live traffic") == true)
    }

    @Test func `even styles with the most mixed layers have few parts`() throws {
        let layers = (0..<200).map { Self.layer("l\($0)", "line", $0.isMultiple(of: 2) ? "v" : "m") }
        let map = StyleMap(try Self.style(Self.sources("http://x"), layers))
        #expect(map.parts.count == 12 && map.parts.flatMap(\.style.layers).count == 200)
    }

    private func opener() throws -> (HTTPFixture, WebSourceOpener, MemoryStore) {
        let http = try HTTPFixture(clock: .machine) { request in
            switch request.target {
            case "/maps/r.json":
                LoopbackReply(
                    200, Array(#"{"tilejson":"3.0.0","tiles":["/r/{z}/{x}/{y}.png"],"maxzoom":9}"#.utf8))
            case let target where target.hasSuffix(".pbf"): VectorFixture.reply(.gzip)
            default: LoopbackReply(404)
            }
        }
        let store = MemoryStore()
        return (
            http,
            WebSourceOpener(loader: DocumentLoader(http.client, store: store), environment: { _ in nil }),
            store
        )
    }

    @Test(arguments: [("/{z}/{x}/{y}.png", "tiles"), ("/r.json", "url")])
    func `a style can use only the key of its own server`(path: String, member: String) async throws {
        let http = try HTTPFixture(clock: .machine) { _ in LoopbackReply(404) }
        let address = JSON.string(http.server.url(path) + "?key={key}")
        let source: JSON = [
            "type": "raster", "tiles": member == "tiles" ? [address] : .null,
            "url": member == "url" ? address : .null,
        ]
        let style = try Self.style(["r": source], [Self.layer("b", "raster", "r")])
        let place = StyleEnvironment(base: "style.json", id: "town", decoder: ThreeByteDecoder())
        for variable in ["0_API_KEY", "127_API_KEY", "1_API_KEY", "OPENAI_API_KEY"] {
            let opener = WebSourceOpener(
                loader: DocumentLoader(http.client), environment: { $0 == variable ? "STOLEN" : nil })
            await #expect(throws: WebSourceFailure.self) { try await opener.layers(of: style, place) }
        }
        #expect(http.server.requestCount == 0)
        let name = "127.0.0.1:\(http.server.port)"
        let opener = WebSourceOpener(
            loader: DocumentLoader(http.client), environment: { _ in nil },
            keys: { $0 == name ? "MINE" : nil })
        let made = try? await opener.layers(of: style, place)
        #expect(
            made?.layers[0].source.url(for: .world) == http.server.url("/0/0/0.png?key=MINE")
                || http.server.count("/r.json?key=MINE") == 1)
    }

    @Test func `sources become layers, drawn as pictures, and unavailable ones are reported`() async throws {
        let (http, opener, _) = try opener()
        let look: JSON = [
            "raster-opacity": 0.5, "raster-saturation": -1, "raster-brightness-max": 0.8,
            "raster-hue-rotate": 90, "raster-contrast": 0.2,
        ]
        let style = try Self.style(
            Self.sources(http.server.url("")),
            [
                Self.ground, Self.layer("a", "fill", "v", ["fill-color": "#FF0000"]),
                Self.layer("b", "raster", "r", look),
                Self.layer("s", "hillshade", "d"), Self.layer("p", "circle", "g"),
                Self.layer("m", "line", "m"),
            ])
        let place = StyleEnvironment(
            base: http.server.url("/maps/style.json"), id: "town", decoder: ThreeByteDecoder())
        let made = try await opener.layers(of: style, place)
        #expect(made.layers.map(\.id) == ["town#0", "town#1", "town#2", "town#3"])
        #expect(
            made.remarks.isEmpty
                && style.findings.map(\.description) == ["sources: m: mapbox: URLs are not supported"])
        let raster = made.layers[1]
        #expect(
            raster.opacity == 0.5 && raster.adjustment.saturation == -1
                && raster.adjustment.brightnessMax == 0.8)
        #expect(raster.adjustment.hueRotate == 90 && raster.adjustment.contrast == 0.2)
        #expect(raster.source.url(for: .world) == http.server.url("/r/0/0/0.png"))
        #expect(made.layers[2].feature == .terrain && made.layers[2].drawing is HillshadeDrawing)
        #expect(made.layers.map(\.isTransparent) == [false, true, true, true])
        #expect(
            made.layers[0].info.center == Coordinate(latitude: 4, longitude: 3)
                && made.layers[0].info.centerZoom == 6)
        let start = EngineHarness(fetcher: CachedTileFetcher(http.client)),
            view = Viewport.small(3, 4, zoom: 6)
        await start.show(view, [made.layers[0], made.layers[3]])
        let scene = start.engine.board.scene(of: view, layers: [made.layers[0], made.layers[3]])
        #expect(
            scene.isComplete && scene.failedCount == 0 && scene.layers.allSatisfy { !$0.pictures.isEmpty })
        #expect(scene.layers[1].pictures.contains { !$0.raster.pixels.allSatisfy { $0 == 0 } })
    }

    @Test func `shapes of GeoJSON and the background are drawn beyond the box of the data`() async throws {
        let (http, opener, _) = try opener()
        let sources: JSON = ["g": ["type": "geojson", "data": ["type": "Point", "coordinates": [0, 0]]]]
        let circle = Self.layer("p", "circle", "g", ["circle-color": "#00FF00", "circle-radius": 10])
        let style = try Self.style(sources, [Self.ground, circle])
        let place = StyleEnvironment(base: "style.json", id: "town", decoder: ThreeByteDecoder())
        let layers = try await opener.layers(of: style, place).layers
        let start = EngineHarness(fetcher: CachedTileFetcher(http.client)),
            view = Viewport.small(0, 0, zoom: 3)
        await start.show(view, layers)
        let pictures = start.engine.board.scene(of: view, layers: layers).layers[0].pictures
        let colours = pictures.map { picture in
            let bytes = picture.raster.pixels
            return Set(stride(from: 0, to: bytes.count, by: 4).map { Array(bytes[$0..<$0 + 4]) })
        }
        #expect(colours.count { $0.contains([0, 255, 0, 255]) } == 4)
        #expect(colours.allSatisfy { $0.contains([0, 0, 255, 255]) })
    }

    @Test func `a style for other tiles is reported as such`() async throws {
        let http = try HTTPFixture(clock: .machine) { _ in
            LoopbackReply(
                200,
                Array(
                    #"{"tilejson":"3.0.0","tiles":["/{z}/{x}/{y}.pbf"],"vector_layers":[{"id":"roads"}]}"#
                        .utf8))
        }
        let opener = WebSourceOpener(loader: DocumentLoader(http.client), environment: { _ in nil })
        let sources: JSON = ["v": ["type": "vector", "url": .string(http.server.url("/t.json"))]]
        let place = StyleEnvironment(base: "style.json", id: "town", decoder: ThreeByteDecoder())
        let made = try await opener.layers(of: Self.style(sources, [Self.layer("a", "fill", "v")]), place)
        #expect(made.remarks.count == 1 && made.remarks[0].contains("made for other tiles"))
    }

    @Test func `a style opens again offline`() async throws {
        let (http, opener, _) = try opener()
        let style = try Self.style(Self.sources(http.server.url("")), [Self.layer("b", "raster", "r")])
        let place = StyleEnvironment(
            base: http.server.url("/maps/style.json"), id: "town", decoder: ThreeByteDecoder())
        _ = try await opener.layers(of: style, place)
        http.client.isOffline = true
        #expect(try await opener.layers(of: style, place, prefersStored: true).layers.count == 1)
    }

    @Test func `a style without any available source states the reason`() async throws {
        let (http, opener, _) = try opener()
        let place = StyleEnvironment(base: "style.json", id: "town", decoder: ThreeByteDecoder())
        for layers in [[Self.layer("m", "line", "m")], [Self.ground]] {
            let style = try Self.style(Self.sources(http.server.url("")), layers)
            await #expect(throws: WebSourceFailure.self) { _ = try await opener.layers(of: style, place) }
        }
    }

    @Test func `a style found at a source's address is recognised`() async throws {
        let http = try HTTPFixture(clock: .machine) { _ in
            LoopbackReply(200, Array(#"{"version":8,"sources":{},"layers":[]}"#.utf8))
        }
        let opener = WebSourceOpener(loader: DocumentLoader(http.client), environment: { _ in nil })
        let source = try SourceDefinition(address: http.server.url("/s.json"))
        guard case .style(_, let address, _) = try await opener.content(of: source, id: "x") else {
            Issue.record("no style")
            return
        }
        #expect(address == http.server.url("/s.json"))
    }
}
