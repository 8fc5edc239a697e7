import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbOffline
@testable import RhumbOpening
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests downloading from servers with and without errors.
struct RegionDownloadTests {
    @Test func `a slow cache blocks no thread of the shared pool`() async throws {
        let box = try RegionFixture(), cache = MemoryStore(), source = try box.source()
        let load = TileDownload(
            store: box.store, cache: cache, supply: source.supply, earlier: nil,
            tileValidator: source.tileValidator,
            selection: LayerFilter(features: [], others: [], isOfVectorTiles: false), pass: SyncMode(),
            clock: box.clock)
        await Task.detached { await load.run([.at(9, 256, 255)], RequestCount()) { _ in } }.value
        #expect(cache.readsOnSharedThreads == 0 && box.host.asked == [.at(9, 256, 255)])
    }

    @Test func `low zooms come first, and within a zoom the middle`() async throws {
        let box = try RegionFixture()
        let source = try box.source { $0.policy.connections = 1 }
        let asked = try box.region(zooms: 7...11)
        let record = try await box.download(asked, source)
        #expect(record.state == .complete && record.parts[0].done == 86 && record.parts[0].requests == 86)
        // Two requests are in flight at a time, and either may wait for a thread.
        let order = Dictionary(uniqueKeysWithValues: try box.tiles(asked).enumerated().map { ($1, $0) })
        #expect(box.host.asked.enumerated().allSatisfy { abs(order[$1, default: -99] - $0) < 8 })
        #expect(try box.present(asked) == 86)
        #expect(try box.regions.check(record).isWhole)
    }

    @Test func `the server gets no more simultaneous requests than the policy allows`() async throws {
        let box = try RegionFixture()
        let source = try box.source { $0.policy.connections = 2 }
        try await box.download(box.region(zooms: 7...11), source)
        #expect(box.host.server.record.mostAtOnce <= 2 && box.host.server.record.connections <= 2)
    }

    @Test func `a tile that the server doesn't have is absent and not a gap`() async throws {
        let box = try RegionFixture()
        box.host.answer("/9/256/255.png") { _ in LoopbackReply(404) }
        box.host.answer("/9/257/255.png") { _ in LoopbackReply(204) }
        let record = try await box.download(box.region())
        #expect(record.state == .complete && record.parts[0].absent == 2 && record.parts[0].done == 4)
        #expect(box.store.response(for: try box.key(.at(9, 256, 255))) != nil)
        #expect(try box.body(.at(9, 256, 255)) == nil)
        #expect(try box.regions.check(record).isWhole)
    }

    // MARK: Gaps

    @Test(arguments: [
        (LoopbackReply(500), "500"), (LoopbackReply(400), "400"),
        (LoopbackReply(200, Array("<html>log in".utf8), headers: ["Content-Type": "text/html"]), ""),
        (
            LoopbackReply(200, picture(50, seed: 1)).with {
                $0.framing = .announced(90); $0.ending = .close(after: 50)
            }, "incomplete"
        ),
        (LoopbackReply(200, picture(50, seed: 1), headers: ["Cache-Control": "no-store"]), "no-store"),
    ])
    func `an unavailable tile is a gap with its reason, and can be retried`(
        reply: LoopbackReply, reason: String
    ) async throws {
        let box = try RegionFixture()
        box.host.answer("/9/256/255.png") { _ in reply }
        let record = try await box.download(box.region())
        #expect(record.state == .completeWithGaps && record.failed == 1 && record.settled == 6)
        let gaps = try box.store.gaps(of: record.number)
        #expect(gaps.map(\.tile) == [.at(9, 256, 255)] && gaps[0].reason.contains(reason), "\(gaps)")
        #expect(try !box.regions.check(record).isWhole && box.body(.at(9, 256, 255)) == nil)
        let still = try await box.work(record, nil, SyncMode(.retry))
        #expect(still.state == .completeWithGaps && still.failed == 1 && still.settled == 6)
        box.host.behave()
        let asked = box.host.server.requestCount
        let end = try await box.work(record, nil, SyncMode(.retry))
        #expect(end.state == .complete && end.failed == 0 && end.parts[0].done == 6)
        #expect(try box.store.gaps(of: record.number) == [] && box.present(box.region()) == 6)
        #expect(box.host.server.requestCount == asked + 1)
    }

