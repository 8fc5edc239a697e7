import Rhumb
import RhumbCore
import RhumbEngine
import RhumbHTTP
@testable import RhumbOpening
import RhumbStore
import RhumbTestSupport
import Synchronization
import Testing

struct RemotePMTilesTests {
    private static let deep = TileID(zoom: 4, x: 9, y: 5)!

    private static func archive(zooms: ClosedRange<Int> = 0...4, leafSize: Int? = nil) -> PMTilesFixture {
        var fixture = PMTilesFixture(zooms: zooms)
        fixture.leafSize = leafSize
        return fixture
    }

    @Test(arguments: [(nil, 1, true), (16, 1, true), (16, 1, false), (4, 2, true)] as [(Int?, Int, Bool)])
    func `every tile is found in any layout`(leafSize: Int?, depth: Int, isPacked: Bool) async throws {
        var layout = Self.archive(leafSize: leafSize)
        layout.leafDepth = depth
        layout.isPacked = isPacked
        let fixture = try RemoteArchiveFixture(layout)
        let archive = try await fixture.open()
        for tile in TileID.pyramid(0...4) {
            #expect(await archive.answer(tile) == .success(.bitmap(.encoded(fakePicture(tile)))))
        }
        #expect(try await archive.body(of: TileID(zoom: 5, x: 0, y: 0)!) == nil)
        #expect(archive.info.zooms == 0...4 && archive.info.name == "A map" && archive.refusal == nil)
        #expect(fixture.ranges.first == "bytes=0-16383")
    }

    @Test func `one request opens an archive with its first tiles, and another tile takes one more`()
        async throws
    {
        let fixture = try RemoteArchiveFixture(Self.archive())
        let archive = try await fixture.open()
        #expect(try await archive.body(of: .world) == fakePicture(.world))
        #expect(fixture.http.server.requestCount == 1)
        for _ in 0..<2 {
            _ = try await archive.body(of: Self.deep)
            #expect(fixture.http.server.requestCount == 2)
        }
    }

