import RhumbCore
@testable import RhumbEngine
import RhumbTestSupport
import Synchronization
import Testing

/// A fetcher that records the requested tiles, and responds when the test permits it.
final class ScriptedFetcher: TileFetcher {
    private struct State {
        var asked: [(tile: TileID, urgency: WantedTile.Urgency)] = []
        var held: [TileID: CheckedContinuation<Void, Never>] = [:]
        var isHolding = false
        var kept: [TileID: TileValidity] = [:]
        var cancelled: [TileID] = []
        var spared: Set<TileID> = []
    }
    private let state = Mutex(State())
    let features: Set<Feature>

    init(prefetching features: Set<Feature> = [.rendering]) { self.features = features }

    var ahead: [TileID] { state.withLock { $0.asked.filter { $0.urgency == .prefetch }.map(\.tile) } }
    var seen: [TileID] { state.withLock { $0.asked.filter { $0.urgency != .prefetch }.map(\.tile) } }
    var cancelled: [TileID] { state.withLock { $0.cancelled } }
    var spared: Set<TileID> { state.withLock { $0.spared } }

    /// Delays all further responses until `release`.
    func hold() { state.withLock { $0.isHolding = true } }

    func release() {
        let held = state.withLock { state in
            state.isHolding = false
            defer { state.held = [:] }
            return state.held
        }
        for continuation in held.values { continuation.resume() }
    }

    func setKept(_ tile: TileID, _ standing: TileValidity) { state.withLock { $0.kept[tile] = standing } }

    func stored(_ want: WantedTile) -> CachedTile? {
        state.withLock { $0.kept[want.tile] }.map { CachedTile(.flat(want.tile), $0) }
    }

    func mayPrefetch(_ layer: TileLayer) -> Bool { features.contains(layer.feature) }

    func protect(_ wants: [WantedTile]) { state.withLock { $0.spared = Set(wants.map(\.tile)) } }

    func fetch(_ want: WantedTile, holdsStored: Bool) async throws(TileFailure) -> FetchedTile {
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state in
                state.asked.append((want.tile, want.urgency))
                if state.isHolding { state.held[want.tile] = continuation }
                return !state.isHolding
            }
            if goesOn { continuation.resume() }
        }
        if Task.isCancelled { state.withLock { $0.cancelled.append(want.tile) } }
        let bytes = [UInt8](repeating: 1, count: 1000)
        return .new(want.urgency == .prefetch ? .bitmap(.encoded(bytes)) : .flat(want.tile), .current)
    }
}

struct PrefetchTests {
    private let view = Viewport.small(10, 50, zoom: 8)
    private let layer = TileLayer.test(ScriptedSource { _, _ in .url("x") }, zooms: 0...12)
    private var expected: Set<TileID> { Set(LookAhead.tiles(around: view, motion: (0, 0), of: layer)) }

    /// Lets the engine send its paced requests until no more are due.
    private func drain(_ harness: EngineHarness, _ fetcher: ScriptedFetcher, until count: Int) async -> Bool {
        await eventually {
            harness.clock.advance(by: .milliseconds(50))
            await harness.engine.settled()
            return fetcher.ahead.count >= count
        }
    }

    @Test func `tiles for the next view are fetched once those in view are loaded`() async {
        let fetcher = ScriptedFetcher(), harness = EngineHarness(fetcher: fetcher)
        fetcher.hold()
        harness.engine.show(view, layers: [layer])
        #expect(await eventually { !fetcher.seen.isEmpty })
        #expect(fetcher.ahead.isEmpty)
        fetcher.release()
        await harness.engine.settled()
        #expect(await drain(harness, fetcher, until: expected.count))
        #expect(Set(fetcher.ahead) == expected && fetcher.ahead.count == expected.count)
    }

    @Test func `fresh cached tiles are not fetched, and stale ones are`() async throws {
        let fetcher = ScriptedFetcher(), harness = EngineHarness(fetcher: fetcher)
        let tiles = LookAhead.tiles(around: view, motion: (0, 0), of: layer)
        fetcher.setKept(tiles[0], .fresh(until: harness.clock.date.adding(100)))
        fetcher.setKept(tiles[1], .stale(since: harness.clock.date))
        await harness.show(view, [layer])
        #expect(await drain(harness, fetcher, until: expected.count - 1))
        #expect(Set(fetcher.ahead) == expected.subtracting([tiles[0]]))
    }

    @Test func `ahead of a followed position means along its course, regardless of the view's last move`()
        async
    {
        let fetcher = ScriptedFetcher(), harness = EngineHarness(fetcher: fetcher)
        await harness.show(view, [layer])
        harness.engine.show(view.panned(columns: -2, rows: 0), layers: [layer], course: 90)
        await harness.engine.settled()
        let motion = await harness.engine.motion
        #expect(motion.x == max(view.width, view.height) && abs(motion.y) < 1e-6)
        harness.engine.show(view.panned(columns: -4, rows: 0), layers: [layer])
        await harness.engine.settled()
        #expect(await harness.engine.motion.x < 0)
    }

    @Test func `only layers whose feature and source allow it are prefetched`() async {
        for (features, isVisible) in [([], true), ([.terrain], true), ([.rendering], false)]
            as [(Set<Feature>, Bool)]
        {
            let fetcher = ScriptedFetcher(prefetching: features), harness = EngineHarness(fetcher: fetcher)
            var hidden = layer
            hidden.isVisible = isVisible
            await harness.show(view, [hidden])
            #expect(await harness.engine.prefetchQueue.isEmpty)
            #expect(fetcher.ahead.isEmpty && fetcher.seen.isEmpty == !isVisible)
        }
    }

