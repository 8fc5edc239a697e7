import RhumbCore
import RhumbTestSupport
import Testing

struct TilePackTests {
    @Test(arguments: [
        (0, 0, 5), (5, 0, 5), (6, 6, 10), (14, 11, 14), (16, 15, 16), (17, 17, 18), (22, 21, 22),
        (30, 29, 30),
    ])
    func `every zoom belongs to a group`(zoom: Int, lowest: Int, highest: Int) {
        let group = ZoomGroup(containing: zoom)
        #expect((group.lowest, group.highest) == (lowest, highest))
        #expect(ZoomGroup.all.filter { $0.zooms.contains(zoom) } == [group])
    }

    @Test func `groups follow one another without a gap`() {
        #expect(ZoomGroup.all.flatMap { Array($0.zooms) } == Array(0...30))
        #expect(ZoomGroup.all.prefix(4).map(\.description) == ["0-5", "6-10", "11-14", "15-16"])
    }

    @Test func `a pack is all descendants of its top tile in the group`() throws {
        let pack = TilePack(containing: tile(13, 4003, 2741))
        #expect(pack.top == tile(11, 1000, 685) && pack.group.description == "11-14")
        let tiles = Array(pack.tiles(of: 0...30))
        #expect(tiles.count == 1 + 4 + 16 + 64 && tiles.count == pack.count(of: 0...30))
        #expect(Set(tiles).count == tiles.count && tiles.allSatisfy(pack.contains))
        #expect(tiles == tiles.sorted())
        #expect(Set(tiles.map(TilePack.init(containing:))) == [pack])
        #expect(!pack.contains(tile(15, 16000, 10960)) && !pack.contains(tile(11, 1001, 685)))
    }

    @Test func `only the source's zooms of a pack are loaded`() throws {
        let pack = try #require(TilePack(top: tile(0, 0, 0)))
        #expect(pack.count(of: 3...20) == 64 + 256 + 1024)
        #expect(Array(pack.tiles(of: 4...4)).count == 256)
        #expect(TilePack(top: tile(3, 1, 1)) == nil)
    }

    @Test func `zooms 8 to 15 are requested exactly, or as whole packs from 6 to 16`() throws {
        let box = try #require(Bounds(west: 13.08, south: 52.33, east: 13.76, north: 52.68))
        let zooms = try ZoomRange(8, 15)
        #expect(RegionTileSet(try .box(box), zooms: zooms).zooms == Array(8...15))
        let cover = RegionTileSet(try .box(box), zooms: zooms, packing: .wholePacks)
        #expect(cover.zooms == Array(6...16))
        let packs = PackSet(try .box(box), zooms: zooms)
        #expect(packs.groups.map(\.description) == ["6-10", "11-14", "15-16"])
        let listed = Array(packs.packs())
        #expect(listed.count == packs.counts().total)
        #expect(Set(listed.flatMap { Array($0.tiles(of: 0...30)) }) == Set(cover.tiles()))
        #expect(cover.counts().total == listed.reduce(0) { $0 + $1.count(of: 0...30) })
        #expect(
            Set(
                RegionTileSet(try .box(box), zooms: zooms, packing: .exact).tiles().map(
                    TilePack.init(containing:))) == Set(listed))
    }

    @Test func `whole packs end at the source's deepest zoom`() throws {
        let box = try #require(Bounds(west: 13.08, south: 52.33, east: 13.76, north: 52.68))
        let cover = RegionTileSet(
            try .box(box), zooms: try ZoomRange(8, 15), available: 7...12, packing: .wholePacks)
        #expect(cover.zooms == [7, 8, 9, 10, 11, 12])
        #expect(
            cover.counts()[10] == 16
                * RegionTileSet(try .box(box), zooms: try ZoomRange(6, 6), packing: .exact).counts()[6] * 16)
        #expect(RegionTileSet(try .box(box), zooms: try ZoomRange(3, 4), available: 7...12).zooms.isEmpty)
    }

    @Test func `iteration of packs can continue after any pack`() throws {
        let packs = PackSet(
            try .circle(around: Coordinate(latitude: 45, longitude: 7), radius: 90_000),
            zooms: try ZoomRange(0, 12))
        let all = Array(packs.packs())
        #expect(Array(packs.packs(after: all[4])) == Array(all[5...]))
    }

    @Test func `zooms that are reversed, unknown or beyond the source are rejected`() throws {
        #expect(throws: ZoomRangeFailure.reversed(9, 3)) { try ZoomRange(9, 3) }
        #expect(throws: ZoomRangeFailure.noZoom(31)) { try ZoomRange(9, 31) }
        #expect(throws: ZoomRangeFailure.noZoom(-1)) { try ZoomRange(-1, 3) }
        let asked = try ZoomRange(15, 18)
        #expect(try asked.limited(to: 0...16, source: "osm") == ZoomRange(15, 16))
        #expect(throws: ZoomRangeFailure.beyondSource(asked: asked, source: "osm", has: 0...14)) {
            try asked.limited(to: 0...14, source: "osm")
        }
    }
}
