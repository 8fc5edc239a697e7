import RhumbCore
import RhumbEngine
import Testing

/// Contours of tiles whose own heights are missing.
extension ContourTileTests {
    /// A tile and all coarser ones over it.
    static func line(of tile: TileID) -> Set<TileID> {
        Set((0...tile.zoom).compactMap { tile.ancestor(levels: $0) })
    }

    @Test func `a damaged or missing tile has contours of coarser heights, at the same interval`() throws {
        let tile = Self.first, parent = try #require(tile.parent), count = Double(1 << Self.zoom)
        for gone in [[tile], [tile, parent]] as [Set<TileID>] {
            for heights in [Heights(side: 256, damaged: gone), Heights(side: 256, missing: gone)] {
                let found = try lines(try made(heights), of: tile)
                #expect(found.contains { $0.ele.remainder(dividingBy: 500) != 0 })
                for (ele, places) in crossings(found, at: 2048, isVertical: true) {
                    for place in places {
                        let x = (Double(tile.x) + 0.5) / count
                        let y = (Double(tile.y) + place / 4096) / count
                        #expect(abs(Heights.metres(x, y) - ele) < 30)
                    }
                }
            }
        }
    }

    @Test func `lines of coarser heights meet those of the tiles around`() throws {
        let beside = try #require(TileID(zoom: Self.zoom, x: Self.first.x + 1, y: Self.first.y))
        for heights in [
            Heights(side: 256, damaged: [beside]), Heights(side: 256, missing: [beside]),
            Heights(side: 256, smaller: [beside]),
        ] {
            let (contours, layer) = try source(heights)
            let mine = try lines(try contours.tile(Self.first, of: layer), of: Self.first)
            let others = try lines(try contours.tile(beside, of: layer), of: beside)
            var pairs = 0
            for (ele, places) in crossings(mine, at: 4096, isVertical: true) {
                for place in places where (40...4056).contains(place) {
                    let nearest = others.filter { $0.ele == ele }.map { distance(SIMD2(0, place), $0.1) }
                    #expect(nearest.min() ?? .infinity <= 8, "\(ele) m at \(place)")
                    pairs += 1
                }
            }
            #expect(pairs > 0)
        }
    }

    @Test func `without coarser heights, a damaged tile fails, and a missing one has no contours`() throws {
        let all = Self.line(of: Self.first)
        #expect(throws: TileFailure.self) { try made(Heights(side: 256, damaged: all)) }
        #expect(try made(Heights(side: 256, missing: all)) == .absent)
    }
}
