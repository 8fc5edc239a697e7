import Glibc
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

@testable import RhumbStore

/// Tests converting and extracting archives.
struct ArchiveCopyTests {
    private let folder = TemporaryFolder()
    static let outputs = ["copy.mbtiles", "copy.pmtiles", "copy/"]

    private func open(_ name: String) throws -> ArchiveInput {
        let path = folder.path + "/" + name
        return ArchiveInput(path, try Archive.open(path, probe: imageProbe))
    }

    private func bodies(_ input: ArchiveInput) throws -> [TileID: [UInt8]] {
        var bodies: [TileID: [UInt8]] = [:]
        try input.archive.eachTile { tile in
            if case .bitmap(.encoded(let body))? = try input.archive.tile(tile) { bodies[tile] = body }
        }
        return bodies
    }

    @Test(arguments: outputs)
    func `rows of MBTiles that a copy can't have are counted and named`(output: String) throws {
        let tiles = TileID.pyramid(0...2)
        var fixture = MBTilesFixture(tiles.map { ($0, fakePicture($0)) })
        fixture.layout = .tableWithoutIndex
        let path = try fixture.write(in: folder), connection = try Connection(path, .readWrite)
        try connection.execute(
            """
            INSERT INTO tiles SELECT * FROM tiles WHERE zoom_level = 1;
            INSERT INTO tiles VALUES (1, 5, 0, x'00'), (99, 0, 0, x'00')
            """, to: "add rows")
        let input = try open("map.mbtiles"), destination = folder.path + "/" + output
        let found = try ArchiveCopy(of: input, to: destination).convert().omissions
        #expect(found.repeated == 4 && Set(found.repeatedTiles) == Set(TileID.pyramid(1...1)))
        #expect(found.invalid == 2 && found.problems.contains { $0.contains("1/5/0") })
        #expect(try bodies(open(PartFile.withoutSlash(output))).count == tiles.count)
        let box = try #require(Bounds(west: 10, south: 10, east: 20, north: 20))
        let part = try ArchiveCopy(of: input, to: folder.path + "/part.mbtiles").extract(try .box(box))
        #expect(part.omissions.repeated == 1 && part.omissions.invalid == 0)
        let merged = try ArchiveMerge(of: [input], to: folder.path + "/merged.pmtiles").run()
        #expect(merged.archive.omissions == found)
    }

