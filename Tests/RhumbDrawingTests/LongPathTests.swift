import RhumbCore
import RhumbTestSupport
import Testing

@testable import RhumbDrawing

/// Tests lines with many points.
struct LongPathTests {
    private func geometry(_ kind: VectorFeature.Kind, _ points: [(Int, Int)]) throws -> VectorGeometry {
        let tile = try VectorTile(VectorTileFixture([("l", [.init(kind, through: points)])]).bytes)
        let layer = try #require(try tile.layer(named: "l"))
        var reader = GeometryReader()
        let isRead = reader.read(layer.features[0], of: layer)
        #expect(isRead)
        return reader.geometry
    }

    private func strokes(_ points: [(Int, Int)], areRings: Bool) throws -> Int {
        let shape = try geometry(areRings ? .polygon : .line, points)
        var count = 0
        let raster = Canvas.raster(side: 64) { canvas in
            var path = PathBuilder(TilePart(.world, deepest: 0), extent: 4096, side: 64, seen: nil, margin: 0)
            path.addLines(shape, areRings: areRings, reach: 1, offset: 0, isDashed: false, to: canvas) { _ in
                count += 1
            }
        }
        return raster == nil ? -1 : count
    }

    @Test(arguments: [false, true])
    func `a line that crosses itself constantly is stroked piece by piece`(areRings: Bool) throws {
        var random = SplitMix(seed: 3)
        let points = (0..<10_000).map { _ in
            (Int.random(in: 0..<4096, using: &random), Int.random(in: 0..<4096, using: &random))
        }
        let count = try strokes(points, areRings: areRings)
        #expect((30...60).contains(count), "\(count)")
        #expect(try strokes(Array(points.prefix(100)), areRings: areRings) == 0)
    }

    @Test func `the pieces make up the whole line`() throws {
        let layers = [DrawingFixture.layer("a", "line", ["line-color": "#FF0000", "line-width": 4])]
        let many = (0..<2000).map { (100 + $0 * 2, 2000) }
        let pieces = try DrawingFixture.draw([.init(.line, through: many)], layers)
        let whole = try DrawingFixture.draw([.init(.line, through: [many[0], many[1999]])], layers)
        #expect(pieces == whole)
    }
}
