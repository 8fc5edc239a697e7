import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

@testable import RhumbStore

struct ArchiveDiffTests {
    private let folder = TemporaryFolder()

    @Test(arguments: ArchiveFixture.Format.allCases, ArchiveFixture.Format.allCases)
    func `the same tiles are equal in every format`(
        first: ArchiveFixture.Format, second: ArchiveFixture.Format
    ) throws {
        let fixture = ArchiveFixture(zooms: 0...3)
        let diff = try ArchiveDiff(
            try fixture.write(first, in: folder, as: "a"), try fixture.write(second, in: folder, as: "b"))
        #expect(diff.zooms.map(\.firstTiles) == [1, 4, 16, 64])
        #expect(diff.isEqual || first == .gpkg || second == .gpkg)
        #expect(diff.zooms.allSatisfy { $0.added + $0.removed + $0.changed == 0 })
    }

    @Test func `added, removed and changed tiles are counted by zoom, and the first ones listed`() throws {
        let old = ArchiveFixture(zooms: 1...4)
        var new = old
        let tiles = TileID.pyramid(2...2).sorted { $0.hilbertID < $1.hilbertID }
        for tile in tiles[0..<5] { new.tiles[tile] = blankPicture(RGB(0xFF0000)) }
        new.tiles[tiles[9]] = nil
        new.tiles[.world] = fakePicture(.world)
        let a = try old.write(.mbtiles, in: folder, as: "a"), b = try new.write(.pmtiles, in: folder, as: "b")
        let diff = try ArchiveDiff(a, b, limit: 3)
        #expect(!diff.isEqual && diff.metadata.isEmpty)
        #expect(diff.zooms.map(\.zoom) == [0, 1, 2, 3, 4])
        #expect(diff.zooms[0] == .init(zoom: 0, firstTiles: 0, secondTiles: 1, added: 1, removed: 0))
        #expect(
            diff.zooms[2]
                == .init(zoom: 2, firstTiles: 16, secondTiles: 15, added: 0, removed: 1, changed: 5))
        #expect(diff.addedTiles == [.world] && diff.removedTiles == [tiles[9]])
        #expect(diff.changes.map(\.tile) == Array(tiles[0..<3]))
        #expect(diff.changes[0].secondBytes == blankPicture(RGB(0xFF0000)).count)
        #expect(try ArchiveDiff(a, b, limit: 0).changes.isEmpty)
        let back = try ArchiveDiff(b, a)
        #expect(back.removedTiles == [.world] && back.changes.count == 5)
    }

    @Test func `random changes are found as by a brute-force comparison`() throws {
        var generator = SplitMix(seed: 7)
        let old = ArchiveFixture(vectorZooms: 0...5)
        var first = old, second = old
        for tile in old.tiles.keys.sorted(by: { $0.hilbertID < $1.hilbertID }) {
            switch generator.next() % 8 {
            case 0: first.tiles[tile] = nil
            case 1: second.tiles[tile] = nil
            case 2: second.tiles[tile] = ArchiveFixture.vectorTile(.world)
            default: break
            }
        }
        let diff = try ArchiveDiff(
            try first.write(.folder, in: folder, as: "a"), try second.write(.mbtiles, in: folder, as: "b"),
            limit: .max)
        let common = first.tiles.keys.filter { second.tiles[$0] != nil }
        #expect(Set(diff.addedTiles) == Set(second.tiles.keys.filter { first.tiles[$0] == nil }))
        #expect(Set(diff.removedTiles) == Set(first.tiles.keys.filter { second.tiles[$0] == nil }))
        #expect(
            Set(diff.changes.map(\.tile)) == Set(common.filter { first.tiles[$0] != second.tiles[$0] }))
    }

    @Test func `differences of the metadata are listed, whatever the order of members`() throws {
        var old = ArchiveFixture(zooms: 0...0), new = old
        old.more["order"] = ["a": 1, "b": 2]
        new.more["order"] = ["b": 2, "a": 1]
        new.more["extra"] = 5
        new.attribution = "© Others"
        new.bounds = [-90, -45, 45, 61]
        let diff = try ArchiveDiff(
            try old.write(.mbtiles, in: folder, as: "a"), try new.write(.pmtiles, in: folder, as: "b"))
        #expect(!diff.isEqual)
        #expect(Set(diff.metadata.map(\.name)) == ["attribution", "extra", "bounds"])
        let extra = try #require(diff.metadata.first { $0.name == "extra" })
        #expect(extra.first == nil && extra.second == 5)
    }

    @Test func `a damaged body is an error unless both archives have it`() throws {
        let damaged = Array(Gzip.packed(ArchiveFixture.vectorTile(.world)).dropLast(9))
        let paths = try ["a.mbtiles", "b.mbtiles"].map {
            try MBTilesFixture([(.world, damaged)]).write(in: folder, name: $0)
        }
        let inputs = try paths.map { ArchiveInput($0, try Archive.open($0)) }
        #expect(try ArchiveDiff(inputs[0], inputs[1]).isEqual)
        let whole = try ArchiveFixture([.world: fakePicture(.world)]).write(.mbtiles, in: folder, as: "c")
        #expect(throws: TileFailure.self) { try ArchiveDiff(inputs[0], whole) }
    }

    @Test func `an input that changes while it is read is an error`() throws {
        let a = try input("a.pmtiles", [(.world, [road("A")])]),
            b = try input("b.pmtiles", [(.world, [road("A")])])
        #expect(try ArchiveDiff(a, b).isEqual)
        folder.write(folder.bytes("a.pmtiles") + [0], to: "a.pmtiles")
        #expect(throws: ArchiveCopyFailure.self) { try ArchiveDiff(a, b) }
        #expect(throws: ArchiveCopyFailure.self) {
            try ArchiveCopy(of: a, to: folder.path + "/copy.mbtiles").convert()
        }
        #expect(!folder.names.contains { $0.hasPrefix("copy") })
    }

    // MARK: Features

    private typealias Feature = VectorTileFixture.Feature

    private func road(_ name: String, _ end: Int = 9) -> Feature {
        Feature(.line, through: [(0, 0), (end, 9)], [("name", .string(name))])
    }

    private func input(_ name: String, _ tiles: [(TileID, [Feature])]) throws -> ArchiveInput {
        let bodies = tiles.map { (tile: $0, body: Gzip.packed(VectorTileFixture([("roads", $1)]).bytes)) }
        var fixture = PMTilesFixture(bodies)
        fixture.patches = [(99, 1)]
        let path = folder.write(fixture.bytes, to: name)
        return ArchiveInput(path, try Archive.open(path))
    }

    @Test func `features are compared by layer, in all tiles that differ`() throws {
        let tiles = TileID.pyramid(1...1)
        let a = try input("a.pmtiles", [(tiles[0], [road("A"), road("B", 7)]), (tiles[1], [road("C")])])
        let b = try input(
            "b.pmtiles", [(tiles[0], [road("X"), road("B", 7)]), (tiles[2], [road("D"), road("E")])])
        var options = ArchiveDiff.Options()
        options.comparesFeatures = true
        let diff = try ArchiveDiff(a, b, options)
        #expect(diff.layers?.map(\.name) == ["roads"])
        #expect(diff.layers?.first?.counts == [.added: 2, .removed: 1, .changed: 1])
        let changed = try #require(diff.featureChanges.first { $0.kind == .changed })
        #expect(changed.tile == tiles[0] && changed.name == "X" && changed.fields == ["name"])
        #expect(changed.shape == nil && !changed.hasOtherShape)
        options.shownZoom = 1
        options.limit = 1
        let shown = try ArchiveDiff(a, b, options)
        #expect(shown.featureChanges.count == 3)
        #expect(
            shown.featureChanges.allSatisfy {
                $0.shape?.kind == .line && $0.shape?.geometry.points.count == 2
            })
        #expect(try ArchiveDiff(a, b).layers == nil)
    }

    @Test func `tiles that share both bodies are compared once and counted each`() throws {
        let tiles = TileID.pyramid(0...4)
        let a = try input("a.pmtiles", tiles.map { ($0, [road($0.x.isMultiple(of: 2) ? "A" : "B")]) })
        let b = try input("b.pmtiles", tiles.map { ($0, [road($0.x.isMultiple(of: 2) ? "A" : "C")]) })
        var options = ArchiveDiff.Options()
        options.comparesFeatures = true
        let diff = try ArchiveDiff(a, b, options), odd = tiles.count { !$0.x.isMultiple(of: 2) }
        #expect(diff.zooms.reduce(0) { $0 + $1.changed } == odd)
        #expect(diff.layers?.first?.counts == [.changed: odd])
        let expected = tiles.sorted { $0.hilbertID < $1.hilbertID }.filter { !$0.x.isMultiple(of: 2) }
        #expect(diff.changes.map(\.tile) == Array(expected.prefix(10)))
    }

    @Test func `pictures are compared by their colours`() throws {
        let tiles = TileID.pyramid(0...0)
        let black = folder.write(
            PMTilesFixture(tiles.map { ($0, blankPicture(RGB(0))) }).bytes, to: "k.pmtiles")
        let grey = folder.write(
            PMTilesFixture(tiles.map { ($0, blankPicture(RGB(1))) }).bytes, to: "g.pmtiles")
        var options = ArchiveDiff.Options()
        options.decode = {
            $0 == blankPicture(RGB(0))
                ? Raster(width: 1, height: 1, filledWith: RGB(0))
                : Raster(width: 1, height: 1, filledWith: RGB(0xFFFFFF))
        }
        let inputs = try [black, grey].map { ArchiveInput($0, try Archive.open($0)) }
        let change = try #require(try ArchiveDiff(inputs[0], inputs[1], options).changes.first)
        #expect(abs((change.difference ?? 0) - 1) < 0.001)
        #expect(try ArchiveDiff(inputs[0], inputs[1]).changes.first?.difference == nil)
        options.comparesFeatures = true
        #expect(throws: ArchiveFailure.self) { try ArchiveDiff(inputs[0], inputs[1], options) }
    }
}
