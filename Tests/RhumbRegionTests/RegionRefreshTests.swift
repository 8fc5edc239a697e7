import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbOffline
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the revalidation of stored tiles.
struct RegionRefreshTests {
    @Test func `an unchanged tile transfers no body`() async throws {
        let box = try RegionFixture()
        let record = try await box.download(box.region(zooms: 7...11))
        let bytes = box.host.server.record.bytes
        box.pass(7200)
        #expect(try box.store.response(for: box.key(.at(9, 256, 255)))?.state(at: box.now) != .fresh)
        let end = try await box.refresh(record)
        #expect(end.state == .complete && end.parts[0].unchanged == 86 && end.parts[0].done == 0)
        #expect(box.host.server.record.bytes == bytes && box.host.server.requestCount == 172)
        #expect(try box.present(box.region(zooms: 7...11)) == 86)
    }

    @Test func `changed, unchanged and failed tiles are distinguished, and failed ones stay unchanged`()
        async throws
    {
        let box = try RegionFixture()
        let record = try await box.download(box.region())
        box.host.answer("/9/256/255.png") { _ in LoopbackReply(400) }
        box.host.answer("/9/257/255.png") { _ in LoopbackReply(200, picture(10, seed: 9)) }
        let end = try await box.refresh(record)
        #expect(end.state == .completeWithGaps)
        #expect(end.parts[0].done == 1 && end.parts[0].unchanged == 4 && end.parts[0].failed == 1)
        #expect(try box.body(.at(9, 256, 255)) == TileHost.body(.at(9, 256, 255)))
        #expect(try box.body(.at(9, 257, 255)) == picture(10, seed: 9))
        #expect(try box.regions.check(end).isWhole)
    }

    @Test func `an update lists the stored tiles that the server no longer has`() async throws {
        let box = try RegionFixture(), record = try await box.download(box.region())
        #expect(record.removed == RemovedTiles() && record.ending() == .complete)
        box.host.answer("/9/256/255.png") { _ in LoopbackReply(404) }
        box.host.answer("/9/257/255.png") { _ in LoopbackReply(404) }
        let task = try box.regions.start(record, [box.source()], SyncMode(.refresh))
        await task.finish()
        let end = task.record
        #expect(end.state == .complete && end.absent == 2 && end.removed.count == 2)
        #expect(Set(end.removed.first) == [.at(9, 256, 255), .at(9, 257, 255)])
        #expect(end.removed.sentence?.contains("9/256/255") == true && end.ending() == .withGaps)
        let again = try await box.refresh(end)
        #expect(again.absent == 2 && again.removed.count == 0 && again.ending() == .complete)
    }

    @Test func `tiles whose update failed count as stored, and a download tries them again`() async throws {
        let box = try RegionFixture(), record = try await box.download(box.region())
        box.host.answer { _ in LoopbackReply(400) }
        let task = try box.regions.start(record, [box.source()], SyncMode(.refresh))
        await task.finish()
        for end in [task.record, try box.regions.record("home")] {
            #expect(end.stateWord == "update failed" && end.tiles == 6 && end.missing == 0, "\(end)")
            #expect(end.failed == 6 && end.bytes == record.bytes && end.bytes > 0)
            #expect(end.explanation == "6 tiles could not be updated; the stored ones stay in use")
            #expect(end.resources.completed == 6 && end.resources.completedBytes == record.bytes)
        }
        let asked = box.host.server.requestCount
        box.host.behave()
        let end = try await box.work(record)
        #expect(end.state == .complete && end.tiles == 6 && end.bytes == record.bytes && !end.isUpdating)
        #expect(box.host.server.requestCount == asked + 6)
    }

    @Test func `tiles that an interrupted update has not reached count as stored`() async throws {
        let box = try RegionFixture(), source = try box.source { $0.policy.connections = 1 }
        let record = try await box.download(box.region(), source), gate = LoopbackGate()
        box.host.answer { $0.target.hasPrefix("/9/") ? LoopbackReply(304).with { $0.gate = gate } : nil }
        let task = try box.regions.start(record, [source], SyncMode(.refresh))
        let host = box.host
        #expect(await eventually { host.asked.contains { $0.zoom == 9 } })
        #expect(task.record.tiles == 6 && task.record.isUpdating && task.record.settled < 6)
        task.cancel(.interrupted)
        gate.open()
        await task.finish()
        let end = try box.regions.record("home")
        #expect(end.settled < 6 && end.isUpdating, "\(end)")
        #expect(end.tiles == 6 && end.missing == 0 && end.bytes == record.bytes, "\(end)")
    }

