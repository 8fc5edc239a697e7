import Glibc
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests `rhumb archive info` and `rhumb archive tile`.
struct ArchiveCommandTests {
    private typealias Feature = VectorTileFixture.Feature

    private let folder = TemporaryFolder()
    private static let environment = [
        "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
    ]

    private func run(_ words: String...) async -> ProgramRun {
        await ProgramRun.of(
            TestProducts.path("rhumb"), words,
            environment: Self.environment.merging(["HOME": folder.path]) { $1 })
    }

    private static let hostile = "a\u{1B}[2Jb\u{202E}"

    /// Writes an archive of compressed vector tiles, with an attribute that contains escape sequences.
    private func vector(layer: String = "roads") -> String {
        let feature = Feature(
            .line, through: [(0, 0), (4096, 4096)],
            [("name", .string(Self.hostile)), (Self.hostile, .number(2.5))])
        let body = zlibStored(VectorTileFixture([(layer, [feature])]).bytes)
        return folder.write(PMTilesFixture(TileID.pyramid(0...2).map { ($0, body) }).bytes, to: "v.pmtiles")
    }

    private func raster() throws -> String { try MBTilesFixture(zooms: 0...2).write(in: folder) }

    private func isSafe(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy {
            $0 == "\n" || $0.value >= 0x20 && $0.value != 0x9B && $0 != "\u{202E}"
        }
    }

    // MARK: tile

