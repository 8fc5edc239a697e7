import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct TileFadeTests {
    private let view = Viewport.small(10, 50, zoom: 5)
    private let source = ScriptedSource { tile, _ in
        tile.zoom == 5 ? .block(.flat(tile)) : .answer(.flat(tile))
    }

    private func layer(fades: Bool = true) -> TileLayer {
        var layer = TileLayer.test(source)
        layer.fadesIn = fades
        return layer
    }

    /// Returns the opacities in frames at moments in milliseconds, separately for old and new tiles.
    private func strengths(
        _ harness: EngineHarness, _ layer: TileLayer, _ moments: [Int]
    ) -> [[Double: [Double]]] {
        moments.map { moment in
            let scene = harness.engine.board.scene(of: view, layers: [layer], at: .milliseconds(moment))
            let byZoom = Dictionary(grouping: scene.layers[0].pictures) { Double($0.tile.tile.zoom) }
            #expect(scene.isFading == byZoom.values.joined().contains { $0.strength < 1 })
            return byZoom.mapValues { Set($0.map(\.strength)).sorted() }
        }
    }

    /// Shows the view one zoom out, whose tiles are loaded. The view's own tiles wait for their release.
    private func standingIn(_ layer: TileLayer) async -> EngineHarness {
        let harness = EngineHarness()
        await harness.show(.small(10, 50, zoom: 4), [layer])
        harness.engine.show(view, layers: [layer])
        let source = source
        #expect(await eventually { source.insideCount > 0 })
        return harness
    }

    @Test func `a tile gradually replaces its substitute, and then stays`() async {
        let layer = layer(), harness = await standingIn(layer)
        #expect(strengths(harness, layer, [0]) == [[4: [1]]])
        source.release(100)
        await harness.engine.settled()
        #expect(
            strengths(harness, layer, [10, 69, 70, 130, 200, 260, 999]) == [
                [4: [0.75], 5: [0.25]], [4: [0.75], 5: [0.25]], [4: [0.5], 5: [0.5]], [4: [0.25], 5: [0.75]],
                [5: [1]], [5: [1]], [5: [1]],
            ])
    }

    @Test func `a tile without a substitute is shown at once`() async {
        let layer = layer(), harness = await standingIn(layer)
        source.release(100)
        await harness.engine.settled()
        #expect(strengths(harness, layer, [0, 60]) == [[5: [1]], [5: [1]]])
    }

    @Test func `layers without fading and single frames show a tile at once`() async {
        let layer = layer(fades: false), harness = await standingIn(layer)
        #expect(strengths(harness, layer, [0]) == [[4: [1]]])
        source.release(100)
        await harness.engine.settled()
        #expect(strengths(harness, layer, [10]) == [[5: [1]]])
        #expect(!harness.engine.board.scene(of: view, layers: [self.layer()]).isFading)
    }
}
