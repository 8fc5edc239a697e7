import Glibc
import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the index of archives that are too large, and of no archive.
struct SearchBoundsTests {
    @Test func `the coarser zooms of an archive with too many tiles are searched and reported`() throws {
        let box = SearchBox(), archives = ArchiveTiles(limit: 2)
        let path = try box.indexed()
        archives.add(try PMTilesArchive(path), path: path)
        let index = SearchIndex(box.folder.path + "/other.search.db"),
            indexer = SearchIndexer(index, archives)
        #expect(archives.remark == nil && indexer.work { false })
        func names(_ text: String) throws -> [String] {
            try index.search(SearchQuestion(text, near: SearchBox.west.center, limit: 9)).map(\.feature.name)
        }
        #expect(try names("monte alto") == ["Monte Alto"] && names("coop").isEmpty)
        #expect(
            archives.remark?.contains("town.pmtiles has more than 2 tiles: only zooms up to 13 are searched")
                == true)
        #expect(indexer.progress.isComplete)
    }

    @Test func `an archive whose coarsest zoom is too large is not searched but reported`() throws {
        let box = SearchBox(), archives = ArchiveTiles(limit: 1)
        let path = try box.indexed(Array(SearchBox.town.prefix(2)))
        archives.add(try PMTilesArchive(path), path: path)
        #expect(archives.tiles(of: try #require(ArchiveTiles.key(path))).isEmpty)
        #expect(archives.remark?.contains("it is not searched") == true)
    }

    @Test func `an archive with exactly the maximum number of tiles is searched completely`() throws {
        let box = SearchBox(), archives = ArchiveTiles(limit: 3)
        let path = try box.indexed()
        archives.add(try PMTilesArchive(path), path: path)
        #expect(archives.tiles(of: try #require(ArchiveTiles.key(path))).count == 3 && archives.remark == nil)
    }

    @Test func `an empty index has no file and is built again once there is something to index`() throws {
        let box = SearchBox()
        let path = try box.indexed()
        #expect(access(box.index.path, F_OK) == 0)
        unlink(path)
        let other = SearchIndexer(box.index, ArchiveTiles())
        #expect(other.work { false })
        #expect(["", "-wal", "-shm"].allSatisfy { access(box.index.path + $0, F_OK) != 0 })
        #expect(try box.names("coop").isEmpty)
        try box.indexed()
        #expect(try box.names("coop").isEmpty == false)
    }

    @Test func `while the disk is full the index waits and says so, then continues with more room`() throws {
        let box = SearchBox()
        try box.indexed([SearchBox.town[0]], as: "first.pmtiles")
        let full = try box.index.write { (writer) throws(StoreFailure) -> Int in
            let pages = try writer.connection.integer("PRAGMA page_count")
            return try writer.connection.integer("PRAGMA max_page_count = \(pages)")
        }
        #expect(full > 0)
        let many = (0..<40).compactMap { number -> (tile: TileID, body: [UInt8])? in
            let places = (0..<60).map {
                SearchBox.point("Bottega \(number) di \($0)", "clothes", $0 * 60, 90)
            }
            return TileID(zoom: 14, x: 8000 + number, y: 5973).map {
                ($0, VectorTileFixture([("pois", places)]).bytes)
            }
        }
        var fixture = PMTilesFixture(many)
        fixture.patches = [(98, 1), (99, 1)]
        let path = box.folder.write(fixture.bytes, to: "second.pmtiles"), archives = ArchiveTiles()
        archives.add(try PMTilesArchive(path), path: path)
        archives.add(
            try PMTilesArchive(box.folder.path + "/first.pmtiles"), path: box.folder.path + "/first.pmtiles")
        let waiting = SearchIndexer(box.index, archives)
        #expect(!waiting.work { false } && waiting.progress.problem?.contains("the disk is full") == true)
        #expect(try box.names("coop") == ["Coop"])
        let later = SearchIndexer(SearchIndex(box.index.path, names: NameFolding(table: "e\té\n")), archives)
        #expect(later.work { false } && later.progress.problem == nil)
        #expect(try box.names("bottega 39 di 59").first == "Bottega 39 di 59")
    }

    @Test func `a folder of vector tiles is searched, and its changes are followed`() throws {
        let box = SearchBox()
        func write(_ at: Int) {
            let (tile, body) = SearchBox.town[at]
            box.folder.write(Gzip.packed(body), to: "town/\(tile.zoom)/\(tile.x)/\(tile.y).pbf")
        }
        write(0)
        let path = box.folder.path + "/town"
        func index() throws {
            let archives = ArchiveTiles()
            archives.add(try TileFolder(path), path: path)
            #expect(SearchIndexer(box.index, archives).work { false })
        }
        try index()
        #expect(try box.names("via larga") == ["Via Larga"] && box.names("coop").count == 1)
        write(1)
        try index()
        #expect(try box.names("coop").count == 2)
        unlink("\(path)/14/8704/5973.pbf")
        try index()
        #expect(try box.names("coop").count == 1 && box.names("via larga").isEmpty)
        // The file is overwritten in place with the same length.
        let file = try #require(fopen("\(path)/14/8705/5973.pbf", "r+"))
        let other = VectorTileFixture([
            ("pois", [SearchBox.point("Coop", "supermarket", 9, 9), SearchBox.point("Bar Uno", "bar", 5, 5)])
        ]).bytes
        fwrite(Gzip.packed(other), 1, Gzip.packed(other).count, file)
        ftruncate(fileno(file), Gzip.packed(other).count)
        fclose(file)
        try index()
        #expect(try box.names("bar uno") == ["Bar Uno"] && box.names("via dei neri").isEmpty)
    }

    @Test func `while a folder is in use, added, removed and replaced files are followed`() throws {
        let box = SearchBox(), path = box.folder.path + "/town"
        func write(_ body: [UInt8], _ column: Int) {
            box.folder.write(body, to: "town/14/\(column)/5973.pbf")
        }
        /// Backdates the last change of the folder, because the clocks of file systems are coarse.
        func age() {
            let times = [timespec(tv_sec: 1000, tv_nsec: 0), timespec(tv_sec: 1000, tv_nsec: 0)]
            utimensat(AT_FDCWD, "\(path)/14/8705", times, 0)
        }
        write(SearchBox.town[0].body, 8704)
        box.archives.add(try TileFolder(path), path: path)
        #expect(box.indexer.work { false })
        write(SearchBox.town[1].body, 8705)
        age()
        #expect(box.indexer.work { false })
        #expect(try box.names("coop").count == 2)
        box.folder.write(
            VectorTileFixture([("pois", [SearchBox.point("Bar Uno", "bar", 5, 5)])]).bytes,
            to: "town/14/8705/new")
        rename("\(path)/14/8705/new", "\(path)/14/8705/5973.pbf")
        #expect(box.indexer.work { false })
        #expect(try box.names("bar uno") == ["Bar Uno"] && box.names("coop").count == 1)
        age()
        #expect(box.indexer.work { false })
        unlink("\(path)/14/8705/5973.pbf")
        #expect(box.indexer.work { false })
        #expect(try box.names("bar uno").isEmpty)
    }
}
