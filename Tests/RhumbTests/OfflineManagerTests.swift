import Rhumb
import RhumbTestSupport
import Synchronization
import Testing

/// Tests styles stored with all their resources.
struct OfflineManagerTests {
    private let folder = TemporaryFolder()

    /// A server of a style, its resources and its tiles. A test can change the content at a path.
    private final class StyleServer: Sendable {
        private let bodies = Mutex<[String: [UInt8]]>([:])
        let server = Mutex<LoopbackServer?>(nil)

        init() throws {
            let started = try LoopbackServer { [weak self] request in
                self?.answer(request.target) ?? LoopbackReply(500)
            }
            server.withLock { $0 = started }
            set("/style.json", colour: "#ff0000")
            set(
                "/town.json",
                #"{"tilejson":"3.0.0","name":"Town","tiles":["{z}/{x}/{y}.pbf"],"vector_layers":[{"id":"water"}],"maxzoom":3}"#
            )
            set("/places.json", #"{"type":"FeatureCollection","features":[]}"#)
            set("/sprite.json", "{}")
        }

        func url(_ path: String) -> String { server.withLock { $0?.url(path) } ?? "" }
        var requestCount: Int { server.withLock { $0?.requestCount } ?? 0 }
        func stop() { server.withLock { $0 = nil } }
        func set(_ path: String, _ body: String?) {
            bodies.withLock { $0[path] = body.map { Array($0.utf8) } }
        }
        func set(_ path: String, bytes: [UInt8]) { bodies.withLock { $0[path] = bytes } }

        func set(_ path: String, colour: String) {
            set(
                path,
                #"""
                {"version":8,"name":"Red","sprite":"sprite","glyphs":"{fontstack}/{range}.pbf","sources":{
                 "openmaptiles":{"type":"vector","url":"town.json"},"p":{"type":"geojson","data":"places.json"},
                 "gone":{"type":"vector","url":"gone.json"}},
                 "layers":[{"id":"w","type":"fill","source":"openmaptiles","source-layer":"water","paint":{"fill-color":"\#(colour)"}}]}
                """#)
        }

        private func answer(_ path: String) -> LoopbackReply {
            if path.hasSuffix(".pbf") { return LoopbackReply(200, MapServer.vectorTile) }
            guard let body = bodies.withLock({ $0[path] }) else { return LoopbackReply(404) }
            return LoopbackReply(200, body, headers: ["Cache-Control": "max-age=0"])
        }
    }

    private func session() async throws -> MapSession {
        var options = MapSession.Options(userAgent: try UserAgent("RhumbTests/1 (+https://rhumb.example)"))
        options.cache = folder.path + "/cache.db"
        options.regions = .success(folder.path + "/regions.db")
        return await MapSession.open(options)
    }

    private func failure(_ load: StylePackJob) async -> OfflineFailure? {
        do throws(OfflineFailure) {
            _ = try await load.value()
            return nil
        } catch {
            return error
        }
    }

    @Test func `a pack has the style and its resources, and lists missing ones`() async throws {
        let server = try StyleServer(), session = try await session()
        defer { session.close() }
        let manager = try OfflineManager(session, session.opener)
        var plan = manager.plan(server.url("/style.json"))
        plan.metadata = ["trip": "Elba"]
        let job = try await plan.start(), pack = try await job.value()
        let had = ["/style.json", "/places.json", "/sprite.json", "/town.json"].map(server.url)
        #expect(pack.documents == had && pack.name == "Red")
        #expect(pack.missing.map(\.address) == ["/gone.json", "/sprite.png"].map(server.url))
        #expect(pack.missing.allSatisfy { !$0.reason.isEmpty } && pack.required == 6 && pack.bytes > 500)
        let last = job.progress
        #expect(
            (last.required, last.completed, last.errored) == (6, 4, 2) && last.completedBytes == pack.bytes)
        #expect(try manager.allStylePacks() == [pack])
        #expect(try manager.stylePackMetadata(for: server.url("/style.json")) == ["trip": "Elba"])
    }

    @Test func `a resource that was removed from its server is kept, counted and reported`() async throws {
        let server = try StyleServer(), session = try await session()
        defer { session.close() }
        let manager = try OfflineManager(session, session.opener), address = server.url("/style.json")
        let first = try await manager.plan(address).start().value()
        for path in ["/town.json", "/sprite.json"] { server.set(path, nil) }
        let job = try await manager.plan(address).start(), pack = try await job.value()
        let problems = pack.missing.filter {
            $0.reason.contains(
                "the server no longer has this document; using the "
                    + "cached copy")
        }
        #expect(problems.map(\.address) == ["/town.json", "/sprite.json"].map(server.url))
        #expect(pack.documents == first.documents && pack.missing.count == 4 && pack.required == 6)
        let last = job.progress
        #expect((last.required, last.completed, last.errored) == (6, 2, 4))
    }

    @Test func `a style with a pack is drawn without a server and with an empty cache`() async throws {
        let server = try StyleServer(), address = server.url("/style.json")
        var session = try await session()
        _ = try await OfflineManager(session, session.opener).plan(address).start().value()
        session.close()
        for name in folder.names where name.hasPrefix("cache.db") { folder.remove(name) }
        server.stop()
        session = try await self.session()
        defer { session.close() }
        let town = folder.write(MapServer.archive(MapServer.vectorTile), to: "town.pmtiles")
        let layer = try await session.opener.openLayer(town)
        let changed = try await session.opener.setStyle(StyleChoice(address), of: [layer], .night)
        #expect(changed[layer.id] != nil)
    }

    @Test func `a newer style on the server is not shown until the pack is loaded again`() async throws {
        let server = try StyleServer(), address = server.url("/style.json"), session = try await session()
        defer { session.close() }
        let manager = try OfflineManager(session, session.opener)
        _ = try await manager.plan(address).start().value()
        server.set("/style.json", colour: "#0000ff")
        let styles = VectorStyles(prefersStored: false), web = session.opener.web
        let before = server.requestCount
        let old = try await styles.style(at: address, web)
        #expect(server.requestCount == before)
        _ = try await manager.plan(address).start().value()
        let new = try await VectorStyles(prefersStored: false).style(at: address, web)
        var contexts = [StyleContext(old, zoom: 0), StyleContext(new, zoom: 0)]
        let colours = [old, new].indices.map {
            [old, new][$0].layers[0].colour(.fillColour, &contexts[$0]).rgb
        }
        #expect(colours == [RGB(0xFF0000), RGB(0x0000FF)])
    }

    @Test func `stored resources suffice if expired ones are accepted`() async throws {
        let server = try StyleServer(), session = try await session()
        defer { session.close() }
        let manager = try OfflineManager(session, session.opener)
        _ = try await manager.plan(server.url("/style.json")).start().value()
        let before = server.requestCount
        var plan = manager.plan(server.url("/style.json"))
        plan.acceptsExpired = true
        _ = try await plan.start().value()
        // Only missing resources are requested.
        #expect(server.requestCount <= before + 2)
    }

    @Test func `a removed pack moves to the cache and no longer exists`() async throws {
        let server = try StyleServer(), address = server.url("/style.json"), session = try await session()
        defer { session.close() }
        let manager = try OfflineManager(session, session.opener)
        var events = try session.offline.events().makeAsyncIterator()
        _ = try await manager.plan(address).start().value()
        guard case .stylePackStored(let pack)? = await events.next(), pack.address == address else {
            Issue.record("no event of a stored pack")
            return
        }
        let words = "\(pack)"
        #expect(words.contains(address) && words.contains(" of ") && words.count < 200, "\(words)")
        #expect("\(OfflineEvent.stylePackStored(pack))" == "style pack stored: \(pack)")
        try manager.removeStylePack(for: address)
        guard case .stylePackRemoved(address)? = await events.next() else {
            Issue.record("no event of a removed pack")
            return
        }
        #expect(try manager.allStylePacks().isEmpty)
        #expect(throws: OfflineFailure.noStyle("style pack \"\(address)\"")) {
            try manager.stylePack(for: address)
        }
        #expect(throws: OfflineFailure.self) { try manager.removeStylePack(for: address) }
        #expect(session.cache?.response(for: .document(address))?.body != nil)
        #expect(try session.regions().store.packedStyle(address) == nil)
    }

    @Test func `a missing or invalid style makes no pack and preserves the old one`() async throws {
        let server = try StyleServer(), address = server.url("/style.json"), session = try await session()
        defer { session.close() }
        let manager = try OfflineManager(session, session.opener)
        let pack = try await manager.plan(address).start().value()
        #expect(
            try await failure(manager.plan(server.url("/nowhere.json")).start())
                == .noStyle(server.url("/nowhere.json")))
        #expect(
            try await failure(manager.plan(folder.path + "/none.json").start())
                == .noStyle(folder.path + "/none.json"))
        server.set("/style.json", "[1, 2")
        guard case .unreadableStyle(address, _)? = try await failure(manager.plan(address).start()) else {
            Issue.record("a document that is not a style became a pack")
            return
        }
        #expect(try manager.allStylePacks() == [pack])
    }

    @Test func `a stored style that its server removed or denies is preserved but not renewed`()
        async throws
    {
        let server = try StyleServer(), address = server.url("/style.json"), session = try await session()
        defer { session.close() }
        let manager = try OfflineManager(session, session.opener)
        let pack = try await manager.plan(address).start().value()
        server.set("/style.json", nil)
        for isStopped in [false, true] {
            if isStopped { server.stop() }
            let failure = try await failure(manager.plan(address).start())
            guard case .notRenewed(let problem)? = failure else {
                Issue.record("the style counts as renewed: \(String(describing: failure))")
                return
            }
            #expect(
                problem.contains("/style.json")
                    && "\(failure ?? .cancelled)".hasSuffix("was not changed; try again later"))
            #expect(isStopped || problem.contains("the server no longer has this document"))
        }
        #expect(try manager.allStylePacks() == [pack])
    }

    @Test func `an interrupted load changes nothing`() async throws {
        let server = try StyleServer(), session = try await session()
        defer { session.close() }
        let manager = try OfflineManager(session, session.opener)
        let load = try await manager.plan(server.url("/style.json")).start()
        load.cancel()
        #expect(await failure(load) == .cancelled)
        #expect(try manager.allStylePacks().isEmpty)
    }

    @Test func `a style in a file has a pack too, which is used when the file is missing`() async throws {
        let session = try await session()
        defer { session.close() }
        let style =
            #"{"version":8,"name":"Own","sources":{"openmaptiles":{"type":"vector","tiles":["https://x.example/{z}/{x}/{y}.pbf"]}},"layers":[]}"#
        let path = folder.write(Array(style.utf8), to: "own.json"),
            manager = try OfflineManager(session, session.opener)
        let pack = try await manager.plan(path).start().value()
        #expect(pack.name == "Own" && pack.required == 1)
        folder.remove("own.json")
        #expect(try await VectorStyles().style(at: path, session.opener.web).name == "Own")
    }

    @Test func `patterns have the mean colours of a stored sprite, even without its files`()
        async throws
    {
        let session = try await session()
        defer { session.close() }
        let style = #"""
            {"version":8,"sprite":"sprite","sources":{},"layers":[
             {"id":"b","type":"background","paint":{"background-pattern":"wood"}}]}
            """#
        let path = folder.write(Array(style.utf8), to: "own.json"), web = session.opener.web
        folder.write(Array(#"{"wood":{"x":0,"y":0,"width":4,"height":4}}"#.utf8), to: "sprite.json")
        folder.write(blankPicture(RGB(0xFF0000), side: 4), to: "sprite.png")
        func colour() async throws -> RGB? {
            try await VectorStyles().style(at: path, web).imageColours["wood"]?.rgb
        }
        #expect(try await colour() == RGB(0xFF0000))
        _ = try await OfflineManager(session, session.opener).plan(path).start().value()
        for name in ["own.json", "sprite.json", "sprite.png"] { folder.remove(name) }
        #expect(try await colour() == RGB(0xFF0000))
    }

    @Test func `images of a style on the web are fetched once and stored`() async throws {
        let server = try StyleServer(), session = try await session(), web = session.opener.web
        defer { session.close() }
        server.set(
            "/style.json",
            #"{"version":8,"sprite":"sprite","sources":{},"layers":[{"id":"b","type":"background","paint":{"background-pattern":"wood"}}]}"#
        )
        server.set("/sprite.json", #"{"wood":{"x":0,"y":0,"width":4,"height":4,"pixelRatio":2}}"#)
        server.set("/sprite.png", bytes: blankPicture(RGB(0x00FF00), side: 4))
        for _ in 0..<2 {
            let style = try await VectorStyles().style(at: server.url("/style.json"), web)
            #expect(
                style.imageColours["wood"]?.rgb == RGB(0x00FF00) && style.images["wood"]?.size == SIMD2(2, 2))
            #expect(server.server.withLock { $0?.count("/sprite.png") } == 1)
        }
        server.set(
            "/style.json",
            #"{"version":8,"sprite":"gone","sources":{},"layers":[{"id":"b","type":"background","paint":{"background-pattern":"wood"}}]}"#
        )
        #expect(
            try await VectorStyles(prefersStored: false).style(at: server.url("/style.json"), web).images
                .isEmpty)
    }

    @Test
    func `a region of descriptors has the zooms and scale of each, and stores nothing before it is added`()
        async throws
    {
        let server = try StyleServer(), address = server.url("/style.json"), session = try await session()
        defer { session.close() }
        server.set(
            "/town.json",
            #"{"tilejson":"3.0.0","name":"Town","tiles":["{z}/{x}/{y}.pbf"],"vector_layers":[{"id":"water"}],"maxzoom":6}"#
        )
        let queue = try RegionQueue(session, session.opener),
            manager = try OfflineManager(session, session.opener)
        var descriptors = try [
            TilesetDescriptor(style: address, zooms: ZoomRange(0, 1)),
            TilesetDescriptor(style: address, zooms: ZoomRange(3, 4), pixelRatio: 2),
        ]
        descriptors[1].metadata = ["part": "sharp"]
        descriptors[1].acceptsExpired = true
        let proposal = try await queue.plan(
            RegionID("town"), geometry: .box(.world), of: descriptors,
            features: session.configuration.enabledFeatures.map(\.name), isPermitted: true)
        #expect(proposal.definition.zooms.zooms == 0...4 && proposal.definition.sources == [address])
        let plan = proposal.cost
        #expect(plan.rows.map(\.zoom) == [0, 1, 3, 4] && plan.tiles == 1 + 4 + 64 + 256)
        #expect(try manager.allStylePacks().isEmpty && session.regions().store.regions().isEmpty)

        let record = try await queue.add(proposal)
        #expect(try manager.allStylePacks().map(\.address) == [address])
        // Vector tiles are the same at every scale.
        #expect(record.covers.map(\.cover.zooms) == [[0, 1, 3, 4]])
        #expect(record.definition?.tilesets.map(\.metadata) == [.null, ["part": "sharp"]])
        #expect(record.definition?.tilesets.map(\.acceptsExpired) == [false, true])
        let end = try await queue.start(record, sources: proposal.sources).value()
        #expect(end.state == .complete && end.tiles == plan.tiles, "\(end.reason)")
        let asked = server.server.withLock { $0?.record.requests.map(\.target) ?? [] }.filter {
            $0.hasSuffix(".pbf")
        }
        #expect(Set(asked.map { $0.prefix(3) }) == ["/0/", "/1/", "/3/", "/4/"])
        #expect(throws: RegionDefinitionFailure.scale(3)) {
            try TilesetDescriptor(style: address, zooms: ZoomRange(0, 2), pixelRatio: 3)
        }
    }
}
