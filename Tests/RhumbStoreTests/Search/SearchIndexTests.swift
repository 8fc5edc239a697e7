import Glibc
import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// A town in three tiles of two zooms, in an archive with its index next to a cache.
final class SearchBox {
    typealias Feature = VectorTileFixture.Feature

    let folder = TemporaryFolder()
    let archives = ArchiveTiles()
    let index: SearchIndex
    let indexer: SearchIndexer
    static let west = TileID(zoom: 14, x: 8704, y: 5973) ?? .world
    static let east = TileID(zoom: 14, x: 8705, y: 5973) ?? .world
    static let parent = TileID(zoom: 13, x: 4352, y: 2986) ?? .world

    init() {
        index = SearchIndex(folder.path + "/tiles.search.db", names: NameFolding(table: "e\té\n"))
        indexer = SearchIndexer(index, archives)
    }

    static func point(_ name: String, _ kind: String, _ x: Int, _ y: Int) -> Feature {
        Feature(.point, through: [(x, y)], [("name", .string(name)), ("kind", .string(kind))])
    }

    static func street(_ name: String, _ points: [(Int, Int)]) -> Feature {
        Feature(.line, through: points, [("name", .string(name)), ("kind", .string("minor_road"))])
    }

    static let town: [(tile: TileID, body: [UInt8])] = [
        (
            west,
            VectorTileFixture([
                (
                    "roads",
                    [
                        street("Via dei Neri", [(200, 2000), (4096, 2000)]),
                        street("Via Larga", [(100, 100), (900, 100)]),
                    ]
                ),
                (
                    "pois",
                    [
                        point("Farmacia Molteni", "pharmacy", 300, 300),
                        point("Farmacia Nuova", "pharmacy", 3000, 3000),
                        point("Café Gilli", "cafe", 320, 300),
                        point("Coop", "supermarket", 500, 500),
                    ]
                ),
                ("housenumber", [Feature(.point, through: [(1000, 2020)], [("housenumber", .string("12"))])]),
            ]).bytes
        ),
        (
            east,
            VectorTileFixture([
                ("roads", [street("Via dei Neri", [(0, 2000), (600, 2000)])]),
                ("pois", [point("Coop", "supermarket", 3500, 3500)]),
            ]).bytes
        ),
        (
            parent,
            VectorTileFixture([
                ("roads", [street("Via dei Neri", [(100, 3048), (2000, 3048)])]),
                ("pois", [point("Monte Alto", "peak", 500, 500)]),
            ]).bytes
        ),
    ]

    /// Writes the town or other tiles as an archive, and indexes it.
    @discardableResult
    func indexed(
        _ tiles: [(tile: TileID, body: [UInt8])] = SearchBox.town, as name: String = "town.pmtiles"
    ) throws -> String {
        var fixture = PMTilesFixture(tiles)
        // Changes the header to uncompressed vector tiles.
        fixture.patches = [(98, 1), (99, 1)]
        let path = folder.write(fixture.bytes, to: name)
        archives.add(try PMTilesArchive(path), path: path)
        #expect(indexer.work { false })
        return path
    }

    func found(
        _ text: String, near: Coordinate? = west.center, kind: SearchKind? = nil
    ) throws -> [FeatureMatch] {
        var question = SearchQuestion(text, near: near, limit: 10)
        question.kind = kind
        return try index.search(question).map(\.feature)
    }

    func names(_ text: String, near: Coordinate? = west.center) throws -> [String] {
        try found(text, near: near).map(\.name)
    }
}

struct SearchIndexTests {
    @Test func `a feature in several tiles and zooms is found once`() throws {
        let box = SearchBox()
        try box.indexed()
        #expect(try box.names("via dei neri") == ["Via dei Neri"])
        #expect(try box.names("monte alto") == ["Monte Alto"])
    }

    @Test(arguments: ["café gilli", "CAFE GILLI", "cafe", "gil", "café gili", "cefe gilli"])
    func `names are found complete, by their beginning, without accents and with a mistake`(
        text: String
    ) throws {
        let box = SearchBox()
        try box.indexed()
        #expect(try box.names(text).first == "Café Gilli")
    }

