@testable import RhumbGeo
import RhumbCore
import RhumbTestSupport
import Testing

struct RegionTileSetTests {
    private func exact(_ geometry: RegionGeometry, _ zooms: ClosedRange<Int>) throws -> RegionTileSet {
        RegionTileSet(geometry, zooms: try ZoomRange(zooms.lowerBound, zooms.upperBound), packing: .exact)
    }

    @Test(arguments: 1...12)
    func `a tile counts exactly if it shares area with the polygon`(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let center = Position(
            longitude: .random(in: -100...100, using: &random),
            latitude: .random(in: -50...50, using: &random))
        let outer = coast(around: center, radius: 20, corners: 40, seed: seed)
        let hole = coast(around: center, radius: 6, corners: 11, seed: seed + 100)
        let cover = try exact(RegionGeometry([.polygon(outer: outer, holes: [hole])]), 0...7)
        for zoom in 0...7 {
            let listed = Set(cover.tiles().filter { $0.zoom == zoom })
            #expect(cover.counts()[zoom] == listed.count)
            for tile in TileID.pyramid(zoom...zoom) {
                let side = tile.box.maxX - tile.box.minX
                let share = (sharedArea(outer, tile.box) - sharedArea(hole, tile.box)) / (side * side)
                guard share == 0 || share > 1e-6 else { continue }
                #expect(listed.contains(tile) == (share > 0), "\(tile) shares \(share)")
                #expect(cover.contains(tile) == listed.contains(tile))
            }
        }
    }

    @Test(arguments: [(10, 6, 22), (14, 864, 1207), (16, 13144, 17690)])
    func `the tiles of a box are those of the format's test vectors`(zoom: Int, count: Int, total: Int) throws
    {
        let box = try #require(Bounds(west: 13.08, south: 52.33, east: 13.76, north: 52.68))
        let cover = try exact(.box(box), 0...zoom)
        #expect(cover.counts()[zoom] == count)
        #expect(cover.counts().total == total)
        #expect(Array(cover.tiles()).count == total)
    }

