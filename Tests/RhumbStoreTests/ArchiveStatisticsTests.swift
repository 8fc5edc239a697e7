import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the statistics and the schema of archives.
struct ArchiveStatisticsTests {
    private typealias Feature = VectorTileFixture.Feature

    private let folder = TemporaryFolder()

    /// Writes the same tiles as an archive of each format.
    private func archives(_ tiles: [(tile: TileID, body: [UInt8])], ending: String) throws -> [String] {
        for (tile, body) in tiles { folder.write(body, to: "f/\(tile).\(ending)") }
        var leafy = PMTilesFixture(tiles)
        leafy.leafSize = 16
        return [
            try MBTilesFixture(tiles.map { ($0.tile, $0.body) }).write(in: folder),
            folder.write(leafy.bytes, to: "m.pmtiles"), folder.path + "/f",
        ]
    }

    private static func street(_ name: String) -> [UInt8] {
        VectorTileFixture([
            ("roads", [Feature(.line, through: [(0, 0), (9, 9)], [("name", .string(name))])])
        ]).bytes
    }

    @Test func `sizes, bodies and zooms agree with counting one by one in all formats`() throws {
        let tiles = TileID.pyramid(0...4).map { tile in
            (tile: tile, body: tile.x.isMultiple(of: 3) ? fakePicture(.world) : fakePicture(tile))
        }
        for path in try archives(tiles, ending: "png") {
            let found = try Archive.open(path).statistics(of: path)
            #expect(found.tileCount == 341 && found.readCount == 341 && found.problems.count == 0)
            #expect(found.distinct == Set(tiles.map(\.body)).count)
            #expect(found.duplicates == 341 - found.distinct && found.layers == nil)
            #expect(found.distinctBytes == Set(tiles.map(\.body)).reduce(0) { $0 + $1.count })
            for zoom in found.zooms {
                let here = tiles.filter { $0.tile.zoom == zoom.zoom }
                #expect(zoom.tiles == here.count && zoom.distinct == Set(here.map(\.body)).count)
                #expect(zoom.stored.total == here.reduce(0) { $0 + $1.body.count })
                #expect(zoom.stored == zoom.plain && zoom.stored.largest == here.map(\.body.count).max())
            }
            let sizes = tiles.map(\.body.count).sorted(by: >)
            #expect(found.largest.map(\.stored) == Array(sizes.prefix(10)))
        }
    }

    @Test func `compressed tiles have a stored and a decompressed size`() throws {
        let plain = Self.street(String(repeating: "Quay ", count: 200)), packed = Gzip.packed(plain)
        for path in try archives(TileID.pyramid(0...1).map { ($0, packed) }, ending: "pbf") {
            let found = try Archive.open(path).statistics(of: path)
            #expect(found.stored.total == 5 * packed.count && found.plain.total == 5 * plain.count)
            #expect(found.distinct == 1 && found.zooms.map(\.distinct) == [1, 1])
            #expect(found.stored.largestTile == .world)
        }
    }

    @Test func `tiles over the budget are listed, largest first`() throws {
        let tiles = TileID.pyramid(1...2)
        let bodies = tiles.enumerated().map { ($1, [UInt8](repeating: 1, count: 100 + $0)) }
        var options = ArchiveStatistics.Options()
        options.budget = 117
        options.top = 2
        for path in try archives(bodies, ending: "png") {
            let found = try Archive.open(path).statistics(of: path, options)
            #expect(found.overBudgetCount == 2 && found.overBudget.map(\.stored) == [119, 118])
            #expect(found.overBudget.map(\.tile) == [tiles[19], tiles[18]])
            #expect(found.largest == found.overBudget)
        }
    }

    @Test func `layers are measured, and shared bodies count for each tile`() throws {
        let body = Self.street("Quay")
        var options = ArchiveStatistics.Options()
        options.measuresLayers = true
        for path in try archives(TileID.pyramid(0...2).map { ($0, body) }, ending: "pbf") {
            let layer = try #require(try Archive.open(path).statistics(of: path, options).layers?.first)
            #expect(layer.name == "roads" && layer.tiles == 21 && layer.size.features == 21)
            #expect(layer.size.vertices == 42 && layer.size.bytes == 21 * layer.sizes.largest)
        }
    }

    @Test func `fields are measured over all tiles`() throws {
        var options = ArchiveStatistics.Options()
        options.measuresFields = true
        let tiles = TileID.pyramid(0...2).map { (tile: $0, body: Self.street("Quay \($0.x)")) }
        for path in try archives(tiles, ending: "pbf") {
            let found = try Archive.open(path).statistics(of: path, options)
            let field = try #require(found.fields?.first)
            #expect(field.layer == "roads" && field.name == "name" && field.tiles == 21)
            #expect(field.features == 21 && field.values.count == 4 && field.values.isExact)
            #expect(found.layers == nil && found.emptyCount == 0)
        }
    }