    @Test func `the nearest feature of a kind comes first, for the kind's word in any language`() throws {
        let box = SearchBox()
        try box.indexed()
        let place = FeatureMatch(IndexedFeature("", .other, at: SIMD2(2900, 2900)), in: SearchBox.west)
            .coordinate
        for text in ["pharmacy", "Apotheke"] {
            #expect(
                try box.found(text, near: place).map(\.name).prefix(2) == [
                    "Farmacia Nuova", "Farmacia Molteni",
                ])
        }
        #expect(try box.found("", near: place, kind: SearchKind(.supermarket)).count == 2)
    }

    @Test func `the nearest of several features with the same name comes first`() throws {
        let box = SearchBox()
        try box.indexed()
        let first = try #require(try box.found("coop", near: SearchBox.east.center).first)
        #expect(first.coordinate.metres(to: SearchBox.east.center) < 1500)
    }

    @Test(arguments: [
        ("santa croce", "Basilica di Santa Croce"), ("boboli", "Giardino di Boboli"),
        ("gare monaco", "Monaco - Monte Carlo"), ("gare de monaco", "Monaco - Monte Carlo"),
        ("st. devote", "Chapelle Sainte Devote"), ("arno", "Fiume Arno"), ("badia", "Chiesa di Badia"),
    ])
    func `sights and stations come before shops with their name, and are found by their kind`(
        text: String, name: String
    ) throws {
        let box = SearchBox()
        let points = [
            SearchBox.point("Santa Croce", "hotel", 2040, 2040),
            SearchBox.point("Basilica di Santa Croce", "church", 2056, 2056),
            SearchBox.point("Bobolino", "florist", 2040, 2050),
            SearchBox.point("Giardino di Boboli", "park", 3000, 100),
            SearchBox.point("Arnold's", "fast_food", 2050, 2050),
            SearchBox.point("Fiume Arno", "river", 3000, 3000),
            SearchBox.point("Monaco - Monte Carlo", "station", 100, 4000),
            SearchBox.point("Monaco Gare", "parking", 2000, 2040),
            SearchBox.point("Chapelle Sainte Devote", "chapel", 100, 3000),
            SearchBox.point("Badia", "hotel", 2040, 2040),
            SearchBox.point("Badia", "taxi", 2200, 2040),
            SearchBox.point("Chiesa di Badia", "building", 2400, 2040),
        ]
        try box.indexed([(SearchBox.west, VectorTileFixture([("pois", points)]).bytes)])
        #expect(try box.names(text).first == name)
    }

    @Test func `a house is found by its street and number`() throws {
        let box = SearchBox()
        try box.indexed()
        #expect(try box.names("via dei neri 12").first == "Via dei Neri 12")
        #expect(try box.names("via dei neri 99").first == "Via dei Neri")
    }

    @Test func `an empty query, a query of punctuation and an empty index find nothing`() throws {
        let box = SearchBox()
        #expect(try box.names("coop").isEmpty)
        try box.indexed()
        for text in ["", "   ", "\"*\" OR (", "zzzzzz", "\u{0}", String(repeating: "a", count: 70_000)] {
            #expect(try box.names(text).isEmpty)
        }
    }

    @Test func `names with right-to-left text or combining characters are found`() throws {
        let box = SearchBox()
        try box.indexed([
            (
                SearchBox.west,
                VectorTileFixture([
                    (
                        "pois",
                        [
                            SearchBox.point("מסעדה מעולה", "restaurant", 5, 5),
                            SearchBox.point("Cafe\u{301} Uno", "cafe", 9, 9),
                        ]
                    )
                ]).bytes
            )
        ])
        #expect(try box.names("מסעדה").count == 1)
        #expect(try box.names("uno").count == 1)
    }

    // MARK: Updates

    @Test func `nothing is written next to the archive, and a removed archive is forgotten`() throws {
        let box = SearchBox()
        let path = try box.indexed()
        #expect(access(path + ".search", F_OK) != 0)
        unlink(path)
        let other = SearchIndexer(box.index, ArchiveTiles())
        _ = other.work { false }
        #expect(try box.names("coop").isEmpty)
    }

    @Test func `a changed archive is indexed again`() throws {
        let box = SearchBox()
        try box.indexed()
        let archives = ArchiveTiles()
        var fixture = PMTilesFixture([
            (SearchBox.west, VectorTileFixture([("pois", [SearchBox.point("Bar Uno", "bar", 5, 5)])]).bytes)
        ])
        fixture.patches = [(98, 1), (99, 1)]
        let path = box.folder.write(fixture.bytes, to: "town.pmtiles")
        archives.add(try PMTilesArchive(path), path: path)
        #expect(SearchIndexer(box.index, archives).work { false })
        #expect(try box.names("bar uno") == ["Bar Uno"] && box.names("farmacia nuova").isEmpty)
    }

    @Test func `features of a replaced tile are no longer found, even if it was decompressed before`()
        throws
    {
        let box = SearchBox(), cache = try SharedCache.open(box.folder.path + "/tiles.db")
        let key = ResourceKey.tile(
            origin: TileOrigin(source: "web", address: "https://tiles.example/{z}/{x}/{y}.mvt", size: 512),
            SearchBox.west)
        let indexer = SearchIndexer(box.index, StoreTiles(cache.path))
        for name in ["Bar Uno", "Bar Due"] {
            cache.store(
                .hour(
                    VectorTileFixture([("pois", [SearchBox.point(name, "bar", 5, 5)])]).bytes
                        + (name == "Bar Due" ? [0x78, 1] : [])), for: key)
            cache.flush()
            #expect(indexer.work { false })
            let found = try box.names("bar")
            #expect(found == [name], "\(found)")
        }
    }

    @Test func `interrupted indexing continues where it stopped`() throws {
        let box = SearchBox()
        var asked = 0
        var fixture = PMTilesFixture(SearchBox.town)
        fixture.patches = [(98, 1), (99, 1)]
        let path = box.folder.write(fixture.bytes, to: "town.pmtiles")
        box.archives.add(try PMTilesArchive(path), path: path)
        let isDone = box.indexer.work {
            asked += 1
            return asked > 2
        }
        #expect(!isDone && !box.indexer.progress.isComplete)
        #expect(box.indexer.work { false } && box.indexer.progress.isComplete)
        #expect(try box.names("via dei neri") == ["Via dei Neri"])
    }

    @Test(arguments: [[UInt8]("SQLite format 3\u{0}torn".utf8), [UInt8](repeating: 0x55, count: 50_000), []])
    func `a truncated or foreign index is rebuilt`(bytes: [UInt8]) throws {
        let box = SearchBox()
        _ = box.folder.write(bytes, to: "tiles.search.db")
        #expect(try box.names("coop").isEmpty)
        try box.indexed()
        #expect(try box.names("via dei neri") == ["Via dei Neri"])
    }

    @Test func `an index of an older version is rebuilt, and searched until then`() throws {
        let box = SearchBox()
        let path = try box.indexed()
        try Connection(box.index.path, .readWrite).execute(
            "CREATE TABLE remains (a); PRAGMA user_version = 1", to: "test")
        let archives = ArchiveTiles(),
            index = SearchIndex(box.index.path, names: NameFolding(table: "e\té\n"))
        archives.add(try PMTilesArchive(path), path: path)
        #expect(
            try index.search(SearchQuestion("via larga", near: nil, limit: 9)).map(\.feature.name) == [
                "Via Larga"
            ])
        #expect(SearchIndexer(index, archives).work { false })
        #expect(
            try Connection(index.path, .readOnly).integer(
                "SELECT count(*) FROM sqlite_master WHERE name = 'remains'") == 0)
        #expect(
            try index.search(SearchQuestion("via larga", near: nil, limit: 9)).map(\.feature.name) == [
                "Via Larga"
            ])
    }

    @Test func `another program's database is set aside`() throws {
        let box = SearchBox()
        let connection = try Connection(box.index.path, .readWrite)
        try connection.execute("CREATE TABLE mine (a)", to: "test")
        try box.indexed()
        #expect(access(box.index.path + ".set-aside", F_OK) == 0)
        #expect(try box.names("via larga") == ["Via Larga"])
    }

    @Test func `names folded with other rules are indexed again`() throws {
        let box = SearchBox()
        let path = try box.indexed()
        let other = SearchIndex(box.index.path, names: NameFolding(table: "x\té\n"))
        let archives = ArchiveTiles()
        archives.add(try PMTilesArchive(path), path: path)
        #expect(SearchIndexer(other, archives).work { false })
        #expect(
            try other.search(SearchQuestion("cafx", near: nil, limit: 3)).map(\.feature.name) == [
                "Café Gilli"
            ])
    }

    @Test func `a process waits while another indexes, and finds its results`() throws {
        let box = SearchBox()
        let path = try box.indexed()
        let file = open(box.index.path + ".lock", O_RDWR)
        flock(file, LOCK_EX)
        let archives = ArchiveTiles()
        archives.add(try PMTilesArchive(path), path: path)
        let second = SearchIndexer(SearchIndex(box.index.path, names: NameFolding(table: "e\té\n")), archives)
        #expect(!second.work { false })
        close(file)
        #expect(second.work { false })
        #expect(try second.index.search(SearchQuestion("coop", near: nil, limit: 9)).count == 2)
    }

    // MARK: Stores

    @Test func `the cache's vector tiles are found and forgotten with it`() throws {
        let box = SearchBox()
        let cache = try SharedCache.open(box.folder.path + "/tiles.db")
        let origin = TileOrigin(source: "web", address: "https://tiles.example/{z}/{x}/{y}.mvt", size: 512)
        let keys = SearchBox.town.map { ResourceKey.tile(origin: origin, $0.tile) }
        for (key, tile) in zip(keys, SearchBox.town) { cache.store(.hour(tile.body), for: key) }
        cache.flush()
        let indexer = SearchIndexer(box.index, StoreTiles(cache.path))
        #expect(indexer.work { false })
        #expect(try box.names("farmacia molteni") == ["Farmacia Molteni"])
        for key in keys { cache.forget(key) }
        cache.flush()
        #expect(indexer.work { false })
        #expect(try box.names("farmacia molteni").isEmpty)
    }

    @Test func `a store of images has nothing to search`() throws {
        let box = SearchBox()
        let cache = try SharedCache.open(box.folder.path + "/tiles.db")
        let origin = TileOrigin(source: "web", address: "https://tiles.example/{z}/{x}/{y}.png")
        cache.store(.hour(fakePicture(.world)), for: .tile(origin: origin, .world))
        cache.flush()
        let indexer = SearchIndexer(box.index, StoreTiles(cache.path))
        #expect(indexer.work { false } && indexer.progress.wanted == 0)
    }

    @Test func `a missing store is not an error`() {
        let box = SearchBox()
        let indexer = SearchIndexer(box.index, StoreTiles(box.folder.path + "/none.db"))
        #expect(indexer.work { false } && indexer.progress.problem == nil)
    }
}

