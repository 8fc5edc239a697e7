import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Synchronization
import Testing

struct TrafficTilesTests {
    @Test func `nothing is requested while no traffic is selected`() async {
        let harness = TrafficHarness()
        harness.traffic.show(harness.view, over: [])
        await harness.pass(100)
        #expect(harness.provider.requests.isEmpty && harness.traffic.status == nil)
    }

    @Test func `the first poll is for the view that is shown`() async throws {
        let harness = TrafficHarness()
        // The choice may be restored before the map is shown.
        try harness.traffic.choose(TrafficChoice(incidents: .s0))
        await harness.pass(1)
        harness.traffic.show(harness.view, over: [])
        await harness.traffic.settled()
        let poll = try #require(harness.provider.requests.first { $0.tile == nil })
        let other = TrafficHarness()
        try await other.start(TrafficChoice(incidents: .s0))
        #expect(other.provider.requests.contains { $0.tile == nil && $0.address == poll.address })
    }

    @Test func `in ten minutes without news only polls are sent, and no tile is requested`() async throws {
        let harness = TrafficHarness()
        try await harness.start(TrafficChoice(incidents: .s0))
        #expect(harness.provider.polls == 1 && harness.provider.tiles.count == harness.visibleCount)
        harness.provider.forget()
        await harness.pass(605)
        #expect(await eventually { harness.provider.polls == 20 })
        #expect(harness.provider.tiles.isEmpty)
    }

    @Test func `one new model in ten minutes requests the visible tiles once each`() async throws {
        let harness = TrafficHarness()
        try await harness.start(TrafficChoice(incidents: .s0))
        harness.provider.forget()
        await harness.pass(300)
        harness.provider.set(model: 2)
        await harness.pass(305)
        #expect(await eventually { harness.provider.polls == 20 && harness.drawn[.trafficIncidents] == [2] })
        let tiles = harness.provider.tiles
        #expect(tiles.count == harness.visibleCount && Set(tiles.map(\.subject)).count == tiles.count)
        #expect(tiles.allSatisfy { $0.model == "2" })
    }

    @Test func `the old set stays until the last tile of the new one arrives`() async throws {
        let harness = TrafficHarness()
        try await harness.start(TrafficChoice(incidents: .s0))
        harness.provider.hold(true)
        harness.provider.set(model: 2)
        await harness.pass(32)
        let count = harness.visibleCount
        for _ in 0..<(count - 1) {
            #expect(await eventually { harness.provider.heldCount > 0 })
            harness.provider.release(0)
        }
        #expect(await eventually { harness.provider.heldCount == 1 })
        #expect(harness.drawn[.trafficIncidents] == [1] && harness.traffic.status?.isLoading == true)
        harness.provider.release(0)
        #expect(await eventually { harness.drawn[.trafficIncidents] == [2] })
        #expect(harness.traffic.layers.count == 1)
    }

