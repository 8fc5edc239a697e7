import Rhumb
import RhumbCore
import RhumbEngine
import RhumbHTTP
@testable import RhumbOpening
import RhumbStore
import RhumbTestSupport
import Synchronization
import Testing

struct RemotePMTilesCacheTests {
    private static let tiles = TileID.pyramid(4...4)

    private func fixture(
        leafSize: Int? = nil,
        _ change: @escaping @Sendable (LoopbackRequest, inout LoopbackReply) -> Void = { _, _ in }
    ) throws -> RemoteArchiveFixture {
        var layout = PMTilesFixture(zooms: 0...4)
        layout.leafSize = leafSize
        return try RemoteArchiveFixture(layout, change)
    }

    @Test func `an outdated archive is revalidated once, not for each tile`() async throws {
        let fixture = try fixture()
        let first = try await fixture.open()
        for tile in Self.tiles.prefix(9) { _ = try await first.body(of: tile) }
        let asked = fixture.http.server.requestCount
        let second = try await fixture.open(after: 3600)
        for tile in Self.tiles.prefix(9) { #expect(try await second.body(of: tile) == fakePicture(tile)) }
        #expect(fixture.http.server.requestCount == asked + 1)
        #expect(fixture.store.counted(.revalidation) == 1)
    }

    @Test func `a stored archive opens at once and is revalidated in the background`() async throws {
        let gate = LoopbackGate()
        let fixture = try fixture { request, reply in
            if request.header("If-None-Match") != nil { reply.gate = gate }
        }
        _ = try await fixture.open()
        let changes = Mutex(0)
        let new = PMTilesFixture(TileID.pyramid(0...4).map { ($0, fakePicture($0, side: 4)) })
        fixture.disk.change { ($0.bytes, $0.etag) = (new.bytes, "\"2\"") }
        let archive = try await fixture.open(after: 3600, prefersStored: true) {
            changes.withLock { $0 += 1 }
        }
        #expect(try await archive.body(of: .world) == fakePicture(.world))
        gate.open()
        #expect(await eventually { changes.withLock { $0 } == 1 })
        #expect(try await archive.body(of: .world) == fakePicture(.world, side: 4))
    }

    @Test func `a tile in the first bytes is no fresher than they are`() async throws {
        let gate = LoopbackGate()
        let fixture = try fixture { request, reply in
            if request.header("If-None-Match") != nil { reply.gate = gate }
        }
        _ = try await fixture.open()
        let archive = try await fixture.open(after: 3600, prefersStored: true)
        let tile = try await archive.response(for: .world, urgency: .visible(view: 0))
        #expect(tile?.body == fakePicture(.world))
        #expect(tile?.state(at: UnixSeconds.now.adding(3600)) == .staleUsable)
        gate.open()
    }

    @Test func `an archive that must be revalidated is revalidated before it is shown`() async throws {
        let fixture = try fixture()
        fixture.disk.change { $0.lifetime = "no-cache" }
        _ = try await fixture.open()
        let new = PMTilesFixture(TileID.pyramid(0...4).map { ($0, fakePicture($0, side: 4)) })
        fixture.disk.change { ($0.bytes, $0.etag) = (new.bytes, "\"2\"") }
        let archive = try await fixture.open(after: 3600, prefersStored: true)
        #expect(try await archive.body(of: .world) == fakePicture(.world, side: 4))
    }

    @Test func `an invalidated tile is fetched again`() async throws {
        let fixture = try fixture()
        let archive = try await fixture.open()
        _ = try await archive.body(of: .world)
        let key = ResourceKey.tile(origin: archive.origin, .world)
        var kept = try #require(fixture.store.response(for: key))
        kept.isInvalidated = true
        fixture.store.store(kept, for: key)
        let asked = fixture.http.server.requestCount
        #expect(try await archive.body(of: .world) == fakePicture(.world))
        #expect(fixture.http.server.requestCount == asked + 1)
        #expect(fixture.store.response(for: key)?.isInvalidated == false)
    }

    @Test func `directories requested while others are in flight are fetched together`() async throws {
        let gate = LoopbackGate()
        let fixture = try fixture(leafSize: 16) { request, reply in
            if request.header("Range") == RemotePMTilesCacheTests.firstLeafRange { reply.gate = gate }
        }
        let file = RemoteFile(
            resource: fixture.resource, loader: DocumentLoader(fixture.http.client, store: fixture.store))
        let edition = try await ArchiveVersion(
            try await file.start(prefersStored: false, isReload: false), of: file)
        let index = try #require(edition.index as? PMTilesIndex), entries = index.root.entries
        let leaves = LeafDirectory(file, index, edition.fileVersion)
        let first = Task { try await leaves.leaf(entries[0]) }
        #expect(await eventually { fixture.http.server.requestCount == 2 })
        let others = entries[1...5].map { entry in Task { try await leaves.leaf(entry) } }
        #expect(await eventually { await leaves.leafLoader.wantedCount == 5 })
        gate.open()
        #expect(try await first.value.entries.count == 16)
        for other in others { #expect(try await other.value.entries.count == 16) }
        #expect(fixture.http.server.requestCount == 3)
    }

    /// The range of the first leaf of the fixture above.
    private static let firstLeafRange: String? = {
        var layout = PMTilesFixture(zooms: 0...4)
        layout.leafSize = 16
        guard let header = PMTilesHeader(layout.bytes),
            let index = try? PMTilesIndex(
                start: layout.bytes, name: "", read: { _, _ throws(TileFailure) in [] }),
            let length = index.root.entries.first?.length
        else { return nil }
        return ByteRange(offset: header.leaves.offset, count: UInt64(length))?.header
    }()

    @Test(
        arguments: [
            ([(0, 10), (10, 10), (20, 10)], [3]), ([(0, 10), (20_000, 10)], [1, 1]),
            ([(20, 10), (0, 10)], [2]), ([(0, 900_000), (900_000, 900_000)], [1, 1]), ([], []),
        ] as [([(UInt64, UInt64)], [Int])])
    func `adjacent leaves are fetched with one request`(leaves: [(UInt64, UInt64)], counts: [Int]) {
        let sections = leaves.map { FileSection(offset: $0.0, length: $0.1) }
        let rules = SectionLoader.Rules.leaves
        let groups = FileSection.groups(of: sections, gap: rules.gap, limit: rules.limit) { $0 }
        #expect(groups.map { $0.items.count } == counts)
    }
}
