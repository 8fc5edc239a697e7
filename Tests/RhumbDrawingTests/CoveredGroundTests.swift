import RhumbCore
import RhumbDrawing
import RhumbEngine
import RhumbTestSupport
import Testing

/// Tests tiles that extend beyond the bounds of their map.
struct CoveredGroundTests {
    /// Bounds within one tile at zoom 3. On a tile of the world, they are pixels 160 to 192 and 64 to 96 of
    /// 256.
    private static let bounds: Bounds? = {
        let low = Mercator.coordinate(WorldPoint(x: 0.63, y: 0.26)),
            high = Mercator.coordinate(WorldPoint(x: 0.74, y: 0.37))
        return Bounds(west: low.longitude, south: high.latitude, east: high.longitude, north: low.latitude)
    }()

    private func tile(_ id: TileID, _ layers: [(String, [VectorTileFixture.Feature])]) throws -> any DrawnTile
    {
        let style = try DrawingFixture.style([
            DrawingFixture.layer("areas", "fill", ["fill-color": "#FF0000"])
        ])
        var info = TileSourceInfo(name: "city", zooms: 0...3, tileSize: .pixels256)
        info.bounds = Self.bounds
        let drawing = VectorDrawing(info, painters: [.other: VectorPainter(style, source: "v")])
        return try drawing.tile(id, from: VectorTileFixture(layers).bytes)
    }

    private func square(_ low: Int, _ high: Int) -> VectorTileFixture.Feature {
        .init(.polygon, through: [(low, low), (high, low), (high, high), (low, high)])
    }

    private func alpha(_ picture: Raster, _ x: Int, _ y: Int) -> UInt8 {
        picture.pixels[(y * picture.width + x) * 4 + 3]
    }

    @Test
    func
        `have ground within the bounds, by whole tiles of the deepest zoom, and show what lies below elsewhere`()
        throws
    {
        let tile = try tile(.world, [("l", [])]), picture = try tile.picture(of: .world, side: 256)
        #expect(tile.endsWithin)
        #expect(
            alpha(picture, 160, 64) == 255 && alpha(picture, 191, 95) == 255
                && picture.colour(170, 80) == RGB(0x204060))
        for (x, y) in [(159, 70), (192, 70), (170, 63), (170, 96), (0, 0)] {
            #expect(alpha(picture, x, y) == 0)
        }
    }

    @Test(arguments: [(0, 4096), (1024, 3000), (-64, 2600)])
    func
        `are drawn within the bounds alone, however much of their surroundings they hold, so that the edge has no steps`(
            low: Int, high: Int
        ) throws
    {
        let picture = try tile(.world, [("l", [square(low, high)])]).picture(of: .world, side: 256)
        #expect(picture.colour(161, 65) == RGB(0xFF0000))
        for y in 0..<256 {
            for x in 0..<256 {
                let isCovered = (160..<192).contains(x) && (64..<96).contains(y)
                #expect(alpha(picture, x, y) == (isCovered ? 255 : 0), "\(x), \(y)")
            }
        }
    }

    @Test func `at the deepest zoom the background covers all tiles and their parts`() throws {
        let deepest = try #require(TileID(zoom: 3, x: 5, y: 2)), tile = try tile(deepest, [("l", [])])
        #expect(!tile.endsWithin)
        #expect(
            try tile.picture(of: deepest, side: 64).isOpaque
                && tile.picture(of: deepest.children[0], side: 64).isOpaque)
    }
}
