import Rhumb
import RhumbCore
import RhumbEngine
import RhumbHTTP
@testable import RhumbOffline
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests creating, changing, listing and limiting regions.
struct RegionCreationTests {
    @Test func `a region is stored as defined, also for another process`() async throws {
        let box = try RegionFixture()
        let asked = try box.region(name: "Home & garden", metadata: ["trip": [1, 2.5, "π"], "done": false])
        let made = try box.regions.add(asked, [box.source()])
        let seen = try RegionStore(box.store.path).region("home")
        #expect(seen == made && made.state == .queued && made.planned == 6 && made.settled == 0)
        #expect(seen.definition == asked)
        #expect(seen.definition?.metadata["trip"]?.array?.count == 3)
        #expect(box.host.server.requestCount == 0)
    }

    @Test func `adding the same region again changes nothing and fetches nothing`() async throws {
        let box = try RegionFixture()
        let first = try await box.download(box.region())
        let asked = box.host.server.requestCount
        let again = try await box.download(box.region())
        #expect(again.number == first.number && again.parts == first.parts && again.state == .complete)
        #expect(box.host.server.requestCount == asked && asked == 6)
        #expect(try box.store.regions().count == 1)
    }

    @Test func `a region of several sources is the same whatever their names`() async throws {
        let box = try RegionFixture()
        let sources = [try box.source("web"), try box.source("other")]
        let asked = try box.region(sources: ["web", "other"])
        let made = try box.regions.add(asked, sources)
        #expect(made.parts.map(\.origin) == sources.map(\.origin))
        try await box.regions.start(made, sources).value()
        #expect(try box.regions.add(asked, sources).state == .complete)
    }

    @Test func `extending a region keeps the stored tiles and fetches the rest`() async throws {
        let box = try RegionFixture()
        try await box.download(box.region(zooms: 7...9))
        let more = try await box.download(box.region(zooms: 7...10))
        #expect(more.state == .complete && more.planned == 22)
        #expect(more.parts[0].reused == 6 && more.parts[0].done == 16)
        #expect(Set(box.host.asked).count == box.host.asked.count)
    }

    @Test func `a region that is moved leaves no tiles behind`() async throws {
        let box = try RegionFixture()
        try await box.download(box.region())
        let there = try box.region("home", Bounds(west: 22.6, south: 0.1, east: 23.8, north: 1.3))
        let moved = try await box.download(there)
        #expect(moved.state == .complete)
        #expect(try box.present(there) == 6 && box.present(box.region()) == 0)
        #expect(try box.count("entries") == 6 && box.count("bodies") == 6)
    }

    @Test func `a region that shrinks within its packs keeps the tiles it still covers`() async throws {
        let box = try RegionFixture()
        try await box.download(box.region(zooms: 7...10))
        let less = try await box.download(box.region(zooms: 7...9))
        #expect(less.planned == 6 && less.parts[0].reused == 6)
        #expect(try box.count("entries") == 6)
    }

    @Test func `a region that releases tiles leaves those of other regions`() async throws {
        let box = try RegionFixture()
        try await box.download(box.region("first", zooms: 7...10))
        try await box.download(box.region("second", zooms: 9...10))
        try await box.download(box.region("first", zooms: 7...7))
        #expect(try box.count("entries") == 21)
        #expect(try box.present(box.region("second", zooms: 9...10)) == 20)
    }

    @Test func `a region with another source releases the tiles of the previous one`() async throws {
        let box = try RegionFixture()
        try await box.download(box.region())
        let source = try box.source("other")
        let record = try await box.download(box.region(sources: ["other"]), source)
        #expect(record.state == .complete && record.parts.map(\.origin) == [source.origin])
        #expect(try box.body(.at(9, 256, 255), "other") != nil && box.body(.at(9, 256, 255)) == nil)
    }

    @Test func `a source name with a new meaning creates the region again`() async throws {
        let box = try RegionFixture()
        try await box.download(box.region())
        let moved = try box.source { $0.addresses = [box.host.server.url("/{z}/{x}/{y}.png?v=2")] }
        let record = try await box.download(box.region(), moved)
        #expect(record.state == .complete && record.parts[0].done == 6)
        #expect(record.parts.map(\.origin) == [moved.origin])
    }

    @Test func `a region works only with its own source`() async throws {
        let box = try RegionFixture()
        let record = try box.regions.add(box.region(), [box.source()])
        let end = try await box.work(record, box.source("other"))
        #expect(end.state == .failed && end.reason.contains("web is not available") && end.settled == 0)
    }

