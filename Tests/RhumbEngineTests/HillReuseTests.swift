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

    @Test func `a decoded tile is used for the same bytes only`() throws {
        let tiles = DecodedTiles<Int>(byteLimit: 1000), tile = try #require(TileID(zoom: 1, x: 0, y: 1))
        var decoded = 0
        func content(_ bytes: [UInt8]) throws -> Int {
            try tiles.tile(tile, from: bytes) {
                decoded += 1
                return (decoded, bytes.count)
            }
        }
        #expect(try content([1, 2, 3]) == 1 && content([1, 2, 3]) == 1)
        #expect(try content([1, 2, 4]) == 2 && content([1, 2]) == 3 && content([1, 2]) == 3)
        #expect(tiles[tile] == 3)
    }

    @Test func `a damaged tile is shaded from coarser heights, and the map is not marked as failed`() throws {
        let tile = try #require(TileID(zoom: 10, x: 500, y: 300))
        let source = ScriptedSource { asked, _ in
            .answer(.bitmap(.encoded(asked == tile ? [1] : [16, 16, 128])))
        }
        let bare = TileLayer.test(source)
        let drawing = HillshadeDrawing(bare.info, .terrarium, Hillshade(), decoder: ThreeByteDecoder())
        let ground = try #require(ElevationModel(bare.drawn(by: drawing, size: .pixels256), NoFetcher()))
        let shading = ground.shading, hills = try #require(shading.source as? any HillTileSource)
        #expect(try shading.source.tile(tile, of: shading) != nil)
        #expect(hills.omission(of: tile)?.reason == .badContent)
        let east = try #require(TileID(zoom: 10, x: 501, y: 300))
        #expect(try shading.source.tile(east, of: shading) != nil && hills.omission(of: east) == nil)

        let area = PlacedTile(tile: tile, copy: 0)
        for (layer, count) in [(shading, 0), (bare, 1)] {
            var scene = LayerScene(layer: layer, tileZoom: 10)
            scene.gaps = [
                .init(area: area, reason: .failed(TileFailure(.unreadable, "no")), bare: [area])
            ]
            #expect(scene.failedAreas.count == count)
        }
    }
}
