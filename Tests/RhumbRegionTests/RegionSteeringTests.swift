import Rhumb
import RhumbCore
@testable import RhumbOffline
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests pausing, resuming and stopping, by the handle and by other processes.
struct RegionSteeringTests {
    /// Starts a download whose tiles of zoom 9 wait at a gate.
    private func halfway(_ box: RegionFixture) async throws -> (RegionJob, LoopbackGate) {
        let gate = LoopbackGate()
        box.host.answer { request in
            request.target.hasPrefix("/9/")
                ? TileHost.tile(request.target[...]).map {
                    LoopbackReply(200, TileHost.body($0)).with { $0.gate = gate }
                } : nil
        }
        let source = try box.source { $0.policy.connections = 2 }
        let record = try box.regions.add(box.region(zooms: 7...11), [source])
        let task = try box.regions.start(record, [source])
        let host = box.host
        let isThere = await eventually { host.asked.contains { $0.zoom == 9 } }
        #expect(isThere)
        return (task, gate)
    }

    @Test func `while paused, no more tiles are requested, and those in flight are written`() async throws {
        let box = try RegionFixture()
        let (task, gate) = try await halfway(box)
        task.pause()
        gate.open()
        #expect(await eventually { task.record.state == .paused })
        let asked = box.host.server.requestCount, store = box.store
        #expect(asked < 86 && task.record.parts[0].done == asked)
        #expect(try store.region("home").state == .paused)
        task.resume()
        let end = try await task.value()
        #expect(end.state == .complete && end.parts[0].done == 86 && box.host.server.requestCount == 86)
    }

    @Test func `when cancelled, it ends at once without a failure, and continues where it was`() async throws
    {
        let box = try RegionFixture()
        let (task, gate) = try await halfway(box)
        task.cancel()
        await task.finish()
        let end = task.record
        #expect(end.state == .cancelled && end.reason == "" && end.failed == 0 && end.parts[0].done < 86)
        gate.open()
        box.host.behave()
        let before = Set(try box.tiles(box.region(zooms: 7...11)).filter { try box.body($0) != nil })
        #expect(before.count == end.parts[0].done)
        let asked = box.host.asked.count
        let again = try await box.work(end)
        #expect(again.state == .complete && again.settled == 86)
        #expect(before.isDisjoint(with: box.host.asked.dropFirst(asked)))
    }

