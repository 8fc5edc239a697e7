@testable import Rhumb
import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests that a removal frees exactly the tiles that no other region uses.
struct RegionRemovalTests {
    @Test(arguments: RegionTileSet.Packing.allCases)
    func `removing the last region removes everything, and the file shrinks`(
        packing: RegionTileSet.Packing
    ) async throws {
        let box = try RegionFixture()
        box.host.answer { request in
            TileHost.tile(request.target[...]).map { tile in
                LoopbackReply(200, picture(20_000, seed: UInt8(tile.x & 127)) + Array("\(tile)".utf8))
            }
        }
        let record = try await box.download(box.region(zooms: 7...10, packing: packing))
        let before = box.store.bytesOnDisk
        let removal = try box.regions.remove(record)
        #expect(removal.tiles == record.planned && removal.sharedTiles == 0)
        // Except for a page with the process that works on it.
        #expect(abs(removal.freedBytes - (before - box.store.bytesOnDisk)) < 20_000)
        #expect(removal.freedBytes >= record.bytes * 9 / 10)
        for table in ["entries", "bodies", "parts", "region_packs", "gaps", "workers", "regions"] {
            #expect(try box.count(table) == 0, "\(table)")
        }
    }

    @Test func `whole packs that another region touches stay complete`() async throws {
        let box = try RegionFixture()
        let first = try await box.download(box.region("a", packing: .wholePacks))
        let second = try await box.download(box.region("b", zooms: 10...10, packing: .wholePacks))
        #expect(second.parts[0].reused == 341)
        let removal = try box.regions.remove(first)
        #expect(removal.tiles == 0 && removal.sharedTiles == 341 && removal.sharedBytes == second.bytes)
        #expect(try box.present(box.region("b", zooms: 10...10, packing: .wholePacks)) == 341)
    }

    @Test func `an exact region keeps only its own tiles of shared packs`() async throws {
        let box = try RegionFixture()
        let first = try await box.download(box.region("a", packing: .wholePacks))
        let second = try await box.download(box.region("b", packing: .exact))
        let removal = try box.regions.remove(first)
        #expect(removal.tiles == 335 && removal.sharedTiles == 6 && removal.sharedBytes == second.bytes)
        #expect(try box.present(box.region("b")) == 6)
        #expect(try box.regions.check(second).isWhole)
    }

    @Test func `only the removed region's tiles among the remaining ones are counted`() async throws {
        let box = try RegionFixture()
        box.host.answer("/7/64/63.png") { _ in LoopbackReply(404) }
        let small = try await box.download(box.region("a", packing: .exact))
        let whole = try await box.download(box.region("b", packing: .wholePacks))
        let removal = try box.regions.remove(small)
        #expect(small.tiles == 5 && small.absent == 1 && removal.tiles == 0)
        #expect(removal.sharedTiles == 5 && removal.sharedBytes == small.bytes)
        #expect(try box.store.region(whole.id) == whole)
    }

    @Test func `equal bodies are stored once and removed with the last tile`() async throws {
        let box = try RegionFixture()
        box.host.answer { _ in LoopbackReply(200, picture(5000, seed: 3)) }
        let first = try await box.download(box.region("a", zooms: 7...8))
        try await box.download(box.region("b", zooms: 9...9))
        #expect(try box.count("bodies") == 1)
        _ = try box.regions.remove(first)
        #expect(try box.count("bodies") == 1 && box.count("entries") == 4)
        _ = try box.regions.remove(box.store.region("b"))
        #expect(try box.count("bodies") == 0)
    }

    @Test func `a region with an unreadable definition keeps all tiles it touches`() async throws {
        let box = try RegionFixture()
        let first = try await box.download(box.region("a"))
        let second = try await box.download(box.region("b"))
        try Connection(box.store.path, .readWrite).execute(
            "UPDATE regions SET definition = '{\"version\":99}' WHERE number = \(second.number)", to: "meddle"
        )
        let removal = try box.regions.remove(first)
        #expect(removal.tiles == 0 && removal.sharedTiles == 6)
    }

    @Test func `documents stay as long as a region needs them`() async throws {
        let box = try RegionFixture()
        let document = StoredResponse(
            body: [1, 2, 3], freshness: Freshness(receivedAt: .now, initialAge: 0, lifetime: 1))
        let documents = [RegionDocument(address: "https://maps.example/t.json", document)]
        let first = try box.regions.add(box.region("a"), [box.source()], documents: documents)
        let second = try box.regions.add(box.region("b"), [box.source()], documents: documents)
        _ = try box.regions.remove(first)
        #expect(box.store.response(for: .document(documents[0].address))?.body == [1, 2, 3])
        #expect(try box.store.missingDocuments(of: second.number) == [])
        _ = try box.regions.remove(second)
        #expect(box.store.response(for: .document(documents[0].address)) == nil)
    }

    @Test func `a region that is being downloaded is not removed`() async throws {
        let box = try RegionFixture()
        let gate = LoopbackGate()
        box.host.answer { _ in LoopbackReply(200, picture(10, seed: 1)).with { $0.gate = gate } }
        let record = try box.regions.add(box.region(), [box.source()])
        let task = try box.regions.start(record, [box.source()])
        #expect(throws: RegionStoreFailure.self) { try box.regions.remove(record) }
        task.cancel()
        gate.open()
        await task.finish()
        #expect(try box.regions.remove(record).sharedTiles == 0)
    }

    @Test(arguments: [true, false])
    func `tiles that no region holds are removed with the next removal of their source, and by a repair`(
        repairs: Bool
    ) async throws {
        let box = try RegionFixture()
        try await box.download(box.region())
        let far = try await box.download(
            box.region("far", Bounds(west: 50.1, south: 0.1, east: 51.3, north: 1.3)))
        let held = try box.count("entries")
        // As written in earlier versions by a process that had lost its region.
        try Connection(box.store.path, .readWrite).execute(
            "INSERT INTO entries SELECT origin, z, x + 40, y, body, size, received, age, lifetime, flags, headers, variant, version, used FROM entries WHERE z >= 7",
            to: "leave orphans")
        #expect(try box.count("entries") > held)
        if repairs {
            #expect(try box.store.sweepOrphans() == held && box.count("entries") == held)
        } else {
            _ = try box.regions.remove(far)
            #expect(try box.count("entries") == box.tiles(box.region()).count)
        }
        #expect(try box.regions.check(box.store.region("home")).isWhole)
    }
}
