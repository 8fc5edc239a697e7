import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbOffline
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the resources, bytes and events of a store's regions.
struct RegionResourcesTests {
    private func document(_ body: String) -> RegionDocument {
        RegionDocument(
            address: "https://maps.example/t.json",
            StoredResponse(
                body: Array(body.utf8), freshness: Freshness(receivedAt: .now, initialAge: 0, lifetime: 600)))
    }

    @Test func `resources are tiles and documents that are stored, loaded or failed, with their bytes`()
        async throws
    {
        let box = try RegionFixture()
        let definition = try box.region(), source = try box.source()
        let missing = try require(try box.tiles(definition).last)
        box.host.answer(missing.target) { _ in LoopbackReply(500) }
        let record = try box.regions.add(definition, [source], documents: [document("four")])
        #expect(
            record.resources.required == 7 && record.resources.completed == 1
                && record.resources.completedBytes == 4)
        let end = try await box.work(record)
        let bytes = try box.tiles(definition).reduce(0) { try $0 + (box.body($1)?.count ?? 0) }
        #expect(end.resources.required == 7 && end.resources.completed == 6 && end.resources.errored == 1)
        #expect(end.resources.loaded == 5 && end.resources.loadedBytes == bytes)
        #expect(end.resources.completedBytes == bytes + 4)
    }

    @Test func `the rate counts fetched tiles, not those stored before`() throws {
        let box = try RegionFixture(), clock = ManualClock()
        var record = try box.regions.add(box.region(zooms: 7...11), [box.source()])
        var rate = RegionRate(record, clock: clock.engineClock)
        clock.advance(by: .seconds(1))
        record.parts[0].reused = 40
        rate.note(record)
        clock.advance(by: .seconds(1))
        #expect(rate.tilesPerSecond == 0 && rate.secondsLeft == nil)
        for _ in 0..<20 {
            clock.advance(by: .milliseconds(500))
            record.parts[0].done += 1
            record.parts[0].loaded += 1
            rate.note(record)
        }
        clock.advance(by: .milliseconds(500))
        #expect(record.planned == 86 && abs(rate.tilesPerSecond - 2) < 0.3)
        #expect(try abs(require(rate.secondsLeft) - 13) < 2)
        var paused = rate
        record.state = .paused
        paused.note(record)
        #expect(paused.tilesPerSecond == 0 && paused.secondsLeft == nil && !paused.text.contains("tiles/s"))
        clock.advance(by: .seconds(6))
        #expect(rate.tilesPerSecond == 0 && rate.secondsLeft == nil)
    }

    @Test func `resources stored before count as stored, not as loaded`() async throws {
        let box = try RegionFixture()
        let first = try await box.download(box.region("first"))
        let second = try await box.download(box.region("second"))
        #expect(
            first.resources.loaded == 6 && second.resources.loaded == 0 && second.resources.loadedBytes == 0)
        #expect(
            second.resources.completed == 6
                && second.resources.completedBytes == first.resources.completedBytes)
    }

    @Test func `a store reports progress, ends, removals and changes of area and definition`() async throws {
        let box = try RegionFixture()
        let events = box.store.events()
        var record = try await box.download(box.region())
        var definition = try record.readDefinition()
        definition.name = "Home"
        try box.store.change(record.number, to: definition)
        let larger = try box.region(
            "home", Bounds(west: 0.1, south: 0.1, east: 2.7, north: 1.3), name: "Home")
        record = try box.regions.add(larger, [box.source()])
        _ = try box.regions.remove(record)
        var seen: [String] = []
        for await event in events {
            switch event {
            case .progress: if seen.isEmpty { seen.append("progress") }
            case .ended(let end): seen.append("ended \(end.state)")
            case .metadataChanged(let new): seen.append("called \(new.name)")
            case .geometryChanged(let new):
                seen.append(new.definition?.geometry == larger.geometry ? "larger" : "other")
            case .removed(let id): seen.append("removed \(id)")
            default: seen.append("other")
            }
            if case .removed = event { break }
        }
        #expect(seen == ["progress", "ended complete", "called Home", "larger", "removed home"])
    }

    @Test func `on a metered connection a region waits and reports it, and continues where it stopped`()
        async throws
    {
        let box = try RegionFixture()
        box.client.isMetered = true
        let record = try await box.download(box.region())
        #expect(record.state == .waitingForNetwork && record.reason.contains("metered") && record.failed == 0)
        #expect(box.host.server.requestCount == 0 && box.store.worker(of: record.number, at: .now) == nil)
        box.client.isMetered = false
        #expect(try await box.work(record).state == .complete)
    }

    @Test func `a store of version 2 is read, and its regions continue`() async throws {
        let box = try RegionFixture()
        let path = box.folder.path + "/older.db"
        do {
            _ = try RegionStore(path)
            let connection = try Connection(path, .readWrite)
            try connection.execute(
                "ALTER TABLE parts DROP COLUMN loaded; ALTER TABLE parts DROP COLUMN loaded_bytes; DROP TABLE style_packs; PRAGMA user_version = 2",
                to: "make it as it was")
        }
        let regions = Regions(try RegionStore(path), cache: nil, clock: box.clock), source = try box.source()
        let record = try regions.add(box.region(), [source])
        let end = try await regions.start(record, [source]).value()
        #expect(end.state == .complete && end.resources.loaded == 6)
    }
}