    @Test func `the state of a region whose tiles are all stored is corrected without requests`()
        async throws
    {
        let box = try RegionFixture()
        box.host.answer { _ in LoopbackReply(400) }
        let failed = try await box.download(box.region())
        box.host.behave()
        let record = try await box.download(box.region("other")), asked = box.host.server.requestCount
        let end = try box.regions.correctState(of: failed, box.regions.check(failed))
        #expect(end?.state == .complete && end?.tiles == 6 && end?.bytes == record.bytes && end?.failed == 0)
        #expect(try end?.isUpdating == false && box.store.gaps(of: failed.number) == [])
        #expect(try box.regions.correctState(of: box.store.region("home"), box.regions.check(record)) == nil)
        #expect(box.host.server.requestCount == asked)
    }

    @Test func `a failed update is not forgotten, although all tiles are stored`() async throws {
        let box = try RegionFixture(), record = try await box.download(box.region())
        box.host.answer { _ in LoopbackReply(400) }
        let failed = try await box.refresh(record), check = try box.regions.check(failed)
        #expect(try check.isWhole && box.regions.correctState(of: failed, check) == nil)
        #expect(try box.regions.record("home").stateWord == "update failed")
    }

    @Test func `a region with a missing tile keeps its state`() async throws {
        let box = try RegionFixture()
        box.host.answer("/9/256/255.png") { _ in LoopbackReply(400) }
        let record = try await box.download(box.region())
        let counted = try box.regions.record("home")
        #expect(counted.stateWord == "complete with gaps" && counted.tiles == 5 && counted.missing == 1)
        #expect(try box.regions.correctState(of: record, box.regions.check(record)) == nil)
    }

    @Test func `browsing that updates a tile ends the failed update of its region`() async throws {
        let box = try RegionFixture(), record = try await box.download(box.region())
        box.host.answer("/9/256/255.png") { _ in LoopbackReply(400) }
        #expect(try await box.refresh(record).failed == 1)
        let key = try box.key(.at(9, 256, 255))
        box.store.renew(key, with: try #require(box.store.response(for: key)), at: box.now)
        let end = try box.store.region("home")
        #expect(end.state == .complete && end.tiles == 6 && end.bytes == record.bytes && !end.isUpdating)
    }

    @Test
    func `a confirmed tile that may no longer be stored is a gap with that reason, and its old copy stays`()
        async throws
    {
        let box = try RegionFixture()
        let record = try await box.download(box.region())
        box.host.answer("/9/256/255.png") { _ in LoopbackReply(304, headers: ["Cache-Control": "no-store"]) }
        let end = try await box.refresh(record)
        let gaps = try box.store.gaps(of: end.number)
        #expect(end.state == .completeWithGaps && end.parts[0].unchanged == 5)
        #expect(
            gaps.map(\.tile) == [.at(9, 256, 255)]
                && gaps.first?.reason == "the server forbids storing it (no-store)")
        #expect(try box.body(.at(9, 256, 255)) == TileHost.body(.at(9, 256, 255)))
    }

    @Test func `a server that suddenly has no tile at all empties no region`() async throws {
        let box = try RegionFixture()
        let record = try await box.download(box.region())
        box.host.answer { _ in LoopbackReply(404) }
        let end = try await box.refresh(record)
        #expect(end.state != .complete && end.parts[0].absent == 0, "\(end)")
        #expect(try box.present(box.region()) == 6)
    }

    @Test func `a tile that is gone while others exist is removed`() async throws {
        let box = try RegionFixture()
        let record = try await box.download(box.region())
        box.host.answer("/9/257/255.png") { _ in LoopbackReply(404) }
        let end = try await box.refresh(record)
        #expect(end.state == .complete && end.parts[0].absent == 1, "\(end)")
    }