    @Test func `tiles without features are empty`() throws {
        var options = ArchiveStatistics.Options()
        options.measuresLayers = true
        let empty = VectorTileFixture([("roads", [])]).bytes
        let tiles = TileID.pyramid(0...1).map { (tile: $0, body: $0.zoom == 0 ? Self.street("Quay") : empty) }
        for path in try archives(tiles, ending: "pbf") {
            #expect(try Archive.open(path).statistics(of: path, options).emptyCount == 4)
        }
    }

    @Test func `sizes without reading equal those from reading`() throws {
        let tiles = TileID.pyramid(0...4).map { tile in
            (tile: tile, body: tile.x.isMultiple(of: 3) ? fakePicture(.world) : fakePicture(tile))
        }
        var options = ArchiveStatistics.Options()
        options.readsBodies = false
        options.budget = 60
        for path in try archives(tiles, ending: "png") {
            let archive = try Archive.open(path), found = try archive.statistics(of: path, options)
            options.readsBodies = true
            let read = try archive.statistics(of: path, options)
            options.readsBodies = false
            #expect(found.stored == read.stored && found.zooms.map(\.stored) == read.zooms.map(\.stored))
            #expect(
                found.largest.map(\.tile) == read.largest.map(\.tile) && found.histogram == read.histogram)
            #expect(found.overBudgetCount == read.overBudgetCount && !found.hasReadBodies)
            #expect(found.plain.total == 0 && found.largest.allSatisfy { $0.plain == nil })
        }
    }

    @Test(arguments: [
        ("map", "images", "tile_id"), ("tiles_shallow", "tiles_data", "tile_data_id"),
    ]) func `shared bodies of MBTiles count once without reading them`(
        tiles: String, bodies: String, id: String
    ) throws {
        let path = folder.path + "/shared.mbtiles"
        let database = try Connection(path, .readWrite)
        for statement in [
            "CREATE TABLE metadata (name TEXT, value TEXT)",
            "CREATE TABLE \(tiles) (zoom_level INT, tile_column INT, tile_row INT, \(id) TEXT)",
            "CREATE TABLE \(bodies) (\(id) TEXT, tile_data BLOB)",
            "CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data "
                + "FROM \(tiles) JOIN \(bodies) USING (\(id))",
            "INSERT INTO \(bodies) VALUES ('a', x'89504E470D0A1A0A01'), ('b', x'89504E470D0A1A0A0102')",
            "INSERT INTO \(tiles) VALUES (0, 0, 0, 'a'), (1, 0, 0, 'b'), (1, 1, 0, 'b'), (1, 1, 1, 'a')",
        ] { try database.execute(statement, to: "prepare") }
        var options = ArchiveStatistics.Options()
        options.readsBodies = false
        let found = try MBTilesArchive(path).statistics(of: path, options)
        #expect(found.tileCount == 4 && found.distinct == 2 && found.zooms.map(\.distinct) == [1, 2])
        #expect(found.stored.total == 9 + 10 + 10 + 9 && found.problems.count == 0)
    }

    @Test func `requests weight the sizes and order the tiles`() throws {
        var options = ArchiveStatistics.Options()
        options.weights = try TileRequests(Array("1/0/0 1000\n0/0/0 2\n1/1/1 3\n9/0/0 50".utf8))
        options.top = 2
        let small = fakePicture(.world), large = small + [UInt8](repeating: 7, count: 500)
        let tiles = TileID.pyramid(0...1).map { (tile: $0, body: $0.x == 0 ? small : large) }
        for path in try archives(tiles, ending: "png") {
            let found = try Archive.open(path).statistics(of: path, options)
            #expect(found.weightedRequests == 1055 && found.requests == 1005)
            #expect(found.zooms.map(\.requests) == [2, 1003])
            #expect(found.sentBytes == 1002 * small.count + 3 * large.count)
            #expect(found.largest.map(\.requests) == [1000, 3])
        }
    }

    @Test func `the histogram has each tile in the range of its size`() throws {
        let sizes = [150, 200, 201, 3000], tiles = TileID.pyramid(1...1)
        let bodies = zip(tiles, sizes).map { tile, size in
            (
                tile: tile,
                body: fakePicture(.world) + [UInt8](repeating: 7, count: size - fakePicture(.world).count)
            )
        }
        for path in try archives(bodies, ending: "png") {
            let bins = try Archive.open(path).statistics(of: path).histogram
            #expect(bins.map(\.limit) == [200, 500, 1000, 2000, 5000])
            #expect(bins.map(\.tiles) == [2, 1, 0, 0, 1] && bins.map(\.bytes) == [350, 201, 0, 0, 3000])
        }
    }

    @Test func `an archive without vector tiles has no layers`() throws {
        var options = ArchiveStatistics.Options()
        options.measuresLayers = true
        for path in try archives([(.world, fakePicture(.world))], ending: "png") {
            let archive = try Archive.open(path)
            #expect(throws: ArchiveFailure.self) { try archive.statistics(of: path, options) }
            #expect(throws: ArchiveFailure.self) { try archive.schema(of: path) }
        }
    }

    @Test func `a sample reads at most that many tiles of each zoom`() throws {
        var options = ArchiveStatistics.Options()
        options.sample = 5
        let tiles = TileID.pyramid(0...4).map { (tile: $0, body: Self.street("\($0)")) }
        for path in try archives(tiles, ending: "pbf") {
            let found = try Archive.open(path).statistics(of: path, options)
            #expect(found.zooms.map(\.tiles) == [1, 4, 16, 64, 256] && found.tileCount == 341)
            #expect(found.zooms.map(\.readCount) == [1, 4, 5, 5, 5] && found.distinct == 20)
            let schema = try Archive.open(path).schema(of: path, sample: 5)
            #expect(schema.tileCount == 341 && schema.readCount == 20)
        }
    }

    @Test(arguments: [1, 2, 7, 100]) func `a sample is spread evenly`(limit: Int) {
        let tiles = TileID.pyramid(6...6)
        var sample = EvenSample(limit: limit)
        for tile in tiles { sample.add(tile) }
        let places = sample.result.compactMap(tiles.firstIndex(of:))
        #expect(places.count == limit && places == places.sorted() && sample.count == tiles.count)
        let gaps = zip(places, places.dropFirst()).map { $1 - $0 } + [tiles.count - places[limit - 1]]
        #expect(gaps.allSatisfy { $0 <= 2 * tiles.count / limit + 2 }, "\(gaps)")
    }

    @Test func `damaged tiles are counted and the others measured`() throws {
        let t = TileID.pyramid(2...2)
        let sound = Self.street("Quay")
        let path = try MBTilesFixture([
            (t[0], sound), (t[1], nil), (t[2], []), (t[3], [0x1F, 0x8B, 8, 1]),
            (t[4], [0x1A, 0x7F, 1, 2, 3]),
        ]).write(in: folder)
        try Connection(path, .readWrite).execute(
            "INSERT INTO tiles VALUES (4, 16, 0, x'00'), (77, 0, 0, x'00')", to: "add")
        let archive = try Archive.open(path)
        #expect(try archive.statistics(of: path).problems.count == 4)
        let schema = try archive.schema(of: path)
        #expect(schema.layers.map(\.name) == ["roads"] && schema.problems.count == 5)
        #expect(schema.problems.examples.count == 5)
    }

    @Test func `a damaged directory is a problem, not a crash`() throws {
        var fixture = PMTilesFixture(TileID.pyramid(0...3).map { ($0, Self.street("\($0)")) })
        fixture.leafSize = 8
        var bytes = fixture.bytes
        let header = try #require(PMTilesHeader(bytes))
        for at in 0..<16 { bytes[Int(header.leaves.offset) + at] ^= 0x55 }
        let path = folder.write(bytes, to: "bad.pmtiles")
        let found = try PMTilesArchive(path).statistics(of: path)
        #expect(found.problems.count >= 1 && found.tileCount < 85)
    }

    @Test func `runs of tiles count at each of their zooms`() throws {
        let body = Self.street("Quay")
        let path = folder.write(
            PMTilesFixture(TileID.pyramid(0...5).map { ($0, body) }).bytes, to: "r.pmtiles")
        let archive = try PMTilesArchive(path)
        var runs = 0
        try archive.walk(.bodies()) { _ in runs += 1 }
        #expect(runs == 1)
        let schema = try archive.schema(of: path)
        #expect(schema.layers[0].zooms == Set(0...5) && schema.layers[0].tiles == 1365)
        #expect(try archive.statistics(of: path).zooms.map(\.tiles) == [1, 4, 16, 64, 256, 1024])
    }

    @Test func `a million tiles that share two bodies fit into a small file`() throws {
        let count = (1 << 20) + 5000
        var leaves: [UInt8] = [], root: [PMTilesDirectory.Entry] = []
        for start in stride(from: 0, to: count, by: 1 << 15) {
            let entries = (start..<min(start + (1 << 15), count)).map { id in
                PMTilesDirectory.Entry(
                    id: UInt64(id), run: 1, length: 8, offset: id.isMultiple(of: 2) ? 0 : 8)
            }
            let leaf = Gzip.packed(PMTilesDirectory(entries).encoded)
            root.append(
                .init(id: UInt64(start), run: 0, length: UInt32(leaf.count), offset: UInt64(leaves.count)))
            leaves += leaf
        }
        let packed = Gzip.packed(PMTilesDirectory(root).encoded), start = UInt64(PMTilesHeader.length)
        var header = PMTilesHeader()
        header.root = FileSection(offset: start, length: UInt64(packed.count))
        header.leaves = FileSection(offset: header.root.end, length: UInt64(leaves.count))
        header.tiles = FileSection(offset: header.leaves.end, length: 16)
        header.internalCompression = .gzip
        header.tileCompression = .none
        header.maxZoom = 11
        let bodies = [UInt8](repeating: 7, count: 16)
        let bytes = header.bytes + packed + leaves + bodies
        let path = folder.write(bytes, to: "sparse.pmtiles")
        var options = ArchiveStatistics.Options()
        options.readsBodies = false
        let found = try PMTilesArchive(path).statistics(of: path, options)
        #expect(bytes.count < 100_000 && found.tileCount == count && found.distinct == 2)
        #expect(found.problems.count == 0)
    }

    @Test func `the schema has the zooms of each field`() throws {
        let tiles = TileID.pyramid(0...2).map { tile in
            let attributes: [(String, VectorValue)] =
                tile.zoom == 1
                ? [("a", .number(1))] : [("a", .number(Double(tile.zoom))), ("b", .bool(true))]
            let feature = Feature(.point, through: [(tile.x, tile.y)], attributes)
            return (tile: tile, body: VectorTileFixture([("l", [feature])]).bytes)
        }
        for path in try archives(tiles, ending: "pbf") {
            let layer = try #require(try Archive.open(path).schema(of: path).layers.first)
            #expect(layer.zooms == [0, 1, 2] && layer.fieldZooms == ["a": [0, 1, 2], "b": [0, 2]])
            #expect(layer.summary.fields["a"]?.maximum == .number(2) && layer.isDeclared == nil)
        }
    }

    private static let declaration =
        #"{"vector_layers":[{"id":"roads","fields":{"name":"String","lanes":"Number"}},{"id":"lakes"}]}"#

    @Test(arguments: [true, false])
    func `differences from the metadata are listed`(isMBTiles: Bool) throws {
        let extra = VectorTileFixture([("extra", [Feature(.point, [9, 0, 0], [("x", .bool(true))])])]).bytes
        let road = VectorTileFixture([
            (
                "roads",
                [Feature(.line, through: [(0, 0), (9, 9)], [("lanes", .number(2)), ("toll", .bool(true))])]
            )
        ]).bytes
        let path: String
        if isMBTiles {
            path = try MBTilesFixture([(.world, road + extra)], metadata: [("json", Self.declaration)])
                .write(in: folder)
        } else {
            var fixture = PMTilesFixture([(.world, road + extra)])
            fixture.metadata = Array(Self.declaration.utf8)
            path = folder.write(fixture.bytes, to: "m.pmtiles")
        }
        let archive = try Archive.open(path), schema = try archive.schema(of: path)
        #expect(schema.differsFromMetadata && schema.absentLayers == ["lakes"])
        #expect(schema.layers.map(\.isDeclared) == [true, false])
        #expect(schema.layers[0].absentFields == ["name"] && schema.layers[0].undeclaredFields == ["toll"])
        let sampled = try archive.schema(of: path, sample: 1)
        #expect(sampled.absentLayers.isEmpty && sampled.layers[0].absentFields.isEmpty)
        #expect(sampled.layers[0].undeclaredFields == ["toll"])
    }

    // MARK: Real archives

    @Test(
        .enabled(if: TestData.isPresent, "RHUMB_TEST_DATA is not set"),
        arguments: [
            ("firenze-vector.pmtiles", 108, 106), ("stamen_toner_z3.pmtiles", 85, 80),
            ("world_plain_1.mbtiles", 285, 207),
        ])
    func `real archives have the documented numbers of tiles`(name: String, tiles: Int, distinct: Int) throws
    {
        let path = (TestData.folder ?? "") + "/" + name
        let archive = try Archive.open(path), found = try archive.statistics(of: path)
        #expect(found.tileCount == tiles && found.distinct == distinct && found.problems.count == 0)
        let inspection = try archive.inspect(checksContents: true)
        #expect(found.stored.total == inspection.byteCount && found.distinct == inspection.bodies.distinct)
    }
}
