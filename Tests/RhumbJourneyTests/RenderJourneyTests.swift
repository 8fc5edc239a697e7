import RhumbCore
import RhumbDrawing
import RhumbTestSupport
import Testing

/// Tests the requests of `rhumb render`.
struct RenderJourneyTests {
    private static let view = Viewport(
        camera: Camera(center: Coordinate(latitude: 50, longitude: 10), zoom: 6), columns: 60, rows: 20)
    private let home = TemporaryFolder()

    private func render(_ source: String, _ more: String...) async -> ProgramRun {
        await ProgramRun.of(
            TestProducts.path("rhumb"),
            [
                "render", "-c", "50,10", "-z", "6", "--size", "60x20", "--cache-path",
                home.path + "/tiles.db", source,
            ] + more,
            environment: [
                "HOME": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
                "SWIFT_BACKTRACE": "enable=no",
            ])
    }

    /// Returns the request targets of the tiles in view.
    private func drawn(zoom: Int = 6) -> [String] {
        TileCover.tiles(in: Self.view, zoom: zoom).map { "/\($0.tile.zoom)/\($0.tile.x)/\($0.tile.y).png" }
            .sorted()
    }

    private func asked(_ server: LoopbackServer) -> [String] { server.record.requests.map(\.target).sorted() }

    private static func tile(_ control: String) -> LoopbackReply {
        LoopbackReply(200, blankPicture(RGB(0x336699), side: 256), headers: ["Cache-Control": control])
    }

    @Test func `each drawn tile is requested once, and nothing else`() async throws {
        let server = try LoopbackServer { _ in Self.tile("max-age=3600") }
        let run = await render(server.url("/{z}/{x}/{y}.png"))
        #expect(run.status == 0, "\(run.errors)")
        #expect(asked(server) == drawn() && drawn().count > 1)
        #expect(await eventually { server.record.answered == server.requestCount })
        #expect(await render(server.url("/{z}/{x}/{y}.png")).status == 0)
        #expect(server.requestCount == drawn().count)
    }

    @Test func `a pipe gets the map in braille, unless symbols are chosen`() async {
        func glyphs(_ more: String...) async -> Set<Unicode.Scalar> {
            let run = await ProgramRun.of(
                TestProducts.path("rhumb"),
                ["render", "-c", "50,10", "-z", "4", "--size", "60x20", "--labels", "off"] + more,
                environment: [
                    "HOME": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
                    "SWIFT_BACKTRACE": "enable=no",
                ])
            return Set(run.output.unicodeScalars).subtracting(["\n", " "])
        }
        let plain = await glyphs()
        #expect(plain.count > 10 && plain.allSatisfy { (0x2800...0x28FF).contains($0.value) })
        #expect(await !glyphs("--symbols", "half").contains { (0x2800...0x28FF).contains($0.value) })
    }

