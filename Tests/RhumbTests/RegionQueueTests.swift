import Rhumb
import RhumbCore
import RhumbTestSupport
import Synchronization
import Testing

/// Tests that regions are processed one after another, with the sources of their definitions.
struct RegionQueueTests {
    /// A server of tiles and a folder with a region store.
    private struct Box {
        let folder = TemporaryFolder()
        let gate = LoopbackGate()
        let server: LoopbackServer

        /// Starts a server. Tiles under /held/, and those under /rest/ beyond zoom 7, wait at the gate.
        init() throws {
            server = try LoopbackServer { [gate] request in
                let tile = LoopbackReply(
                    200, blankPicture(.init(0x336699), side: 256), headers: ["Cache-Control": "max-age=3600"])
                if request.target == "/town.json" {
                    return LoopbackReply(
                        200, Array(#"{"tilejson": "3.0.0", "tiles": ["free/{z}/{x}/{y}.png"]}"#.utf8))
                }
                func isBelow(_ folder: String) -> Bool { request.target.hasPrefix(folder) }
                let isHeld = isBelow("/held/") || isBelow("/rest/") && !isBelow("/rest/7/")
                return isHeld ? tile.with { $0.gate = gate } : tile
            }
        }

        func template(_ set: String) -> String { server.url("/\(set)/{z}/{x}/{y}.png") }

        func session(own: JSON? = nil) async throws -> MapSession {
            var options = MapSession.Options(
                userAgent: try UserAgent("RhumbTests/1 (+https://rhumb.example)"))
            options.regions = .success(folder.path + "/regions.db")
            options.catalog = SourceCatalog(own: own)
            return await MapSession.open(options)
        }

        func queue(own: JSON? = nil) async throws -> RegionQueue {
            let session = try await session(own: own)
            return try RegionQueue(session, session.opener)
        }

        /// Adds a region, by default of one tile.
        func add(
            _ id: String, _ source: String, zooms: ClosedRange<Int> = 7...7, to queue: RegionQueue
        ) async throws -> RegionRecord {
            try await queue.add(plan(id, source, zooms: zooms, in: queue))
        }

        func plan(
            _ id: String, _ source: String, zooms: ClosedRange<Int> = 7...7, in queue: RegionQueue
        ) async throws -> RegionProposal {
            let box = try #require(Bounds(west: 0.1, south: 0.1, east: 1.3, north: 1.3))
            let definition = try RegionDefinition(
                id: RegionID(id), geometry: .box(box), zooms: ZoomRange(zooms.lowerBound, zooms.upperBound),
                sources: [source], features: ["rendering"],
                packing: .exact)
            return try await queue.plan(definition, isPermitted: true)
        }

        /// The first path component of each request, in order.
        var asked: [Substring] { server.record.requests.compactMap { $0.target.split(separator: "/").first } }
    }

    /// Returns the events until the work on a region ends, as ids of regions and failures.
    private func story(_ events: AsyncStream<OfflineEvent>, until last: String) async -> [String] {
        var story: [String] = []
        for await event in events {
            switch event {
            case .refused(let id, let failure): story.append("\(id): \(failure)")
            case .ended(let record): story.append(record.id)
            default: continue
            }
            if story.last == last { break }
        }
        return story
    }

    @Test func `regions are downloaded one at a time, in the order of the requests`() async throws {
        let box = try Box(), queue = try await box.queue(),
            events = queue.regions.store.events()
        for (id, set) in [("one", "held"), ("two", "free")] {
            _ = try await box.add(id, box.template(set), to: queue)
        }
        await queue.enqueue("one")
        await queue.enqueue("two")
        #expect(await queue.work(on: "one") != nil)
        #expect(await queue.work(on: "two") == nil)
        #expect(await eventually { box.asked == ["held"] })
        box.gate.open()
        #expect(await story(events, until: "two") == ["one", "two"])
        #expect(box.asked == ["held", "free"])
        #expect(try await queue.statuses().allSatisfy { $0.record.state == .complete && $0.rate == nil })
        await queue.close()
    }

    @Test func `while a server sends nothing more, the rate is reported until it is 0`() async throws {
        let box = try Box(), queue = try await box.queue()
        _ = try await box.add("one", box.template("rest"), zooms: 7...8, to: queue)
        await queue.enqueue("one")
        let rates = Mutex<[Double]>([])
        let listener = Task {
            for await case .progress in queue.regions.store.events() {
                guard let rate = try await queue.statuses().first?.rate else { continue }
                rates.withLock { $0.append(rate.tilesPerSecond) }
            }
        }
        #expect(await eventually { rates.withLock { $0.contains { $0 > 0 } && $0.last == 0 } })
        listener.cancel()
        box.gate.open()
        await queue.close()
    }

    @Test func `a region that is cancelled while it waits is never started`() async throws {
        let box = try Box(), queue = try await box.queue(),
            events = queue.regions.store.events()
        for (id, set) in [("one", "held"), ("two", "never"), ("three", "free")] {
            _ = try await box.add(id, box.template(set), to: queue)
            await queue.enqueue(id)
        }
        try await queue.cancel(queue.regions.store.region("two"))
        box.gate.open()
        #expect(await story(events, until: "three") == ["one", "three"])
        #expect(box.asked == ["held", "free"])
        #expect(try queue.regions.store.region("two").state == .cancelled)
        await queue.close()
    }

    @Test func `a region that can't be started is reported, and the next continues`() async throws {
        let box = try Box(), queue = try await box.queue(),
            events = queue.regions.store.events()
        _ = try await box.add("one", box.template("free"), to: queue)
        await queue.enqueue("nowhere")
        await queue.enqueue("one")
        let refusal = "nowhere: \(RegionStoreFailure.noRegion("nowhere"))"
        #expect(await story(events, until: "one") == [refusal, "one"])
        await queue.close()
    }

    @Test func `a download starts with the sources of its plan, without opening them again`() async throws {
        let box = try Box(), queue = try await box.queue()
        let plan = try await box.plan("home", box.server.url("/town.json"), in: queue)
        #expect(plan.cost.toFetch == 1 && box.asked == ["town.json"])
        #expect(try queue.regions.store.regions().isEmpty)
        let record = try await queue.add(plan), before = box.asked
        #expect(try await queue.start(record, sources: plan.sources).value().state == .complete)
        #expect(box.asked == before + ["free"])
        await queue.close()
    }

    @Test func `a definition with an unknown feature is rejected`() async throws {
        let box = try Box(), queue = try await box.queue()
        let definition = try RegionDefinition(
            id: RegionID("home"), geometry: .box(try #require(Bounds(west: 0, south: 0, east: 1, north: 1))),
            zooms: ZoomRange(7, 7), sources: [box.template("free")], features: ["rendering", "flying"])
        await #expect(throws: OfflineFailure.feature(.unknown("flying"))) {
            try await queue.plan(definition)
        }
        #expect(box.asked.isEmpty)
        await queue.close()
    }

    @Test func `a region that its provider denies fails with the reason and is not queued forever`()
        async throws
    {
        let box = try Box()
        func named(_ offline: String) -> JSON {
            [
                "sources": [
                    [
                        "id": "town", "url": .string(box.template("free")),
                        "policy": ["offline": .string(offline)],
                    ]
                ]
            ]
        }
        let first = try await box.queue(own: named("allowed"))
        _ = try await box.add("home", "town", to: first)
        await first.close()
        let queue = try await box.queue(own: named("denied")), events = queue.regions.store.events()
        await queue.enqueue("home")
        #expect(await story(events, until: "home: \(OfflineFailure.denied("town"))").count == 1)
        let record = try queue.regions.store.region("home")
        #expect(record.state == .failed && record.reason == "\(OfflineFailure.denied("town"))")
        #expect(box.asked.isEmpty)
        await queue.close()
    }

    @Test func `a region keeps its source, whatever the source's name means now`() async throws {
        let box = try Box()
        func named(_ set: String) -> JSON {
            ["sources": [["id": "town", "url": .string(box.template(set))]]]
        }
        let first = try await box.queue(own: named("kept"))
        let record = try await box.add("home", "town", to: first)
        await first.close()
        for own in [named("other"), nil] {
            let queue = try await box.queue(own: own)
            let end = try await queue.start(record, SyncMode(.refresh)).value()
            #expect(end.state == .complete && Set(box.asked) == ["kept"])
            await queue.close()
        }
        #expect(box.asked.count == 2)
    }

    @Test func `a region that stops on a metered connection stays with its queue, which resumes it`()
        async throws
    {
        let box = try Box(), session = try await box.session()
        let queue = try RegionQueue(session, session.opener), events = queue.regions.store.events()
        _ = try await box.add("home", box.template("free"), to: queue)
        session.client.isMetered = true
        await queue.enqueue("home")
        #expect(await story(events, until: "home") == ["home"])
        #expect(await eventually { await queue.work(on: "home") == nil })
        #expect(try queue.regions.store.region("home").state.isUnfinished)
        #expect(try await queue.unfinished().isEmpty)
        session.client.isMetered = false
        let resuming = Task { await queue.resumeUnfinished() }
        #expect(await story(events, until: "home") == ["home"])
        #expect(try queue.regions.store.region("home").state == .complete)
        resuming.cancel()
        await queue.close()
    }

    @Test
    func
        `a download that the end of a queue interrupts is paused, and the next queue resumes it only when asked`()
        async throws
    {
        let box = try Box(), queue = try await box.queue()
        for id in ["home", "next"] { _ = try await box.add(id, box.template("held"), to: queue) }
        for id in ["home", "next"] { await queue.enqueue(id) }
        #expect(await eventually { box.asked == ["held"] })
        #expect(await queue.close().map(\.id) == ["home", "next"])
        #expect(
            try queue.regions.store.regions().allSatisfy {
                $0.state == .paused && $0.reason.contains("interrupted")
            })
        let next = try await box.queue(), resuming = Task { await next.resumeUnfinished() }
        #expect(try await next.unfinished().map(\.id) == ["home", "next"])
        _ = try await box.add("other", box.template("free"), to: next)
        let events = next.regions.store.events()
        await next.enqueue("other")
        #expect(await story(events, until: "other") == ["other"])
        #expect(box.asked == ["held", "free"])
        box.gate.open()
        await next.resume(try next.regions.store.region("home"))
        #expect(await story(events, until: "home") == ["home"])
        #expect(try next.regions.store.region("home").state == .complete)
        #expect(try await next.unfinished().map(\.id) == ["next"])
        resuming.cancel()
        #expect(await next.close().isEmpty)
    }
}