struct SearchChunkTests {
    @Test func `a chunk returns the features that were added`() throws {
        var street = IndexedFeature("Via dei Neri", .street, at: SIMD2(2000, 3000))
        street.low = SIMD2(0, 2900)
        street.high = SIMD2(4096, 3100)
        street.kind = "residential"
        street.otherNames = ["SR 2"]
        var fuel = IndexedFeature("", .fuel, at: SIMD2(1, 2))
        fuel.details = ["fuel:diesel=yes", "fuel:lpg=no"]
        let features = [street, fuel, IndexedFeature("東京", .settlement, at: SIMD2(4095, 0))]
        let chunk = try #require(SearchChunk(SearchChunk.packed(features[...]), of: .world))
        #expect((0..<chunk.count).map(chunk.feature) == features)
    }

    @Test func `damaged chunks do no harm`() {
        let bytes = SearchChunk.packed([IndexedFeature("A", .food, at: SIMD2(1, 1))][...])
        for count in 0..<bytes.count { _ = SearchChunk(Array(bytes.prefix(count)), of: .world) }
        var random = SplitMix(seed: 5)
        for _ in 0..<2000 {
            var changed = bytes
            changed[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            _ = SearchChunk(changed, of: .world)
        }
        #expect(SearchChunk([], of: .world) == nil)
    }

    @Test func `house numbers with any characters are preserved`() {
        let houses = [
            HouseNumber("12 bis", street: "Rue A", at: SIMD2(4, 5)),
            HouseNumber("7", street: "", at: SIMD2(0, 0)),
        ]
        #expect(Set(SearchHouses.unpacked(SearchHouses.packed(houses))) == Set(houses))
        #expect(SearchHouses.unpacked([1, 2, 3]).isEmpty)
    }
}