    @Test func `tile writes an image unchanged, and a vector tile decompressed`() async throws {
        let tile = try #require(TileID(zoom: 2, x: 1, y: 3)), file = folder.path + "/tile"
        #expect(await run("archive", "tile", try raster(), "2/1/3", "-o", file).status == 0)
        #expect(folder.bytes("tile") == fakePicture(tile))
        let refused = await run("archive", "tile", vector(), "2/1/3", "-o", file)
        #expect(refused.status == 1 && refused.errors.contains("it exists; replace it with --force"))
        #expect(folder.bytes("tile") == fakePicture(tile))
        #expect(await run("archive", "tile", vector(), "-t", "2/1/3", "-o", file, "--force").status == 0)
        #expect(try VectorTile(folder.bytes("tile")).layerNames == ["roads"])
        for tile in TileID.pyramid(0...1) { folder.write(fakePicture(tile), to: "f/\(tile).png") }
        #expect(
            await run("archive", "tile", folder.path + "/f", "1/0/1", "--tms", "-o", file, "--force").status
                == 0)
        #expect(folder.bytes("tile") == fakePicture(try #require(TileID(zoom: 1, x: 0, y: 0))))
    }

    @Test func `tile extracts images that can't be drawn`() async throws {
        var fixture = PMTilesFixture(zooms: 0...0)
        fixture.patches = [(99, 5)]
        let path = folder.write(fixture.bytes, to: "avif.pmtiles"), file = folder.path + "/tile"
        #expect(await run("archive", "tile", path, "0/0/0", "-o", file).status == 0)
        #expect(folder.bytes("tile") == fakePicture(.world))
    }

    @Test func `a missing tile is an error that names the zooms`() async throws {
        let path = try raster(), missing = await run("archive", "tile", path, "5/0/0")
        #expect(missing.status == 1 && missing.errors.contains("has no tile 5/0/0; its zooms are 0 to 2"))
        #expect(missing.output.isEmpty)
        #expect(await run("archive", "tile", "--decode", path, "5/0/0").status == 1)
    }

    @Test func `tile writes nothing binary to a terminal`() throws {
        let program = try PtyProgram(
            TestProducts.path("rhumb"), ["archive", "tile", try raster(), "0/0/0"],
            environment: Self.environment.merging(["HOME": folder.path, "TERM": "xterm"]) { $1 })
        #expect(try program.readToEnd() == .exited(1))
        #expect(String(decoding: program.output, as: UTF8.self).contains("to a terminal"))
        #expect(!program.output.contains(0x89))
    }

    // MARK: decode

    @Test func `decode writes GeoJSON to standard output or a file`() async throws {
        let path = vector(), run = await run("archive", "tile", "--decode", path, "1/0/0", "--layer", "roads")
        #expect(run.status == 0 && run.errors.isEmpty && isSafe(run.output))
        let feature = try #require(try JSON.parse(run.output)["features"]?.array?.first)
        #expect(feature["properties"]?[Self.hostile] == 2.5 && feature["geometry"]?["type"] == "LineString")
        #expect(
            await self.run("archive", "tile", "--decode", path, "1/0/0", "-o", folder.path + "/f.geojson")
                .status == 0)
        #expect(String(decoding: folder.bytes("f.geojson"), as: UTF8.self) == run.output + "\n")
    }

    @Test func `decode rejects an image, and a layer that the tile does not have`() async throws {
        let image = await run("archive", "tile", "--decode", try raster(), "0/0/0")
        #expect(image.status == 1 && image.errors.contains("is a PNG image, not a vector tile"))
        let layer = await run(
            "archive", "tile", "--decode", vector(layer: Self.hostile), "0/0/0", "--layer", "lakes")
        #expect(layer.status == 1 && layer.errors.contains("has no layer \"lakes\"; it has a[2Jb"))
        #expect(isSafe(layer.errors))
    }

    @Test func `a damaged feature gives exit status 3`() async throws {
        let tile = VectorTileFixture([("l", [Feature(.point, [9, 0]), Feature(.point, [9, 0, 0])])]).bytes
        let path = folder.write(PMTilesFixture([(.world, tile)]).bytes, to: "d.pmtiles")
        let run = await run("archive", "tile", "--decode", path, "0/0/0")
        #expect(run.status == 3 && run.errors.contains("1 feature without a readable geometry"))
        #expect(try JSON.parse(run.output)["features"]?.array?.count == 2)
    }

    /// The features of a layer, as far as two programs agree on them.
    private struct Content: Equatable {
        var features = 0
        var attributes = 0
        var positions = 0
        var box: [Double] = [180, 90, -180, -90]

        init(_ features: [JSON]) {
            self.features = features.count
            for feature in features {
                let members = feature["properties"]?.object
                attributes += members?.names.count { $0 != "mvt_id" && members?[$0] != .null } ?? 0
                feature["geometry"]?["coordinates"].map { add($0) }
            }
        }

        private mutating func add(_ value: JSON) {
            guard let x = value.array?.first?.double, let y = value.array?.last?.double else {
                for part in value.array ?? [] { add(part) }
                return
            }
            positions += 1
            box = [min(box[0], x), min(box[1], y), max(box[2], x), max(box[3], y)]
        }
    }

    @Test(
        .enabled(if: access("/usr/bin/ogr2ogr", X_OK) == 0, "gdal-bin is not installed"),
        .enabled(if: TestData.isPresent, "RHUMB_TEST_DATA is not set"),
        arguments: ["buildings", "landuse", "pois", "roads", "water"])
    func `decode agrees with GDAL`(layer: String) async throws {
        let archive = (TestData.folder ?? "") + "/firenze-vector.pmtiles", position = "14/8704/5971"
        let tile = folder.path + "/tile.pbf", file = folder.path + "/gdal.json"
        #expect(await run("archive", "tile", archive, position, "-o", tile).status == 0)
        let options = ["X=8704", "Y=5971", "Z=14", "CLIP=NO"].flatMap { ["-oo", $0] }
        let made = await ProgramRun.of(
            "/usr/bin/ogr2ogr",
            ["-f", "GeoJSON", "-t_srs", "EPSG:4326", "-lco", "RFC7946=YES"] + options + [file, tile, layer])
        try #require(made.status == 0, "\(made.errors)")
        let expected = try JSON.parse(folder.bytes("gdal.json"))["features"]?.array ?? []
        let found = try JSON.parse(
            await run("archive", "tile", "--decode", archive, position, "--layer", layer).output)
        #expect(Content(found["features"]?.array ?? []) == Content(expected))
    }

    // MARK: schema and stats

    @Test func `schema and stats fit 80 columns, and sanitise names and values`() async throws {
        let path = vector(layer: Self.hostile + String(repeating: "long ", count: 40))
        let weights = folder.write(Array("0/0/0 123456\n2/1/1 7\n5/0/0 2".utf8), to: "weights.tsv")
        for words in [
            ["archive", "info", "--fields"], ["archive", "info", "--by", "zoom"],
            ["archive", "info", "--by", "layer"], ["archive", "info", "--by", "tile", "--top", "3"],
            ["archive", "info", "--by", "field"], ["archive", "info", "--by", "zoom", "--sizes-only"],
            ["archive", "info", "--by", "zoom", "--weights", weights],
            ["archive", "info", "--by", "layer", "--weights", weights],
            ["archive", "info", "--by", "tile", "--weights", weights],
        ] {
            let run = await ProgramRun.of(
                TestProducts.path("rhumb"), words + [path],
                environment: Self.environment.merging(["HOME": folder.path]) { $1 })
            #expect(run.status == 0 && isSafe(run.output), "\(run)")
            for line in run.output.split(separator: "\n").dropFirst() {
                #expect(TextWidth.columns(of: String(line)) <= 80, "\(line)")
            }
        }
    }

    @Test func `schema exits with 3 if the metadata differs`() async throws {
        let tile = VectorTileFixture([("roads", [Feature(.point, [9, 0, 0])])]).bytes
        var fixture = PMTilesFixture([(.world, tile)])
        fixture.metadata = Array(#"{"vector_layers":[{"id":"lakes","fields":{}}]}"#.utf8)
        let run = await run("archive", "info", "--fields", folder.write(fixture.bytes, to: "s.pmtiles"))
        #expect(run.status == 3 && run.output.contains("layer \"lakes\": declared but absent"))
        #expect(run.output.contains("layer \"roads\": present but undeclared"))
    }

    @Test func `stats exits with 3 if a tile exceeds the budget`() async throws {
        let path = try raster()
        let within = await run("archive", "info", "--by", "zoom", path, "--budget", "1M"),
            over = await run("archive", "info", "--by", "zoom", path, "--budget", "1")
        #expect(within.status == 0 && within.output.contains("No tile exceeds 1 MB."))
        #expect(over.status == 3 && over.output.contains("21 tiles exceed 1 B:"))
        let json = try JSON.parse(
            await run("archive", "info", "--by", "zoom", path, "--budget", "1", "--json").output)
        #expect(json["overBudgetTiles"] == 21 && json["overBudget"]?.array?.count == 21)
    }

    @Test func `stats prints rows as tab-separated values`() async throws {
        let path = vector(layer: "a\tb\nc"),
            zooms = await run("archive", "info", "--by", "zoom", path, "--tsv")
        let lines = zooms.output.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)
        }
        #expect(zooms.status == 0 && lines.count == 4 && lines.allSatisfy { $0.count == 12 }, "\(zooms)")
        #expect(
            lines[0].prefix(3) == ["zoom", "tiles", "read_tiles"] && lines[3].prefix(3) == ["2", "16", "16"])
        for (rows, start) in [("layer", "a b c\t21\t21\t42\t"), ("field", "a b c\tname\t21\t21\t1\ttrue\t")] {
            let run = await run("archive", "info", "--by", "zoom", path, "--by", rows, "--tsv")
            #expect(
                run.status == 0 && run.output.contains("\n" + start)
                    && isSafe(run.output.replacing("\t", with: "")))
        }
        #expect(await run("archive", "info", "--by", "zoom", path, "--tsv", "--json").status == 2)
        #expect(await run("archive", "info", "--by", "zoom", path, "--tsv", "--budget", "1").status == 3)
        #expect(
            await run("archive", "info", "--by", "zoom", path, "--by", "field", "--sizes-only").status == 2)
    }

    @Test func `invalid and missing weights are errors`() async throws {
        let weights = folder.write(Array("0/0/0 1\nx\n1 2".utf8), to: "weights.tsv"), path = try raster()
        let invalid = await run("archive", "info", "--by", "zoom", path, "--weights", weights)
        #expect(
            invalid.status == 1 && invalid.errors.contains("line 3 is not zoom, column, row"), "\(invalid)")
        #expect(
            await run("archive", "info", "--by", "zoom", path, "--weights", folder.path + "/none").status == 1
        )
    }

    @Test(
        .enabled(if: access("/usr/bin/sqlite3", X_OK) == 0, "sqlite3 is not installed"),
        .enabled(if: TestData.isPresent, "RHUMB_TEST_DATA is not set"),
        arguments: ["helsinki-raster.mbtiles", "world_cities-vector.mbtiles", "world_plain_1.mbtiles"])
    func `stats agrees with SQLite`(name: String) async throws {
        let path = (TestData.folder ?? "") + "/" + name
        let query =
            "SELECT zoom_level, count(*), sum(length(tile_data)), max(length(tile_data)), "
            + "count(DISTINCT tile_data) FROM tiles GROUP BY 1 ORDER BY 1"
        let rows = await ProgramRun.of("/usr/bin/sqlite3", ["-readonly", path, query])
        let json = try JSON.parse(await run("archive", "info", "--by", "zoom", path, "--json").output)
        let zooms = try #require(json["zooms"]?.array)
        let found = zooms.map { zoom in
            [
                zoom["zoom"], zoom["tiles"], zoom["stored"]?["bytes"], zoom["stored"]?["largest"],
                zoom["distinctBodies"],
            ].map { $0?.int.map(String.init) ?? "" }.joined(separator: "|")
        }
        #expect(rows.status == 0 && found == rows.output.split(separator: "\n").map(String.init))
    }

    // MARK: verify

    @Test func `verify exits with 0 for a sound archive, and with 3 for faults with their remedies`()
        async throws
    {
        let sound = await run(
            "archive", "info", "--check", folder.write(PMTilesFixture(zooms: 0...2).bytes, to: "s.pmtiles"))
        #expect(sound.status == 0 && sound.output.contains("All checks: no faults."), "\(sound)")
        let faulty = await run("archive", "info", "--check", vector(layer: Self.hostile))
        #expect(faulty.status == 3 && isSafe(faulty.output), "\(faulty)")
        #expect(faulty.output.contains("format: 21\n  0/0/0  it is a vector tile, not a PNG image"))
        #expect(faulty.output.contains("add --repair -o FILE"))
        for line in faulty.output.split(separator: "\n").dropFirst() {
            #expect(TextWidth.columns(of: String(line)) <= 80, "\(line)")
        }
        let path = try raster()
        #expect(await run("archive", "info", "--check", path, "-o", folder.path + "/x").status == 2)
        #expect(await run("archive", "info", "--check", path, "--repair").status == 2)
    }

    @Test func `verify --repair writes a sound copy`() async throws {
        let path = vector(), copy = folder.path + "/fixed.pmtiles"
        let repaired = await run("archive", "info", "--check", path, "--repair", "-o", copy)
        #expect(repaired.status == 0, "\(repaired)")
        #expect(repaired.output.contains("fixed.pmtiles: 21 tiles, no faults in the repaired copy"))
        #expect(await run("archive", "info", "--check", copy).status == 0)
        let refused = await run("archive", "info", "--check", path, "--repair", "-o", copy)
        #expect(refused.status == 1 && refused.errors.contains("replace it with --force"))
        #expect(await run("archive", "info", "--check", path, "--repair", "-o", path, "--force").status == 1)
    }
}
