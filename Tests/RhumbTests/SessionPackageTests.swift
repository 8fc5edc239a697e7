import Glibc
import Rhumb
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests how a session provides packages.
struct SessionPackageTests {
    private let folder = TemporaryFolder()

    private func session(_ catalogs: [String]) async throws -> MapSession {
        var options = MapSession.Options(userAgent: try UserAgent("RhumbTests/1 (+https://rhumb.example)"))
        options.cache = folder.path + "/tiles.db"
        options.regions = .success(folder.path + "/regions.db")
        options.packageCatalogs = catalogs
        return await MapSession.open(options)
    }

    private func publisher() throws -> LoopbackServer {
        let archive = PMTilesFixture(
            TileID.pyramid(0...2).map { ($0, blankPicture(RGB(0x336699), side: 256)) }
        ).bytes
        let catalog =
            #"{"rhumb-catalog": 1, "id": "test", "packages": [{"id": "world", "archive": "all.pmtiles"}]}"#
        return try LoopbackServer { request in
            switch request.target {
            case "/catalog.json", "/catalog.json?key=SECRET": LoopbackReply(200, Array(catalog.utf8))
            case "/all.pmtiles": .part(of: archive, request)
            default: LoopbackReply(404)
            }
        }
    }

    @Test func `a catalogue has one loader, and creating it sends no request`() async throws {
        let server = try publisher(), session = try await session([server.url("/catalog.json")])
        defer { session.close() }
        let loaders = try session.offline.allPackages(),
            same = try session.offline.packages(of: server.url("/catalog.json"))
        #expect(loaders.count == 1 && loaders.first === same)
        #expect(server.record.requests.isEmpty)
    }

    @Test func `a catalogue has one loader, however the path of its file is written`() async throws {
        let path = folder.write(
            Array(#"{"rhumb-catalog": 1, "id": "test", "packages": [{"id": "world"}]}"#.utf8),
            to: "catalog.json")
        let session = try await session([path])
        defer { session.close() }
        #expect(try session.offline.packages(of: path) === session.offline.packages(of: "file://" + path))
        #expect(
            try session.offline.packages(of: path)
                === session.offline.packages(of: folder.path + "/./catalog.json"))
    }

    @Test func `the catalogue of installed packages is known without being configured`() async throws {
        let server = try publisher(), first = try await session([server.url("/catalog.json")])
        #expect(await (try first.offline.allPackages()[0].install(["world"])).finish() == .success(["world"]))
        first.close()
        server.stop()
        let second = try await session([])
        defer { second.close() }
        #expect(try second.offline.catalogs() == [server.url("/catalog.json")])
        #expect(try await second.offline.allPackages()[0].package("world").status == .explicit)
    }