    @Test(arguments: 1...12)
    func `no picture contains two models, in any order of responses`(seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        let harness = TrafficHarness(columns: 300, rows: 100)
        harness.provider.hold(true)
        harness.traffic.show(harness.view, over: [])
        try harness.traffic.choose(TrafficChoice(flow: .relative, incidents: .s0))
        var view = harness.view
        for step in 0..<150 {
            switch random.next() % 5 {
            case 0: await harness.pass(Int(random.next() % 20))
            case 1: harness.provider.set(model: UInt8(2 + step / 12))
            case 2:
                view = view.panned(columns: Int(random.next() % 80) - 40, rows: Int(random.next() % 40) - 20)
                harness.traffic.show(view, over: [])
            default: harness.provider.release(Int(random.next() % 1000))
            }
            for _ in 0..<5 { await Task.yield() }
            let layers = harness.traffic.scene(of: view, over: []).layers.filter {
                $0.layer.role == .trafficIncidents
            }
            #expect(Set(layers.flatMap(\.pictures).map { $0.raster.pixels[0] }).count <= 1)
        }
        #expect(
            await eventually {
                harness.provider.releaseAll()
                return harness.drawn[.trafficIncidents]?.count == 1
            })
    }

    @Test func `the newest tiles of two models are never drawn together`() async throws {
        let harness = TrafficHarness()
        harness.provider.answer { request in
            request.tile == nil ? .fault(.connectionRefused) : nil
        }
        harness.traffic.show(harness.view, over: [])
        try harness.traffic.choose(TrafficChoice(incidents: .s0))
        #expect(await eventually { harness.drawn[.trafficIncidents] == [1] })
        #expect(harness.provider.tiles.allSatisfy { $0.model == nil })
        await harness.engine.settled()
        harness.provider.set(model: 2)
        await harness.pass(40)
        let away = harness.view.panned(columns: 150, rows: 0)
        harness.traffic.show(away, over: [])
        let hasMixed = Mutex(false)
        let isNew = await eventually {
            let scene = harness.traffic.scene(of: away, over: [])
            let drawn = Set(scene.layers.flatMap { $0.pictures.map { $0.raster.pixels[0] } })
            if drawn.count > 1 { hasMixed.withLock { $0 = true } }
            return drawn == [2] && scene.isComplete
        }
        #expect(isNew && !hasMixed.withLock { $0 })
    }

    @Test func `a model that the tiles reject is requested again, and then omitted`() async throws {
        let harness = TrafficHarness()
        harness.provider.answer { request in
            guard request.tile != nil, request.model != nil else { return nil }
            return .refused(status: 400, [:], Array("{}".utf8), retryAfter: nil)
        }
        harness.traffic.show(harness.view, over: [])
        try harness.traffic.choose(TrafficChoice(incidents: .s0))
        #expect(await eventually { harness.drawn[.trafficIncidents] == [1] && harness.provider.polls == 2 })
        let asked = harness.provider.tiles.filter { $0.model == nil }
        #expect(Set(asked.map(\.subject)).count == harness.visibleCount)
    }

    @Test func `flow is renewed every three minutes, and another mode at once`() async throws {
        let harness = TrafficHarness()
        try await harness.start(TrafficChoice(flow: .relative))
        harness.provider.forget()
        await harness.pass(179)
        #expect(harness.provider.requests.isEmpty)
        harness.provider.set(model: 2)
        await harness.pass(3)
        #expect(await eventually { harness.drawn[.trafficFlow] == [2] })
        #expect(harness.provider.tiles.count == harness.visibleCount && harness.provider.polls == 0)
        #expect(harness.traffic.status?.legend == FlowLegend(.relative))
        harness.provider.set(model: 3)
        try harness.traffic.choose(TrafficChoice(flow: .absolute))
        #expect(await eventually { harness.drawn[.trafficFlow] == [3] })
        #expect(harness.traffic.status?.legend == FlowLegend(.absolute))
    }

    @Test
    func `HERE is asked every minute whether its tiles are still valid, and they are taken from memory`()
        async throws
    {
        let harness = TrafficHarness(keys: ["HERE_API_KEY"])
        harness.provider.answer { request in
            request.validators.etag == "\"v1\"" ? .notModified([:]) : .body([7], ["ETag": "\"v1\""])
        }
        try await harness.start(TrafficChoice(flow: .relative))
        let count = harness.visibleCount
        #expect(harness.provider.tiles.allSatisfy { $0.validators.isEmpty })
        for minute in 1...3 {
            harness.provider.forget()
            await harness.pass(62)
            #expect(
                await eventually {
                    harness.provider.tiles.count == count && harness.traffic.status?.isLoading == false
                })
            #expect(harness.provider.tiles.allSatisfy { $0.validators.etag == "\"v1\"" }, "minute \(minute)")
            #expect(harness.drawn[.trafficFlow] == [7])
        }
        #expect(throws: SourceFailure.self) { try harness.traffic.choose(TrafficChoice(incidents: .s0)) }
    }

    @Test func `while offline nothing is requested and the last data ages, and online it is refreshed`()
        async throws
    {
        let harness = TrafficHarness()
        try await harness.start(TrafficChoice(flow: .relative, incidents: .s0))
        harness.provider.forget()
        harness.traffic.setOnline(false)
        harness.traffic.show(harness.view.panned(columns: 100, rows: 0), over: [])
        await harness.pass(400)
        #expect(harness.provider.requests.isEmpty)
        #expect(harness.traffic.status?.age?.isStale == true)
        let scene = harness.traffic.scene(of: harness.view, over: [])
        #expect(scene.layers.allSatisfy { $0.layer.opacity < 1 && !$0.pictures.isEmpty })
        harness.provider.set(model: 2)
        harness.traffic.show(harness.view, over: [])
        harness.traffic.setOnline(true)
        #expect(await eventually { harness.drawn == [.trafficFlow: [2], .trafficIncidents: [2]] })
        #expect(harness.traffic.status?.age?.isStale == false)
    }

    @Test func `a rejected key stops all requests, is reported once without the key, and is retried`()
        async throws
    {
        let harness = TrafficHarness()
        harness.provider.answer { _ in
            .refused(status: 403, [:], Array("<h1>Developer Inactive topsecret</h1>".utf8), retryAfter: nil)
        }
        harness.traffic.show(harness.view, over: [])
        try harness.traffic.choose(TrafficChoice(flow: .relative, incidents: .s0))
        #expect(await eventually { harness.traffic.status?.problem?.reason == .badKey })
        let status = try #require(harness.traffic.status)
        #expect(status.description == "traffic paused")
        #expect(status.problem.map { !"\($0)".contains("topsecret") } == true)
        await harness.engine.settled()
        harness.provider.forget()
        await harness.pass(55)
        #expect(harness.provider.requests.isEmpty)
        harness.provider.answer { _ in nil }
        await harness.pass(10)
        #expect(await eventually { harness.drawn == [.trafficFlow: [1], .trafficIncidents: [1]] })
        #expect(harness.traffic.status?.problem == nil)
    }

    @Test func `traffic is above the maps and below routes and names`() async throws {
        let harness = TrafficHarness()
        var base = TileLayer.test(ScriptedSource { tile, _ in .answer(.flat(tile)) }, id: "base")
        var names = TileLayer.test(ScriptedSource { tile, _ in .answer(.flat(tile)) }, id: "names")
        base.role = .rasterBase
        names.role = .labels
        harness.traffic.show(harness.view, over: [base, names])
        try harness.traffic.choose(TrafficChoice(flow: .relative, incidents: .s0))
        await harness.traffic.settled()
        let roles = harness.traffic.scene(of: harness.view, over: [base, names]).layers.map(\.layer.role)
        #expect(roles == [.rasterBase, .trafficFlow, .trafficIncidents, .labels])
    }

    @Test func `traffic that is turned off leaves the map and memory`() async throws {
        let harness = TrafficHarness()
        try await harness.start(TrafficChoice(flow: .relative))
        #expect(harness.engine.board.byteCount > 0)
        try harness.traffic.choose(.off)
        #expect(harness.drawn.isEmpty)
        #expect(await eventually { harness.engine.board.byteCount == 0 })
    }

    @Test func `details are requested with the model on screen`() async throws {
        let harness = TrafficHarness()
        try await harness.start(TrafficChoice(incidents: .s0))
        harness.provider.answer { request in
            request.address.url.contains("/services/5/incidentDetails") && request.model == "1"
                ? .body(Array(#"{"incidents":[{"properties":{"id":"9","iconCategory":8}}]}"#.utf8), [:]) : nil
        }
        let found = try await harness.traffic.incidents(around: harness.view.camera.coordinate, radius: 500)
        #expect(found.map(\.category) == [.roadClosed])
    }
}
