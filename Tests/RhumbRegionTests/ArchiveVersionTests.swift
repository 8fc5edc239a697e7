import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbHTTP
@testable import RhumbOffline
@testable import RhumbOpening
import RhumbStore
import RhumbTestSupport
import Synchronization
import Testing

/// Tests a publisher that releases new editions of a region's source.
struct ArchiveVersionTests {
    private struct Publisher {
        let box: RegionFixture
        private let document: Document

        private final class Document: Sendable {
            let json = Mutex("")
        }

        init() throws {
            let document = Document()
            box = try RegionFixture()
            self.document = document
            box.host.answer("/map.json") { _ in
                LoopbackReply(
                    200, Array(document.json.withLock { $0 }.utf8), headers: ["Cache-Control": "max-age=60"])
            }
            publish("1.0.0")
        }

        /// - Parameters:
        ///   - path: The end of the tiles' addresses.
        ///   - bodies: The version of the host's tiles.
        func publish(_ version: String, path: String = "", bodies: Int = 1) {
            let template = box.host.server.url("/{z}/{x}/{y}.png\(path)")
            document.json.withLock {
                $0 =
                    #"{"tilejson":"3.0.0","version":"\#(version)","minzoom":0,"maxzoom":9,"tiles":["\#(template)"]}"#
            }
            box.host.change { $0.version = bodies }
        }

        var loader: DocumentLoader {
            DocumentLoader(box.client, store: box.cache, date: { [box] in box.now })
        }

        func source() async throws -> RegionSource {
            var definition = try SourceDefinition(address: box.host.server.url("/map.json"))
            definition.policy = .unlimited
            var opener = WebSourceOpener(loader: loader, environment: { _ in nil })
            opener.reloadsDocuments = true
            return try RegionSource("map", await opener.layer(of: definition, id: "map"), client: box.client)
        }

        func area(_ zooms: ClosedRange<Int> = 7...9) throws -> RegionDefinition {
            try box.region(zooms: zooms, sources: ["map"])
        }

        func download(_ zooms: ClosedRange<Int> = 7...9) async throws -> RegionRecord {
            let source = try await source()
            let record = try box.regions.add(
                area(zooms), [source], documents: await loader.documents(of: [source]))
            return try await box.work(record, source)
        }

        func update(_ record: RegionRecord) async throws -> RegionRecord {
            let source = try await source(), documents = try await loader.documents(of: [source])
            let task = try box.regions.start(record, [source], SyncMode(.refresh), documents: documents)
            try await task.value()
            return try box.store.region(record.id)
        }

        /// Returns true if a region shows all its tiles in the host's version.
        func shows(_ record: RegionRecord, version: Int) throws -> Bool {
            try box.tiles(area()).allSatisfy {
                box.store.response(for: .tile(origin: record.parts[0].origin, $0))?.body
                    == TileHost.body($0, version)
            }
        }
    }