    @Test func `old tiles stay until they are replaced`() async throws {
        let box = try RegionFixture()
        let record = try await box.download(box.region())
        box.host.change { $0.version = 2 }
        let gate = box.host.hold(zoom: 9, version: 2)
        let task = try box.regions.start(record, [box.source()], SyncMode(.refresh))
        let host = box.host
        #expect(await eventually { host.asked.count { $0.zoom == 9 } > 4 })
        #expect(try box.body(.at(9, 256, 255)) == TileHost.body(.at(9, 256, 255), 1))
        gate.open()
        #expect(try await task.value().parts[0].done == 6)
        #expect(try box.present(box.region(), version: 2) == 6)
    }

    @Test func `only tiles older than the limit are revalidated`() async throws {
        let box = try RegionFixture()
        let record = try await box.download(box.region("b"))
        try Connection(box.store.path, .readWrite).execute(
            "UPDATE entries SET received = received - 1000 WHERE z < 9", to: "make tiles older")
        let asked = box.host.server.requestCount
        let end = try await box.refresh(record, olderThan: box.now.adding(-500))
        #expect(end.parts[0].unchanged == 2 && end.parts[0].reused == 4)
        #expect(box.host.server.requestCount - asked == 2)
    }

    @Test func `a refresh updates shared tiles, too`() async throws {
        let box = try RegionFixture()
        let first = try await box.download(box.region("a"))
        let second = try await box.download(box.region("b"))
        box.host.change { $0.version = 2 }
        _ = try await box.refresh(first)
        #expect(try box.present(box.region(), version: 2) == 6)
        #expect(try box.regions.check(second).isWhole && box.count("bodies") == 6)
    }

    @Test func `browsing fills a finished region's gaps, and adds nothing else`() async throws {
        let box = try RegionFixture()
        box.host.answer("/9/256/255.png") { _ in LoopbackReply(500) }
        let record = try await box.download(box.region())
        #expect(record.state == .completeWithGaps)
        let source = try box.source(),
            held = box.store.response(for: .tile(origin: source.supply.origin, .at(9, 257, 255)))
        let answer = try #require(held)
        for tile in [TileID.at(9, 256, 255), .at(9, 200, 200)] {
            box.store.renew(.tile(origin: source.supply.origin, tile), with: answer, at: box.now)
        }
        let end = try box.store.region("home")
        #expect(end.state == .complete && end.failed == 0 && end.parts[0].done == 6)
        #expect(try box.regions.check(end).isWhole && box.store.gaps(of: end.number) == [])
        #expect(!box.store.has(.tile(origin: source.supply.origin, .at(9, 200, 200))))
    }

    @Test(arguments: zip(RegionTileSet.Packing.allCases, [341, 1]))
    func `browsing that updates regions renews the whole pack if a region holds it, or else the tile`(
        packing: RegionTileSet.Packing, count: Int
    ) async throws {
        let box = try RegionFixture(), source = try box.source(), tile = TileID.at(7, 64, 63)
        let record = try await box.download(box.region(zooms: 7...7, packing: packing), source)
        #expect(record.tiles == count)
        try Connection(box.store.path, .readWrite).execute(
            "UPDATE entries SET received = received - 7200", to: "make tiles older")
        box.host.change { $0.version = 2 }
        let fetcher = CachedTileFetcher(box.client, store: box.cache, regions: box.store, renewsRegions: true)
        let packs = PackRenewal(fetcher) { box.store }
        fetcher.afterRenewal { packs.begin(after: $0) }
        let before = box.host.server.requestCount
        _ = try await fetcher.fetch(WantedTile(layer: source.layer, tile: tile), holdsStored: false)
        await packs.finish()
        #expect(try box.present(box.region(zooms: 7...7, packing: packing), version: 2) == count)
        #expect(box.host.server.requestCount - before == count)
    }

    @Test func `browsing that updates regions replaces no tile by a damaged one`() async throws {
        let box = try RegionFixture(), source = try box.source(), tile = TileID.at(7, 64, 63)
        try await box.download(box.region(zooms: 7...7), source)
        box.host.answer { _ in LoopbackReply(200, Array(TileHost.body(tile, 2).prefix(100))) }
        let fetcher = CachedTileFetcher(box.client, regions: box.store, renewsRegions: true)
        let packs = PackRenewal(fetcher) { box.store }
        _ = try await fetcher.fetch(WantedTile(layer: source.layer, tile: tile), holdsStored: false)
        await packs.finish()
        #expect(try box.body(tile) == TileHost.body(tile))
    }

