import RhumbCore
@testable import RhumbEngine
import RhumbTestSupport
import Testing

/// Tiles that are drawn before a moving view reaches them.
struct DrawnAheadTests {
    /// A quarter of the view is as wide as a tile.
    private let view = Viewport(
        camera: Camera(center: Coordinate(latitude: 50, longitude: 10), zoom: 8), columns: 512, rows: 64)

    private struct PlainDrawing: TileDrawing {
        let dataZooms = 0...20

        func tile(_ data: TileID, from bytes: [UInt8]) -> any DrawnTile { PlainTile() }
    }

    private struct PlainTile: DrawnTile {
        func picture(of tile: TileID, side: Int) -> Raster { Raster(width: 1, height: 1, filledWith: RGB(0)) }
    }

    /// Whether all that a view to the right of a moved one shows is drawn.
    private func isReadyAhead(_ source: ScriptedSource, isDrawn: Bool, moves: Bool) async -> Bool {
        let harness = EngineHarness(decoder: ThreeByteDecoder())
        let bare = TileLayer.test(source), layer = isDrawn ? bare.drawn(by: PlainDrawing(), size: .pixels256) : bare
        await harness.show(view, [layer])
        let moved = view.panned(columns: moves ? 8 : 0, rows: 0)
        await harness.show(moved, [layer])
        return layer.cover(of: moved.panned(columns: 128, rows: 0)).allSatisfy { harness.state(layer, $0.tile) != nil }
    }

    @Test func `what a moving view reaches next is drawn before it is looked at`() async {
        let source = ScriptedSource { _, _ in .answer(.bitmap(.encoded([1, 2, 3]))) }
        #expect(await isReadyAhead(source, isDrawn: true, moves: true))
    }

    @Test func `of a view at rest, and of layers that are not drawn here, nothing is made ready`() async {
        let source = ScriptedSource { _, _ in .answer(.bitmap(.encoded([1, 2, 3]))) }
        #expect(await !isReadyAhead(source, isDrawn: true, moves: false))
        #expect(await !isReadyAhead(source, isDrawn: false, moves: true))
    }
}
