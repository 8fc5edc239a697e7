import Glibc
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

@testable import RhumbStore

/// Tests archives that other programs wrote in unusual ways.
struct ForeignArchiveTests {
    private let folder = TemporaryFolder()
    private let tiles = TileID.pyramid(0...2)

    private func input(_ path: String) throws -> ArchiveInput {
        ArchiveInput(path, try Archive.open(path, probe: imageProbe))
    }

    private func kinds(_ archive: any TileArchive) throws -> [VerificationFault.Kind] {
        try archive.verify(probe: imageProbe).groups.map(\.kind)
    }

    // MARK: Tiles without content

    /// An archive whose tiles at some indices have no bytes, without wrong counts in its header.
    private func holed(_ indices: Set<Int>, leafSize: Int? = nil) -> [UInt8] {
        var fixture = PMTilesFixture(
            tiles.enumerated().map { ($1, indices.contains($0) ? [] : fakePicture($1)) })
        fixture.leafSize = leafSize
        fixture.patches = (72..<96).map { ($0, 0) } + [(97, 2), (98, 1), (99, 2)]
        return fixture.bytes
    }

    @Test(arguments: [[0], [20], [3, 4], Array(0...20).dropLast()], [nil, 4])
    func `an entry of no bytes in PMTiles is a tile without content, and others are read`(
        indices: [Int], leafSize: Int?
    ) throws {
        let path = folder.write(holed(Set(indices), leafSize: leafSize), to: "map.pmtiles")
        let map = try input(path), archive = map.archive
        let numbered = tiles.sorted { $0.hilbertID < $1.hilbertID }
        for tile in tiles {
            let at = try #require(tiles.firstIndex(of: tile))
            #expect(
                try archive.tile(tile)
                    == (indices.contains(at) ? .absent : .bitmap(.encoded(fakePicture(tile)))))
        }
        #expect(archive.info.tileSize.rawValue == 8 || archive.info.tileSize == .pixels256)
        let found = try archive.verify(probe: imageProbe)
        let empty = try #require(found.groups.first { $0.kind == .empty })
        #expect(empty.count == indices.count && numbered.count == found.tileCount)
        for name in ["copy.pmtiles", "copy.mbtiles", "copy/"] {
            let copy = ArchiveCopy.self
            let summary = try copy.init(of: map, to: folder.path + "/" + name).convert()
            #expect(summary.tiles == tiles.count - indices.count && summary.emptyTiles == indices.count)
        }
        let repaired = try ArchiveCopy(of: map, to: folder.path + "/repaired.pmtiles").repair(found)
        #expect(repaired.archive.tiles == tiles.count - indices.count)
        #expect(try !kinds(Archive.open(folder.path + "/repaired.pmtiles")).contains(.empty))
    }

    @Test func `a leaf of no bytes hides only its own tiles`() throws {
        var fixture = PMTilesFixture(zooms: 0...2)
        fixture.leafSize = 7
        fixture.isPacked = false
        var bytes = fixture.bytes
        // The lengths of the three leaves follow the count, three ids and three runs. The offset of each is
        // that after the last one, so only the last may change.
        let root = Int(try #require(PMTilesHeader(bytes)).root.offset)
        bytes[root + 1 + 3 + 3 + 2] = 0
        let archive = try PMTilesArchive(folder.write(bytes, to: "map.pmtiles"), probe: imageProbe)
        let last = try #require(TileID(hilbertID: 20))
        #expect(throws: TileFailure.self) { try archive.tile(last) }
        #expect(try archive.tile(.world) == .bitmap(.encoded(fakePicture(.world))))
    }

    @Test(arguments: [nil, []] as [[UInt8]?])
    func `an empty or NULL body in MBTiles is a tile without content`(body: [UInt8]?) throws {
        let bodies = tiles.enumerated().map { (tile: $1, body: $0 == 3 ? body : fakePicture($1)) }
        let map = try input(
            MBTilesFixture(bodies, metadata: [("name", "a"), ("format", "png")]).write(in: folder))
        #expect(try map.archive.tile(tiles[3]) == .absent)
        #expect(try map.archive.storedBody(tiles[3]) == [])
        let summary = try ArchiveCopy(of: map, to: folder.path + "/copy.pmtiles").convert()
        #expect(summary.tiles == tiles.count - 1 && summary.emptyTiles == 1)
        let copy = try input(folder.path + "/copy.pmtiles")
        #expect(try ArchiveDiff(copy, copy).isEqual)
        let merged = try ArchiveMerge(of: [map, copy], to: folder.path + "/all.mbtiles", onDuplicate: .last)
            .run()
        #expect(merged.archive.tiles == tiles.count - 1 && merged.archive.emptyTiles == 1)
        let patch = try ArchivePatch.make(from: copy, to: map, at: folder.path + "/patch")
        #expect(patch.changed == 0 && patch.common == tiles.count - 1)
    }

    @Test(arguments: [false, true])
    func `a tile whose shared body is missing is a tile without content`(isIndexed: Bool) throws {
        let path = folder.path + "/map.mbtiles", connection = try Connection(path, .readWrite)
        let key = isIndexed ? "text PRIMARY KEY" : "text"
        try connection.execute(
            """
            CREATE TABLE metadata (name text, value text);
            INSERT INTO metadata VALUES ('name', 'a'), ('format', 'png');
            CREATE TABLE map (zoom_level integer, tile_column integer, tile_row integer, tile_id text);
            CREATE TABLE images (tile_id \(key), tile_data blob);
            CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data
            FROM map LEFT JOIN images USING (tile_id);
            INSERT INTO map VALUES (0, 0, 0, 'a'), (1, 0, 0, 'b'), (1, 1, 0, 'a');
            """, to: "make the tables")
        if isIndexed {
            try connection.execute(
                "CREATE INDEX i ON map (zoom_level, tile_column, tile_row)", to: "add an index")
        }
        let image = try connection.prepare("INSERT INTO images VALUES ('a', ?1)", to: "add a body")
        try image.bind(1, fakePicture(.world))
        try image.step()
        let map = try input(path), missing = try #require(TileID(zoom: 1, x: 0, y: 1))
        #expect(try map.archive.storedBody(missing) == [] && map.archive.tile(missing) == .absent)
        let found = try map.archive.verify(probe: imageProbe).groups.first { $0.kind == .empty }
        #expect(found?.faults.map(\.location) == [.tile(missing)])
        let copy = try ArchiveCopy(of: map, to: folder.path + "/copy.pmtiles").convert()
        #expect(copy.tiles == 2 && copy.emptyTiles == 1)
    }

    // MARK: Many tiles in few bytes

    /// An archive with one run of 2^32 - 1 tiles.
    private func vast() throws -> ArchiveInput {
        let writer = try PMTilesWriter(folder.path + "/vast.pmtiles", label: ExportLabel(name: "vast"))
        try writer.add(5..<5 + UInt64(UInt32.max), fakePicture(.world))
        _ = try writer.finish()
        return try input(folder.path + "/vast.pmtiles")
    }

    @Test func `a run of thousands of millions of tiles stays a run in PMTiles`() throws {
        let map = try vast(), count = Int(UInt32.max)
        #expect(Folder.size(of: map.path) ?? .max < 20_000)
        let copy = try ArchiveCopy(of: map, to: folder.path + "/copy.pmtiles").convert()
        #expect(copy.tiles == count && copy.bodies == 1)
        let found = try map.archive.verify(probe: imageProbe)
        #expect(found.tileCount == count)
        let repaired = try ArchiveCopy(of: map, to: folder.path + "/repaired.pmtiles").repair(found)
        #expect(repaired.archive.tiles == count)
        #expect(try map.archive.inspect(checksContents: true).tileCount == count)
        let area = try RegionGeometry.box(#require(Bounds(west: 0, south: 0, east: 1, north: 1)))
        let part = try ArchiveCopy(of: map, to: folder.path + "/part.pmtiles").extract(area, zooms: 3...9)
        #expect(part.tiles < 100)
    }

    @Test func `thousands of millions of tiles are not processed one by one`() throws {
        let map = try vast()
        for name in ["copy.mbtiles", "copy/"] {
            let copy = try ArchiveCopy(of: map, to: folder.path + "/" + name)
            #expect { try copy.convert() } throws: { ($0 as? ArchiveCopyFailure)?.reason == .tooLarge }
            let found = try map.archive.verify()
            #expect { try copy.repair(found) } throws: { ($0 as? ArchiveCopyFailure)?.reason == .tooLarge }
        }
        let merge = try ArchiveMerge(of: [map], to: folder.path + "/all.pmtiles")
        #expect { try merge.run() } throws: { ($0 as? ArchiveCopyFailure)?.reason == .tooLarge }
        #expect { try ArchiveDiff(map, map) } throws: { ($0 as? ArchiveCopyFailure)?.reason == .tooLarge }
        #expect {
            try map.archive.eachTile { _ in }
        } throws: { ($0 as? ArchiveFailure)?.problem.contains("4,294,967,295") == true }
        #expect(folder.names == ["vast.pmtiles"])
    }

    @Test(arguments: ["zeroblob(16000000)", "x'00'"])
    func `a view without end is read up to a limit that is reported`(body: String) throws {
        let path = folder.path + "/endless.mbtiles"
        try Connection(path, .readWrite).execute(
            """
            CREATE TABLE metadata (name text, value text);
            INSERT INTO metadata VALUES ('minzoom', '20'), ('maxzoom', '20'), ('name', 'a'), ('format', 'png');
            CREATE VIEW tiles AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n)
            SELECT 20 AS zoom_level, i % 1000000 AS tile_column, i / 1000000 AS tile_row, \(body) AS tile_data
            FROM n;
            """, to: "make the view")
        let archive = try Archive.open(path)
        var rows = 0, problem = ""
        try archive.walk(.bodies()) { run in
            rows += 1
            if case .failure(let failure) = run.body { problem = failure.message }
        }
        #expect(problem.contains("has more tiles than a file of this size can have"))
        #expect(rows <= 1 << 20 + 1)
    }

    // MARK: Files without an index

    @Test func `tiles of a file without an index are listed once`() throws {
        let schemas = [
            "CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);",
            """
            CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
            CREATE INDEX zoom ON tiles (zoom_level);
            """,
            """
            CREATE TABLE map (zoom_level integer, tile_column integer, tile_row integer, tile_id text);
            CREATE TABLE images (tile_data blob, tile_id text);
            CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM map
            JOIN images ON images.tile_id = map.tile_id;
            """,
        ]
        for (number, schema) in schemas.enumerated() {
            let path = folder.path + "/\(number).mbtiles", connection = try Connection(path, .readWrite)
            try connection.execute(schema, to: "make the tables")
            for tile in TileID.pyramid(0...3) {
                let place = "\(tile.zoom), \(tile.x), \(tile.tmsRow)", body = "CAST('\(tile)' AS BLOB)"
                try connection.execute(
                    number < 2
                        ? "INSERT INTO tiles VALUES (\(place), \(body))"
                        : "INSERT INTO map VALUES (\(place), '\(tile)'); INSERT INTO images VALUES (\(body), '\(tile)')",
                    to: "add a tile")
            }
            let archive = try MBTilesArchive(path)
            #expect(archive.info.zooms == 0...3 && archive.info.bounds?.west == -180)
            for tile in TileID.pyramid(0...3) {
                #expect(try archive.storedBody(tile) == Array("\(tile)".utf8))
            }
            #expect(try archive.storedBody(#require(TileID(zoom: 4, x: 0, y: 0))) == nil)
            #expect(try MBTilesReader(path).unindexedExtents()?.count == 4)
            let table = number < 2 ? "tiles" : "map"
            try connection.execute("DELETE FROM \(table) WHERE zoom_level = 3", to: "remove tiles")
            #expect(try archive.storedBody(#require(TileID(zoom: 3, x: 0, y: 0))) == nil)
        }
    }

    @Test(arguments: [MBTilesFixture.Layout.table, .view])
    func `tiles of a file with an index are not listed`(layout: MBTilesFixture.Layout) throws {
        var fixture = MBTilesFixture(zooms: 0...2)
        fixture.layout = layout
        #expect(try MBTilesReader(fixture.write(in: folder)).unindexedExtents() == nil)
    }

    // MARK: Rows from the north

    private static let city = [13.0, 52.3, 13.8, 52.7]

    /// MBTiles of a city at zooms 6 to 9.
    private func city(
        _ metadata: [(String, String)], fromNorth: Bool, _ layout: MBTilesFixture.Layout
    ) throws -> String {
        let box = try #require(Bounds(west: 13, south: 52.3, east: 13.8, north: 52.7))
        let tiles = RegionTileSet(try .box(box), zooms: try ZoomRange(6, 9)).tiles().map { tile in
            (tile: fromNorth ? tile.mirrored : tile, body: fakePicture(tile) as [UInt8]?)
        }
        var fixture = MBTilesFixture(tiles, metadata: [("name", "a"), ("format", "png")] + metadata)
        fixture.layout = layout
        return try fixture.write(in: folder)
    }

    @Test(arguments: MBTilesFixture.Layout.allCases, [false, true])
    func `rows that count from the north are recognised and repaired`(
        layout: MBTilesFixture.Layout, isDeclared: Bool
    ) throws {
        let rows: [(String, String)] = isDeclared ? [("scheme", "xyz")] : [("bounds", "13.0,52.3,13.8,52.7")]
        let map = try input(city(rows, fromNorth: true, layout)), archive = map.archive
        let tile = try #require(TileID(zoom: 9, x: 275, y: 167))
        #expect(try archive.tile(tile) == .bitmap(.encoded(fakePicture(tile))))
        let found = try archive.verify(probe: imageProbe)
        let fault = found.groups.flatMap(\.faults).first { $0.problem.contains("from the north") }
        #expect(fault?.kind == .metadata)
        _ = try ArchiveCopy(of: map, to: folder.path + "/copy.mbtiles").repair(found)
        let copy = try MBTilesArchive(folder.path + "/copy.mbtiles", probe: imageProbe)
        #expect(!copy.isFromNorth && (copy.info.bounds?.south ?? 0) > 50)
        #expect(try copy.tile(tile) == .bitmap(.encoded(fakePicture(tile))))
        #expect(try !kinds(copy).contains(.metadata))
    }

    @Test func `a scheme may be in capitals`() throws {
        #expect(try MBTilesArchive(city([("scheme", "XYZ")], fromNorth: true, .table)).isFromNorth)
    }

    @Test func `bounds decide against a wrong scheme, and a centre where there are none`() throws {
        let wrong = try city(
            [("bounds", "13.0,52.3,13.8,52.7"), ("scheme", "xyz")], fromNorth: false, .table)
        #expect(try !MBTilesArchive(wrong).isFromNorth)
        unlink(wrong)
        #expect(try MBTilesArchive(city([("center", "13.4,52.5,9")], fromNorth: true, .table)).isFromNorth)
        let world = try MBTilesFixture(zooms: 0...3).write(in: folder, name: "world.mbtiles")
        #expect(try !MBTilesArchive(world).isFromNorth)
    }

    @Test(arguments: [
        ("tilemapresource.xml", #"<TileMap><TileSets profile="mercator"></TileSets></TileMap>"#),
        ("leaflet.html", "L.tileLayer('./{z}/{x}/{y}.png', { tms: true, opacity: 0.7 })"),
        ("leaflet.html", "L.tileLayer('./{z}/{x}/{y}.png', {tms: 1, opacity: 0.7})"),
        ("openlayers.html", "source: new ol.source.XYZ({ url: './{z}/{x}/{-y}.png' })"),
        ("metadata.json", #"{"scheme": "TMS"}"#),
        ("metadata.json", #"{"bounds": [0, 40, 45, 70]}"#),
    ])
    func `a folder counts rows from the south as the files beside it say`(name: String, text: String) throws {
        let tile = try #require(TileID(zoom: 3, x: 4, y: 2))
        folder.write(fakePicture(tile), to: "3/4/5.png")
        folder.write(Array(text.utf8), to: name)
        let map = try TileFolder(folder.path)
        #expect(try map.scheme == .tms && map.tile(tile) == .bitmap(.encoded(fakePicture(tile))))
        #expect(try TileFolder(folder.path, scheme: .xyz).scheme == .xyz)
    }

    @Test func `a folder of tiles in another projection is refused`() {
        folder.write([1], to: "3/4/5.png")
        folder.write(Array(#"<TileSets profile="geodetic">"#.utf8), to: "tilemapresource.xml")
        let failure = #expect(throws: ArchiveFailure.self) { try TileFolder(folder.path) }
        #expect(failure?.reason == .unsupported && failure?.problem.contains("geodetic") == true)
    }

    @Test(arguments: ["BigPlanet", "simple", nil], ["int", "text"])
    func `a map of OsmAnd is read`(numbering: String?, type: String) throws {
        let path = folder.path + "/map.sqlitedb", connection = try Connection(path, .readWrite)
        try connection.execute(
            "CREATE TABLE tiles (x \(type), y \(type), z \(type), s int, image blob)", to: "make a table")
        if let numbering {
            try connection.execute(
                "CREATE TABLE info (tilenumbering text); INSERT INTO info VALUES ('\(numbering)')",
                to: "make a table")
        }
        let tiles = TileID.pyramid(3...4).filter { $0.x > 1 << ($0.zoom - 1) }
        for tile in tiles {
            let zoom = numbering == "simple" ? tile.zoom : 17 - tile.zoom
            try connection.execute(
                "INSERT INTO tiles VALUES (\(tile.x), \(tile.y), \(zoom), 0, CAST('\(tile)' AS BLOB))",
                to: "add a tile")
        }
        let archive = try Archive.open(path)
        #expect(archive.format == "SQLite map" && archive.info.zooms == 3...4)
        #expect(archive.info.bounds?.west == 22.5)
        for tile in tiles { #expect(try archive.storedBody(tile) == Array("\(tile)".utf8)) }
        let copy = folder.path + "/copy.pmtiles"
        #expect(try ArchiveCopy(of: ArchiveInput(path, archive), to: copy).convert().tiles == tiles.count)
    }

    @Test func `a map of OsmAnd in another projection is refused`() throws {
        let path = folder.path + "/map.sqlitedb"
        try Connection(path, .readWrite).execute(
            """
            CREATE TABLE tiles (x int, y int, z int, s int, image blob);
            CREATE TABLE info (ellipsoid int); INSERT INTO info VALUES (1);
            """, to: "make the tables")
        let failure = #expect(throws: ArchiveFailure.self) { try Archive.open(path) }
        #expect(failure?.reason == .unsupported)
    }

    @Test func `a GeoPackage without the tables of tiles is named`() throws {
        let path = folder.path + "/map.gpkg", connection = try Connection(path, .readWrite)
        try connection.execute(
            "CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT, identifier TEXT)",
            to: "make a table")
        let failure = #expect(throws: ArchiveFailure.self) { try Archive.open(path) }
        #expect(failure?.problem == "it is a GeoPackage without tiles")
        try connection.execute("INSERT INTO gpkg_contents VALUES ('a', 'tiles', 'a')", to: "add a table")
        let other = #expect(throws: ArchiveFailure.self) { try Archive.open(path) }
        #expect(other?.problem == "it has tiles, but not the tables that describe their matrices")
    }
}

/// Tests declared properties that are unusual, but valid.
struct DeclaredContentTests {
    private let folder = TemporaryFolder()

    @Test func `bounds of a single point and a low first zoom are no faults`() throws {
        func kinds(_ edges: [Int32]) throws -> [VerificationFault.Kind] {
            var fixture = PMTilesFixture([(.world, fakePicture(.world))])
            fixture.patches = [(98, 1), (99, 2), (100, 0)]
            for (at, edge) in edges.enumerated() {
                fixture.patches += (0..<4).map {
                    (
                        102 + 4 * at + $0,
                        UInt8(truncatingIfNeeded: UInt32(bitPattern: edge) >> (8 * UInt32($0)))
                    )
                }
            }
            let path = folder.write(fixture.bytes, to: "map.pmtiles")
            return try PMTilesArchive(path).verify().groups.map(\.kind)
        }
        #expect(try kinds([100_000_000, 200_000_000, 100_000_000, 200_000_000]) == [])
        #expect(try kinds([100_000_000, 200_000_000, 110_000_000, 200_000_000]) == [])
        #expect(try kinds([0, 0, 0, 0]) == [.bounds])
        #expect(try kinds([100_000_000, 200_000_000, 100_000_000, 100_000_000]) == [.bounds])
    }

    @Test func `a declared first zoom may be lower than that of the tiles`() throws {
        for (low, high, isFault) in [(0, 3, false), (1, 3, false), (2, 3, true), (1, 4, true)] {
            let tiles = TileID.pyramid(1...3).map { (tile: $0, body: fakePicture($0) as [UInt8]?) }
            let rows = [("name", "a"), ("format", "png"), ("minzoom", "\(low)"), ("maxzoom", "\(high)")]
            let path = try MBTilesFixture(tiles, metadata: rows).write(in: folder)
            let kinds = try MBTilesArchive(path).verify().groups.map(\.kind)
            #expect(kinds.contains(.zooms) == isFault)
            unlink(path)
        }
    }
}
