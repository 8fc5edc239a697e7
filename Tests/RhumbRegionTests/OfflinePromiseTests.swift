import Glibc
import Rhumb
import RhumbCore
@testable import RhumbOffline
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the promises about regions for every kind of map: a region is downloaded and verified, shown
/// unchanged without cache and server, updated and exported.
struct OfflinePromiseTests {
    enum Kind: String, CaseIterable {
        case rasterTemplate, vectorTemplate, rasterTileJSON, vectorTileJSON, style, rasterArchive,
            vectorArchive

        /// The path on the host at which the map is opened.
        var path: String {
            switch self {
            case .rasterTemplate: "/{z}/{x}/{y}.png"
            case .vectorTemplate: "/{z}/{x}/{y}.pbf"
            case .rasterTileJSON: "/raster.json"
            case .vectorTileJSON: "/vector.json"
            case .style: "/style.json"
            case .rasterArchive: "/raster.pmtiles"
            case .vectorArchive: "/vector.pmtiles"
            }
        }
    }

    private static let land = VectorTileFixture([
        ("land", [.init(.polygon, through: [(0, 0), (4096, 0), (4096, 2048), (0, 4096)])]),
        ("ocean", [.init(.polygon, through: [(0, 4096), (4096, 2048), (4096, 4096)])]),
    ]).bytes

    private static let area = """
        {"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Polygon",
        "coordinates":[[[0.4,0.4],[0.8,0.4],[0.8,0.8],[0.4,0.8],[0.4,0.4]]]}}]}
        """

    /// Starts a server with all kinds of maps.
    /// - Parameter control: The value of `Cache-Control` of tiles; nil for none.
    private func box(control: String? = nil) throws -> CommandFixture {
        let box = try CommandFixture(), host = box.host
        func url(_ path: String) -> String { host.server.url(path) }
        let archives = [
            "/raster.pmtiles": archive { fakePicture($0, side: 256) },
            "/vector.pmtiles": archive(type: 1) { _ in Gzip.packed(Self.land) },
        ]
        let documents: [String: JSON] = [
            "/raster.json": ["tilejson": "3.0.0", "maxzoom": 7, "tiles": [.string(url("/{z}/{x}/{y}.png"))]],
            "/vector.json": [
                "tilejson": "3.0.0", "version": "2.1.0", "maxzoom": 6,
                "tiles": [.string(url("/{z}/{x}/{y}.pbf"))],
                "vector_layers": [["id": "land"], ["id": "ocean"]],
            ],
            "/style.json": [
                "version": 8,
                "sources": [
                    "pictures": ["type": "raster", "url": .string(url("/raster.json")), "tileSize": 256],
                    "shapes": ["type": "vector", "url": .string(url("/vector.json"))],
                    "area": ["type": "geojson", "data": .string(url("/area.geojson"))],
                ],
                "layers": [
                    ["id": "below", "type": "raster", "source": "pictures"],
                    [
                        "id": "land", "type": "fill", "source": "shapes", "source-layer": "land",
                        "paint": ["fill-color": "#208020", "fill-opacity": 0.5],
                    ],
                    ["id": "area", "type": "fill", "source": "area", "paint": ["fill-color": "#FF0000"]],
                ],
            ],
        ]
        host.answer { request in
            let path = String(request.target.prefix { $0 != "?" })
            if let bytes = archives[path] { return LoopbackReply.part(of: bytes, request, control: control) }
            if path == "/area.geojson" {
                return .validated(request, etag: "\"g\"", body: Array(Self.area.utf8))
            }
            if let json = documents[path] {
                return .validated(request, etag: "\"d\"", body: Array(json.text.utf8))
            }
            guard let tile = TileHost.tile(path[...]) else { return LoopbackReply(404) }
            let body = path.hasSuffix(".pbf") ? Gzip.packed(Self.land) : fakePicture(tile, side: 256)
            return .validated(request, etag: "\"\(tile)\"", body: body).with { reply in
                if let control { reply.headers.append(("Cache-Control", control)) }
            }
        }
        box.folder.write(Array("{}".utf8), to: "config.json")
        return box
    }

    /// - Parameter type: The PMTiles type of the tiles: 1 for vector tiles, 2 for PNG.
    private func archive(type: UInt8 = 2, _ body: (TileID) -> [UInt8]) -> [UInt8] {
        let place = WorldPoint(x: 0.502, y: 0.498)
        var fixture = PMTilesFixture(
            (0...7).map { TileID(zoom: $0, containing: place) }.map { ($0, body($0)) })
        fixture.patches = [(98, type == 1 ? 2 : 1), (99, type)]
        return fixture.bytes
    }

