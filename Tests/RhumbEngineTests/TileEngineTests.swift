import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Synchronization
import Testing

struct TileEngineTests {
    private let view = Viewport.small(10, 50, zoom: 5)
    private var tile: TileID { TileID(zoom: 5, containing: view.camera.center) }

    @Test func `every visible tile is requested once, the middle first`() async {
        let source = ScriptedSource { tile, _ in .answer(.flat(tile)) }
        let layer = TileLayer.test(source)
        let harness = EngineHarness()
        await harness.show(view, [layer])
        await harness.show(view.panned(columns: 1, rows: 0), [layer])
        let cover = layer.cover(of: view).map(\.tile)
        #expect(Set(source.asked).isSuperset(of: cover))
        #expect(Set(source.asked).count == source.asked.count)
        #expect(source.asked.first == cover.first || cover.count <= 4)
        #expect(harness.state(layer, tile) == .ready(.flat(tile)))
    }

    @Test func `a tile that the source doesn't have is absent and is not read`() async {
        let source = ScriptedSource(has: { _ in false }) { tile, _ in .answer(.flat(tile)) }
        let layer = TileLayer.test(source)
        let harness = EngineHarness()
        await harness.show(view, [layer])
        #expect(source.asked.isEmpty)
        #expect(harness.state(layer, tile) == .absent)
    }

