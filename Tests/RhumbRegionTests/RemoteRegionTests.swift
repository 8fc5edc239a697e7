import Rhumb
import RhumbCore
@testable import RhumbEngine
import RhumbHTTP
@testable import RhumbOffline
@testable import RhumbOpening
@testable import RhumbStore
import RhumbTestSupport
import Synchronization
import Testing

/// Tests regions of an archive on a web server.
struct RemoteRegionTests {
    /// An archive on a server that a test replaces.
    final class Disk: Sendable {
        let content: Mutex<(bytes: [UInt8], etag: String?)>
        private let ending = Mutex<(ending: LoopbackReply.Ending, then: @Sendable () -> Void)?>(nil)
        init(_ bytes: [UInt8], etag: String?) { content = Mutex((bytes, etag)) }

        func replace(_ bytes: [UInt8], etag: String? = "\"2\"") { content.withLock { $0 = (bytes, etag) } }

        /// Interrupts each response from now on.
        /// - Parameter then: Called at the first of them.
        func breaksOff(_ how: LoopbackReply.Ending, then: @escaping @Sendable () -> Void = {}) {
            ending.withLock { $0 = (how, then) }
        }

        func behave() { ending.withLock { $0 = nil } }

        func reply(_ request: LoopbackRequest) -> LoopbackReply {
            let (bytes, etag) = content.withLock { $0 }
            var reply = LoopbackReply.part(of: bytes, request, etag: etag, control: "max-age=60")
            let then = ending.withLock { ending in
                reply.ending = ending?.ending ?? .whole
                defer { ending?.then = {} }
                return ending?.then
            }
            then?()
            return reply
        }
    }

    /// The formats of archives.
    enum Container: CaseIterable, Sendable {
        case pmtiles, versatiles

        /// The formats whose libraries are installed.
        static var readable: [Container] {
            Compression.brotli.missingPackage == nil ? allCases : [.pmtiles]
        }

        /// Returns an archive with tiles of these zooms.
        func bytes(_ zooms: ClosedRange<Int>, side: Int = 8) -> [UInt8] {
            bytes(TileID.pyramid(zooms).map { ($0, fakePicture($0, side: side)) })
        }

        /// Returns an archive with tiles of 20 KB.
        func large(_ zooms: ClosedRange<Int>, side: Int = 8) -> [UInt8] {
            bytes(TileID.pyramid(zooms).map { ($0, largePicture($0, side: side)) })
        }

        private func bytes(_ tiles: [(TileID, [UInt8])]) -> [UInt8] {
            switch self {
            case .pmtiles: PMTilesFixture(tiles).bytes
            case .versatiles: VersaTilesFixture(tiles.map { (tile: $0.0, body: $0.1) }).bytes
            }
        }
    }

    struct Remote {
        let box: RegionFixture
        let disk: Disk
        var name = "town.pmtiles"

        init(_ fixture: PMTilesFixture) throws { try self.init(fixture.bytes) }

        init(_ bytes: [UInt8], etag: String? = "\"1\"") throws {
            let disk = Disk(bytes, etag: etag)
            box = try RegionFixture()
            self.disk = disk
            box.host.answer { disk.reply($0) }
        }

        func source(prefersStored: Bool = false) async throws -> RegionSource {
            var definition = SourceDefinition(
                id: "remote", name: "Remote",
                addresses: [box.host.server.url("/\(name)?key=SECRETMARKER")])
            definition.kind = .archive
            definition.policy = .unlimited
            let opener = WebSourceOpener(
                loader: DocumentLoader(box.client, store: box.cache, date: { [box] in box.now }),
                environment: { _ in nil })
            return try RegionSource(
                "remote", await opener.layer(of: definition, id: "remote", prefersStored: prefersStored),
                client: box.client)
        }

        func area(_ zooms: ClosedRange<Int>) throws -> RegionDefinition {
            try box.region(
                "home", Bounds(west: -180, south: -90, east: 180, north: 90), zooms: zooms,
                sources: ["remote"])
        }

        /// Returns the tile that a region shows.
        func body(_ tile: TileID, _ record: RegionRecord) -> [UInt8]? {
            box.store.response(for: .tile(origin: record.parts[0].origin, tile))?.body
        }
    }