    @Test func `a new name or id fetches no tiles`() async throws {
        let box = try RegionFixture()
        let record = try await box.download(box.region())
        var definition = try box.region("away", name: "Away")
        definition.metadata = ["n": 1]
        try box.store.change(record.number, to: definition)
        let renamed = try box.store.region("away")
        #expect(
            renamed.number == record.number && renamed.parts == record.parts && renamed.state == .complete)
        #expect(throws: RegionStoreFailure.noRegion("home")) { try box.store.region("home") }
    }

    // MARK: Packs

    @Test func `shared packs are counted once, and released by the last region`() async throws {
        let box = try RegionFixture()
        let origin = try box.source().origin
        let first = try box.regions.add(box.region("a", packing: .wholePacks), [box.source()])
        #expect(try box.store.packCount(of: origin) == 1)
        _ = try box.regions.add(box.region("b", zooms: 9...9, packing: .exact), [box.source()])
        #expect(try box.store.packCount(of: origin) == 1)
        _ = try box.regions.remove(first)
        #expect(try box.store.packCount(of: origin) == 1)
        _ = try box.regions.remove(box.store.region("b"))
        #expect(try box.store.packCount(of: origin) == 0)
    }

    @Test func `too many packs are rejected before the first request, and fewer zooms proposed`() async throws
    {
        let box = try RegionFixture()
        let source = try box.source { $0.policy.packLimit = 10 }
        let plan = try box.regions.plan(box.region(zooms: 9...16), [source])
        guard case .overPackLimit("web", let needed, 10, 10, let proposal?) = plan.verdict else {
            Issue.record("\(plan.verdict)")
            return
        }
        #expect(needed > 1000 && proposal.description == "9-10")
        #expect(!plan.verdict.mayProceed && box.host.server.requestCount == 0)
    }

    @Test func `with full packs, stored tiles may be requested again`() async throws {
        let box = try RegionFixture()
        let source = try box.source { $0.policy.packLimit = 1 }
        try await box.download(box.region(), source)
        #expect(try box.regions.plan(box.region("other", zooms: 10...10), [source]).verdict == .allowed)
        let elsewhere = try box.region("third", Bounds(west: 50, south: 1, east: 50.1, north: 1.1))
        guard case .overPackLimit = try box.regions.plan(elsewhere, [source]).verdict else {
            Issue.record("it fits")
            return
        }
    }

    @Test func `a region over the pack limit is rejected before anything is stored`() async throws {
        let box = try RegionFixture()
        let source = try box.source { $0.policy.packLimit = 1 }
        let home = try box.regions.add(box.region(), [source])
        for definition in try [box.region("other", zooms: 9...11), box.region(zooms: 7...11)] {
            #expect {
                try box.regions.add(definition, [source])
            } throws: { error in
                guard case RegionStoreFailure.refused(.overPackLimit("web", 64, 0, 1, _)) = error else {
                    return false
                }
                return (error as? RegionStoreFailure)?.remedy == .listRegions
            }
        }
        #expect(try box.store.regions() == [home] && box.store.packCount(of: source.origin) == 1)
        // The packs of existing regions remain usable, even with a lower limit.
        let lower = try box.source { $0.policy.packLimit = 0 }
        #expect(try await box.work(box.regions.add(box.region(), [lower]), lower).state == .complete)
    }

    @Test
    func `the permission that a policy requires is needed once per source, and a denial always applies`()
        throws
    {
        let box = try RegionFixture()
        let asking = try box.source {
            $0.policy.offline = .ask
            $0.policy.policyURL = "https://rules.example/"
        }
        let refusal = RegionStoreFailure.refused(
            .ask(sources: ["web"], policyURLs: ["https://rules.example/"]))
        #expect(throws: refusal) { try box.regions.add(box.region(), [asking]) }
        #expect(refusal.remedy == .sayPermitted)
        #expect(try box.store.regions().isEmpty)
        let record = try box.regions.add(box.region(), [asking], isPermitted: true)
        #expect(try box.regions.add(box.region(zooms: 7...8), [asking]).number == record.number)
        let other = try box.source("other") { $0.policy.offline = .ask }
        #expect(throws: RegionStoreFailure.self) {
            try box.regions.add(box.region(sources: ["web", "other"]), [asking, other])
        }
        let denying = try box.source { $0.policy.offline = .denied }
        for body in [
            { _ = try box.regions.add(box.region(), [denying], isPermitted: true) },
            { _ = try box.regions.start(record, [denying]) },
        ] as [() throws -> Void] {
            #expect {
                try body()
            } throws: { error in
                guard case RegionStoreFailure.refused(.denied("web", _, _, _)) = error else { return false }
                return true
            }
        }
    }

    // MARK: Plans

    @Test func `a plan excludes tiles that are stored and fresh, in a region or the cache`() async throws {
        let box = try RegionFixture()
        try await box.download(box.region("small", zooms: 7...8))
        let fresh = StoredResponse(
            body: [1], freshness: Freshness(receivedAt: .now, initialAge: 0, lifetime: 3600))
        box.cache.store(fresh, for: try box.key(.at(9, 256, 255)))
        // It is in both, and counted once.
        box.cache.store(fresh, for: try box.key(.at(8, 128, 127)))
        let plan = try box.regions.plan(box.region(), [box.source()])
        #expect(plan.tiles == 6 && plan.stored == 3 && plan.toFetch == 3)
        box.pass(7200)
        #expect(try box.regions.plan(box.region(), [box.source()]).stored == 0)
    }

    @Test func `a plan takes tile sizes from stored tiles`() async throws {
        let box = try RegionFixture()
        let record = try await box.download(box.region("all", zooms: 7...11))
        let plan = try box.regions.plan(
            box.region("next", Bounds(west: 2.9, south: 0.1, east: 4.1, north: 1.3), zooms: 7...11),
            [box.source()])
        let mean = Double(record.bytes) / Double(record.settled)
        #expect(abs(Double(plan.size.bytes) - mean * Double(plan.tiles)) <= Double(plan.size.margin))
        #expect(plan.size.margin < plan.size.bytes)
    }

    @Test(arguments: [
        (SourcePolicy.OfflineRight.denied, false, "denied"), (.denied, true, "denied"), (.ask, false, "ask"),
        (.ask, true, "allowed"), (.allowed, false, "allowed"),
    ])
    func `a policy applies before the first request`(
        right: SourcePolicy.OfflineRight, isPermitted: Bool, word: String
    ) async throws {
        let box = try RegionFixture()
        let source = try box.source {
            $0.policy.offline = right
            $0.policy.policyURL = "https://rules.example/"
        }
        let plan = try box.regions.plan(box.region(), [source], isPermitted: isPermitted)
        #expect(plan.verdict.word == word && box.host.server.requestCount == 0)
        if word != "allowed" {
            #expect(plan.verdict.lines.contains { $0.contains("https://rules.example/") })
        }
    }

    @Test func `a region of the world with all street zooms is rejected without listing its tiles`() throws {
        let box = try RegionFixture()
        let world = try box.region(
            "world", Bounds(west: -180, south: -90, east: 180, north: 90), zooms: 0...16)
        guard
            case .tooManyTiles(let count, let proposal?) = try box.regions.plan(world, [box.source()]).verdict
        else {
            Issue.record("it is allowed")
            return
        }
        #expect(count > 5_000_000_000 && (4...13).contains(proposal.highest))
    }

    @Test func `a box across the antimeridian has the tiles of both sides`() async throws {
        let box = try RegionFixture()
        let across = try box.region(
            "fiji", Bounds(west: 179.5, south: 0.1, east: -179.5, north: 0.5), zooms: 8...9)
        let record = try await box.download(across)
        #expect(record.state == .complete && record.planned == 4)
        #expect(Set(box.host.asked.map(\.x)) == [0, 255, 511])
    }

    // MARK: Sources

    @Test func `traffic and local archives can't become regions`() throws {
        let box = try RegionFixture()
        var flow = try box.source().layer
        flow.feature = .trafficFlow
        #expect(throws: RegionSourceFailure.traffic("Web")) {
            try RegionSource("web", flow, client: box.client)
        }
        let path = try MBTilesFixture(zooms: 0...1).write(in: box.folder)
        let archive = try Archive.open(path)
        let layer = TileLayer(id: "file", source: archive, info: archive.info)
        #expect(throws: RegionSourceFailure.here(archive.info.name)) {
            try RegionSource("file", layer, client: box.client)
        }
    }

    @Test func `neither keys nor headers are in the store or in exports`() async throws {
        let box = try RegionFixture()
        let source = try box.source {
            $0.addresses = [box.host.server.url("/{z}/{x}/{y}.png?key={key}&token=TOKENMARKER")]
            $0.headers = ["Authorization": "HEADERMARKER"]
            $0.policy.archives = true
        }
        let record = try await box.download(box.region(), source)
        #expect(box.host.server.record.requests.allSatisfy { $0.target.contains("SECRETMARKER") })
        #expect(record.state == .complete)
        for name in ["out.pmtiles", "out.mbtiles"] {
            _ = try box.regions.export(record, to: box.folder.path + "/" + name)
        }
        for marker in ["SECRETMARKER", "TOKENMARKER", "HEADERMARKER"] {
            #expect(box.folder.everyFileContaining(marker) == [])
        }
    }
}