    @Test func `when cancelled and then retried, it retries its gaps and continues with the rest`()
        async throws
    {
        let box = try RegionFixture()
        let definition = try box.region(zooms: 7...11)
        let record = try box.regions.add(definition, [box.source()]), tiles = try box.tiles(definition)
        // One gap is among the first tiles, and one beyond the tile up to which all are processed.
        var part = record.parts[0]
        part.done = 2
        part.failed = 2
        part.cursor = tiles[2]
        part.ahead = [tiles[4]]
        let response = StoredResponse(
            body: TileHost.body(tiles[0]),
            freshness: Freshness(receivedAt: box.now, initialAge: 0, lifetime: 3600))
        let outcomes: [(TileID, TileOutcome)] = [
            (tiles[0], .fetched(response)), (tiles[1], .failed(reason: "400")),
            (tiles[2], .fetched(response)), (tiles[4], .failed(reason: "400")),
        ]
        try box.store.commit(
            RegionBatch(
                region: record.number, part: part, outcomes: outcomes.map { (tile: $0.0, outcome: $0.1) }),
            at: box.now)
        try box.store.setState(.cancelled, of: record.number, at: box.now)
        let again = try await box.work(box.store.region("home"), nil, SyncMode(.retry))
        #expect(
            again.state == .complete && again.tiles == 86 && again.failed == 0 && again.parts[0].ahead.isEmpty
        )
        #expect(
            try box.store.gaps(of: again.number).isEmpty
                && Set(box.host.asked) == Set(tiles).subtracting([tiles[0], tiles[2]]))
    }

    @Test func `an interrupted refresh that is retried continues to revalidate every tile`() async throws {
        let box = try RegionFixture()
        let record = try await box.download(box.region(zooms: 7...11))
        box.host.change { $0.version = 2 }
        let gate = box.host.hold(zoom: 9, version: 2)
        let task = try box.regions.start(record, [box.source()], SyncMode(.refresh))
        let host = box.host
        #expect(await eventually { host.asked.count > 88 })
        task.cancel()
        await task.finish()
        let end = task.record
        gate.open()
        box.host.behave()
        #expect(try await box.work(end, nil, SyncMode(.retry)).state == .complete)
        #expect(try box.present(box.region(zooms: 7...11), version: 2) == 86)
    }

    @Test func `when paused and then cancelled, it ends`() async throws {
        let box = try RegionFixture()
        let (task, gate) = try await halfway(box)
        task.pause()
        gate.open()
        #expect(await eventually { task.record.state == .paused })
        task.cancel()
        await #expect(throws: OfflineFailure.cancelled) { try await task.value() }
        #expect(task.record.state == .cancelled)
    }

    @Test func `the progress is reported during the work, and ends with it`() async throws {
        let box = try RegionFixture()
        let (task, gate) = try await halfway(box)
        let stream = task.updates()
        gate.open()
        var seen: [Int] = []
        for await update in stream { seen.append(update.progress.settled) }
        #expect(seen == seen.sorted() && seen.last == 86)
        // A late subscriber receives the last state.
        var late: [RegionState] = []
        for await update in task.updates() { late.append(update.progress.state) }
        #expect(late == [.complete])
    }

    @Test(arguments: [WorkerCommand.pause, .cancel])
    func `other processes can pause, resume and cancel it`(command: WorkerCommand) async throws {
        let box = try RegionFixture()
        let (task, gate) = try await halfway(box)
        let other = try RegionStore(box.store.path)
        #expect(try other.send(command, of: task.record.number, at: box.now))
        #expect(await eventually { task.isPaused || task.isCancelled })
        gate.open()
        if command == .pause {
            #expect(await eventually { task.record.state == .paused })
            #expect(try other.send(.resume, of: task.record.number, at: box.now))
        }
        let outcome = await task.finish()
        #expect(task.record.state == (command == .pause ? .complete : .cancelled))
        #expect(outcome == (command == .pause ? .success(task.record) : .failure(.cancelled)))
        #expect(try !other.send(.pause, of: task.record.number, at: box.now))
    }

    @Test func `a region whose download another process has paused can be removed`() async throws {
        let box = try RegionFixture()
        let (task, gate) = try await halfway(box)
        task.pause()
        gate.open()
        #expect(await eventually { task.record.state == .paused })
        let other = Regions(try RegionStore(box.store.path), cache: nil)
        let record = try other.store.region("home")
        try await other.endPaused(record)
        #expect(await task.finish() == .failure(.cancelled))
        _ = try other.remove(record)
        #expect(try other.store.regions().isEmpty)
    }

    @Test func `a command reports its effect, or that no process works on the region`() async throws {
        let box = try RegionFixture()
        let (task, gate) = try await halfway(box)
        let other = Regions(try RegionStore(box.store.path), cache: nil), record = task.record
        gate.open()
        guard case .obeyed(let cancelled) = try await other.send(.cancel, to: record) else {
            Issue.record("it was not cancelled")
            return
        }
        // All tiles may have arrived before.
        #expect([.cancelled, .complete].contains(cancelled.state))
        await task.finish()
        guard case .noWorker = try await other.send(.cancel, to: record) else {
            Issue.record("it has a worker")
            return
        }
    }

    @Test func `only one job at a time works on a region`() async throws {
        let box = try RegionFixture()
        let (task, gate) = try await halfway(box)
        let source = try box.source()
        #expect(throws: RegionStoreFailure.self) { try box.regions.start(task.record, [source]) }
        #expect(throws: RegionStoreFailure.self) { try box.regions.add(box.region(), [source]) }
        gate.open()
        #expect(try await task.value().state == .complete)
        #expect(try await box.work(task.record).state == .complete)
    }

    @Test func `a worker that was presumed dead and replaced writes nothing more`() async throws {
        let box = try RegionFixture()
        let (task, gate) = try await halfway(box)
        // Another running process: the init process.
        try Connection(box.store.path, .readWrite).execute("UPDATE workers SET process = 1", to: "meddle")
        #expect(await eventually { task.state.stop == .superseded })
        gate.open()
        #expect(await task.finish() == .failure(.cancelled))
        #expect(try box.store.region("home").state == .running)
        #expect(box.store.worker(of: task.record.number, at: box.now) == 1)
    }

    @Test func `a worker whose region another process took over and finished can't write`()
        throws
    {
        let box = try RegionFixture()
        let record = try box.regions.add(box.region(), [box.source()]), tile = try box.tiles(box.region())[0]
        try box.store.claim(record, at: box.now)
        let meddler = try Connection(box.store.path, .readWrite)
        for change in ["UPDATE workers SET process = 1", "DELETE FROM workers", "DELETE FROM regions"] {
            try meddler.execute(change, to: "meddle")
            let response = StoredResponse(
                body: [1], freshness: Freshness(receivedAt: box.now, initialAge: 0, lifetime: 3600))
            var part = record.parts[0]
            part.done = 1
            let batch = RegionBatch(
                region: record.number, part: part, outcomes: [(tile: tile, outcome: .fetched(response))])
            let lost = RegionStoreFailure.lost(region: record.number)
            #expect(throws: lost) { try box.store.commit(batch, at: box.now) }
            #expect(throws: lost) { try box.store.setState(.complete, of: record.number, at: box.now) }
            #expect(throws: lost) { try box.store.restart(record) }
            #expect(throws: lost) {
                try box.store.stage(record, [part], packs: [], documents: [], at: box.now)
            }
            #expect(throws: lost) { try box.store.commitComing(record) { _, _, _ in true } }
        }
        #expect(try box.count("entries") == 0 && box.count("parts", where: "done > 0 OR stage > 0") == 0)
    }

    @Test func `a worker without a heartbeat counts as gone, and so does one that has ended`() throws {
        let box = try RegionFixture()
        let record = try box.regions.add(box.region(), [box.source()])
        try box.store.claim(record, at: box.now)
        #expect(box.store.worker(of: record.number, at: box.now) != nil)
        #expect(box.store.worker(of: record.number, at: box.now.adding(11)) == nil)
        let other = try RegionStore(box.store.path)
        try Connection(box.store.path, .readWrite).execute("UPDATE workers SET process = 1", to: "meddle")
        #expect(throws: RegionStoreFailure.busy(region: "home", process: 1)) {
            try other.claim(record, at: box.now)
        }
        try Connection(box.store.path, .readWrite).execute(
            "UPDATE workers SET process = 999999999", to: "meddle")
        try other.claim(record, at: box.now)
    }
}