    @Test(arguments: Container.readable)
    func `adjacent tiles are fetched with one request`(container: Container) async throws {
        let remote = try Remote(container.bytes(0...5))
        let source = try await remote.source()
        let before = remote.box.host.server.requestCount
        let record = try await remote.box.download(remote.area(0...5), source)
        #expect(record.state == .complete && record.parts[0].done == 1365)
        let requests = remote.box.host.server.requestCount - before
        // VersaTiles have a block index, and here a tile index for each zoom.
        let indices = container == .versatiles ? 7 : 0
        #expect(record.parts[0].requests < 10)
        #expect((0...indices).contains(requests - record.parts[0].requests))
        #expect(TileID.pyramid(0...5).allSatisfy { remote.body($0, record) == fakePicture($0) })
        #expect(try remote.box.regions.check(record).isWhole)
        #expect(remote.box.folder.everyFileContaining("SECRETMARKER") == [])
    }

    @Test func `deeper directories are read, and missing tiles are absent`() async throws {
        var fixture = PMTilesFixture(
            TileID.pyramid(0...5).filter { $0.x % 3 > 0 || $0.zoom < 5 }.map { ($0, fakePicture($0)) })
        fixture.leafSize = 50
        let remote = try Remote(fixture)
        let source = try await remote.source()
        let record = try await remote.box.download(remote.area(5...5), source)
        let wanted = Set(TileID.pyramid(5...5)), absent = wanted.filter { $0.x % 3 == 0 }
        #expect(record.state == .complete && record.parts[0].absent == absent.count)
        #expect(record.parts[0].done == wanted.count - absent.count)
    }

