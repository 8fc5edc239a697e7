import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbOffline
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests that bodies which can't be drawn are not tiles.
struct DamagedBodyTests {
    private static let spot = TileID.at(9, 256, 255)

    private static let bodies: [(body: [UInt8], reason: String)] = [
        (Array(fakePicture(.world, side: 256).dropLast(30)), "truncated"),
        (
            PNGFixture.file([("IHDR", bigEndian(60_000) + bigEndian(60_000) + [8, 2, 0, 0, 0])]),
            "60000×60000"
        ),
    ]

    @Test(arguments: bodies)
    func `an invalid body is a gap with its reason, and fetched once it is valid`(
        body: [UInt8], reason: String
    ) async throws {
        let box = try RegionFixture()
        box.host.answer(Self.spot.target) { _ in LoopbackReply(200, body) }
        let record = try await box.download(box.region())
        #expect(record.state == .completeWithGaps && record.failed == 1)
        let gaps = try box.store.gaps(of: record.number)
        #expect(gaps.map(\.tile) == [Self.spot], "\(gaps)")
        #expect(
            gaps.allSatisfy { $0.reason.contains("damaged image") && $0.reason.contains(reason) }, "\(gaps)")
        #expect(try box.body(Self.spot) == nil && !box.regions.check(record).isWhole)
        box.host.behave()
        #expect(try await box.work(record, nil, SyncMode(.retry)).state == .complete)
        #expect(try box.regions.check(record).isWhole)
    }

    /// An image with a flipped bit.
    private static let flipped: [UInt8] = {
        var body = fakePicture(.world, side: 256)
        body[body.count / 2] ^= 4
        return body
    }()

    @Test func `a body damaged in transit is requested again`() async throws {
        let box = try RegionFixture()
        box.host.answer(Self.spot.target) { $0.time < 3 ? LoopbackReply(200, Self.flipped) : nil }
        let record = try await box.download(box.region())
        #expect(record.state == .complete && box.host.server.requestCount == 8)
        #expect(try box.body(Self.spot) == TileHost.body(Self.spot))
    }

    @Test func `a body that is always damaged is a gap, and a check finds no damage`() async throws {
        let box = try RegionFixture()
        box.host.answer(Self.spot.target) { _ in LoopbackReply(200, Self.flipped) }
        let record = try await box.download(box.region()), check = try box.regions.check(record)
        #expect(record.state == .completeWithGaps && box.host.server.requestCount == 8)
        #expect(
            try box.store.gaps(of: record.number).map(\.reason) == [
                "damaged image: the PNG image is damaged: invalid chunk checksum"
            ])
        #expect(check.damaged == [] && check.missing == [Self.spot])
    }

    @Test func `invalid tiles of a region are fetched again when it is added again`() async throws {
        let box = try RegionFixture()
        let record = try await box.download(box.region())
        let cut = TileHost.body(Self.spot).prefix(100)
        box.store.keepAnyhow(Array(cut), for: try box.key(Self.spot))
        let asked = box.host.server.requestCount
        #expect(try box.regions.check(record).damaged == [box.key(Self.spot)])
        let again = try await box.download(box.region())
        #expect(again.state == .complete && box.host.server.requestCount == asked + 1)
        #expect(try box.body(Self.spot) == TileHost.body(Self.spot))
        // Nothing is fetched for a valid one.
        _ = try await box.download(box.region())
        #expect(box.host.server.requestCount == asked + 1)
    }

    @Test func `a tile whose body was replaced by another picture is fetched again by a repair`() async throws
    {
        let box = try RegionFixture()
        let record = try await box.download(box.region())
        box.store.keepAnyhow(TileHost.body(.at(8, 128, 127)), for: try box.key(Self.spot))
        let check = try box.regions.check(record)
        #expect(try check.damaged == [box.key(Self.spot)] && check.missing.isEmpty)
        _ = try await box.work(box.regions.prepareRepair(of: record, check))
        #expect(try box.body(Self.spot) == TileHost.body(Self.spot) && box.regions.check(record).isWhole)
    }

    @Test func `a tile whose body is gone is missing, not absent`() async throws {
        let box = try RegionFixture()
        let record = try await box.download(box.region())
        try Connection(box.store.path, .readWrite).execute(
            """
            DELETE FROM bodies WHERE id = (SELECT body FROM entries
                WHERE z = \(Self.spot.zoom) AND x = \(Self.spot.x) AND y = \(Self.spot.y))
            """, to: "lose a body")
        let check = try box.regions.check(record)
        #expect(check.missing == [Self.spot] && check.absent == 0)
        _ = try await box.work(box.regions.prepareRepair(of: record, check))
        #expect(try box.body(Self.spot) == TileHost.body(Self.spot) && box.regions.check(record).isWhole)
    }

    @Test func `an export leaves out damaged tiles and counts them`() async throws {
        let box = try RegionFixture()
        let record = try await box.download(box.region())
        let tiles = try box.tiles(box.region())
        box.store.keepAnyhow(TileHost.body(.at(8, 128, 127)), for: try box.key(Self.spot))
        let summary = try box.regions.export(record, to: box.folder.path + "/out.pmtiles")
        #expect(summary.damagedTiles == 1 && summary.missingTiles == 0 && !summary.isWhole)
        #expect(summary.tiles == tiles.count - 1)
    }

    @Test func `invalid tiles of the cache are fetched`() async throws {
        let box = try RegionFixture()
        let freshness = Freshness(receivedAt: .now, initialAge: 0, lifetime: 3600)
        box.cache.store(
            StoredResponse(body: Array(TileHost.body(Self.spot).prefix(100)), freshness: freshness),
            for: try box.key(Self.spot))
        let record = try await box.download(box.region())
        #expect(record.state == .complete && record.parts[0].reused == 0)
        #expect(try box.body(Self.spot) == TileHost.body(Self.spot))
    }

    @Test func `invalid tiles of an archive are gaps`() throws {
        let box = try RegionFixture()
        let tiles = try box.tiles(box.region())
        let archive = PMTilesFixture(
            tiles.map { tile in
                (tile, tile == Self.spot ? Array(TileHost.body(tile).prefix(100)) : TileHost.body(tile))
            })
        let path = box.folder.write(archive.bytes, to: "a.pmtiles")
        let made = try box.regions.add(box.region(), [box.source()])
        #expect(try box.regions.fill(made, from: Archive.open(path), at: box.now).imported == tiles.count - 1)
        #expect(try box.store.gaps(of: made.number).map(\.tile) == [Self.spot])
    }
}

extension RegionStore {
    /// Replaces a tile's body, like damage on the disk.
    fileprivate func keepAnyhow(_ body: [UInt8], for key: ResourceKey) {
        guard case .tile(_, let tile) = key, let connection = try? Connection(path, .readWrite) else {
            return
        }
        let text = body.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        try? connection.execute(
            "UPDATE bodies SET bytes = x'\(text)' WHERE id = (SELECT body FROM entries WHERE z = \(tile.zoom) AND x = \(tile.x) AND y = \(tile.y))",
            to: "damage a tile")
    }
}
