import RhumbCore
import RhumbTestSupport
import Testing

struct RegionTilesTests {
    private let geometry: RegionGeometry
    private let center = Coordinate(latitude: 12, longitude: 31)

    init() throws {
        let outer = coast(around: Position(longitude: 30, latitude: 10), radius: 12, corners: 23, seed: 4)
        geometry = try RegionGeometry([.polygon(outer: outer, holes: [])])
    }

    private func cover(_ packing: RegionTileSet.Packing) throws -> RegionTileSet {
        RegionTileSet(geometry, zooms: try ZoomRange(4, 8), packing: packing)
    }

    private func distance(_ tile: TileID) -> Int {
        let middle = TileID(zoom: tile.zoom, containing: Mercator.world(center))
        let dx = abs(tile.x - middle.x), dy = tile.y - middle.y, around = min(dx, (1 << tile.zoom) - dx)
        return around * around + dy * dy
    }

    @Test(arguments: RegionTileSet.Packing.allCases)
    func `low zooms come first, and within a zoom the nearest tiles`(packing: RegionTileSet.Packing) throws {
        let cover = try cover(packing)
        let tiles = Array(cover.tiles(around: center))
        let order = tiles.map { (zoom: $0.zoom, distance: distance($0), tile: $0) }
        #expect(
            order.elementsEqual(
                order.sorted { ($0.zoom, $0.distance, $0.tile) < ($1.zoom, $1.distance, $1.tile) }
            ) { $0 == $1 })
        #expect(Set(tiles).count == tiles.count && tiles.count == cover.counts().total)
    }

    @Test(arguments: RegionTileSet.Packing.allCases)
    func `the order can be continued after any tile`(packing: RegionTileSet.Packing) throws {
        let cover = try cover(packing)
        let tiles = Array(cover.tiles(around: center))
        for index in stride(from: 0, to: tiles.count, by: 97) + [tiles.count - 1] {
            #expect(Array(cover.tiles(around: center, after: tiles[index])) == Array(tiles[(index + 1)...]))
        }
    }

    @Test func `distance is measured around the world`() throws {
        let fiji = try #require(Bounds(west: 160, south: -20, east: -160, north: -10))
        let cover = RegionTileSet(try .box(fiji), zooms: try ZoomRange(7, 7), packing: .exact)
        let tiles = Array(cover.tiles())
        let first = Set(tiles.prefix(6).map(\.x))
        #expect(first.contains(0) && first.contains(127))
    }

    @Test func `the first tiles of an enormous plan are available at once`() throws {
        let cover = RegionTileSet(try .box(.world), zooms: try ZoomRange(20, 22), packing: .exact)
        let berlin = Coordinate(latitude: 52.5, longitude: 13.4)
        let tiles = Array(cover.tiles(around: berlin).prefix(5))
        #expect(tiles.first == TileID(zoom: 20, containing: Mercator.world(berlin)))
        #expect(Set(tiles).count == 5)
    }
}

private func + (a: StrideTo<Int>, b: [Int]) -> [Int] { Array(a) + b }
