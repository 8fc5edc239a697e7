import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbOffline
@testable import RhumbOpening
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests catalogues made from folders of archives.
struct CatalogPublisherTests {
    private let folder = TemporaryFolder()

    private func publisher(_ edition: String? = nil) -> CatalogPublisher {
        var publisher = CatalogPublisher(folder.path)
        publisher.edition = edition.flatMap(PackageVersion.init)
        return publisher
    }

    private func archive(_ name: String, _ edition: Int = 1) {
        folder.write(
            PMTilesFixture(TileID.pyramid(0...2).map { ($0, PackageFixture.body($0, edition)) }).bytes,
            to: name)
    }

    private func list(_ name: String) throws -> TileHashes {
        try TileHashes(Files.read(folder.path + "/" + name) ?? [])
    }

    @Test func `packages have different titles, and none is that of the program that made the archive`()
        throws
    {
        func archive(_ name: String, title: String) {
            var archive = PMTilesFixture([(.world, PackageFixture.body(.world, 1))])
            archive.metadata = Array(#"{"name":"\#(title)"}"#.utf8)
            folder.write(archive.bytes, to: name)
        }
        archive("east.pmtiles", title: "firenze")
        archive("west.pmtiles", title: "firenze")
        archive("monaco.pmtiles", title: "Tilemaker to OpenMapTiles schema")
        archive("land.pmtiles", title: "Finland")
        let packages = try publisher("1").publish().catalog.packages
        let titles = Dictionary(uniqueKeysWithValues: packages.map { ($0.id, $0.englishTitle) })
        #expect(titles["east"] == "east" && titles["west"] == "west" && titles["monaco"] == "monaco")
        #expect(titles["land"] == "Finland")
    }

    @Test func `archives become packages, and folders become packages of their contents`() throws {
        archive("moon.pmtiles")
        archive("europe/finland.pmtiles")
        archive("europe/finland/turku.pmtiles")
        let outcome = try publisher("1").publish(), catalog = outcome.catalog,
            tree = try PackageTree(catalog.packages)
        #expect(Set(outcome.published) == ["finland", "turku", "moon"])
        #expect(
            tree["europe"]?.parent == "world" && tree["europe"]?.level == .continent
                && tree["europe"]?.content == nil)
        #expect(
            tree["finland"]?.parent == "europe"
                && tree["finland"]?.content == .archive("europe/finland.pmtiles"))
        #expect(tree["turku"]?.parent == "finland" && tree["turku"]?.level == .province)
        #expect(tree["moon"]?.level == .country && tree["moon"]?.area != nil)
        let edition = try #require(tree["moon"]?.edition)
        #expect(edition.bytes == TileID.pyramid(0...2).reduce(0) { $0 + PackageFixture.body($1).count })
        #expect(edition.hashes == "moon.1.hashes" && edition.date == UnixSeconds.now.day)
        #expect(try list("moon.1.hashes").tiles == 21 && list("europe/finland.1.hashes").version == "1")
    }

    @Test(.enabled(if: TestData.isPresent), arguments: [true, false])
    func `a plan estimates the download of compressed tiles within a fifth`(hasEdition: Bool) async throws {
        let bytes = try #require(TestData.bytes(of: "firenze-vector.pmtiles"))
        folder.write(bytes, to: "firenze.pmtiles")
        let box = try PackageFixture()
        try box.publish(folder, edition: "1")
        if !hasEdition { box.catalog(#"{"id": "firenze", "parent": "world", "archive": "firenze.pmtiles"}"#) }
        let plan = try await box.loader().plan(["firenze"])
        #expect(abs(plan.bytes - bytes.count) < bytes.count / 5, "\(plan.bytes) of \(bytes.count)")
        let loader = box.loader()
        _ = try await loader.installAll("firenze")
        #expect(try await loader.plan(["firenze"]).installed == ["firenze"])
    }

    @Test func `the written catalogue is read back unchanged`() throws {
        archive("north.pmtiles")
        let outcome = try publisher("1").publish()
        let read = try PackageCatalog(Files.read(folder.path + "/catalog.json") ?? [], at: "catalog.json")
        #expect(read == outcome.catalog)
    }

    @Test func `only changed packages get another edition, and older ones stay`() throws {
        archive("north.pmtiles")
        archive("south.pmtiles")
        _ = try publisher("1").publish()
        archive("north.pmtiles", 2)
        let outcome = try publisher("2").publish(), tree = try PackageTree(outcome.catalog.packages)
        #expect(outcome.published == ["north"] && outcome.unchanged == ["south"])
        #expect(tree["north"]?.editions.map(\.version.description) == ["1", "2"])
        #expect(tree["south"]?.editions.map(\.version.description) == ["1"])
        #expect(try list("north.2.hashes").changed(since: list("north.1.hashes")).count == 21)
        #expect(try publisher("3").publish().published.isEmpty)
    }

    @Test func `editions never go backwards, and without a name they follow the day`() throws {
        archive("north.pmtiles")
        _ = try publisher().publish()
        archive("north.pmtiles", 2)
        _ = try publisher().publish()
        archive("north.pmtiles", 3)
        let before = Files.read(folder.path + "/catalog.json")
        let failure = #expect(throws: PublishFailure.self) { try publisher("1.5").publish() }
        #expect(
            failure?.description.contains("north") == true
                && Files.read(folder.path + "/catalog.json") == before)
        let editions = try publisher().publish().catalog.packages.last?.editions.map(\.version.description)
        let day = try #require(PackageVersion(UnixSeconds.now.day.replacing("-", with: "."))).description
        #expect(editions == [day, "\(day).1", "\(day).2"])
    }

    @Test func `titles, areas and packages that the user wrote into the catalogue stay`() throws {
        folder.write(
            Array(
                """
                {"rhumb-catalog": 1, "id": "mine", "title": {"en": "Mine"}, "attribution": "me", "packages": [
                  {"id": "all"},
                  {"id": "north", "parent": "all", "title": {"en": "North", "fi": "Pohjoinen"}, "area": [0, 50, 10, 60], "archive": "north.pmtiles"},
                  {"id": "west", "parent": "all", "area": [0, 0, 10, 10], "source": "https://tiles.example/{z}/{x}/{y}.png", "zooms": [0, 9]}]}
                """.utf8), to: "catalog.json")
        archive("north.pmtiles")
        archive("east.pmtiles")
        let catalog = try publisher("1").publish().catalog, tree = try PackageTree(catalog.packages)
        #expect(catalog.id == "mine" && catalog.titles == ["en": "Mine"] && catalog.attribution == "me")
        #expect(
            tree["north"]?.titles["fi"] == "Pohjoinen"
                && tree["north"]?.edition?.version == PackageVersion("1"))
        #expect(
            tree["north"]?.area == Bounds(west: 0, south: 50, east: 10, north: 60).flatMap { PackageArea($0) }
        )
        #expect(tree["west"]?.zooms == (try ZoomRange(0, 9)) && tree["east"]?.parent == "all")
    }

    @Test func `tiles outside the bounds that an archive declares are counted`() throws {
        let tiles = [TileID.world, .at(12, 4000, 2000), .at(12, 2000, 2000), .at(12, 2000, 2001)]
        var archive = PMTilesFixture(tiles.map { ($0, PackageFixture.body($0, 1)) })
        // 170°E to 175°E, 0°N to 10°N.
        let edges: [Int32] = [1_700_000_000, 0, 1_750_000_000, 100_000_000]
        archive.patches = edges.enumerated().flatMap { at, edge in
            (0..<4).map { (102 + 4 * at + $0, UInt8(truncatingIfNeeded: edge >> (8 * Int32($0)))) }
        }
        folder.write(archive.bytes, to: "pacific.pmtiles")
        #expect(try publisher("1").publish().outside == ["pacific": 2])
        self.archive("moon.pmtiles")
        #expect(try publisher("2").publish().outside == ["pacific": 2])
    }

    @Test func `a polygon beside the archive is its area`() throws {
        archive("north.pmtiles")
        folder.write(
            Array(#"{"type": "Polygon", "coordinates": [[[0, 0], [9, 0], [9, 9], [0, 0]]]}"#.utf8),
            to: "north.geojson")
        let area = try #require(try publisher("1").publish().catalog.packages.last?.area)
        #expect(
            area.contains(Coordinate(latitude: 1, longitude: 8))
                && !area.contains(Coordinate(latitude: 8, longitude: 1)))
        folder.write(
            Array(#"{"type": "LineString", "coordinates": [[0, 0], [9, 0]]}"#.utf8), to: "north.geojson")
        #expect(throws: PublishFailure.self) { try publisher("2").publish() }
    }

    @Test func `the sizes of the layers of features are determined`() throws {
        let square = VectorTileFixture.Feature(
            .polygon, through: [(0, 0), (4096, 0), (4096, 4096), (0, 4096)])
        let bodies = TileID.pyramid(0...2).map { tile -> (tile: TileID, body: [UInt8]) in
            let name = "land\(tile.zoom)-\(tile.x)-\(tile.y)"
            return (
                tile, VectorTileFixture([(name, [square]), ("building", [square]), ("poi", [square])]).bytes
            )
        }
        let writer = try PMTilesWriter(folder.path + "/city.pmtiles", label: ExportLabel(name: "City"))
        for (tile, body) in bodies.sorted(by: { $0.tile.hilbertID < $1.tile.hilbertID }) {
            try writer.add(tile, body)
        }
        _ = try writer.finish()
        let edition = try #require(try publisher("1").publish().catalog.packages.last?.edition)
        let building = try VectorTile(bodies[0].body).layerSizes[1].bytes
        // Regions store the tiles as gzip.
        let kept = bodies.map { TileBody.stored(Gzip.packed($0.body), $0.body).count }
        let group = zip(bodies, kept).reduce(0) { $0 + building * $1.1 / $1.0.body.count }
        #expect(edition.bytes == kept.reduce(0, +) && edition.bytes < bodies.reduce(0) { $0 + $1.body.count })
        #expect(edition.featureBytes == ["detailRendering": group])
        #expect(edition.bytes(with: ["rendering"]) == edition.bytes - group)
    }

    @Test func `MBTiles are converted to PMTiles beside them, again whenever they change`() throws {
        _ = try MBTilesFixture(zooms: 0...2).write(in: folder, name: "city.mbtiles")
        #expect(try publisher("1").publish().published == ["city"])
        #expect(try PMTilesArchive(folder.path + "/city.pmtiles").info.zooms == 0...2)
        #expect(try publisher("2").publish().unchanged == ["city"])
        folder.write(PMTilesFixture(zooms: 0...1).bytes, to: "city.pmtiles")
        let failure = #expect(throws: PublishFailure.self) { try publisher("2").publish() }
        #expect(failure?.description.contains("city.mbtiles") == true)
    }

    @Test(arguments: [ArchiveFixture.Format.mbtiles, .gpkg], [false, true])
    func `a converted archive has all metadata of the original`(
        format: ArchiveFixture.Format, isVector: Bool
    ) throws {
        guard format == .mbtiles || !isVector else { return }
        var fixture = isVector ? ArchiveFixture(vectorZooms: 1...2) : ArchiveFixture(zooms: 1...2)
        if !isVector { fixture.more["encoding"] = "terrarium" }
        fixture.more["description"] = "Hills"
        let input = try fixture.write(format, in: folder, as: "hills")
        _ = try publisher("1").publish()
        let path = folder.path + "/hills.pmtiles", archive = try Archive.open(path, probe: imageProbe)
        let changes = try ArchiveDiff(input, ArchiveInput(path, archive)).metadata.map(\.name)
        #expect(changes == ["converted-from"])
        #expect(archive.info.tileSize == input.archive.info.tileSize)
        #expect(format == .gpkg || isVector || archive.metadata["encoding"] == "terrarium")
        #expect(try publisher("2").publish().unchanged == ["hills"])
    }

    @Test func `everything that can't be published is named, and nothing is published`() throws {
        archive("good.pmtiles")
        archive("my map.pmtiles")
        folder.write(Array("PMTiles".utf8), to: "cut.pmtiles")
        folder.write(PMTilesFixture([(.world, Array("no picture".utf8))]).bytes, to: "text.pmtiles")
        folder.write(Array("no database".utf8), to: "odd.mbtiles")
        let failure = #expect(throws: PublishFailure.self) { try publisher("1").publish() }
        for name in ["my map.pmtiles", "odd.mbtiles"] { #expect(failure?.description.contains(name) == true) }
        #expect(!folder.names.contains("catalog.json"))
        for name in ["my map.pmtiles", "odd.mbtiles"] { folder.remove(name) }
        let second = #expect(throws: PublishFailure.self) { try publisher("1").publish() }
        for name in ["cut.pmtiles", "text.pmtiles"] { #expect(second?.description.contains(name) == true) }
        #expect(!folder.names.contains("catalog.json") && !folder.names.contains("good.1.hashes"))
    }

    @Test func `a package does not lose its archive unnoticed`() throws {
        archive("north.pmtiles")
        archive("south.pmtiles")
        _ = try publisher("1").publish()
        folder.remove("south.pmtiles")
        let failure = #expect(throws: PublishFailure.self) { try publisher("2").publish() }
        #expect(failure?.description.contains("south.pmtiles") == true)
    }

    @Test func `an empty folder, a missing one, and a damaged catalogue are rejected`() throws {
        #expect(throws: PublishFailure.self) { try publisher("1").publish() }
        #expect(throws: PublishFailure.self) { try CatalogPublisher(folder.path + "/none").publish() }
        archive("north.pmtiles")
        folder.write(Array("{".utf8), to: "catalog.json")
        #expect(throws: PublishFailure.self) { try publisher("1").publish() }
        #expect(Files.read(folder.path + "/catalog.json") == Array("{".utf8))
    }
}