    @Test func `requests are sent evenly at the given rate`() async {
        let fetcher = ScriptedFetcher(), harness = EngineHarness(fetcher: fetcher)
        await harness.engine.limitPrefetch(
            to: limits {
                $0.requestsPerSecond = 2; $0.atOnce = 50
            })
        await harness.show(view, [layer])
        let clock = harness.clock, count = expected.count
        // All except the first wait for their turn.
        #expect(await eventually { fetcher.ahead.count == 1 && clock.sleeperCount == count - 1 })
        for asked in 2...5 {
            clock.advance(by: .milliseconds(499))
            #expect(fetcher.ahead.count == asked - 1)
            clock.advance(by: .milliseconds(1))
            #expect(await eventually { fetcher.ahead.count == asked })
        }
    }

    @Test func `no more requests run at once than allowed`() async {
        let fetcher = ScriptedFetcher(), harness = EngineHarness(fetcher: fetcher)
        await harness.engine.limitPrefetch(
            to: limits {
                $0.requestsPerSecond = 1000; $0.atOnce = 3
            })
        await harness.show(view, [layer])
        #expect(await harness.engine.prefetching.count <= 3)
        #expect(await drain(harness, fetcher, until: expected.count))
    }

    @Test func `the bytes fetched by a session are bounded`() async {
        let fetcher = ScriptedFetcher(), harness = EngineHarness(fetcher: fetcher)
        await harness.engine.limitPrefetch(
            to: limits {
                $0.bytesPerSession = 2500; $0.atOnce = 1; $0.requestsPerSecond = 1000
            })
        await harness.show(view, [layer])
        #expect(await drain(harness, fetcher, until: 3))
        #expect(await eventually { await harness.engine.prefetching.isEmpty })
        harness.clock.advance(by: .seconds(100))
        await harness.show(view.panned(columns: 30, rows: 0), [layer])
        #expect(fetcher.ahead.count == 3)
        #expect(await harness.engine.prefetching.isEmpty)
    }

    @Test func `a jump cancels requests that it leaves behind, running or waiting`() async {
        let fetcher = ScriptedFetcher(), harness = EngineHarness(fetcher: fetcher)
        await harness.engine.limitPrefetch(
            to: limits {
                $0.requestsPerSecond = 2; $0.atOnce = 4
            })
        await harness.show(view, [layer])
        fetcher.hold()
        let clock = harness.clock
        #expect(await eventually { fetcher.ahead.count == 1 && clock.sleeperCount == 3 })
        let before = Set(fetcher.ahead)
        fetcher.release()
        let far = Viewport.small(-120, -30, zoom: 8)
        await harness.show(far, [layer])
        let near = Set(LookAhead.tiles(around: far, motion: (0, 0), of: layer))
        #expect(await drain(harness, fetcher, until: 1 + near.count))
        #expect(Set(fetcher.ahead).subtracting(near).isSubset(of: before))
    }

    @Test func `requests outside the neighbourhood are cancelled`() async {
        let fetcher = ScriptedFetcher(), harness = EngineHarness(fetcher: fetcher)
        await harness.show(view, [layer])
        fetcher.hold()
        #expect(await drain(harness, fetcher, until: 2))
        // Other tiles may be waiting for their turn without ever being requested.
        let under = Set(await harness.engine.prefetching.keys.map(\.tile)).intersection(fetcher.ahead)
        #expect(!under.isEmpty)
        harness.engine.show(.small(-120, -30, zoom: 8), layers: [layer])
        #expect(await eventually { await harness.engine.viewNumber == 2 })
        fetcher.release()
        #expect(await eventually { Set(fetcher.cancelled).isSuperset(of: under) })
    }

    @Test func `visible tiles are protected`() async {
        let fetcher = ScriptedFetcher(), harness = EngineHarness(fetcher: fetcher)
        await harness.show(view, [layer])
        #expect(fetcher.spared == Set(layer.cover(of: view).map(\.tile)))
        let next = view.panned(columns: 200, rows: 0)
        await harness.show(next, [layer])
        #expect(fetcher.spared == Set(layer.cover(of: next).map(\.tile)))
    }

    @Test func `each tile of a failing server is requested once`() async {
        struct Failing: TileFetcher {
            let asked = Counter()
            func mayPrefetch(_ layer: TileLayer) -> Bool { true }
            func fetch(_ want: WantedTile, holdsStored: Bool) async throws(TileFailure) -> FetchedTile {
                guard want.urgency == .prefetch else { return .new(.flat(want.tile), .current) }
                asked.add(want.tile)
                throw TileFailure(.unreadable, "down", retryAfter: .seconds(9999))
            }
        }
        let fetcher = Failing(), harness = EngineHarness(fetcher: fetcher)
        await harness.show(view, [layer])
        let count = expected.count, asked = fetcher.asked
        #expect(
            await eventually {
                harness.clock.advance(by: .milliseconds(50))
                await harness.engine.settled()
                return asked.ahead.count >= count
            })
        #expect(Set(asked.ahead).count == asked.ahead.count)
    }

    private func limits(_ change: (inout PrefetchLimits) -> Void) -> PrefetchLimits {
        var limits = PrefetchLimits()
        change(&limits)
        return limits
    }
}

/// Collects tiles from any thread.
final class Counter: Sendable {
    private let tiles = Mutex<[TileID]>([])
    var ahead: [TileID] { tiles.withLock { $0 } }
    func add(_ tile: TileID) { tiles.withLock { $0.append(tile) } }
}
