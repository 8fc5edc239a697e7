import Glibc
import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the roads in a search index: after a tile has changed, and after the indexing process was killed.
struct StoredRoadIndexTests {
    private let folder = TemporaryFolder()
    private static let tile = TileID(
        zoom: 14, containing: Mercator.world(Coordinate(latitude: 43.73, longitude: 7.42)))

    private static func body(_ name: String, _ number: Int = 0) -> [UInt8] {
        let street: [(String, VectorValue)] = [("class", .string("minor")), ("name", .string(name))]
        return VectorTileFixture([
            ("transportation", [.init(.line, through: [(10 + number, 10), (900, 80 + number)], street)])
        ]).bytes
    }

    @Test func `tiles that are stored again have their new roads`() throws {
        let cache = try SharedCache.open(folder.path + "/tiles.db"), path = folder.path + "/tiles.search.db"
        let origin = TileOrigin(source: "web", address: "https://tiles.example/{z}/{x}/{y}.mvt", size: 512)
        let indexer = SearchIndexer(SearchIndex(path), StoreTiles(cache.path))
        for name in ["Old Street", "New Street"] {
            cache.forget(.tile(origin: origin, Self.tile))
            cache.flush()
            cache.store(.hour(Self.body(name)), for: .tile(origin: origin, Self.tile))
            cache.flush()
            #expect(indexer.work { false })
            let roads = StoredRoadIndex(path).roads(Self.tile, of: origin.description, isMainOnly: false)
            #expect(roads == TileRoads(try VectorTile(Self.body(name))))
        }
    }

    @Test func `indexing that is killed at any moment continues, and loses no roads`() throws {
        let seed = SplitMix.anySeed
        var random = SplitMix(seed: seed)
        let tiles = (0..<200).compactMap { number in
            TileID(zoom: 14, x: Self.tile.x + number % 20, y: Self.tile.y + number / 20).map { ($0, number) }
        }
        var fixture = PMTilesFixture(tiles.map { (tile: $0.0, body: Self.body("Street \($0.1)", $0.1)) })
        fixture.patches = [(98, 1), (99, 1)]
        let path = folder.write(fixture.bytes, to: "city.pmtiles"), index = path + ".search.db"
        for _ in 0..<(Soak.isOn ? 100 : 8) {
            let child = ChildProgram(TestProducts.path("CacheFixture"), ["index", path])
            _ = child.readLine()
            usleep(UInt32.random(in: 0..<30_000, using: &random))
            child.kill()
        }
        let archives = ArchiveTiles(), key = try #require(ArchiveTiles.key(path))
        archives.add(try Archive.open(path), path: path)
        #expect(SearchIndexer(SearchIndex(index), archives).work { false }, "RHUMB_TEST_SEED=\(seed)")
        let roads = StoredRoadIndex(index)
        for (tile, number) in tiles {
            let expected = TileRoads(try VectorTile(Self.body("Street \(number)", number)))
            #expect(
                roads.roads(tile, of: key, isMainOnly: false) == expected, "\(tile), RHUMB_TEST_SEED=\(seed)")
        }
    }
}