    @Test func `a box whose edges are on tile borders excludes the next tiles`() throws {
        let box = try #require(Bounds(west: 0, south: -85.05112877980659, east: 90, north: 0))
        let cover = try exact(.box(box), 2...3)
        #expect(
            Array(cover.tiles()).sorted() == [tile(2, 2, 2), tile(2, 2, 3)]
                + [4, 5, 6, 7].flatMap { y in
                    [4, 5].map { tile(3, $0, y) }
                })
    }

    @Test func `a polygon drawn along tile borders excludes the next tiles`() throws {
        for tile in [tile(5, 17, 9), tile(14, 8801, 5373), tile(20, 563_000, 343_000)] {
            let north = Mercator.coordinate(WorldPoint(x: tile.box.minX, y: tile.box.minY))
            let south = Mercator.coordinate(WorldPoint(x: tile.box.maxX, y: tile.box.maxY))
            let corners = ring([
                (north.longitude, north.latitude), (south.longitude, north.latitude),
                (south.longitude, south.latitude), (north.longitude, south.latitude),
            ])
            let cover = try exact(
                RegionGeometry([.polygon(outer: corners, holes: [])]), tile.zoom...tile.zoom)
            #expect(Array(cover.tiles()) == [tile])
        }
    }

    @Test func `a box across the antimeridian is covered on both sides, and counted once where they meet`()
        throws
    {
        let fiji = try #require(Bounds(west: 170, south: -20, east: -170, north: -10))
        let cover = try exact(.box(fiji), 0...6)
        let tiles = Array(cover.tiles())
        #expect(Set(tiles).count == tiles.count && tiles.count == cover.counts().total)
        #expect(cover.counts()[0] == 1)
        #expect(
            tiles.contains(tile(4, 15, 8)) && tiles.contains(tile(4, 0, 8)) && !tiles.contains(tile(4, 7, 8)))
        #expect(Set(TileID.pyramid(0...6).filter(fiji.intersects)) == Set(tiles))
    }

    @Test func `a polygon with longitudes beyond 180 covers the same as a box across the antimeridian`()
        throws
    {
        let polygon = ring([(170, -20), (190, -20), (190, -10), (170, -10)])
        let fiji = try #require(Bounds(west: 170, south: -20, east: -170, north: -10))
        let expected = Set(try exact(.box(fiji), 0...8).tiles())
        for shift in [0.0, -360] {
            let moved = polygon.map { Position(longitude: $0.longitude + shift, latitude: $0.latitude) }
            let cover = try exact(RegionGeometry([.polygon(outer: moved, holes: [])]), 0...8)
            #expect(Set(cover.tiles()) == expected)
        }
    }

    @Test func `overlapping shapes count a tile once`() throws {
        let a = try #require(Bounds(west: 0, south: 0, east: 20, north: 20))
        let b = try #require(Bounds(west: 10, south: 10, east: 30, north: 30))
        let both = try exact(RegionGeometry([.box(a), .box(b)]), 0...7)
        let expected = TileID.pyramid(0...7).filter { a.intersects($0) || b.intersects($0) }
        #expect(both.counts().total == expected.count)
        #expect(Set(both.tiles()) == Set(expected))
    }

    @Test func `a point covers the tile that contains it, at every zoom and on any border`() throws {
        for place in [(13.4, 52.52), (0, 0), (-180, 85.05), (180, -85), (90, 0)] {
            let cover = try exact(
                RegionGeometry([.point(Position(longitude: place.0, latitude: place.1))]), 0...22)
            let world = Mercator.world(Coordinate(latitude: place.1, longitude: place.0))
            #expect(Array(cover.tiles()) == (0...22).map { TileID(zoom: $0, containing: world) })
        }
    }

    @Test func `a bare line covers the tiles it crosses, even along a border and across the antimeridian`()
        throws
    {
        let equator = try exact(RegionGeometry([.line(ring([(-10, 0), (10, 0)]))]), 5...5)
        #expect(Array(equator.tiles()).sorted() == [tile(5, 15, 16), tile(5, 16, 16)])
        let across = try exact(RegionGeometry([.line(ring([(179, 1), (-179, 1)]))]), 6...6)
        #expect(Array(across.tiles()).sorted() == [tile(6, 0, 31), tile(6, 63, 31)])
        let diagonal = try exact(RegionGeometry([.line(ring([(0, 0), (10, 10)]))]), 9...9)
        for step in 0...1000 {
            let place = Mercator.world(Coordinate(latitude: 10, longitude: 10))
            let part = Double(step) / 1000
            let point = WorldPoint(x: 0.5 + (place.x - 0.5) * part, y: 0.5 + (place.y - 0.5) * part)
            #expect(diagonal.contains(TileID(zoom: 9, containing: point)))
        }
    }

    @Test func `the whole world is all tiles, counted without iterating`() throws {
        let cover = try exact(.box(.world), 0...30)
        #expect(cover.counts().total == ((1 << 62) - 1) / 3 && cover.counts().isExact)
        #expect(cover.contains(tile(30, 0, (1 << 30) - 1)))
    }

    @Test func `half of the world is counted exactly`() throws {
        let corners = ring([(-180, 85.05112877980659), (180, 85.05112877980659), (-180, -85.05112877980659)])
        let counts = try exact(RegionGeometry([.polygon(outer: corners, holes: [])]), 14...14).counts()
        // Half of the square, and the tiles on its diagonal.
        #expect(counts.isExact && counts[14] == (1 << 14) * ((1 << 14) + 1) / 2)
    }

    @Test func `zooms too deep to count have an upper limit`() throws {
        let corners = ring([(-180, 85), (180, 85), (-180, -85)])
        let counts = try exact(RegionGeometry([.polygon(outer: corners, holes: [])]), 10...30).counts(
            visiting: 1 << 13)
        #expect(!counts.isExact)
        #expect(counts[30] > counts[29] && counts[30] <= 1 << 60 && counts[30] > 1 << 58)
    }

    @Test func `only tiles within the source's bounds count`() throws {
        let box = try #require(Bounds(west: 0, south: 0, east: 20, north: 20))
        let ground = try #require(Bounds(west: 10, south: 10, east: 40, north: 40))
        for packing in RegionTileSet.Packing.allCases {
            let cover = RegionTileSet(
                try .box(box), zooms: try ZoomRange(3, 7), bounds: ground, packing: packing)
            let whole = RegionTileSet(try .box(box), zooms: try ZoomRange(3, 7), packing: packing)
            let expected = Set(whole.tiles().filter(ground.intersects))
            #expect(Set(cover.tiles()) == expected && cover.counts().total == expected.count)
            #expect(!cover.contains(tile(7, 66, 63)) && whole.contains(tile(7, 66, 63)))
        }
    }
}