    /// The largest public archives have a directory of leaves that fills the first bytes.
    @Test func `the fourth request of a planet is the first tile, and a later run needs only the tiles`()
        async throws
    {
        var planet = Self.archive(leafSize: 16)
        planet.isPacked = false
        let name = String(repeating: "x", count: 20_000)
        planet.metadata = Array(#"{"vector_layers":[{"id":"\#(name)"}]}"#.utf8)
        // The tile type in the header: vector tiles.
        planet.patches = [(99, 1)]
        let fixture = try RemoteArchiveFixture(planet)
        #expect(try await fixture.open().body(of: Self.deep) == fakePicture(Self.deep))
        #expect(fixture.http.server.requestCount == 4)
        let later = try await fixture.open(prefersStored: true)
        #expect(later.metadata["vector_layers"] != nil)
        #expect(try await later.body(of: Self.deep) == fakePicture(Self.deep))
        #expect(fixture.http.server.requestCount == 4)
        // Its neighbour is in the same leaf.
        let neighbour = try #require(TileID(zoom: 4, x: 8, y: 5))
        #expect(try await later.body(of: neighbour) == fakePicture(neighbour))
        #expect(fixture.http.server.requestCount == 5)
    }

    @Test func `viewed parts are available offline, and open without a request`() async throws {
        let fixture = try RemoteArchiveFixture(Self.archive(leafSize: 16))
        _ = try await fixture.open().body(of: Self.deep)
        let asked = fixture.http.server.requestCount
        fixture.http.client.isOffline = true
        let archive = try await fixture.open(after: 864_000)
        #expect(await archive.answer(Self.deep) == .success(.bitmap(.encoded(fakePicture(Self.deep)))))
        guard case .failure(let failure) = await archive.answer(TileID(zoom: 4, x: 0, y: 15)!) else {
            Issue.record("a tile that was never fetched")
            return
        }
        #expect(failure.reason == .offline && fixture.http.server.requestCount == asked)
    }

    @Test func `no secret is stored, and parts are stored under the archive's own names`() async throws {
        let fixture = try RemoteArchiveFixture(Self.archive(leafSize: 16))
        fixture.disk.change { $0.etag = "\"1-MARKER\"" }
        let archive = try await fixture.open()
        _ = try await archive.body(of: Self.deep)
        let stored = fixture.store.responses
        #expect(stored.keys.contains(.tile(origin: archive.origin, Self.deep)))
        #expect(!stored.contains { "\($0.key) \($0.value)".contains("MARKER") })
        #expect(stored.values.allSatisfy { $0.headers.first("ETag")?.hasPrefix("\"1-") ?? false })
    }

    @Test func `a changed archive is opened again, and nothing of the old one is mixed in`() async throws {
        let fixture = try RemoteArchiveFixture(Self.archive(leafSize: 16))
        let changes = Mutex(0)
        let archive = try await fixture.open { changes.withLock { $0 += 1 } }
        #expect(try await archive.body(of: .world) == fakePicture(.world))
        let new = PMTilesFixture(TileID.pyramid(0...4).map { ($0, fakePicture($0, side: 4)) })
        fixture.disk.change { ($0.bytes, $0.etag) = (new.bytes, "\"2\"") }
        #expect(try await archive.body(of: Self.deep) == fakePicture(Self.deep, side: 4))
        #expect(try await archive.body(of: .world) == fakePicture(.world, side: 4))
        #expect(changes.withLock { $0 } == 1)
    }

    @Test func `an archive that became shorter is opened again`() async throws {
        let fixture = try RemoteArchiveFixture(Self.archive())
        let archive = try await fixture.open()
        let new = PMTilesFixture([(Self.deep, blankPicture(RGB(0x123456)))])
        fixture.disk.change { ($0.bytes, $0.etag) = (new.bytes, "\"2\"") }
        #expect(try await archive.body(of: Self.deep) == blankPicture(RGB(0x123456)))
    }

    /// The validators of a server's responses, by the number of the request.
    enum Validators: String, CaseIterable {
        case random, two, six, missing, onlyDates, weakened, changingDates

        func header(_ number: Int) -> (String, String)? {
            switch self {
            case .random: ("ETag", "\"\(number)\"")
            case .two: ("ETag", "\"\(number % 2)\"")
            case .six: ("ETag", "\"\(number % 6)\"")
            case .missing: number % 3 == 0 ? ("ETag", "\"1\"") : nil
            case .onlyDates:
                number % 2 == 0 ? ("ETag", "\"1\"") : ("Last-Modified", "Wed, 21 Oct 2015 07:28:00 GMT")
            case .weakened: ("ETag", number % 2 == 0 ? "W/\"1\"" : "\"1\"")
            case .changingDates:
                ("Last-Modified", "Wed, 21 Oct 2015 07:28:\(number % 60 / 10)\(number % 10) GMT")
            }
        }
    }

    @Test(arguments: Validators.allCases)
    func `validators that change although the file stays the same cost two requests`(
        validators: Validators
    ) async throws {
        let count = Mutex(0), problems = Mutex<[String]>([])
        let bytes = Self.archive(leafSize: 16).bytes
        let fixture = try RemoteArchiveFixture(Self.archive(leafSize: 16)) { request, reply in
            let number = count.withLock { count in
                count += 1
                return count
            }
            // A response of 304 would confirm the validator of another mirror.
            reply = .part(of: bytes, request, etag: nil, control: "max-age=60")
            if let header = validators.header(number) { reply.headers.append(header) }
        } onProblem: { problem in
            problems.withLock { $0.append("\(problem)") }
        }
        let archive = try await fixture.open()
        let tiles = Array(TileID.pyramid(4...4).prefix(8))
        for tile in tiles {
            #expect(await archive.answer(tile) == .success(.bitmap(.encoded(fakePicture(tile)))))
        }
        // One for the first bytes, one for a directory, one for each tile, and some to see through the
        // server.
        #expect(fixture.http.server.requestCount <= tiles.count + 6)
        #expect(problems.withLock { $0 }.count <= 1)
        #expect(validators != .random || problems.withLock { $0 }.first?.contains("ETags") == true)
    }

    @Test func `servers with two different archives behind one address are never mixed`() async throws {
        let count = Mutex(0)
        let other = PMTilesFixture(TileID.pyramid(0...4).map { ($0, fakePicture($0, side: 4)) }).bytes
        let fixture = try RemoteArchiveFixture(Self.archive(leafSize: 16)) { request, reply in
            let isOther = count.withLock { count in
                count += 1
                return count.isMultiple(of: 2)
            }
            if isOther { reply = .part(of: other, request, etag: "\"2\"") }
        }
        let archive = try await fixture.open()
        for tile in TileID.pyramid(4...4).prefix(20) {
            switch await archive.answer(tile) {
            case .success(.bitmap(.encoded(let body))):
                #expect(body == fakePicture(tile) || body == fakePicture(tile, side: 4), "\(tile)")
            case .success: Issue.record("\(tile) is missing")
            case .failure(let failure):
                #expect(failure.message.contains("chang") || failure.message.contains("different files"))
            }
        }
        #expect(fixture.http.server.requestCount <= 40)
    }

    @Test func `a validator that replaces a proven one is a new version, even of equal first bytes`()
        async throws
    {
        let fixture = try RemoteArchiveFixture(Self.archive(leafSize: 16))
        let changes = Mutex(0)
        _ = try await fixture.open()
        let archive = try await fixture.open(after: 120, prefersStored: true) { changes.withLock { $0 += 1 } }
        fixture.disk.change { $0.etag = "\"2\"" }
        #expect(try await archive.body(of: Self.deep) == fakePicture(Self.deep))
        #expect(changes.withLock { $0 } == 1 && archive.origin.edition.version == "\"2\"")
    }

    /// Archives that differ only in their tiles: their first bytes, directories and lengths are equal.
    private static func twin(_ version: UInt8) -> [UInt8] {
        var fixture = PMTilesFixture(
            TileID.pyramid(0...4).map { ($0, fakePicture($0) + [UInt8](repeating: version, count: 60)) })
        fixture.leafSize = 16
        fixture.isPacked = false
        let name = String(repeating: "x", count: 17_000)
        fixture.metadata = Array(#"{"name":"\#(name)"}"#.utf8)
        return fixture.bytes
    }

    @Test func `an archive that is replaced at once by one of equal first bytes and length is noticed`()
        async throws
    {
        let fixture = try RemoteArchiveFixture(Self.archive())
        fixture.disk.change { $0.bytes = Self.twin(1) }
        let archive = try await fixture.open()
        let tiles = Array(TileID.pyramid(4...4).prefix(10))
        #expect(try await archive.body(of: tiles[0])?.last == 1)
        fixture.disk.change { ($0.bytes, $0.etag) = (Self.twin(2), "\"2\"") }
        let before = fixture.http.server.requestCount
        // The stored tile of the old version is not used once another tile has shown the new one.
        for tile in tiles.reversed() { #expect(try await archive.body(of: tile)?.last == 2) }
        #expect(fixture.http.server.requestCount <= before + tiles.count + 6)
    }

    /// The servers behind one address, by the number of the request: those of the old file, or of the new
    /// one.
    enum Rollout: CaseIterable {
        /// Two mirrors have validators of their own, until both get the new file.
        case alternating
        /// Each response has another validator until then.
        case invented

        func etag(_ number: Int, isNew: Bool) -> String {
            if isNew { return "\"new\"" }
            return self == .alternating ? "\"\(number % 2)\"" : "\"\(number)\""
        }
    }

    @Test(arguments: Rollout.allCases)
    func `a file that replaces copies with inconsistent validators is noticed`(rollout: Rollout) async throws
    {
        let count = Mutex(0), isNew = Mutex(false)
        let fixture = try RemoteArchiveFixture(Self.archive()) { request, reply in
            let number = count.withLock { count in
                count += 1
                return count
            }
            let isNew = isNew.withLock { $0 }
            reply = .part(of: Self.twin(isNew ? 2 : 1), request, etag: rollout.etag(number, isNew: isNew))
        }
        let archive = try await fixture.open(), tiles = TileID.pyramid(4...4)
        for tile in tiles.prefix(10) { #expect(try await archive.body(of: tile)?.last == 1) }
        // Four open the archive, as its metadata and its directories are not in the first bytes.
        #expect(fixture.http.server.requestCount <= 24)
        isNew.withLock { $0 = true }
        let later = try await tiles[10..<40].asyncMap { try await archive.body(of: $0)?.last }
        // Servers that invent validators may need some responses until the new one is proven.
        #expect(later.dropFirst(rollout == .invented ? 2 : 0).allSatisfy { $0 == 2 }, "\(later)")
        #expect(archive.origin.edition.version == "\"new\"")
    }

    @Test(arguments: 0..<12)
    func `mirrors that answer at random cost few requests`(seed: UInt64) async throws {
        let random = Mutex(SplitMix(seed: seed))
        let fixture = try RemoteArchiveFixture(Self.archive()) { request, reply in
            let mirror = random.withLock { Int.random(in: 0...1, using: &$0) }
            reply = .part(of: Self.twin(1), request, etag: "\"\(mirror)\"")
        }
        let archive = try await fixture.open()
        for tile in TileID.pyramid(4...4).prefix(20) { #expect(try await archive.body(of: tile)?.last == 1) }
        #expect(fixture.http.server.requestCount <= 60)
    }

    @Test func `a weak ETag is used like a strong one`() async throws {
        let fixture = try RemoteArchiveFixture(Self.archive()) { request, reply in
            guard request.header("Range") != "bytes=0-16383" else { return }
            reply.headers = reply.headers.map { $0.name == "ETag" ? ("ETag", "W/" + $0.value) : $0 }
        }
        #expect(try await fixture.open().body(of: Self.deep) == fakePicture(Self.deep))
        #expect(fixture.ranges.filter { $0 == "bytes=0-16383" }.count == 1)
    }

    @Test(arguments: [100, 12 << 20])
    func `a server that sends only whole files is rejected with that reason`(size: Int) async throws {
        let fixture = try RemoteArchiveFixture(Self.archive()) { _, reply in
            reply = LoopbackReply(200, Array(repeating: 7, count: size))
        }
        let failure = await #expect(throws: ArchiveFailure.self) { _ = try await fixture.open() }
        #expect(failure?.reason == .unsupported && failure?.problem.contains("range requests") == true)
        #expect(failure?.description.contains("MARKER") == false)
    }

    @Test(arguments: [404, 403, 400])
    func `an unavailable archive states the reason`(status: Int) async throws {
        let fixture = try RemoteArchiveFixture(Self.archive()) { _, reply in reply = LoopbackReply(status) }
        let failure = await #expect(throws: ArchiveFailure.self) { _ = try await fixture.open() }
        #expect(failure?.reason == .cannotOpen && failure?.description.contains("MARKER") == false)
    }

    @Test func `a file that is not an archive is rejected`() async throws {
        let fixture = try RemoteArchiveFixture(Self.archive())
        fixture.disk.change { $0.bytes = Array("<html>".utf8) + Array(repeating: 0, count: 20_000) }
        await #expect(throws: ArchiveFailure.self) { _ = try await fixture.open() }
    }

    @Test(arguments: ["bytes 0-9/100", "bytes */100", ""])
    func `misplaced parts are rejected`(header: String) async throws {
        let fixture = try RemoteArchiveFixture(Self.archive()) { request, reply in
            guard request.header("Range") != "bytes=0-16383" else { return }
            reply.headers = reply.headers.filter { $0.name != "Content-Range" } + [("Content-Range", header)]
        }
        guard case .failure(let failure) = await (try fixture.open()).answer(Self.deep) else {
            Issue.record("a part from elsewhere")
            return
        }
        #expect(failure.reason == .badContent && failure.message.contains("range requests wrongly"))
        #expect(!fixture.store.responses.keys.contains { if case .tile = $0 { true } else { false } })
    }

    /// If the file ends before the tile, the server answers with the status 416.
    @Test(arguments: [1, 400])
    func `a truncated file is reported, and its part is not stored`(missing: Int) async throws {
        let fixture = try RemoteArchiveFixture(Self.archive())
        fixture.disk.change { $0.bytes.removeLast(missing) }
        let archive = try await fixture.open()
        let last = try #require(TileID.pyramid(4...4).max { $0.hilbertID < $1.hilbertID })
        guard case .failure(let failure) = await archive.answer(last) else {
            Issue.record("a tile that is not whole")
            return
        }
        #expect(failure.reason == .badContent && failure.message.contains("truncated"))
    }

    @Test func `compressed tiles are stored uncompressed`() async throws {
        let fixture = try RemoteArchiveFixture(PMTilesFixture([(.world, Gzip.packed(fakePicture(.world)))]))
        let archive = try await fixture.open()
        #expect(try await archive.body(of: .world) == fakePicture(.world))
        #expect(
            fixture.store.response(for: .tile(origin: archive.origin, .world))?.body == fakePicture(.world))
    }

    @Test func `vector tiles are read, with the same remark as for local archives`()
        async throws
    {
        var layout = Self.archive(zooms: 0...1)
        layout.patches = [(99, 1)]
        let fixture = try RemoteArchiveFixture(layout)
        let archive = try await fixture.open()
        let folder = TemporaryFolder()
        let local = try PMTilesArchive(folder.write(layout.bytes, to: "town.pmtiles"))
        #expect(archive.refusal?.problem == local.refusal?.problem && archive.refusal != nil)
        guard case .success = await archive.answer(.world) else {
            Issue.record("no vector tile")
            return
        }
        #expect(try await archive.body(of: .world) == fakePicture(.world))
    }

    @Test func `no-store stores nothing at all`() async throws {
        let fixture = try RemoteArchiveFixture(Self.archive(leafSize: 16))
        fixture.disk.change { $0.lifetime = "no-store" }
        #expect(try await fixture.open().body(of: Self.deep) == fakePicture(Self.deep))
        #expect(fixture.store.responses.isEmpty)
    }
}

extension Collection {
    /// Returns the results of a function for each element, one after the other.
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
