import Glibc
import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbOffline
@testable import RhumbStore
import RhumbTestSupport
import Synchronization
import Testing

/// Tests quotas, damaged stores and stores of other versions.
struct RegionTroubleTests {
    @Test func `with a quota of 0 no regions can be created`() throws {
        let box = try RegionFixture(quota: 0)
        #expect(throws: RegionStoreFailure.quota(bytes: 0)) {
            try box.regions.add(box.region(), [box.source()])
        }
    }

    @Test func `a download stops cleanly at the quota, and continues with more room`() async throws {
        let box = try RegionFixture(quota: 600_000)
        box.host.answer { request in
            TileHost.tile(request.target[...]).map {
                LoopbackReply(200, picture(20_000, seed: 1) + Array("\($0)".utf8))
            }
        }
        let record = try await box.download(box.region(zooms: 7...11))
        #expect(record.state == .failed && record.reason.contains("is used up") && record.settled < 86)
        #expect(box.store.bytesOnDisk < 5_000_000)
        let more = try RegionStore(box.store.path)
        let asked = box.host.server.requestCount
        let task = try Regions(more, cache: nil).start(record, [box.source()])
        let end = try await task.value()
        #expect(end.state == .complete && end.settled == 86)
        // Cancelled requests of the first download may arrive late. They are for tiles that it didn't store.
        let targets = Set(box.host.server.record.requests.dropFirst(asked).map(\.target))
        #expect(targets.count == 86 - record.settled)
    }

    // MARK: Servers that always fail

    @Test func `a server that keeps rate-limiting is abandoned; the download can be resumed later`()
        async throws
    {
        let box = try RegionFixture()
        let record = try box.regions.add(box.region(zooms: 7...11), [box.source()])
        let asked = Mutex(0)
        let supply = ScriptedSupply(origin: try box.source().origin) { _ in
            asked.withLock { $0 += 1 }
            return .failure(
                SupplyFailure(.wait(.milliseconds(1)), "HTTP 503, the server wants fewer requests"))
        }
        let task = try box.regions.start(record, [box.source(supply: supply)])
        var reasons: Set<String> = []
        for await update in task.updates() { reasons.insert(update.progress.reason) }
        let end = try await task.value()
        #expect(
            end.state == .failed && end.reason.contains("rate-limited 10 times")
                && end.reason.contains("HTTP 503"))
        #expect(reasons.contains("HTTP 503, the server wants fewer requests"))
        #expect(end.settled == 0 && asked.withLock { $0 } < 86 * 11)
        let again = try await box.work(end)
        #expect(again.state == .complete && again.settled == 86)
    }

    @Test func `a server that is paused because it fails is abandoned after three pauses`() async throws {
        let box = try RegionFixture()
        let record = try box.regions.add(box.region(zooms: 7...11), [box.source()])
        let supply = ScriptedSupply(origin: try box.source().origin) { _ in
            .failure(SupplyFailure(.outage(.milliseconds(1)), "HTTP 503, server error"))
        }
        let end = try await box.regions.start(record, [box.source(supply: supply)]).value()
        #expect(
            end.state == .failed && end.reason.contains("the server keeps failing")
                && !end.reason.contains("rate-limited"), "\(end.reason)")
        #expect(try await box.work(end).state == .complete)
    }

    @Test(arguments: [3, 4])
    func `pauses of addresses are gaps, but those of many tiles are an outage of the server`(
        count: Int
    ) async throws {
        let box = try RegionFixture()
        let tiles = Set(try box.tiles(box.region(zooms: 7...11)).prefix(count))
        let record = try box.regions.add(box.region(zooms: 7...11), [box.source()])
        let supply = ScriptedSupply(origin: try box.source().origin) { tile in
            guard !tiles.contains(tile) else {
                return .failure(SupplyFailure(.paused(.milliseconds(1)), "connection lost"))
            }
            let freshness = Freshness(receivedAt: .now, initialAge: 0, lifetime: 60)
            return .success(.answer(StoredResponse(body: TileHost.body(tile), freshness: freshness)))
        }
        let end = try await box.regions.start(record, [box.source(supply: supply)]).value()
        #expect(end.state == .completeWithGaps && end.failed == count, "\(end.reason)")
        // Nothing else arrives in the meantime.
        let again = try box.regions.start(end, [box.source(supply: supply)], SyncMode(.retry))
        let last = try await again.value()
        #expect(last.state == (count < 4 ? .completeWithGaps : .failed), "\(last.reason)")
        #expect(last.failed == count && (count < 4 || last.reason.contains("the server keeps failing")))
    }

    @Test func `an address that breaks each connection is paused, and the server is not`() async throws {
        let box = try RegionFixture()
        box.host.answer { _ in
            LoopbackReply(200, []).with {
                $0.ending = .reset(after: 0); $0.framing = .announced(9)
            }
        }
        let source = try WebTileSource(box.definition(), environment: { _ in "KEY" })
        let supply = WebTileSupply(source, client: try RegionFixture.client(ManualClock().engineClock))
        let tile = try require(box.tiles(box.region()).first)
        let kinds = Mutex<[SupplyFailure.Kind]>([])
        for _ in 1...5 {
            await supply.load([SupplyRequest(tile, held: nil)]) { event in
                guard case .loaded(_, .failure(let failure)) = event else { return }
                kinds.withLock { $0.append(failure.kind) }
            }
        }
        #expect(kinds.withLock { $0 } == [.lost, .lost, .lost, .lost, .paused(.seconds(20))])
    }

    @Test func `a server that requests a long pause is abandoned at once, and the time is stated`()
        async throws
    {
        let box = try RegionFixture()
        box.host.answer { _ in LoopbackReply(429, headers: ["Retry-After": "100000"]) }
        let end = try await box.download(box.region(zooms: 7...11))
        // The latest response may be one for a request that was not sent any more.
        let isNamed = ["HTTP 429", "rate-limited"].contains { end.reason.contains($0) }
        #expect(end.state == .failed && isNamed, "\(end.reason)")
        let isTimed = ["60 min", "59 min"].contains { end.reason.contains("try again after \($0)") }
        #expect(isTimed, "\(end.reason)")
        // Requests in flight when the first response arrived.
        #expect(box.host.server.requestCount < 20)
    }

    @Test func `a server that fails for tile after tile is abandoned, and the region can be resumed`()
        async throws
    {
        let box = try RegionFixture()
        box.host.answer { _ in LoopbackReply(503) }
        let end = try await box.download(box.region(zooms: 7...11))
        #expect(
            end.state == .failed && end.reason.contains("20 tiles in a row")
                && end.reason.contains("HTTP 503"))
        #expect((20..<50).contains(end.failed) && box.host.server.requestCount < 80)
        box.host.behave()
        let whole = try await box.work(end)
        #expect(whole.state == .complete && whole.tiles == whole.planned, "\(whole)")
    }

    /// A reply to every request for a tile that can't be stored, and the words of the reason.
    static let useless: [(LoopbackReply, String)] = [
        (LoopbackReply(302, headers: ["Location": "/elsewhere"]), "redirect"),
        (LoopbackReply(200, Array(picture(900, seed: 1).prefix(400))), "truncated"),
        (LoopbackReply(200, picture(900, seed: 1), headers: ["Cache-Control": "no-store"]), "no-store"),
    ]

    @Test(arguments: useless)
    func `a server whose tiles can't be stored is abandoned, whatever the reason`(
        reply: LoopbackReply, reason: String
    ) async throws {
        let box = try RegionFixture()
        box.host.answer { _ in reply }
        let end = try await box.download(box.region(zooms: 7...11))
        #expect(end.state == .failed && end.reason.contains("20 tiles in a row"), "\(end)")
        #expect(end.reason.contains(reason), "\(end.reason)")
        #expect(box.host.server.requestCount < 250)
    }

    @Test func `an occasional success keeps the work going`() async throws {
        let box = try RegionFixture()
        box.host.answer { request in
            guard let tile = TileHost.tile(request.target[...]), (tile.x + tile.y) % 3 != 0 else {
                return nil
            }
            return LoopbackReply(503)
        }
        let end = try await box.download(box.region(zooms: 7...11))
        #expect(end.state == .completeWithGaps && end.settled == 86)
    }

    // MARK: Damage

    private func bytes(_ path: String) throws -> [UInt8] {
        let file = try FileBytes(path)
        return try file.read(offset: 0, count: Int(file.size))
    }

    @Test func `an unreadable region store is not changed, and the error names the remedy`() throws {
        let folder = TemporaryFolder()
        let path = folder.write(
            Array("not a database, but something dear".utf8) + [UInt8](repeating: 1, count: 5000),
            to: "regions.db")
        #expect {
            try RegionStore(path)
        } throws: { error in
            guard let failure = error as? RegionStoreFailure, case .damaged(path, _) = failure else {
                return false
            }
            return failure.remedy == .repairRegions
        }
        #expect(try bytes(path).starts(with: Array("not a database".utf8)))
    }

    @Test func `a store written by a newer version is not changed`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/regions.db"
        _ = try RegionStore(path)
        try Connection(path, .readWrite).execute("PRAGMA user_version = 7", to: "meddle")
        #expect(throws: RegionStoreFailure.newerSchema(file: path, version: 7)) { try RegionStore(path) }
    }

    @Test func `another program's database is not a region store`() throws {
        let folder = TemporaryFolder()
        let path = try MBTilesFixture(zooms: 0...0).write(in: folder, name: "regions.db")
        #expect(throws: RegionStoreFailure.self) { try RegionStore(path) }
        #expect(try Archive.open(path).info.zooms == 0...0)
    }

    /// Creates a region of many tiles, and then overwrites some pages of its file.
    private func damaged(_ box: RegionFixture, pages: Range<Int>) async throws -> RegionRecord {
        box.host.answer { request in
            TileHost.tile(request.target[...]).map {
                LoopbackReply(200, picture(9000, seed: 1) + Array("\($0)".utf8))
            }
        }
        let record = try await box.download(box.region(zooms: 7...11))
        try box.store.compact()
        let file = try #require(fopen(box.store.path, "r+"))
        defer { fclose(file) }
        for page in pages {
            fseek(file, page * 16384, SEEK_SET)
            fwrite([UInt8](repeating: 0xA5, count: 16384), 1, 16384, file)
        }
        return record
    }

    @Test func `readable data of a damaged store is recovered, and the rest fetched again`() async throws {
        let box = try RegionFixture()
        _ = try await damaged(box, pages: 30..<40)
        #expect(try !RegionStore(box.store.path).integrityFaults().isEmpty)
        let salvage = try StoreRecovery.run(box.store.path)
        #expect(salvage.regions == ["home"] && salvage.tiles + salvage.lost == 86)
        #expect((1..<86).contains(salvage.tiles), "\(salvage)")
        #expect(access(salvage.aside, F_OK) == 0)
        let store = try RegionStore(box.store.path), asked = box.host.server.requestCount
        #expect(try store.integrityFaults() == [])
        let regions = Regions(store, cache: nil)
        let end = try await regions.start(store.region("home"), [box.source()]).value()
        #expect(end.state == .complete && end.settled == 86)
        #expect(box.host.server.requestCount - asked == salvage.lost)
        #expect(try regions.check(store.region("home")).isWhole)
    }

    @Test func `a check names the damaged pages, and counts only their tiles as missing`() async throws {
        let box = try RegionFixture()
        _ = try await damaged(box, pages: 40..<50)
        let store = try RegionStore(box.store.path)
        let check = try Regions(store, cache: nil).check(store.region("home"))
        #expect(!check.faults.isEmpty && !check.isWhole && check.tiles == 86)
        let spoiled = check.missingCount + check.damaged.count
        #expect((1...10).contains(spoiled) && check.present + check.missingCount == 86, "\(check)")
    }

    @Test func `an unreadable store is moved aside, not deleted`() throws {
        let folder = TemporaryFolder()
        let path = folder.write([UInt8](repeating: 9, count: 100_000), to: "regions.db")
        let salvage = try StoreRecovery.run(path)
        #expect(try salvage.regions == [] && bytes(salvage.aside) == [UInt8](repeating: 9, count: 100_000))
        #expect(try RegionStore(path).regions() == [])
    }

    @Test func `a failed region is shown as failed even if that can't be written`() async throws {
        let box = try RegionFixture()
        let record = try box.regions.add(box.region(), [box.source()])
        try box.store.claim(record, at: .now)
        try box.store.setState(.running, of: record.number, at: .now)
        let impatient = try RegionStore(box.store.path, lockTimeout: LockTimeout(limit: .zero))
        let other = try Connection(box.store.path, .existing)
        try other.execute("BEGIN IMMEDIATE", to: "lock the store")
        impatient.fail(record.number, reason: "the disk is full", at: .now)
        let shown = try impatient.region("home")
        #expect(shown.state == .failed && shown.reason == "the disk is full")
        #expect(try box.store.region("home").state == .running)
        try other.execute("COMMIT", to: "unlock the store")
        try impatient.setState(.queued, of: record.number, at: .now)
        #expect(try impatient.region("home").state == .queued)
    }

    // MARK: Check and repair

    @Test func `missing tiles and invalid pictures are found and fetched again`() async throws {
        let box = try RegionFixture()
        let record = try await box.download(box.region())
        #expect(try box.regions.check(record).isWhole)
        let gone = try box.key(.at(9, 256, 255)), spoilt = try box.key(.at(8, 128, 127))
        try box.store.lose(gone)
        try Connection(box.store.path, .readWrite).execute(
            "UPDATE bodies SET bytes = x'00' WHERE id = (SELECT body FROM entries WHERE z = 8)",
            to: "spoil a tile")
        let quick = try box.regions.check(record, depth: .structure), check = try box.regions.check(record)
        #expect(
            quick == check && check.missing == [.at(9, 256, 255)] && check.damaged == [spoilt]
                && check.present == 5)
        let asked = box.host.server.requestCount
        var pass = SyncMode()
        pass.acceptsExpired = true
        let end = try await box.work(box.regions.prepareRepair(of: record, check), nil, pass)
        #expect(end.state == .complete && end.parts[0].done == 2 && end.parts[0].reused == 4)
        #expect(box.host.server.requestCount - asked == 2)
        #expect(try box.regions.check(end).isWhole && box.present(box.region()) == 6)
    }

    @Test func `a region is not complete without its documents`() async throws {
        let box = try RegionFixture()
        let document = StoredResponse(
            body: [1], freshness: Freshness(receivedAt: .now, initialAge: 0, lifetime: 1))
        _ = try box.regions.add(
            box.region(), [box.source()],
            documents: [RegionDocument(address: "https://maps.example/t.json", document)])
        let record = try await box.download(box.region())
        #expect(try box.regions.check(record).isWhole)
        try box.store.lose(.document("https://maps.example/t.json"))
        let check = try box.regions.check(record)
        #expect(!check.isWhole && check.faults.contains { $0.contains("t.json") })
    }

    @Test func `an altered document counts as missing`() async throws {
        let box = try RegionFixture()
        let document = StoredResponse(
            body: [1, 2], freshness: Freshness(receivedAt: .now, initialAge: 0, lifetime: 1))
        _ = try box.regions.add(
            box.region(), [box.source()],
            documents: [RegionDocument(address: "https://maps.example/t.json", document)])
        let record = try await box.download(box.region())
        try Connection(box.store.path, .readWrite).execute(
            "UPDATE bodies SET bytes = x'0103' WHERE bytes = x'0102'", to: "spoil it")
        #expect(try box.regions.check(record).faults.contains { $0.contains("t.json") })
    }

    @Test func `a region without the definition of its source is not complete`() async throws {
        let box = try RegionFixture()
        let record = try await box.download(box.region())
        try Connection(box.store.path, .readWrite).execute("UPDATE parts SET definition = '[]'", to: "meddle")
        #expect(try !box.regions.check(box.store.region(record.id)).isWhole)
    }
}

/// A supply that responds to each request as the test determines.
struct ScriptedSupply: RegionSupply {
    let origin: TileOrigin
    let policy = SourcePolicy.unlimited
    let batch = 1
    let answer: @Sendable (TileID) -> Result<SupplyResponse, SupplyFailure>

    init(origin: TileOrigin, _ answer: @escaping @Sendable (TileID) -> Result<SupplyResponse, SupplyFailure>)
    {
        self.origin = origin
        self.answer = answer
    }

    func isCurrent(_ stored: StoredResponse) async -> Bool { true }

    func load(_ items: [SupplyRequest], post: @escaping @Sendable (SupplyEvent) -> Void) async {
        for item in items { post(.loaded(item.tile, answer(item.tile))) }
    }
}