    @Test func `a server with a temporary error gets a retry`() async throws {
        let box = try RegionFixture()
        box.host.answer { $0.time == 1 ? LoopbackReply(503) : nil }
        let record = try await box.download(box.region())
        #expect(record.state == .complete && record.parts[0].requests == 12)
    }

    @Test func `an interrupted retry keeps the other gaps`() async throws {
        let box = try RegionFixture()
        box.host.answer { _ in LoopbackReply(400) }
        let record = try await box.download(box.region())
        #expect(record.failed == 6)
        let gate = LoopbackGate(), before = box.host.server.requestCount
        // The first request succeeds, and the next one hangs.
        box.host.answer { [server = box.host.server] _ in
            server.requestCount == before + 1 ? nil : LoopbackReply(400).with { $0.gate = gate }
        }
        let source = try box.source { $0.policy.connections = 1 }
        let task = try box.regions.start(record, [source], SyncMode(.retry))
        #expect(await eventually { box.host.server.requestCount == before + 2 })
        task.cancel()
        gate.open()
        await task.finish()
        let end = task.record
        #expect(end.state == .cancelled && end.failed == 5 && end.parts[0].done == 1)
        #expect(try box.store.gaps(of: record.number).count == 5)
        // Continuing doesn't treat it as complete.
        #expect(try await box.work(end).state == .completeWithGaps)
    }

    // MARK: Lost connections

    @Test func `without a server the work waits, and continues automatically`() async throws {
        let box = try RegionFixture()
        box.host.server.stop()
        let record = try box.regions.add(box.region(), [box.source()])
        let task = try box.regions.start(record, [box.source()])
        #expect(await eventually { task.record.state == .waitingForNetwork })
        #expect(task.record.settled == 0 && task.record.reason.contains("connection refused"))
        #expect(try box.store.region("home").state == .waitingForNetwork)
        try box.host.server.start()
        let end = try await task.value()
        #expect(end.state == .complete && end.reason == "" && end.failed == 0)
    }

    @Test func `a connection lost in the middle loses no tile`() async throws {
        let box = try RegionFixture()
        box.host.answer { request in
            request.time < 3 && request.target.hasPrefix("/9/")
                ? LoopbackReply(200, picture(50, seed: 1)).with { $0.ending = .reset(after: 3) } : nil
        }
        let record = try await box.download(box.region())
        #expect(record.state == .complete && record.failed == 0 && record.parts[0].done == 6)
    }

    @Test func `a server that breaks connections is not reported as a missing network`() async throws {
        let box = try RegionFixture()
        box.host.answer("/9/256/255.png") { request in
            guard request.time < 3 else { return nil }
            return LoopbackReply(200, []).with {
                $0.ending = .reset(after: 0)
                $0.framing = .announced(9)
            }
        }
        let record = try box.regions.add(box.region(), [box.source()])
        let task = try box.regions.start(record, [box.source()])
        var states: Set<RegionState> = []
        for await update in task.updates() { states.insert(update.progress.state) }
        #expect(try await task.value().state == .complete)
        #expect(!states.contains(.waitingForNetwork), "\(states)")
    }

    @Test func `a tile on which the connection always breaks finally becomes a gap`() async throws {
        let box = try RegionFixture()
        box.host.answer("/9/256/255.png") { _ in
            LoopbackReply(200, []).with {
                $0.ending = .reset(after: 0); $0.framing = .announced(9)
            }
        }
        let record = try await box.download(box.region())
        #expect(record.state == .completeWithGaps && record.failed == 1 && record.parts[0].done == 5)
    }

    @Test func `a server that limits requests is left alone for the time it states`() async throws {
        let box = try RegionFixture()
        box.host.answer { request in
            request.target.hasPrefix("/9/256/255") && request.time == 1
                ? LoopbackReply(429, headers: ["Retry-After": "1"]) : nil
        }
        let record = try await box.download(box.region())
        #expect(record.state == .complete && record.failed == 0 && record.parts[0].done == 6)
    }