    @Test func `files of a folder that a copy can't have are counted and named`() throws {
        let tile = TileID(zoom: 1, x: 0, y: 0)!
        folder.write(fakePicture(.world), to: "tiles/0/0/0.png")
        folder.write(fakePicture(.world), to: "tiles/0/0/0.jpg")
        folder.write(fakePicture(tile), to: "tiles/1/0/0.png")
        let misplaced = ["1/5/0.png", "1/0/2.png", "1/0/-1.png", "99/0/0.png", "x/0/0.png"]
        for name in misplaced { folder.write([1], to: "tiles/" + name) }
        folder.write([1], to: "tiles/lib/images/marker.png")
        let input = try open("tiles")
        let summary = try ArchiveCopy(of: input, to: folder.path + "/copy.mbtiles").convert()
        #expect(summary.tiles == 2 && summary.omissions.repeatedTiles == [.world])
        #expect(summary.omissions.repeated == 1 && summary.omissions.invalid == misplaced.count)
        for name in misplaced { #expect(summary.omissions.problems.contains { $0.contains(name) }) }
        let faults = try input.archive.verify(probe: imageProbe).groups
        #expect(faults.first { $0.kind == .directory }?.count == misplaced.count)
    }

    @Test(arguments: ArchiveFixture.Format.allCases, outputs)
    func `a converted archive of pictures has the same tiles, name and bounds`(
        format: ArchiveFixture.Format, output: String
    ) throws {
        let fixture = ArchiveFixture(zooms: 1...3), input = try fixture.write(format, in: folder)
        let summary = try ArchiveCopy(of: input, to: folder.path + "/" + output).convert()
        #expect(summary.tiles == fixture.tiles.count && summary.zooms == 1...3)
        let copy = try open(output)
        #expect(try bodies(copy) == fixture.tiles)
        #expect(copy.archive.info.name == "A map")
        #expect(format == .gpkg || copy.archive.info.attribution == "© Someone")
        #expect(format == .gpkg || ArchiveMetadata(copy.archive).bounds?.west == -90)
        #expect(try ArchiveDiff(input, copy).isEqual)
    }

    @Test(arguments: [ArchiveFixture.Format.mbtiles, .pmtiles, .folder], outputs)
    func `a converted archive of vector tiles has the same tiles, layers and statistics`(
        format: ArchiveFixture.Format, output: String
    ) throws {
        let fixture = ArchiveFixture(vectorZooms: 0...3), input = try fixture.write(format, in: folder)
        _ = try ArchiveCopy(of: input, to: folder.path + "/" + output).convert()
        let copy = try open(output), members = ArchiveMetadata(copy.archive).members
        #expect(try bodies(copy) == fixture.tiles)
        #expect(members["vector_layers"] == fixture.more["vector_layers"])
        #expect(members["tilestats"] == fixture.more["tilestats"])
        #expect(copy.archive.refusal?.reason == .vectorTiles)
        #expect(try ArchiveDiff(input, copy).isEqual)
        if output != "copy/" {
            let stored = try #require(try copy.archive.storedBody(.world))
            #expect(stored.starts(with: [0x1F, 0x8B]))
        }
    }

    @Test func `values that are no text survive in MBTiles`() throws {
        var fixture = ArchiveFixture(zooms: 0...1)
        fixture.more["levels"] = [1, ["deep": true]]
        let input = try fixture.write(.pmtiles, in: folder)
        _ = try ArchiveCopy(of: input, to: folder.path + "/copy.mbtiles").convert()
        _ = try ArchiveCopy(of: try open("copy.mbtiles"), to: folder.path + "/back.pmtiles").convert()
        #expect(try open("back.pmtiles").archive.metadata["levels"] == fixture.more["levels"])
    }

    @Test func `the centre and the type of a map are kept`() throws {
        let fixture = MBTilesFixture(
            TileID.pyramid(0...2).map { ($0, fakePicture($0)) },
            metadata: [("name", "A"), ("type", "overlay"), ("center", "12.5,40.25,2"), ("legend", "none")])
        let input = ArchiveInput("", try Archive.open(try fixture.write(in: folder), probe: imageProbe))
        for output in Self.outputs {
            _ = try ArchiveCopy(of: input, to: folder.path + "/" + output).convert()
            let info = try open(output).archive.info
            #expect(info.isOverlay && info.centerZoom == 2)
            #expect(info.center == Coordinate(latitude: 40.25, longitude: 12.5))
            #expect(try open(output).archive.metadata["legend"] == "none")
        }
    }

    @Test(arguments: ArchiveFixture.Format.allCases, outputs)
    func `an extract has exactly the tiles that the area touches`(
        format: ArchiveFixture.Format, output: String
    ) throws {
        let fixture = ArchiveFixture(zooms: 0...4), input = try fixture.write(format, in: folder)
        let box = try #require(Bounds(west: -61, south: -10.5, east: 12, north: 40))
        let summary = try ArchiveCopy(of: input, to: folder.path + "/" + output)
            .extract(try .box(box), zooms: 2...4)
        let expected = fixture.tiles.filter { (2...4).contains($0.key.zoom) && box.intersects($0.key) }
        #expect(try bodies(open(output)) == expected && summary.tiles == expected.count)
        #expect(try open(output).archive.info.bounds == box || format == .gpkg)
    }

    @Test func `a polygon selects fewer tiles than its box`() throws {
        let input = try ArchiveFixture(zooms: 0...5).write(.pmtiles, in: folder)
        let area = try RegionGeometry([
            .polygon(
                outer: [(0, 0), (40, 0), (0, 40)].map { Position(longitude: $0.0, latitude: $0.1) }, holes: []
            )
        ])
        let cover = RegionTileSet(area, zooms: try ZoomRange(0, 5))
        let summary = try ArchiveCopy(of: input, to: folder.path + "/part.pmtiles").extract(area)
        #expect(
            try Set(bodies(open("part.pmtiles")).keys) == Set(TileID.pyramid(0...5).filter(cover.contains)))
        #expect(
            summary.tiles < RegionTileSet(try .box(area.bounds), zooms: try ZoomRange(0, 5)).counts().total)
    }

    @Test func `an area or zooms without tiles are refused, and nothing is written`() throws {
        let tile = try #require(TileID(zoom: 3, x: 0, y: 0))
        let input = try ArchiveFixture([tile: fakePicture(tile)]).write(.mbtiles, in: folder)
        let box = try RegionGeometry.box(try #require(Bounds(west: 90, south: 0, east: 91, north: 1)))
        let copy = try ArchiveCopy(of: input, to: folder.path + "/part.pmtiles")
        #expect { try copy.extract(box) } throws: { ($0 as? ArchiveCopyFailure)?.reason == .outside }
        #expect(throws: ZoomRangeFailure.self) { try copy.extract(box, zooms: 4...5) }
        #expect(folder.names == ["map.mbtiles"])
    }

    @Test func `an existing file is replaced only on request, and a folder with contents never`() throws {
        let input = try ArchiveFixture(zooms: 0...1).write(.mbtiles, in: folder)
        folder.write([1], to: "copy.pmtiles")
        folder.write([1], to: "copy/note")
        let path = folder.path + "/copy.pmtiles"
        #expect { try ArchiveCopy(of: input, to: path).convert() } throws: {
            ($0 as? ExportFailure)?.reason == .exists
        }
        #expect(folder.bytes("copy.pmtiles") == [1])
        _ = try ArchiveCopy(of: input, to: path, isReplacing: true).convert()
        #expect(try open("copy.pmtiles").archive.info.zooms == 0...1)
        #expect { try ArchiveCopy(of: input, to: folder.path + "/copy/", isReplacing: true) } throws: {
            ($0 as? ArchiveCopyFailure)?.reason == .folderExists
        }
        #expect(folder.names == ["copy", "copy.pmtiles", "map.mbtiles"])
    }

    @Test func `an output that is the input, or has no known format, is refused`() throws {
        let input = try ArchiveFixture(zooms: 0...1).write(.mbtiles, in: folder)
        symlink(input.path, folder.path + "/link.mbtiles")
        for name in ["map.mbtiles", "link.mbtiles"] {
            #expect { try ArchiveCopy(of: input, to: folder.path + "/" + name, isReplacing: true) } throws: {
                ($0 as? ArchiveCopyFailure)?.reason == .sameFile
            }
        }
        for name in ["copy", "copy.gpkg", "copy.zip"] {
            #expect { try ArchiveCopy(of: input, to: folder.path + "/" + name) } throws: {
                ($0 as? ArchiveCopyFailure)?.reason == .format
            }
        }
    }

    @Test(arguments: outputs)
    func `a damaged tile is named, and nothing is left`(output: String) throws {
        var tiles: [(tile: TileID, body: [UInt8]?)] = TileID.pyramid(0...2).map {
            ($0, Gzip.packed(ArchiveFixture.vectorTile($0)))
        }
        tiles[7].body = tiles[7].body.map { Array($0.dropLast(9)) }
        let path = try MBTilesFixture(tiles).write(in: folder)
        let input = ArchiveInput(path, try Archive.open(path))
        #expect {
            try ArchiveCopy(of: input, to: folder.path + "/" + output).convert()
        } throws: { ($0 as? TileFailure)?.message.contains("tile \(tiles[7].tile)") == true }
        #expect(folder.names == ["map.mbtiles"])
    }

    @Test func `a damaged directory is an error, not the end of the list`() throws {
        var fixture = PMTilesFixture(zooms: 0...3)
        fixture.leafSize = 20
        let whole = fixture.bytes, header = try #require(PMTilesHeader(whole))
        let second = Int(header.leaves.offset + header.leaves.length / 2)
        fixture.patches = (0..<40).map { (second + $0, 0xFF) }
        let path = folder.write(fixture.bytes, to: "map.pmtiles")
        let input = ArchiveInput(path, try Archive.open(path))
        #expect { try ArchiveCopy(of: input, to: folder.path + "/copy.mbtiles").convert() } throws: {
            ($0 as? ArchiveFailure)?.reason == .damaged
        }
        #expect(folder.names == ["map.pmtiles"])
    }

    @Test(arguments: outputs)
    func `a cancelled copy leaves nothing`(output: String) async throws {
        let input = try ArchiveFixture(zooms: 0...4).write(.mbtiles, in: folder)
        let copy = try ArchiveCopy(of: input, to: folder.path + "/" + output)
        let task = Task {
            try WorkProgress.$handler.withValue(
                .init { done, _ in
                    if done == 100 { withUnsafeCurrentTask { $0?.cancel() } }
                }
            ) { try copy.convert() }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(folder.names == ["map.mbtiles"])
    }

    @Test func `a folder can't have tiles without a known extension`() throws {
        let path = try MBTilesFixture([(.world, Array("{}".utf8))]).write(in: folder)
        let input = ArchiveInput(path, try Archive.open(path))
        #expect { try ArchiveCopy(of: input, to: folder.path + "/copy/").convert() } throws: {
            ($0 as? ExportFailure)?.reason == .body
        }
        #expect(folder.names == ["map.mbtiles"])
        _ = try ArchiveCopy(of: input, to: folder.path + "/copy.pmtiles").convert()
        #expect(try open("copy.pmtiles").archive.storedBody(.world) == Array("{}".utf8))
    }

    @Test(
        .enabled(if: TestData.isPresent),
        arguments: [
            "firenze-vector.pmtiles", "stamen_toner_z3.pmtiles", "tippecanoe_one_tile.pmtiles",
            "helsinki-raster.mbtiles", "helsinki-raster-512.mbtiles", "world_cities-vector.mbtiles",
            "geography-class-png.mbtiles", "world_plain_1.mbtiles",
        ])
    func `real archives survive all conversions`(name: String) throws {
        let path = (TestData.folder ?? "") + "/" + name
        let input = ArchiveInput(path, try Archive.open(path, probe: imageProbe))
        let expected = try bodies(input)
        for output in Self.outputs {
            _ = try ArchiveCopy(of: input, to: folder.path + "/" + output).convert()
            #expect(try bodies(open(output)) == expected)
            let changes = try ArchiveDiff(input, open(output)).metadata.map(\.name)
            #expect(changes.allSatisfy { ["name", "vector_layers", "bounds"].contains($0) }, "\(changes)")
        }
    }

    @Test(arguments: outputs)
    func `pictures in an archive that declares vector tiles are copied as pictures`(output: String) throws {
        var fixture = PMTilesFixture(zooms: 0...1)
        // Vector tiles without compression.
        fixture.patches = [(98, 1), (99, 1)]
        _ = folder.write(fixture.bytes, to: "map.pmtiles")
        _ = try ArchiveCopy(of: try open("map.pmtiles"), to: folder.path + "/" + output).convert()
        let copy = try open(output).archive
        #expect(try copy.storedBody(.world) == fakePicture(.world))
        #expect(copy.declaredContent.kind == .png)
    }
}
