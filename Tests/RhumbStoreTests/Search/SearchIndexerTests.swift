import Glibc
import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the start of indexing, and the parts of a store that are scanned again.
struct SearchIndexerTests {
    @Test
    func
        `a tile stored again is rescanned, even if its new body has the same row number and size`()
        throws
    {
        let box = SearchBox(), cache = try SharedCache.open(box.folder.path + "/tiles.db")
        let key = ResourceKey.tile(
            origin: TileOrigin(source: "web", address: "https://tiles.example/{z}/{x}/{y}.mvt", size: 512),
            SearchBox.west)
        let indexer = SearchIndexer(box.index, StoreTiles(cache.path))
        for name in ["Bar Uno", "Bar Due"] {
            cache.forget(key)
            cache.flush()
            cache.store(
                .hour(VectorTileFixture([("pois", [SearchBox.point(name, "bar", 5, 5)])]).bytes), for: key)
            cache.flush()
            #expect(indexer.work { false })
            #expect(try box.names("bar") == [name])
        }
    }

    @Test func `no index is started on a disk that is nearly full`() throws {
        let box = SearchBox()
        var fixture = PMTilesFixture(SearchBox.town)
        fixture.patches = [(98, 1), (99, 1)]
        let path = box.folder.write(fixture.bytes, to: "town.pmtiles")
        box.archives.add(try PMTilesArchive(path), path: path)
        let full = SearchIndexer(box.index, box.archives, room: { _ in 15_000_000 })
        #expect(!full.work { false } && full.progress.problem?.contains("free") == true)
        #expect(access(box.index.path, F_OK) != 0)
        #expect(box.indexer.work { false } && access(box.index.path, F_OK) == 0)
    }
}