    @Test func `the stored edition is shown until the new one is complete`() async throws {
        let publisher = try Publisher(), box = publisher.box
        let first = try await publisher.download()
        #expect(first.state == .complete && first.parts[0].origin.edition.version == "1.0.0")
        publisher.publish("2.0.0", path: "?e=2", bodies: 2)
        box.host.answer("/9/257/255.png") { _ in LoopbackReply(500) }
        let half = try await publisher.update(first)
        #expect(half.state == .completeWithGaps && half.reason.contains("the old edition stays in use"))
        #expect(
            half.parts[0].origin == first.parts[0].origin && half.coming[0].origin.edition.version == "2.0.0")
        #expect(try publisher.shows(half, version: 1) && box.regions.check(half).isWhole)
        box.host.answer("/9/257/255.png") { _ in nil }
        let whole = try await box.work(half, publisher.source(), SyncMode(.retry))
        #expect(
            whole.state == .complete && whole.coming.isEmpty
                && whole.parts[0].origin.edition.version == "2.0.0")
        #expect(try publisher.shows(whole, version: 2) && box.regions.check(whole).isWhole)
        #expect(try box.count("entries", where: "z >= 0") == 6)
    }

    @Test func `a new edition with fewer gaps than the stored one replaces it`() async throws {
        let publisher = try Publisher(), box = publisher.box, lost = ["/9/257/255.png", "/9/256/255.png"]
        for target in lost { box.host.answer(target) { _ in LoopbackReply(500) } }
        let first = try await publisher.download()
        #expect(first.state == .completeWithGaps && first.failed == 2)
        publisher.publish("2.0.0", path: "?e=2", bodies: 2)
        box.host.answer(lost[0]) { _ in nil }
        let second = try await publisher.update(first)
        #expect(second.state == .completeWithGaps && second.coming.isEmpty && second.failed == 1)
        #expect(second.parts[0].origin.edition.version == "2.0.0" && second.reason.isEmpty)
    }

    @Test func `an interrupted repair does not block a new edition`() async throws {
        let publisher = try Publisher(), box = publisher.box
        let first = try await publisher.download()
        let begun = try box.regions.prepareRepair(of: first, box.regions.check(first))
        publisher.publish("2.0.0", path: "?e=2", bodies: 2)
        let second = try await publisher.update(begun)
        #expect(try second.state == .complete && publisher.shows(second, version: 2))
    }

    @Test func `an unchanged new edition at the same addresses transfers no bodies`() async throws {
        let publisher = try Publisher(), box = publisher.box
        let first = try await publisher.download(0...9)
        publisher.publish("1.1.0")
        let before = box.host.server.record.bytes
        let second = try await publisher.update(first)
        let document = try #require(box.store.documents(of: second.number).first?.response.body?.count)
        #expect(second.state == .complete && second.parts[0].origin.edition.version == "1.1.0")
        #expect(second.parts[0].unchanged == second.planned && second.parts[0].done == 0)
        #expect(box.host.server.record.bytes - before <= 2 * document)
        #expect(try publisher.shows(second, version: 1))
    }

    /// A server may state the same validators for different editions, such as the day of their publication.
    @Test(arguments: [("", true), ("?e=2", false)])
    func `a stored tile of another edition is revalidated only if its address is the same`(
        path: String, isSame: Bool
    ) async throws {
        let publisher = try Publisher(), box = publisher.box
        _ = try await publisher.download()
        publisher.publish("2.0.0", path: path)
        let want = WantedTile(layer: try await publisher.source().layer, tile: .at(9, 256, 255))
        let fetcher = CachedTileFetcher(box.client, store: box.cache, regions: box.store, date: { box.now })
        fetcher.protect([want])
        _ = try await fetcher.fetch(want, holdsStored: false)
        let request = try #require(box.host.server.record.requests.last)
        #expect(request.target == "/9/256/255.png\(path)")
        #expect((request.header("If-None-Match") != nil) == isSame)
    }

    @Test func `an interrupted update continues, and nothing is lost`() async throws {
        let publisher = try Publisher(), box = publisher.box
        let first = try await publisher.download()
        publisher.publish("2.0.0", path: "?e=2", bodies: 2)
        let gate = LoopbackGate()
        box.host.answer("/9/257/255.png") { _ in
            LoopbackReply(200, TileHost.body(.at(9, 257, 255), 2)).with { $0.gate = gate }
        }
        let source = try await publisher.source(),
            documents = try await publisher.loader.documents(of: [source])
        let begun = box.host.asked.count
        let task = try box.regions.start(first, [source], SyncMode(.refresh), documents: documents)
        #expect(await eventually { box.host.asked.count >= begun + 6 || task.record.settled >= 4 })
        try await Task.sleep(for: .milliseconds(200))
        task.cancel()
        gate.open()
        await task.finish()
        let broken = try box.store.region(first.id)
        #expect(try broken.state == .cancelled && publisher.shows(broken, version: 1))
        box.host.answer("/9/257/255.png") { _ in nil }
        let asked = box.host.asked.count
        let whole = try await box.work(broken, source)
        #expect(whole.state == .complete && box.host.asked.count - asked < 6)
        #expect(try publisher.shows(whole, version: 2))
    }

    @Test func `a region that is added again keeps its tiles while its new edition is downloaded`()
        async throws
    {
        let publisher = try Publisher(), box = publisher.box
        let first = try await publisher.download()
        publisher.publish("2.0.0", path: "?e=2", bodies: 2)
        let source = try await publisher.source()
        let again = try box.regions.add(
            publisher.area(), [source], documents: await publisher.loader.documents(of: [source]))
        #expect(try publisher.shows(again, version: 1) && again.coming.count == 1)
        let whole = try await box.work(again, source)
        #expect(try whole.state == .complete && publisher.shows(whole, version: 2))
        #expect(first.number == whole.number)
    }

    @Test func `regions of different editions keep their own tiles and documents`() async throws {
        let publisher = try Publisher(), box = publisher.box
        let first = try await publisher.download()
        publisher.publish("2.0.0", path: "?e=2", bodies: 2)
        box.pass(120)
        let source = try await publisher.source()
        let other = try box.regions.add(
            box.region("other", zooms: 7...9, sources: ["map"]), [source],
            documents: await publisher.loader.documents(of: [source]))
        let second = try await box.work(other, source)
        #expect(try publisher.shows(first, version: 1) && publisher.shows(second, version: 2))
        #expect(
            try box.store.documents(of: first.number).map(\.response.body)
                != box.store.documents(of: second.number).map(\.response.body))
        _ = try box.regions.remove(second)
        #expect(try publisher.shows(first, version: 1) && box.regions.check(first).isWhole)
        #expect(try box.count("entries") == 7)
    }

    @Test func `without a network the newest edition that is complete for the view is shown`() async throws {
        let publisher = try Publisher(), box = publisher.box
        let first = try await publisher.download()
        publisher.publish("2.0.0", path: "?e=2", bodies: 2)
        let layer = try await publisher.source().layer
        box.client.isOffline = true
        let fetcher = CachedTileFetcher(box.client, store: box.cache, regions: box.store, date: { box.now })
        let wants = [TileID.at(9, 256, 255), .at(9, 257, 255)].map { WantedTile(layer: layer, tile: $0) }
        func editions() -> [TileEdition?] {
            fetcher.protect(wants)
            return wants.map { fetcher.stored($0)?.edition }
        }
        let old = first.parts[0].origin.edition
        #expect(editions() == [old, old])
        for (number, want) in wants.enumerated() {
            let key = try #require(ResourceKey(want))
            let life = Freshness(receivedAt: box.now, initialAge: 0, lifetime: 3600)
            box.cache.store(StoredResponse(body: TileHost.body(want.tile, 2), freshness: life), for: key)
            #expect(editions() == (number == 0 ? [old, old] : [nil, nil]))
        }
    }
}