    @Test(arguments: [401, 403]) func `a server that denies access ends the work with the reason`(
        status: Int
    ) async throws {
        let box = try RegionFixture()
        let source = try box.source { $0.policy.connections = 1 }
        box.host.answer("/9/256/255.png") { _ in LoopbackReply(status) }
        let record = try await box.download(box.region(), source)
        #expect(record.state == .failed && record.reason.contains("\(status)"))
        #expect(record.parts[0].done > 0 && record.failed == 0)
        #expect(!record.reason.contains("SECRETMARKER"))
    }

    // MARK: Stored tiles

    @Test func `fresh tiles of the cache are reused without a request`() async throws {
        let box = try RegionFixture()
        for tile in try box.tiles(box.region()) {
            let freshness = Freshness(receivedAt: box.now, initialAge: 0, lifetime: 60)
            box.cache.store(
                StoredResponse(
                    body: TileHost.body(tile), freshness: freshness, headers: ["ETag": "\"\(tile) v1\""]),
                for: try box.key(tile))
        }
        let record = try await box.download(box.region())
        #expect(record.state == .complete && record.parts[0].reused == 6 && box.host.server.requestCount == 0)
        #expect(try box.present(box.region()) == 6)
    }

    @Test func `stale tiles of the cache are revalidated without a body`() async throws {
        let box = try RegionFixture()
        for tile in try box.tiles(box.region()) {
            let freshness = Freshness(receivedAt: box.now.adding(-100), initialAge: 0, lifetime: 60)
            box.cache.store(
                StoredResponse(
                    body: TileHost.body(tile), freshness: freshness, headers: ["ETag": "\"\(tile) v1\""]),
                for: try box.key(tile))
        }
        let record = try await box.download(box.region())
        #expect(record.state == .complete && record.parts[0].reused == 6)
        #expect(box.host.server.requestCount == 6 && box.host.server.record.bytes == 0)
        #expect(try box.store.response(for: box.key(.at(9, 256, 255)))?.state(at: box.now) == .fresh)
    }

    @Test func `stale tiles of a region are revalidated, or accepted`() async throws {
        let box = try RegionFixture()
        try await box.download(box.region("a"))
        box.pass(7200)
        var pass = SyncMode()
        pass.acceptsExpired = true
        let accepted = try await box.download(box.region("b"), nil, pass)
        #expect(accepted.parts[0].reused == 6 && box.host.server.requestCount == 6)
        let asked = try await box.download(box.region("c"))
        #expect(
            asked.state == .complete && asked.parts[0].unchanged == 6 && box.host.server.requestCount == 12)
    }

    @Test func `a tile that the server has since removed stays until a refresh`() async throws {
        let box = try RegionFixture()
        try await box.download(box.region("a"))
        box.pass(7200)
        box.host.answer { _ in LoopbackReply(404) }
        let record = try await box.download(box.region("b"))
        #expect(record.state == .complete && record.parts[0].reused == 6)
        #expect(try box.present(box.region()) == 6)
        // A server that has none of them may have moved.
        #expect(try await box.refresh(record).parts[0].absent == 0)
        box.host.answer { $0.target.hasPrefix("/9/") ? LoopbackReply(404) : nil }
        let refreshed = try await box.refresh(record)
        #expect(refreshed.parts[0].absent > 0)
        #expect(try box.present(box.region()) + refreshed.parts[0].absent == 6)
    }

    @Test func `several sources are downloaded one after the other`() async throws {
        let box = try RegionFixture()
        let asked = try box.region(sources: ["web", "other"])
        let sources = [try box.source(), try box.source("other")]
        let record = try box.regions.add(asked, sources)
        let end = try await box.regions.start(record, sources).value()
        #expect(end.state == .complete && end.parts.map(\.done) == [6, 6] && end.planned == 12)
        #expect(try box.regions.check(end).isWhole)
    }
}