    @Test func `a catalogue is recognised, however the path or URL of its file is written`()
        async throws
    {
        let server = try publisher(),
            catalog =
                #"{"rhumb-catalog": 1, "id": "test", "packages": [{"id": "world", "archive": "\#(server.url("/all.pmtiles"))"}]}"#
        let path = folder.write(Array(catalog.utf8), to: "catalog.json"), link = folder.path + "/link.json"
        symlink(path, link)
        let here = try #require(getcwd(nil, 0))
        defer { free(here) }
        let up = String(repeating: "../", count: String(cString: here).split(separator: "/").count)
        let first = try await session([path])
        #expect(await (try first.offline.allPackages()[0].install(["world"])).finish() == .success(["world"]))
        first.close()
        for other in [up + path.dropFirst(), folder.path + "/./catalog.json", link, "file://" + path] {
            let session = try await session([other])
            defer { session.close() }
            #expect(try session.offline.catalogs() == [other])
            #expect(
                try await session.offline.allPackages()[0].package("world").status == .explicit, "\(other)")
        }
        unlink(link)
        unlink(path)
        let without = try await session([path])
        defer { without.close() }
        #expect(try without.offline.catalogs() == [path])
    }

    @Test func `a catalogue requested with a key is the same as the one installed without it`() async throws {
        let server = try publisher(), words = server.url("/catalog.json?key=SECRET"),
            first = try await session([words])
        #expect(await (try first.offline.allPackages()[0].install(["world"])).finish() == .success(["world"]))
        first.close()
        let second = try await session([words])
        defer { second.close() }
        #expect(try second.offline.catalogs() == [words])
    }

    @Test func `without a configured catalogue, the packages are the countries of the open map`() async throws
    {
        let server = try publisher(), session = try await session([]), map = server.url("/{z}/{x}/{y}.png")
        defer { session.close() }
        let web = try await session.opener.open(map, theme: .day),
            osm = try await session.opener.open("osm", theme: .day)
        #expect(
            try session.offline.catalogs() == ["countries:protomaps"]
                && session.offline.catalogs(beside: osm) == ["countries:protomaps"])
        #expect(try session.offline.catalogs(beside: osm + web) == ["countries:\(map)"])
        let loader = try session.offline.packages(of: "countries:\(map)")
        #expect(try await loader.search("Finland").first?.id == "finland")
        let configured = try await self.session([server.url("/catalog.json")])
        defer { configured.close() }
        #expect(try configured.offline.catalogs(beside: web) == [server.url("/catalog.json")])
    }

    @Test func `the queue of regions ignores packages`() async throws {
        let server = try publisher(), session = try await session([server.url("/catalog.json")])
        defer { session.close() }
        _ = await (try session.offline.allPackages()[0].install(["world"])).finish()
        let queue = try RegionQueue(session, session.opener)
        let record = try queue.regions.store.region("package-test.world")
        #expect(record.package.map { "\($0)" } == "world of the catalogue test")
        await #expect(throws: OfflineFailure.self) { try await queue.start(record) }
        let definition = try record.readDefinition()
        await #expect(throws: OfflineFailure.self) { try await queue.plan(definition) }
    }

    @Test func `installed packages and regions are layers over a world map, which need no network`()
        async throws
    {
        let place = Coordinate(latitude: 43.77, longitude: 11.25), world = Mercator.world(place)
        let picture = blankPicture(RGB(0x336699), side: 256)
        let archive = PMTilesFixture(
            (0...7).compactMap { TileID(zoom: $0, containing: world) }.map { ($0, picture) }
        )
        .bytes
        let catalog =
            #"{"rhumb-catalog": 1, "id": "test", "packages": [{"id": "town", "archive": "town.pmtiles"}]}"#
        let server = try LoopbackServer { request in
            switch request.target {
            case "/catalog.json": LoopbackReply(200, Array(catalog.utf8))
            case "/town.pmtiles": .part(of: archive, request)
            case "/deep.json":
                LoopbackReply(
                    200,
                    Array(#"{"tilejson": "3.0.0", "maxzoom": 7, "tiles": ["deep/{z}/{x}/{y}.png"]}"#.utf8),
                    headers: ["Cache-Control": "max-age=0"])
            default: LoopbackReply(200, picture)
            }
        }
        let session = try await session([server.url("/catalog.json")])
        defer { session.close() }
        #expect(await (try session.offline.allPackages()[0].install(["town"])).finish() == .success(["town"]))
        let box = try #require(Bounds(west: 11, south: 43.6, east: 11.5, north: 43.9)),
            queue = try session.offline.regions()
        for (id, zooms) in [("deep", try ZoomRange(6, 7)), ("flat", try ZoomRange(0, 2))] {
            let definition = try RegionDefinition(
                id: RegionID(id), geometry: .box(box), zooms: zooms, sources: [server.url("/deep.json")],
                features: ["rendering"])
            _ = try await queue.plan(definition, isPermitted: true).start().value()
        }
        let asked = server.requestCount
        let layers = try await session.offline.layers(theme: .day)
        #expect(Set(layers.compactMap { $0.id.split(separator: ".").last }) == ["town", "deep"])
        for layer in layers {
            let view = Viewport(camera: Camera(center: place, zoom: 7), columns: 40, rows: 12)
            session.engine.show(view, layers: [layer])
            await session.engine.settled()
            let scene = session.engine.board.scene(of: view, layers: [layer])
            #expect(
                scene.isComplete && scene.layers[0].pictures.contains { $0.tile.tile.zoom == 7 },
                "\(layer.id)")
        }
        #expect(server.requestCount == asked)
    }
}