    @Test(arguments: Container.readable)
    func `a refresh of the same archive takes one request and no tile`(container: Container) async throws {
        let remote = try Remote(container.bytes(0...4))
        let source = try await remote.source()
        let record = try await remote.box.download(remote.area(0...4), source)
        remote.box.pass(7200)
        let before = remote.box.host.server.requestCount, bytes = remote.box.host.server.record.bytes
        let end = try await remote.box.work(record, source, SyncMode(.refresh))
        #expect(end.state == .complete && end.parts[0].unchanged == 341 && end.parts[0].done == 0)
        #expect(
            remote.box.host.server.requestCount - before <= 2 && remote.box.host.server.record.bytes == bytes)
        #expect(
            remote.box.store.response(for: .tile(origin: source.origin, .world))?.state(at: remote.box.now)
                == .fresh)
    }

    @Test(arguments: Container.readable)
    func `a refresh of a replaced archive fetches its tiles`(container: Container) async throws {
        let remote = try Remote(container.bytes(0...4))
        let source = try await remote.source()
        let record = try await remote.box.download(remote.area(0...4), source)
        remote.disk.replace(container.bytes(0...4, side: 9))
        remote.box.pass(7200)
        let end = try await remote.box.work(record, source, SyncMode(.refresh))
        #expect(end.state == .complete && end.parts[0].done == 341)
        #expect(TileID.pyramid(0...4).allSatisfy { remote.body($0, end) == fakePicture($0, side: 9) })
    }

    @Test(arguments: Container.readable)
    func `when an archive is replaced the new tiles are fetched, and cached old ones dropped`(
        container: Container
    )
        async throws
    {
        let remote = try Remote(container.bytes(0...4))
        let source = try await remote.source()
        remote.disk.replace(container.bytes(0...4, side: 9))
        let deep = try await remote.box.download(remote.area(4...4), source)
        #expect(deep.state == .complete && deep.failed == 0)
        let record = try await remote.box.download(remote.area(0...4), source)
        #expect(record.state == .complete && record.parts[0].done == 85 && record.parts[0].reused == 256)
        #expect(TileID.pyramid(0...4).allSatisfy { remote.body($0, record) == fakePicture($0, side: 9) })
    }

    @Test(arguments: Container.readable)
    func `the replacement of an archive is checked once for all responses in flight`(
        container: Container
    ) async throws {
        let remote = try Remote(container.large(0...4))
        let source = try await remote.source()
        remote.disk.replace(container.large(0...4, side: 9))
        let before = remote.box.host.server.requestCount
        let record = try await remote.box.download(remote.area(0...4), source)
        #expect(record.state == .complete && record.parts[0].done == 341)
        let requests = remote.box.host.server.record.requests.dropFirst(before)
        #expect(requests.count { $0.header("Range") == "bytes=0-16383" } == 1)
    }

    @Test(arguments: Container.readable)
    func `a refresh without a server leaves everything unchanged and waits`(container: Container) async throws
    {
        let remote = try Remote(container.bytes(0...3))
        let source = try await remote.source()
        let record = try await remote.box.download(remote.area(0...3), source)
        remote.box.pass(7200)
        remote.box.host.server.stop()
        let task = try remote.box.regions.start(record, [source], SyncMode(.refresh))
        #expect(await eventually { task.record.state == .waitingForNetwork })
        #expect(task.record.settled == 0)
        try remote.box.host.server.start()
        #expect(try await task.value().parts[0].unchanged == 85)
    }

    @Test(arguments: [("Content-Range", "bytes 0-9/100"), ("Content-Encoding", "gzip")])
    func `a region of a server that answers ranges wrongly fails with that reason, after few requests`(
        name: String, value: String
    ) async throws {
        let remote = try Remote(Container.pmtiles.large(0...4)), disk = remote.disk
        let source = try await remote.source()
        remote.box.host.answer { request in
            var reply = disk.reply(request)
            reply.headers = reply.headers.filter { $0.name != name } + [(name, value)]
            return reply
        }
        let asked = remote.box.host.server.requestCount
        let end = try await remote.box.download(remote.area(0...4), source)
        #expect(end.state == .failed && end.explanation.contains("range requests wrongly"))
        #expect(remote.box.host.server.requestCount - asked < 40)
    }

    @Test func `a file without validators that another length replaces is downloaded in its new edition`()
        async throws
    {
        let remote = try Remote(Container.pmtiles.large(0...3), etag: nil)
        let source = try await remote.source()
        remote.disk.replace(Container.pmtiles.large(0...3, side: 9), etag: nil)
        let record = try await remote.box.download(remote.area(0...3), source)
        #expect(record.state == .complete)
        #expect(TileID.pyramid(0...3).allSatisfy { remote.body($0, record) == largePicture($0, side: 9) })
    }

    /// The highest bytes of the offsets of the directory, the leaves and the tiles.
    @Test(arguments: [15, 47, 63], [0x3F, 0x7F, 0x80, 0xFF] as [UInt8])
    func `a remote archive with impossible offsets does not become a region`(
        byte: Int, value: UInt8
    ) async throws {
        var fixture = PMTilesFixture(zooms: 0...2)
        fixture.leafSize = 6
        fixture.patches = [(byte, value)]
        let remote = try Remote(fixture)
        guard let source = try? await remote.source() else { return }
        let end = try await remote.box.download(remote.area(0...2), source)
        #expect([.completeWithGaps, .failed].contains(end.state) && end.settled == end.failed)
    }

    // MARK: Interrupted connections

    /// The tiles have 20 KB, and every response is interrupted.
    @Test(arguments: [
        (LoopbackReply.Ending.close(after: 170_000), true), (.reset(after: 170_000), true),
        (.close(after: 17_000), true),
        (.close(after: 50_000), false),
    ])
    func `an archive is completed even if every response breaks off, with hardly a byte sent twice`(
        ending: LoopbackReply.Ending, hasVersion: Bool
    ) async throws {
        let remote = try Remote(Container.pmtiles.large(0...3), etag: hasVersion ? "\"1\"" : nil)
        let source = try await remote.source()
        remote.disk.breaksOff(ending)
        let record = try await remote.box.download(remote.area(0...3), source)
        #expect(record.state == .complete && record.parts[0].done == 85)
        #expect(TileID.pyramid(0...3).allSatisfy { remote.body($0, record) == largePicture($0) })
        let ranges = remote.box.host.server.record.requests.compactMap { $0.header("Range") }
        #expect(ranges.count == Set(ranges).count && ranges.count <= 1_800_000 / 15_000)
    }

    @Test func `tiles are stored as their bytes arrive`() async throws {
        let remote = try Remote(Container.pmtiles.large(0...3)), gate = LoopbackGate()
        let source = try await remote.source()
        remote.disk.breaksOff(.pause(after: 1_000_000, gate))
        let task = try remote.box.regions.start(
            remote.box.regions.add(remote.area(0...3), [source]), [source])
        let box = remote.box
        #expect(await eventually { (try? box.count("entries", where: "z >= 0")) ?? 0 >= 45 })
        #expect(task.record.state.isUnfinished)
        gate.open()
        #expect(try await task.value().state == .complete)
    }

    @Test(arguments: Container.readable)
    func `when an archive is replaced while a response breaks off, nothing is mixed`(
        container: Container
    ) async throws {
        let remote = try Remote(container.large(0...3)), disk = remote.disk
        let source = try await remote.source()
        remote.disk.breaksOff(.close(after: 170_000)) { disk.replace(container.large(0...3, side: 9)) }
        let record = try await remote.box.download(remote.area(0...3), source)
        #expect(record.state == .complete)
        #expect(TileID.pyramid(0...3).allSatisfy { remote.body($0, record) == largePicture($0, side: 9) })
    }

    @Test(arguments: Container.readable)
    func `without a server the region waits, and resumes within the range`(
        container: Container
    ) async throws {
        let remote = try Remote(container.large(0...3)), host = remote.box.host, gate = LoopbackGate()
        let source = try await remote.source()
        remote.disk.breaksOff(.pause(after: 1_000_000, gate))
        let task = try remote.box.regions.start(
            remote.box.regions.add(remote.area(0...3), [source]), [source])
        let box = remote.box
        #expect(await eventually { (try? box.count("entries", where: "z >= 0")) ?? 0 >= 45 })
        host.server.stop()
        gate.open()
        #expect(await eventually { task.record.state == .waitingForNetwork })
        remote.disk.behave()
        let asked = host.server.requestCount
        try host.server.start()
        #expect(try await task.value().state == .complete)
        let starts = host.server.record.requests.dropFirst(asked).compactMap {
            $0.header("Range")?.dropFirst(6).split(separator: "-").first
        }
        #expect(!starts.isEmpty && starts.allSatisfy { Int($0) ?? 0 > 900_000 })
    }

    @Test func `the stored definition covers the same area as the archive`() async throws {
        let remote = try Remote(PMTilesFixture(zooms: 2...3))
        let source = try await remote.source()
        let record = try await remote.box.download(remote.area(0...5), source)
        #expect(record.planned == record.covers.first?.cover.counts().total && record.state == .complete)
        let kept = try #require(record.parts[0].definition)
        #expect(kept.kind == .archive && kept.zooms == 2...3)
    }

    // MARK: Ranges

    private func spot(_ offset: UInt64, _ length: UInt64) -> TileRange {
        TileRange(item: SupplyRequest(.world), section: .init(offset: offset, length: length))
    }

    @Test(
        arguments: [
            ([(0, 10), (10, 10)], [2]), ([(65_546, 10), (0, 10)], [2]), ([(65_547, 10), (0, 10)], [1, 1]),
            ([(0, 10), (0, 10), (5, 2)], [3]), ([(0, 4 << 20), (4 << 20, 1)], [1, 1]),
            ([(0, 2 << 20), (2 << 20, 2 << 20), (4 << 20, 5)], [2, 1]), ([(0, 9 << 20)], [1]), ([], []),
        ] as [([(Int, Int)], [Int])])
    func `ranges with small gaps are merged up to 4 MiB`(places: [(Int, Int)], counts: [Int]) {
        let runs = TileRange.runs(places.map { spot(UInt64($0.0), UInt64($0.1)) })
        #expect(runs.map(\.count) == counts)
    }
}

func largePicture(_ tile: TileID, side: Int = 8) -> [UInt8] {
    fakePicture(tile, side: side)
        + (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* (tile.x + 31) &+ $0 >> 8 &+ tile.y) }
}