    @Test func `an interrupted refresh continues as a refresh, and revalidates nothing twice`() async throws {
        let box = try RegionFixture()
        let source = try box.source { $0.policy.connections = 1 }
        let record = try await box.download(box.region(zooms: 7...11), source)
        let gate = LoopbackGate()
        box.host.answer { request in
            request.target.hasPrefix("/11/") && request.time == 2
                ? TileHost.tile(request.target[...]).map { tile in
                    LoopbackReply.validated(request, etag: "\"\(tile) v1\"", body: []).with { $0.gate = gate }
                } : nil
        }
        let task = try box.regions.start(record, [source], SyncMode(.refresh))
        let host = box.host
        // Requests of two tiles may change places, so that some tiles of zoom 10 may still wait.
        #expect(await eventually { host.asked.dropFirst(86).contains { $0.zoom == 11 } })
        let revalidated = Array(host.asked.dropFirst(86).dropLast())
        #expect(revalidated.count > 15)
        task.cancel()
        gate.open()
        await task.finish()
        // The last response may have arrived too late to be counted.
        let broken = task.record, counted = broken.parts[0].unchanged
        #expect(broken.state == .cancelled)
        #expect((revalidated.count - 1...revalidated.count).contains(counted))
        host.behave()
        let asked = host.asked.count
        let end = try await box.work(broken, source)
        #expect(end.state == .complete && end.parts[0].unchanged == 86 && end.refresh == nil)
        // The interrupted request was sent twice.
        let later = host.asked.dropFirst(asked), left = 86 - counted
        #expect(Set(later).intersection(revalidated).count == revalidated.count - counted)
        #expect(Set(later).count == left && later.count <= left + 1)
    }

    @Test func `a tile without content counts as stored, whether it was fetched or confirmed`() throws {
        let box = try RegionFixture()
        let part = try box.regions.add(box.region(), [box.source()]).parts[0]
        let fresh = Freshness(receivedAt: box.now, initialAge: 0, lifetime: 60)
        let outcomes: [TileOutcome] = [
            .fetched(StoredResponse(body: [], freshness: fresh)), .unchanged(fresh, [:], bytes: 0),
            .present(bytes: 0, isAbsent: false),
        ]
        for outcome in outcomes {
            var progress = SourceProgress(part)
            progress.begin(.world)
            progress.settle(.world, outcome)
            #expect(progress.part.tiles == 1 && progress.part.absent == 0, "\(outcome)")
        }
        var progress = SourceProgress(part)
        progress.begin(.world)
        progress.settle(.world, .unchanged(fresh, [:], bytes: nil))
        #expect(progress.part.tiles == 0 && progress.part.absent == 1)
    }

    @Test func `the earliest expiry is that of the first tile to expire`() async throws {
        let box = try RegionFixture()
        let record = try box.regions.add(box.region(), [box.source()])
        #expect(try box.store.earliestExpiry(of: record) == nil)
        box.host.answer("/9/256/255.png") { _ in
            LoopbackReply(200, picture(10, seed: 1), headers: ["Cache-Control": "max-age=60"])
        }
        let before = box.now
        try await box.work(record)
        let left = try #require(try box.store.earliestExpiry(of: record)).seconds(since: before)
        #expect((60...70).contains(left))
    }

    @Test func `the tiles of other regions of the same source don't count`() async throws {
        let box = try RegionFixture()
        func answer(_ seconds: Int) {
            box.host.answer { request in
                TileHost.tile(request.target[...]).map { _ in
                    LoopbackReply(
                        200, picture(10, seed: 1), headers: ["Cache-Control": "max-age=\(seconds)"])
                }
            }
        }
        answer(2)
        // The first region shares packs with the second, the third doesn't.
        let near = try box.region("near", Bounds(west: 1.5, south: 0.1, east: 2, north: 0.5), zooms: 9...9)
        let old = try await box.download(near)
        try await box.download(box.region("far", Bounds(west: -70, south: -40, east: -69, north: -39)))
        answer(86_400)
        let before = box.now
        let new = try await box.download(box.region())
        let left = try #require(try box.store.earliestExpiry(of: new)).seconds(since: before)
        #expect((86_400...86_410).contains(left))
        #expect(try #require(try box.store.earliestExpiry(of: old)).seconds(since: before) <= 2)
    }
}
