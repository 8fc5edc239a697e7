import RhumbCore
import RhumbTestSupport
import Testing

@testable import RhumbEngine

/// Tests that shading, contours and their labels share their heights.
struct HillReuseTests {
    private struct NoFetcher: TileFetcher {
        func fetch(_ want: WantedTile, holdsStored: Bool) async throws(TileFailure) -> FetchedTile {
            throw TileFailure(.offline, "no network")
        }
    }

    @Test func `a local tile is read once for shading, contours and labels, until it is discarded`() throws {
        let source = ScriptedSource { _, _ in .answer(.bitmap(.encoded([16, 16, 128]))) }
        let bare = TileLayer.test(source)
        let drawing = HillshadeDrawing(bare.info, .terrarium, Hillshade(), decoder: ThreeByteDecoder())
        let ground = try #require(
            ElevationModel(bare.drawn(by: drawing, size: .pixels256), NoFetcher()))
        let shading = ground.shading, contours = ContourTileSource(ground, ContourSpacing())
        let lines = TileLayer(id: "contours", source: contours, info: contours.info)
        let tile = try #require(TileID(zoom: 10, x: 500, y: 300))

        let made = try contours.tile(tile, of: lines)
        #expect(source.asked.count == 9)
        _ = try shading.source.tile(tile, of: shading)
        #expect(try contours.tile(tile, of: lines) == made && source.asked.count == 9)
        lines.forgetTiles()
        #expect(try contours.tile(tile, of: lines) == made && source.asked.count == 18)
    }
}