    /// Draws the view with its own cache.
    private func picture(
        _ box: CommandFixture, _ kind: Kind, cache: String, _ more: String...
    ) async -> ProgramRun {
        await ProgramRun.of(
            CommandFixture.program,
            [
                "render", box.host.server.url(kind.path), "--center", "0.7,0.7", "--zoom", "6.5", "--size",
                "40x12", "--format", "ansi",
                "--colors", "truecolor", "--data-path", box.folder.path + "/data", "--cache-path",
                box.folder.path + "/" + cache,
                "--config", box.folder.path + "/config.json",
            ] + more, environment: box.environment)
    }

    @Test(arguments: Kind.allCases)
    func `a region of every kind of map keeps its promises`(kind: Kind) async throws {
        let box = try box(), address = box.host.server.url(kind.path)
        let online = await picture(box, kind, cache: "seen.db", "--store", "off")
        #expect(online.status == 0, "\(online.errors)")
        let added = await box.run([
            "add", "home", "--source", address, "--bbox", "-6,-6,7,7", "--zooms", "0-7", "--exact",
        ])
        #expect(added.status == 0, "added: \(added.errors)")
        let verified = await box.run("check", "home")
        #expect(
            verified.status == 0 && verified.output.contains("complete, works offline"),
            "\(verified.output)\(verified.errors)")
        box.host.server.stop()
        let offline = await picture(box, kind, cache: "none.db", "--offline")
        #expect(offline.status == 0 && offline.output == online.output, "shown: \(offline.errors)")
        #expect(await box.run("check", "home").status == 0)
        try box.host.server.start()
        let updated = await box.run("update", "home")
        #expect(updated.status == 0, "updated: \(updated.errors)")
        guard kind != .style else { return }
        let exported = await box.run(["export", "home", "-o", box.folder.path + "/home.pmtiles"])
        #expect(exported.status == 0, "exported: \(exported.errors)")
        let whole = await ProgramRun.of(
            CommandFixture.program, ["archive", "info", box.folder.path + "/home.pmtiles"],
            environment: box.environment)
        #expect(whole.status == 0, "inspected: \(whole.output)\(whole.errors)")
    }

    @Test(arguments: [Kind.rasterTemplate, .rasterTileJSON, .vectorTileJSON, .rasterArchive, .vectorArchive])
    func `a region with expired tiles is shown on the built-in world`(kind: Kind) async throws {
        let box = try box(control: "max-age=0")
        func world(_ more: String...) async -> ProgramRun {
            await ProgramRun.of(
                CommandFixture.program,
                [
                    "render", "world", "--center", "0.7,0.7", "--zoom", "6.5", "--size", "40x12", "--format",
                    "ansi", "--colors", "truecolor", "--labels", "off",
                ] + box.places + more, environment: box.environment)
        }
        let added = await box.run([
            "add", "home", "--source", box.host.server.url(kind.path), "--bbox", "-6,-6,7,7", "--zooms",
            "0-7", "--exact",
        ])
        #expect(added.status == 0, "\(added.errors)")
        let shown = await world(), bare = await world("--store", "off")
        #expect(shown.status == 0 && bare.status == 0, "\(shown.errors)\(bare.errors)")
        #expect(shown.output != bare.output)
        #expect(await world("--offline").output == shown.output)
    }

    @Test(arguments: Kind.allCases)
    func `pass-through tiles are fetched while offline, with their documents`(kind: Kind) async throws {
        let box = try box()
        let online = await picture(box, kind, cache: "seen.db")
        #expect(await picture(box, kind, cache: "none.db", "--offline").status != 0)
        let passed = await picture(box, kind, cache: "passed.db", "--offline", "--pass-through", "rendering")
        #expect(passed.status == 0 && passed.output == online.output, "\(passed.errors)")
    }

    @Test(arguments: [Kind.rasterTemplate, .vectorTileJSON, .rasterArchive, .vectorArchive])
    func `every kind of tile can be prefetched into the cache`(kind: Kind) async throws {
        let box = try box(), address = box.host.server.url(kind.path)
        let online = await picture(box, kind, cache: "seen.db")
        let filled = await ProgramRun.of(
            CommandFixture.program,
            [
                "cache", "prefetch", "--source", address, "--bbox", "-6,-6,7,7", "--zooms", "0-7",
                "--cache-path",
                box.folder.path + "/filled.db", "--config", box.folder.path + "/config.json",
            ], environment: box.environment)
        #expect(filled.status == 0, "\(filled.errors)")
        box.host.server.stop()
        let offline = await picture(box, kind, cache: "filled.db", "--offline")
        #expect(offline.status == 0 && offline.output == online.output, "\(offline.errors)")
    }

    @Test(arguments: [true, false])
    func `a region contains the style in which its vector tiles are drawn, and its images`(
        isOnWeb: Bool
    ) async throws {
        let box = try box()
        let style: JSON = [
            "version": 8, "sprite": "signs", "sources": ["v": ["type": "vector"]],
            "layers": [
                [
                    "id": "land", "type": "fill", "source": "v", "source-layer": "land",
                    "paint": ["fill-pattern": "wood"],
                ]
            ],
        ]
        let files = [
            "drawn.json": Array(style.text.utf8),
            "signs.json": Array(#"{"wood":{"x":0,"y":0,"width":4,"height":4}}"#.utf8),
            "signs.png": blankPicture(RGB(0xAB00CD), side: 4),
        ]
        for (name, bytes) in files {
            box.host.answer("/\(name)") { _ in LoopbackReply(200, bytes) }
            box.folder.write(bytes, to: name)
        }
        let name = isOnWeb ? box.host.server.url("/drawn.json") : box.folder.path + "/drawn.json"
        let online = await picture(box, .vectorTemplate, cache: "seen.db", "--style", name)
        let added = await box.run([
            "add", "home", "--source", box.host.server.url(Kind.vectorTemplate.path), "--bbox", "-6,-6,7,7",
            "--zooms", "0-7", "--exact",
            "--style", name,
        ])
        #expect(added.status == 0, "\(added.errors)")
        let changed = blankPicture(RGB(0x12CD34), side: 4)
        box.host.answer("/signs.png") { _ in LoopbackReply(200, changed) }
        if isOnWeb { #expect(await box.run("update", "home").status == 0) }
        box.host.server.stop()
        for name in files.keys { #expect(unlink(box.folder.path + "/" + name) == 0) }
        let offline = await picture(box, .vectorTemplate, cache: "none.db", "--offline", "--style", name)
        #expect(online.output.contains("171;0;205"), "\(online.errors)")
        #expect(
            isOnWeb ? offline.output.contains("18;205;52") : offline.output == online.output,
            "\(offline.errors)")
    }

    @Test func `a region waits longer for its style's images than the map does`() async throws {
        let box = try box(), gate = LoopbackGate()
        let style: JSON = [
            "version": 8, "sprite": .string(box.host.server.url("/signs")),
            "sources": ["v": ["type": "vector", "url": .string(box.host.server.url("/vector.json"))]],
            "layers": [
                [
                    "id": "land", "type": "fill", "source": "v", "source-layer": "land",
                    "paint": ["fill-pattern": "wood"],
                ]
            ],
        ]
        let picture = LoopbackReply(200, blankPicture(RGB(0xAB00CD), side: 4)).with { $0.gate = gate }
        box.host.answer("/style.json") { _ in LoopbackReply(200, Array(style.text.utf8)) }
        box.host.answer("/signs.json") { _ in
            LoopbackReply(200, Array(#"{"wood":{"x":0,"y":0,"width":4,"height":4}}"#.utf8))
        }
        box.host.answer("/signs.png") { _ in picture }
        Task.detached {
            try? await Task.sleep(for: .seconds(5))
            gate.open()
        }
        let added = await box.run([
            "add", "home", "--source", box.host.server.url("/style.json"), "--bbox", "-6,-6,7,7", "--zooms",
            "0-7", "--exact",
        ])
        #expect(added.status == 0, "\(added.errors)")
        box.host.server.stop()
        let offline = await self.picture(box, .style, cache: "none.db", "--offline")
        #expect(offline.output.contains("171;0;205"), "\(offline.errors)")
    }

    @Test func `a region is not complete without a document of its style`() async throws {
        let box = try box(), address = box.host.server.url("/style.json")
        let added = await box.run([
            "add", "home", "--source", address, "--bbox", "0,0,1,1", "--zooms", "5-6", "--exact",
        ])
        #expect(added.status == 0, "\(added.errors)")
        let store = try RegionStore(box.storePath)
        let carried = try store.documents(of: store.region("home").number).map {
            URLReference($0.address).path
        }
        #expect(Set(carried) == ["/style.json", "/raster.json", "/vector.json", "/area.geojson"])
        try store.lose(.document(box.host.server.url("/area.geojson")))
        #expect(await box.run("check", "home").status == 3)
    }
}
