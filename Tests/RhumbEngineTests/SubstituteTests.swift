import RhumbCore
@testable import RhumbEngine
import RhumbTestSupport
import Synchronization
import Testing

/// Stored tiles of other zooms in place of those that a failing server doesn't return.
struct SubstituteTests {
    private let view = Viewport.small(10, 50, zoom: 8)
    private let layer = TileLayer.test(ScriptedSource { _, _ in .url("x") }, zooms: 0...12)

    /// A server that fails, and a store.
    private final class Failing: TileFetcher {
        private let isStored: @Sendable (TileID) -> Bool
        private let requests = Mutex<[TileID]>([])

        init(isStored: @escaping @Sendable (TileID) -> Bool) { self.isStored = isStored }

        var requested: [TileID] { requests.withLock(\.self) }

        func stored(_ want: WantedTile) -> CachedTile? {
            isStored(want.tile) ? CachedTile(.flat(want.tile), .current) : nil
        }

        func fetch(_ want: WantedTile, holdsStored: Bool) async throws(TileFailure) -> FetchedTile {
            requests.withLock { $0.append(want.tile) }
            throw TileFailure(.unreadable, "down", retryAfter: .seconds(9999))
        }
    }

    private func scene(_ fetcher: Failing) async -> LayerScene {
        let harness = EngineHarness(fetcher: fetcher)
        await harness.show(view, [layer])
        return harness.engine.board.scene(of: view, layers: [layer]).layers[0]
    }

    @Test(arguments: [3, 7, 9, 10])
    func `while a server fails, stored tiles of other zooms are shown, and no others are requested`(
        zoom: Int
    ) async {
        let fetcher = Failing { $0.zoom == zoom }, scene = await scene(fetcher)
        #expect(Set(scene.pictures.map(\.tile.tile.zoom)) == [zoom])
        #expect(scene.failedAreas.isEmpty && scene.gaps.allSatisfy(\.isCovered))
        #expect(Set(fetcher.requested) == Set(layer.cover(of: view).map(\.tile)))
    }

    @Test func `only the parts without any stored tile are marked as failed`() async {
        let scene = await scene(Failing { $0.zoom == 9 && $0.x.isMultiple(of: 2) })
        let failed = scene.failedAreas.map(\.tile), shown = scene.pictures.map(\.area.tile)
        #expect(!failed.isEmpty && failed.allSatisfy { $0.zoom == 9 && !$0.x.isMultiple(of: 2) })
        #expect(!shown.isEmpty && Set(failed).isDisjoint(with: shown))
        #expect(failed.count + shown.count == layer.cover(of: view).count * 4)
    }

    @Test func `a tile that only replaced others is requested when it comes into view`() async {
        let fetcher = Failing { _ in false }, harness = EngineHarness(fetcher: fetcher)
        await harness.show(view, [layer])
        let near = Viewport.small(10, 50, zoom: 9), expected = layer.cover(of: near).map(\.tile)
        #expect(Set(fetcher.requested).isDisjoint(with: expected))
        await harness.show(near, [layer])
        #expect(Set(fetcher.requested).isSuperset(of: expected))
    }
}
