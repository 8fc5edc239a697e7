import RhumbCore
import RhumbTestSupport
import Testing

struct TileIDTests {
    @Test(arguments: [
        (13.4, 52.52, 14, 8801, 5373), (-0.1276, 51.5072, 10, 511, 340),
        (-180.0, 85.06, 3, 0, 0), (179.9999, -85.06, 3, 7, 7), (0, 0, 1, 1, 1),
    ])
    func `a coordinate is in the tile given by the formulas of EPSG:3857`(
        longitude: Double, latitude: Double, zoom: Int, x: Int, y: Int
    ) {
        let place = Coordinate(latitude: latitude, longitude: longitude)
        #expect(TileID(zoom: zoom, containing: Mercator.world(place)) == TileID(zoom: zoom, x: x, y: y))
    }

    @Test(arguments: [(-1, 0, 0), (31, 0, 0), (0, 1, 0), (3, 8, 0), (3, 0, 8), (3, -1, 0), (3, 0, -1)])
    func `numbers outside the pyramid are not a tile`(zoom: Int, x: Int, y: Int) {
        #expect(TileID(zoom: zoom, x: x, y: y) == nil)
    }

    @Test func `a column beyond the edge wraps around the world, and a row doesn't`() {
        #expect(TileID(zoom: 2, wrappingX: -1, y: 1) == TileID(zoom: 2, x: 3, y: 1))
        #expect(TileID(zoom: 2, wrappingX: 9, y: 1) == TileID(zoom: 2, x: 1, y: 1))
        #expect(TileID(zoom: 2, wrappingX: 0, y: 4) == nil)
    }

    @Test func `the TMS row counts from the south`() throws {
        #expect(try #require(TileID(zoom: 11, x: 327, y: 791)).tmsRow == 1256)
    }

    @Test func `every child has its tile as parent and is inside it`() throws {
        let tile = try #require(TileID(zoom: 5, x: 17, y: 9))
        #expect(tile.children.count == 4)
        for child in tile.children {
            #expect(child.parent == tile)
            #expect(tile.contains(child))
            #expect(!child.contains(tile))
        }
        #expect(TileID.world.parent == nil)
        #expect(TileID(zoom: 30, x: 0, y: 0)?.children == [])
    }
}

struct CoordinateTests {
    @Test(arguments: [(190.0, -170.0), (-190, 170), (180, -180), (540, -180), (-180, -180), (359, -1)])
    func `longitudes are wrapped`(given: Double, kept: Double) {
        #expect(Coordinate(latitude: 0, longitude: given).longitude == kept)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `NaN and infinity become zero`(value: Double) {
        let place = Coordinate(latitude: value, longitude: value)
        #expect(place == Coordinate(latitude: 0, longitude: 0))
    }

    @Test func `converting to the Mercator square and back returns the same place`() {
        var random = SplitMix(seed: 7)
        for _ in 0..<1000 {
            let place = Coordinate(
                latitude: .random(in: -85...85, using: &random),
                longitude: .random(in: -180..<180, using: &random))
            let back = Mercator.coordinate(Mercator.world(place))
            #expect(abs(back.latitude - place.latitude) < 1e-9)
            #expect(abs(back.longitude - place.longitude) < 1e-9)
        }
    }
}

struct BoundsTests {
    @Test func `a box that crosses the antimeridian is two boxes of the square`() throws {
        let fiji = try #require(Bounds(west: 170, south: -20, east: -170, north: -10))
        #expect(fiji.crossesAntimeridian)
        #expect(fiji.worldBoxes.count == 2)
        #expect(fiji.contains(Coordinate(latitude: -15, longitude: 179)))
        #expect(fiji.contains(Coordinate(latitude: -15, longitude: -179)))
        #expect(!fiji.contains(Coordinate(latitude: -15, longitude: 0)))
        #expect(fiji.center.longitude == -180)
    }

    @Test func `a box whose edge is on a tile border excludes the next tile`() throws {
        let quarter = try #require(Bounds(west: 0, south: -85.05112877980659, east: 90, north: 0))
        let tiles = (0..<4).filter { x in
            TileID(zoom: 2, x: x, y: 2).map(quarter.intersects) ?? false
        }
        #expect(tiles == [2])
    }

    @Test func `a point is in its tile`() throws {
        let point = try #require(Bounds(west: 10, south: 50, east: 10, north: 50))
        let tile = TileID(zoom: 12, containing: Mercator.world(point.center))
        #expect(point.intersects(tile))
    }

    @Test func `edges that don't form a box are rejected`() {
        #expect(Bounds(west: 0, south: 10, east: 10, north: 0) == nil)
        #expect(Bounds(west: .nan, south: 0, east: 10, north: 10) == nil)
        #expect(Bounds(west: -181, south: 0, east: 10, north: 10) == nil)
    }
}