    @Test func `an immediate tile takes precedence over a request, and a request over a URL`() async {
        struct Everything: TileLayerDataSource {
            let level: Int
            func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
                level == 0 ? .bitmap(.encoded([255, 255, 1])) : nil
            }
            func begin(_ request: TileRequest) -> Bool {
                guard level <= 1 else { return false }
                request.complete(.bitmap(.raster(Raster(width: 256, height: 256, filledWith: RGB(2)))))
                return true
            }
            func url(for tile: TileID) -> String? { "stub" }
        }
        struct Stub: TileFetcher {
            func fetch(_ want: WantedTile, holdsStored: Bool) async throws(TileFailure) -> FetchedTile {
                .new(.bitmap(.raster(Raster(width: 256, height: 256, filledWith: RGB(3)))), .current)
            }
        }
        var colours: [UInt8?] = []
        for level in 0...2 {
            let harness = EngineHarness(fetcher: Stub())
            let layer = TileLayer.test(Everything(level: level))
            await harness.show(view, [layer])
            switch harness.state(layer, tile) {
            case .ready(let raster): colours.append(raster.pixels[2])
            case .failed: colours.append(nil)
            case .absent, nil: colours.append(nil)
            }
        }
        #expect(colours == [1, 2, 3])
    }

    @Test func `a URL without a fetcher fails with the message that the network is needed`() async {
        let layer = TileLayer.test(ScriptedSource { _, _ in .url("https://tiles.example/1") })
        let harness = EngineHarness()
        await harness.show(view, [layer])
        guard case .failed(let failure) = harness.state(layer, tile) else {
            Issue.record("it did not fail")
            return
        }
        #expect(failure.reason == .offline)
    }

    @Test func `a promised tile may be completed later from another thread`() async {
        let source = ScriptedSource { _, _ in .promise }
        let layer = TileLayer.test(source)
        let harness = EngineHarness()
        harness.engine.show(view, layers: [layer])
        #expect(await eventually { source.promised.count == layer.cover(of: view).count })
        for request in source.promised {
            Task.detached { request.complete(.flat(request.tile)) }
        }
        await harness.engine.settled()
        #expect(harness.state(layer, tile) == .ready(.flat(tile)))
    }

    @Test func `a tile that left the view before it arrived is cancelled`() async {
        let source = ScriptedSource { _, _ in .promise }
        let layer = TileLayer.test(source)
        let harness = EngineHarness()
        harness.engine.show(view, layers: [layer])
        #expect(await eventually { source.promised.count == layer.cover(of: view).count })
        let first = source.promised
        harness.engine.show(.small(-100, -40, zoom: 5), layers: [layer])
        #expect(await eventually { first.allSatisfy(\.isCancelled) })
    }

    @Test func `a failure is remembered until it expires, and then requested again`() async {
        let failure = TileFailure(.sourceFailed, "try later", retryAfter: .seconds(60))
        let source = ScriptedSource { tile, time in time == 1 ? .fail(failure) : .answer(.flat(tile)) }
        let layer = TileLayer.test(source)
        let harness = EngineHarness()
        await harness.show(view, [layer])
        #expect(harness.state(layer, tile) == .failed(failure))
        let asked = source.asked.count
        await harness.show(view.panned(columns: 1, rows: 0), [layer])
        await harness.show(view, [layer])
        #expect(source.asked.count == asked)
        #expect(await eventually { harness.clock.sleeperCount >= asked })
        harness.clock.advance(by: .seconds(60))
        #expect(await eventually { harness.state(layer, tile) == .ready(.flat(tile)) })
    }

    @Test func `tiles are revalidated when they expire, although others expire later`() async {
        final class Expiring: TileFetcher {
            let clock = ManualClock()
            let revalidated = Mutex<Set<TileLayer.ID>>([])

            func fetch(_ want: WantedTile, holdsStored: Bool) -> FetchedTile {
                if holdsStored { revalidated.withLock { _ = $0.insert(want.layer.id) } }
                let life: Int64 = want.layer.id == "minute" ? 60 : 100_000_000
                return .new(.flat(want.tile), .fresh(until: clock.date.adding(life)))
            }
        }
        let fetcher = Expiring(), harness = EngineHarness(fetcher: fetcher, clock: fetcher.clock)
        await harness.show(
            view, ["years", "minute"].map { .test(ScriptedSource { _, _ in .url("x") }, id: $0) })
        #expect(
            await eventually {
                harness.clock.advance(by: .seconds(1))
                return fetcher.revalidated.withLock { $0 == ["minute"] }
            })
    }

    @Test func `a source that never responds times out and delays no other layer`() async {
        let hung = ScriptedSource { _, _ in .block(.absent) }
        let good = ScriptedSource { tile, _ in .answer(.flat(tile)) }
        let slow = TileLayer.test(hung, id: "slow"), fast = TileLayer.test(good, id: "fast")
        let harness = EngineHarness()
        harness.engine.show(view, layers: [slow, fast])
        let count = slow.cover(of: view).count
        #expect(await eventually { harness.state(fast, tile) == .ready(.flat(tile)) })
        #expect(harness.state(slow, tile) == nil)
        #expect(await eventually { hung.insideCount == min(count, 4) })
        #expect(await eventually { harness.clock.sleeperCount >= min(count, 4) })
        harness.clock.advance(by: .seconds(30))
        await harness.engine.settled()
        guard case .failed(let failure) = harness.state(slow, tile) else {
            Issue.record("it did not fail")
            return
        }
        #expect(failure.reason == .timedOut)
        hung.release(8)
    }

    @Test func `a source never gets two simultaneous requests for the same tile`() async {
        let source = ScriptedSource { tile, _ in .block(.flat(tile)) }
        let layer = TileLayer.test(source)
        let harness = EngineHarness()
        harness.engine.show(view, layers: [layer])
        #expect(await eventually { source.insideCount > 0 })
        for step in 0..<20 {
            let elsewhere = Viewport.small(-100, -40, zoom: 5)
            harness.engine.show(step.isMultiple(of: 2) ? elsewhere : view, layers: [layer])
        }
        source.release(1000)
        await harness.engine.settled()
        #expect(!source.metTwice)
    }

    @Test func `the nearest ancestor of an absent tile is requested`() async {
        let source = ScriptedSource(has: { $0.zoom <= 3 }) { tile, _ in .answer(.flat(tile)) }
        let layer = TileLayer.test(source)
        let harness = EngineHarness()
        await harness.show(view, [layer])
        let scene = harness.engine.board.scene(of: view, layers: [layer])
        #expect(Set(scene.layers[0].pictures.map(\.tile.tile.zoom)) == [3])
        #expect(scene.layers[0].gaps.allSatisfy { $0.reason == .absent && $0.isCovered })
        #expect(scene.isComplete)
    }

    @Test(arguments: [TileFailure.Reason.offline, .timedOut])
    func `without a network, the nearest stored ancestor replaces a tile`(reason: TileFailure.Reason) async {
        let source = ScriptedSource { tile, _ in
            tile.zoom <= 3 ? .answer(.flat(tile)) : .fail(TileFailure(reason, "not stored"))
        }
        let layer = TileLayer.test(source), harness = EngineHarness()
        await harness.show(view, [layer])
        let scene = harness.engine.board.scene(of: view, layers: [layer])
        // Of a server that fails, no further tiles are requested.
        let zooms: Set<Int> = reason == .offline ? [3] : []
        #expect(Set(scene.layers[0].pictures.map(\.tile.tile.zoom)) == zooms)
        #expect(scene.layers[0].gaps.allSatisfy { $0.isCovered == (reason == .offline) })
    }

    @Test func `a layer without fallback requests no ancestor`() async {
        let source = ScriptedSource(has: { $0.zoom <= 3 }) { tile, _ in .answer(.flat(tile)) }
        var layer = TileLayer.test(source)
        layer.hasFallback = false
        let harness = EngineHarness()
        await harness.show(view, [layer])
        #expect(source.asked.isEmpty)
        #expect(harness.engine.board.scene(of: view, layers: [layer]).layers[0].pictures.isEmpty)
    }

    @Test func `listeners receive readiness, camera changes, each tile and idleness`() async {
        let layer = TileLayer.test(ScriptedSource { tile, _ in .answer(.flat(tile)) })
        let harness = EngineHarness()
        let events = await harness.engine.events()
        harness.engine.show(view, layers: [layer])
        var heard: [String] = []
        for await event in events {
            switch event {
            case .ready: heard.append("ready")
            case .cameraChanged: heard.append("camera")
            case .tileShown: heard.append("tile")
            case .tileAbsent, .tileFailed, .tileIncomplete: heard.append("?")
            case .idle: heard.append("idle")
            }
            if case .idle = event { break }
        }
        let tiles = layer.cover(of: view).count
        #expect(heard == ["ready", "camera"] + Array(repeating: "tile", count: tiles) + ["idle"])
    }

    @Test func `a removed layer is forgotten`() async {
        let layer = TileLayer.test(ScriptedSource { tile, _ in .answer(.flat(tile)) })
        let harness = EngineHarness()
        await harness.show(view, [layer])
        await harness.show(view, [])
        #expect(harness.engine.board.byteCount == 0)
    }

    @Test func `the memory for tiles is limited in bytes, and visible ones stay`() async {
        let layer = TileLayer.test(ScriptedSource { tile, _ in .answer(.flat(tile)) })
        let harness = EngineHarness(boardBytes: 10 * 256 * 256 * 4)
        var view = view
        for _ in 0..<40 {
            view = view.panned(columns: 64, rows: 0)
            await harness.show(view, [layer])
            let scene = harness.engine.board.scene(of: view, layers: [layer])
            #expect(scene.layers[0].gaps.isEmpty)
        }
        #expect(harness.engine.board.byteCount <= 12 * 256 * 256 * 4)
    }
}