    @Test(arguments: ["world", "STYLE"])
    func
        `a route and the position have the look of the style, which is the map or lies over the built-in world`(
            map: String
        ) async
    {
        let style = home.write(
            Array(
                #"""
                {"version":8,"sources":{"tomtom-start-route":{"type":"geojson"},"tomtom-position":{"type":"geojson"},
                 "land":{"type":"geojson","data":{"type":"Point","coordinates":[10,50]}}},"layers":[
                 {"id":"c","type":"circle","source":"land"},
                 {"id":"s","type":"symbol","source":"tomtom-start-route","layout":{"text-field":"GO"},"paint":{"text-color":"#ff00ff"}},
                 {"id":"p","type":"symbol","source":"tomtom-position","layout":{"text-field":"\u00a7"},"paint":{"text-color":"#ff00ff"}}]}
                """#.utf8), to: "style.json")
        let walk = home.write(
            Array(
                #"<gpx><trk><trkseg><trkpt lat="49.8" lon="9.3"/><trkpt lat="50" lon="10.8"/></trkseg></trk></gpx>"#
                    .utf8), to: "walk.gpx")
        let fix = home.write(Array(#"{"class":"TPV","mode":3,"lat":50.2,"lon":10}"#.utf8), to: "fix.json")
        let run = await render(
            map == "world" ? map : style, "--style", style, "--route", walk, "--over", "exec:cat \(fix)",
            "--colors", "truecolor")
        #expect(run.status == 0 && run.output.contains("GO") && run.output.contains("§"), "\(run.errors)")
        #expect(run.output.contains("38;2;255;0;255"))
    }

    @Test(arguments: ["a.png", "a.jpg", "a.webp"])
    func `an image has exactly the size in pixels, and the colours of the day unless told otherwise`(
        name: String
    ) async throws {
        let path = home.path + "/" + name
        func picture(_ more: String...) async throws -> Raster {
            let run = await ProgramRun.of(
                TestProducts.path("rhumb"), ["render", "-c", "0,-30", "-z", "3", "-o", path] + more,
                environment: ["HOME": home.path, "LC_ALL": "C.UTF-8"])
            #expect(run.status == 0, "\(run.errors)")
            return try SniffingDecoder().decode(home.bytes(name), limits: .picture)
        }
        let day = try await picture("--size", "333x101px")
        #expect(day.width == 333 && day.height == 101)
        let night = try await picture("--size", "10x5", "--style", "night")
        #expect(night.width == 80 && night.height == 80)
        func sum(_ raster: Raster) -> Int { raster.pixels.prefix(3).reduce(0) { $0 + Int($1) } }
        #expect(sum(day) > sum(night) + 150)
    }

    @Test(arguments: [["--format", "text"], ["-o", "a.svg"], ["-o", "a.png", "--frame"]])
    func `a size in pixels is only for images without a frame`(more: [String]) async {
        let run = await render(
            "world", more[0], more[1], more.count > 2 ? more[2] : "--quiet", "--size", "400x300px")
        #expect(run.status == 2, "\(run.errors)")
    }

    @Test func `few colours for an image file are rejected with the reason`() async {
        for name in ["a.png", "a.webp", "a.svg"] {
            let run = await render("world", "--colors", "16", "-o", home.path + "/" + name)
            #expect(
                run.status == 2 && run.errors.contains("--colors is for text and ANSI output"),
                "\(run.errors)")
            #expect(home.bytes(name).isEmpty)
        }
        #expect(await render("world", "--colors", "truecolor", "-o", home.path + "/a.png").status == 0)
    }

    @Test(arguments: ["5", "6"])
    func `a PNG has the same shaded relief as the terminal`(zoom: String) async throws {
        func colours(_ place: String) async throws -> Int {
            let path = home.path + "/\(place).png"
            let run = await render(
                "world", "-c", place, "-z", zoom, "--labels", "off", "--size", "20x10", "-o", path)
            #expect(run.status == 0, "\(run.errors)")
            let raster = try #require(imageDecode(home.bytes("\(place).png")))
            return Set((0..<raster.width * raster.height).map { Array(raster.pixels[4 * $0..<4 * $0 + 3]) })
                .count
        }
        // The Himalayas, compared with the flat middle of Siberia.
        let hills = try await colours("28.5,84"), flat = try await colours("62,78")
        #expect(hills > 10 * flat, "\(hills) \(flat)")
    }

    @Test func `at scale 2 tiles of twice the pixels are requested at the same zoom`() async throws {
        let server = try LoopbackServer { request in
            if request.target == "/town.json" {
                return LoopbackReply(
                    200, Array(#"{"tilejson":"3.0.0","tiles":["two/{z}/{x}/{y}{r}.png"],"maxzoom":9}"#.utf8))
            }
            return LoopbackReply(
                200, blankPicture(RGB(0x336699), side: request.target.contains("@2x") ? 512 : 256))
        }
        let run = await render(server.url("/{z}/{x}/{y}{r}.png"), "--scale", "2")
        #expect(run.status == 0, "\(run.errors)")
        let doubled = drawn().map { $0.replacing(".png", with: "@2x.png") }
        #expect(asked(server) == doubled)
        #expect(await render(server.url("/{z}/{x}/{y}{r}.png"), "--scale", "1").status == 0)
        #expect(asked(server) == (doubled + drawn()).sorted())
        #expect(await render(server.url("/town.json"), "--scale", "2").status == 0)
        #expect(asked(server).filter { $0.hasPrefix("/two") } == doubled.map { "/two" + $0 })
    }

    @Test func `a source of one scale rejects another, and sends no request`() async throws {
        let server = try LoopbackServer { _ in Self.tile("max-age=3600") }
        let run = await render(server.url("/{z}/{x}/{y}.png"), "--scale", "2")
        #expect(run.status == 1 && run.errors.contains("omit --scale"), "\(run.errors)")
        #expect(server.requestCount == 0)
    }

    @Test func `stale documents and tiles are revalidated first, documents once and before their tiles`()
        async throws
    {
        let town = #"{"tilejson":"3.0.0","name":"Town","tiles":["{z}/{x}/{y}.png"],"maxzoom":9}"#
        let moved = #"{"tilejson":"3.0.0","name":"Town","tiles":["new/{z}/{x}/{y}.png"],"maxzoom":9}"#
        let server = try LoopbackServer { request in
            guard request.target == "/town.json" else { return Self.tile("max-age=0") }
            return LoopbackReply(
                200, Array((request.time == 1 ? town : moved).utf8), headers: ["Cache-Control": "max-age=0"])
        }
        #expect(await render(server.url("/town.json")).status == 0)
        #expect(asked(server) == (drawn() + ["/town.json"]).sorted())
        #expect(await render(server.url("/town.json")).status == 0)
        let twice = drawn() + drawn().map { "/new" + $0 } + ["/town.json", "/town.json"]
        #expect(asked(server) == twice.sorted())
        #expect(await render(server.url("/town.json")).status == 0)
        #expect(asked(server) == (twice + drawn().map { "/new" + $0 } + ["/town.json"]).sorted())
        #expect(await eventually { server.record.answered == server.requestCount })
    }

    @Test func `a layer that can't be read beside a readable one is named, and the picture is incomplete`()
        async throws
    {
        func layer(_ name: String, extent: Int) -> [UInt8] {
            let corners = [(0, 0), (extent, 0), (extent, extent), (0, extent)]
            var fixture = VectorTileFixture([(name, [.init(.polygon, through: corners)])])
            fixture.extent = extent
            return fixture.bytes
        }
        let tiles = layer("water", extent: 4096) + layer("landuse", extent: 1 << 30)
        let broken = try MBTilesFixture([(.world, tiles)], metadata: [("format", "pbf")])
            .write(in: home, name: "broken.mbtiles")
        let run = await render(broken, "-z", "0", "--colors", "truecolor", "--format", "ansi")
        #expect(run.status == 3, "\(run.errors)")
        let reason = "1 tile incomplete: broken 0/0/0: not shown: layer \"landuse\", as "
        #expect(run.errors.contains(reason), "\(run.errors)")
        #expect(!run.output.isEmpty)
        let whole = try MBTilesFixture(
            [(.world, layer("water", extent: 4096))], metadata: [("format", "pbf")]
        ).write(in: home, name: "whole.mbtiles")
        #expect(await render(whole, "-z", "0", "--colors", "truecolor", "--format", "ansi").status == 0)
    }

    @Test func `an extract has the same ground as its archive`() async throws {
        let trail = VectorTileFixture([("trails", [.init(.line, through: [(0, 0), (4096, 4096)])])]).bytes
        let area = try #require(Bounds(west: 5, south: 45, east: 15, north: 55))
        let tiles = RegionTileSet(
            try RegionGeometry.box(area), zooms: try ZoomRange(0, 7), packing: .exact
        ).tiles()
        let whole = try MBTilesFixture(
            tiles.map { ($0, trail) },
            metadata: [
                ("format", "pbf"), ("bounds", "5,45,15,55"), ("minzoom", "0"), ("maxzoom", "7"),
                ("json", #"{"vector_layers":[{"id":"trails","fields":{}}]}"#),
            ]
        ).write(in: home, name: "trails.mbtiles")
        var pictures: [[UInt8]] = []
        for name in ["part.mbtiles", "part.pmtiles"] {
            let part = home.path + "/" + name
            let run = await ProgramRun.of(
                TestProducts.path("rhumb"), ["archive", "extract", whole, "-b", "8,48,12,52", "-o", part],
                environment: ["HOME": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
            #expect(run.status == 0, "\(run.errors)")
            for file in [whole, part] {
                #expect(await render(file, "-z", "10", "-o", home.path + "/a.png").status == 0)
                pictures.append(home.bytes("a.png"))
            }
        }
        #expect(Set(pictures).count == 1 && !pictures[0].isEmpty)
    }

    @Test func `features that didn't load within the timeout are named, and the picture is incomplete`()
        async throws
    {
        let gate = LoopbackGate()
        let server = try LoopbackServer { _ in
            LoopbackReply(200, Array(#"{"type":"FeatureCollection","features":[]}"#.utf8)).with {
                $0.gate = gate
            }
        }
        defer { gate.open() }
        let run = await render("world", "--over", server.url("/walk.geojson"), "--timeout", "4")
        #expect(run.status == 3 && run.errors.contains("did not load in time"), "\(run)")
        #expect(!run.output.isEmpty)
    }

    private func picture(_ words: String...) async -> ProgramRun {
        await ProgramRun.of(
            TestProducts.path("rhumb"), ["render"] + words,
            environment: ["HOME": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
    }

    @Test(arguments: [("30x10", 240, 160), ("123x45px", 123, 45)])
    func `an image is stretched to the size that the user gives`(
        size: String, width: Int, height: Int
    ) async throws {
        let image = home.write(blankPicture(RGB(0x336699), side: 64), to: "photo.png")
        let run = await picture("--image", image, "--size", size, "-o", home.path + "/out.png")
        #expect(run.status == 0, "\(run.errors)")
        let raster = try SniffingDecoder().decode(home.bytes("out.png"), limits: .tile)
        #expect(raster.width == width && raster.height == height)
        #expect(Array(raster.pixels.prefix(4)) == [0x33, 0x66, 0x99, 255])
        #expect(raster.pixels.suffix(4).elementsEqual([0x33, 0x66, 0x99, 255]))
    }

    @Test(
        arguments: [
            (["--image", "photo.png", "--center", "60,22"], "--center"),
            (["--image", "photo.png", "--legend"], "--legend"),
            (["--symbols", "half", "-f", "png"], "--symbols"),
            (["--mix", "-f", "png"], "--mix"), (["--sharpen", "1", "-f", "webp"], "--sharpen"),
            (["--engine", "osrm"], "--engine"), (["--traffic-colors", "colourblind"], "--traffic-colors"),
            (["--style-by", "speed"], "--style-by"), (["--colors", "16", "-f", "text"], "--colors"),
            (["--units", "imperial"], "--units"), (["--prefetch", "rendering"], "--prefetch"),
            (["--rate", "500k"], "--rate"), (["--pass-through", "rendering"], "--pass-through"),
            (["--offline", "--user-agent", "A/1 (+https://a.example)"], "--user-agent"),
            (["osm", "--streets", "openfreemap"], "--streets"),
        ] as [([String], String)])
    func `an option that would have no effect is refused`(words: [String], option: String) async {
        let run = await ProgramRun.of(
            TestProducts.path("rhumb"), ["render", "--size", "20x6"] + words,
            environment: ["HOME": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
        #expect(run.status == 2 && run.errors.contains("\(option) has no effect"), "\(words): \(run.errors)")
    }

    @Test func `an option in the configuration file may have no effect on a picture`() async {
        let file = home.write(Array(#"{"units":"imperial","symbols":"half"}"#.utf8), to: "config.json")
        let run = await picture("--size", "20x6", "-f", "png", "-o", home.path + "/a.png", "--config", file)
        #expect(run.status == 0, "\(run.errors)")
    }
}
