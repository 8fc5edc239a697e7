import Glibc
@testable import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests archives made from regions, as read by other programs and by Rhumb itself.
struct RegionExportTests {
    enum Map: String, CaseIterable { case pictures, template, document }

    private static let tile = VectorTileFixture([
        (
            "land",
            [
                .init(
                    .polygon, through: [(0, 0), (4096, 0), (4096, 4096), (0, 4096)],
                    [
                        ("kind", .string("park")), ("height", .number(7)), ("lit", .bool(true)),
                    ])
            ]
        ),
        ("roads", [.init(.line, through: [(0, 0), (4096, 4096)])]),
    ]).bytes

    private func box(
        _ map: Map, wrapped wrap: @escaping @Sendable ([UInt8]) -> [UInt8] = { Gzip.packed($0) }
    ) throws -> CommandFixture {
        let box = try CommandFixture()
        if map != .pictures {
            box.host.answer { request in
                request.target.hasSuffix(".json")
                    ? nil : LoopbackReply(200, wrap(Self.tile), headers: ["Cache-Control": "max-age=600"])
            }
        }
        let layers =
            #""vector_layers":[{"id":"land","fields":{}},{"id":"roads","fields":{}},{"id":"places","fields":{}}]"#
        let document =
            #"{"tilejson":"3.0.0","maxzoom":9,"attribution":"© Web",\#(layers),"tiles":["\#(box.host.server.url("/{z}/{x}/{y}"))"]}"#
        box.host.answer("/tiles.json") { _ in LoopbackReply(200, Array(document.utf8)) }
        let url = box.host.server.url(map == .document ? "/tiles.json" : "/{z}/{x}/{y}")
        let list: JSON = [
            "sources": [
                [
                    "id": "web", "name": "Web", "kind": map == .document ? "tilejson" : "tiles",
                    "url": .string(url),
                    "vector": .bool(map == .template), "maxzoom": 9, "attribution": "© Web",
                    "policy": ["offline": "allowed", "archives": true, "packLimit": nil],
                ]
            ]
        ]
        box.folder.write(Array(list.text.utf8), to: "config.json")
        let style: JSON = [
            "version": 8, "sources": ["v": ["type": "vector"]],
            "layers": [
                [
                    "id": "land", "type": "fill", "source": "v", "source-layer": "land",
                    "paint": ["fill-color": "#FF0000"],
                ]
            ],
        ]
        box.folder.write(Array(style.text.utf8), to: "style.json")
        return box
    }

    private func exported(_ box: CommandFixture, _ format: ArchiveFormat) async throws -> String {
        let added = await box.run([
            "add", "home", "--source", "web", "--name", "Home", "--bbox", "0.1,0.1,1.3,1.3", "--zooms", "7-9",
            "--exact",
        ])
        #expect(added.status == 0, "\(added.errors)")
        let path = box.folder.path + "/out.\(format.rawValue)"
        let run = await box.run("export", "home", "-o", path)
        #expect(run.status == 0, "\(run.errors)")
        return path
    }

    @Test func `an export over an existing file is refused, with the option that replaces it`() async throws {
        let box = try box(.pictures), path = try await exported(box, .pmtiles)
        let refused = await box.run("export", "home", "-o", path)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("the file exists; replace it with --force"), "\(refused.errors)")
        #expect(await box.run("export", "home", "-o", path, "--force").status == 0)
    }

    // MARK: Contents of archives

    @Test(arguments: ArchiveFormat.allCases, [Map.template, .document])
    func `an archive of vector tiles describes their layers, and compresses each with gzip`(
        format: ArchiveFormat, map: Map
    ) async throws {
        let box = try box(map, wrapped: { $0 })
        let path = try await exported(box, format)
        let archive = try Archive.open(path)
        #expect(
            archive.info.name == "Home" && archive.info.attribution == "© Web" && archive.info.zooms == 7...9)
        #expect(archive.metadata["generator"]?.string?.hasPrefix("Rhumb ") == true)
        #expect(
            archive.info.bounds?.contains(Coordinate(latitude: 0.7, longitude: 0.7)) == true
                && archive.info.center != nil)
        let layers = (archive.metadata["json"] ?? archive.metadata)["vector_layers"]?.array ?? []
        #expect(
            Set(layers.compactMap { $0["id"]?.string })
                == Set(["land", "roads"] + (map == .document ? ["places"] : [])))
        let land = layers.first { $0["id"] == "land" }
        #expect(land?["fields"] == ["height": "Number", "kind": "String", "lit": "Boolean"])
        #expect(try stored(path, format).allSatisfy { $0 == Gzip.packed(Self.tile) })
    }

    /// Returns the bodies as stored in the archive.
    private func stored(_ path: String, _ format: ArchiveFormat) throws -> [[UInt8]] {
        if format == .pmtiles {
            let file = try PMTilesFile(try FileBytes(path), name: path)
            #expect(file.index.header.tileCompression == .gzip && file.index.header.tileType == .mvt)
            return try file.root.entries.map { try file.stored($0, "") }
        }
        let rows = try Connection(path, .readOnly).prepare(
            "SELECT tile_data, (SELECT value FROM metadata WHERE name = 'format') FROM tiles", to: "look")
        var bodies: [[UInt8]] = []
        while try rows.step() {
            #expect(rows.text(1) == "pbf")
            bodies.append(rows.bytes(0) ?? [])
        }
        #expect(bodies.count == 6)
        return bodies
    }

    @Test(arguments: ArchiveFormat.allCases)
    func `uncompressed and compressed vector tiles are stored alike`(format: ArchiveFormat) async throws {
        let box = try box(.template, wrapped: { $0 })
        let odd = TileID.at(9, 256, 255)
        box.host.answer("/\(odd)") { _ in
            LoopbackReply(200, Gzip.packed(Self.tile), headers: ["Cache-Control": "max-age=600"])
        }
        #expect(Set(try stored(try await exported(box, format), format)).count == 1)
    }

    // MARK: Reading archives

    @Test(arguments: ArchiveFormat.allCases, Map.allCases)
    func `an archive is drawn like the region it was exported from`(
        format: ArchiveFormat, map: Map
    ) async throws {
        let box = try box(map)
        let path = try await exported(box, format)
        box.host.server.stop()
        // Which layers the tiles of a template have, and so their ground, is unknown until they are exported.
        for style in [box.folder.path + "/style.json"] + (map == .template ? [] : ["night"]) {
            let region = await picture(of: "web", box, style), archive = await picture(of: path, box, style)
            #expect(region.status == 0 && archive.status == 0, "\(region.errors) \(archive.errors)")
            #expect(region.output == archive.output)
            if map != .pictures, style != "night" { #expect(archive.output.contains("2;255;0;0")) }
        }
    }

    private func picture(of source: String, _ box: CommandFixture, _ style: String) async -> ProgramRun {
        await ProgramRun.of(
            CommandFixture.program,
            [
                "render", source, "--offline", "--center", "0.7,0.7", "--zoom", "8", "--size", "20x5",
                "--format", "ansi",
                "--colors", "truecolor", "--style", style, "--data-path",
                box.folder.path + "/data",
                "--cache-path", box.folder.path + "/cache.db", "--config", box.folder.path + "/config.json",
            ], environment: box.environment)
    }

    private static let hasGDAL =
        access("/usr/bin/ogrinfo", X_OK) == 0 && access("/usr/bin/gdalinfo", X_OK) == 0

    @Test(.enabled(if: hasGDAL, "GDAL is not installed"))
    func `GDAL reads the layers, their fields and the pictures of an MBTiles file`() async throws {
        let vectorBox = try box(.template), pictureBox = try box(.pictures)
        let vectors = try await exported(vectorBox, .mbtiles)
        let layers = await ProgramRun.of("/usr/bin/ogrinfo", ["-al", "-so", vectors])
        #expect(layers.status == 0, "\(layers.errors)")
        for said in ["Layer name: land", "Layer name: roads", "kind: String", "height: Real", "lit: "] {
            #expect(layers.output.contains(said), "\(said) in \(layers.output)")
        }
        let pictures = try await exported(pictureBox, .mbtiles)
        let bands = await ProgramRun.of("/usr/bin/gdalinfo", [pictures])
        #expect(
            bands.status == 0 && bands.output.contains("Band 4") && bands.output.contains("© Web"),
            "\(bands.output)\(bands.errors)")
    }

    // MARK: Several sources

    @Test func `one of several sources is named, or each gets its own file`() async throws {
        let box = try CommandFixture()
        let list: JSON = [
            "sources": .array(
                ["one", "two"].map { id in
                    [
                        "id": .string(id), "url": .string(box.template + "?set=\(id)"), "maxzoom": 9,
                        "policy": ["offline": "allowed", "archives": true, "packLimit": nil],
                    ]
                })
        ]
        box.folder.write(Array(list.text.utf8), to: "config.json")
        #expect(
            await box.run([
                "add", "home", "--source", "one", "--source", "two", "--bbox", "0.1,0.1,1.3,1.3", "--zooms",
                "7-9", "--exact",
            ]).status == 0)
        let out = box.folder.path + "/home.pmtiles"
        let asked = await box.run("export", "home", "-o", out)
        #expect(
            asked.status != 0 && asked.errors.contains("one, two; use --source, or put {source}"),
            "\(asked.errors)")
        #expect(await box.run("export", "home", "-o", out, "--source", "two").status == 0)
        let each = await box.run("export", "home", "-o", box.folder.path + "/home-{source}.mbtiles", "--json")
        #expect(
            try each.status == 0 && box.json(each).array?.compactMap { $0["tiles"]?.int } == [6, 6],
            "\(each.errors)")
        for name in ["home.pmtiles", "home-one.mbtiles", "home-two.mbtiles"] {
            #expect(try Archive.open(box.folder.path + "/" + name).info.zooms == 7...9)
        }
    }

    // MARK: Importing again

    @Test(arguments: ArchiveFormat.allCases)
    func `an imported archive keeps its attribution, layers and zooms, and exports unchanged`(
        format: ArchiveFormat
    ) async throws {
        let box = try box(.document)
        let path = try await exported(box, format)
        let bare: JSON = [
            "sources": [
                [
                    "id": "bare", "url": .string(box.host.server.url("/{z}/{x}/{y}")), "vector": true,
                    "policy": ["offline": "allowed", "archives": true, "packLimit": nil],
                ]
            ]
        ]
        box.folder.write(Array(bare.text.utf8), to: "config.json")
        let asked = box.host.server.requestCount
        let imported = await box.run("import", "copy", "--source", "bare", "--from", path)
        #expect(
            imported.status == 0 && imported.output.contains("6 tiles"),
            "\(imported.output)\(imported.errors)")
        let shown = try await box.shown("copy")
        #expect(shown["planned"]?.int == 6 && shown["tiles"]?.int == 6 && shown["state"] == "complete")
        let definition = try #require(shown["definition"])
        #expect(definition["minZoom"] == 7 && definition["maxZoom"] == 9, "\(definition.text)")
        #expect(box.host.server.requestCount == asked)
        let again = box.folder.path + "/again.\(format.rawValue)"
        #expect(await box.run("export", "copy", "-o", again).status == 0)
        let one = try Archive.open(path), two = try Archive.open(again)
        #expect(
            two.info.attribution == "© Web" && two.info.zooms == one.info.zooms
                && two.info.bounds == one.info.bounds)
        for name in ["vector_layers", "json"] { #expect(one.metadata[name] == two.metadata[name]) }
    }

    // MARK: Interruption

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP], ["out.mbtiles", "out.pmtiles", "set.tar", "set"])
    func `an interrupted export leaves nothing, and says so`(signal: Int32, name: String) async throws {
        let box = try CommandFixture()
        box.configure()
        #expect(await box.add().status == 0)
        let before = Set(box.folder.names), errors = box.folder.path + "/errors.txt"
        let words = name.hasPrefix("set") ? ["area", "export"] : ["region", "export", "home"]
        let child = ChildProgram(
            CommandFixture.program, words + ["-o", box.folder.path + "/" + name] + box.places,
            environment: box.environment, errors: errors)
        _ = await eventually { box.folder.names.contains { $0.hasSuffix(".part") } || child.hasEnded }
        child.send(signal)
        let status = await box.end(of: child), left = Set(box.folder.names).subtracting(before)
        // The export may have been faster. Then its file is complete, even if the signal came before its end.
        let told = box.folder.text("errors.txt"), isComplete = left.contains(name)
        let expected = "interrupted; \(isComplete ? "some files were" : "nothing was") written"
        #expect(status == 0 && isComplete || status == 128 + signal && told.contains(expected), "\(told)")
        #expect(left.subtracting(["errors.txt"]) == (isComplete ? [name] : []), "\(left)")
        if isComplete, name.hasSuffix(".pmtiles") {
            #expect(try Archive.open(box.folder.path + "/" + name).info.zooms == 7...9)
        }
    }

    @Test func `an export removes the folder of a killed one`() async throws {
        let box = try CommandFixture(), dead = ChildProgram("/bin/true", [])
        _ = dead.wait()
        box.configure()
        #expect(await box.add().status == 0)
        box.folder.write([1], to: "set.tar.rhumb-\(dead.process)-1.part/regions/home/0.pmtiles")
        box.folder.write([1], to: "set.tar.rhumb-\(dead.process)-0.part")
        let words = ["area", "export", "-o", box.folder.path + "/set.tar"] + box.places
        let run = await ProgramRun.of(CommandFixture.program, words, environment: box.environment)
        #expect(run.status == 0, "\(run)")
        #expect(box.folder.names.allSatisfy { !$0.contains(".part") }, "\(box.folder.names)")
    }

    @Test func `an interrupted import of a set is resumed by the same command`() async throws {
        let box = try CommandFixture(), there = CommandFixture(box.host, in: TemporaryFolder())
        for fixture in [box, there] { fixture.configure() }
        #expect(await box.add().status == 0)
        let set = box.folder.path + "/set.tar"
        func area(_ fixture: CommandFixture, _ words: String...) async -> ProgramRun {
            await ProgramRun.of(
                CommandFixture.program, ["area"] + words + fixture.places, environment: fixture.environment)
        }
        #expect(await area(box, "export", "-o", set).status == 0)
        #expect(await area(there, "import", set).status == 0)
        // The store is as it was when the process was killed.
        try Connection(there.storePath, .readWrite).execute(
            """
            UPDATE regions SET state = 0, reason = ''; DELETE FROM entries WHERE z > 8;
            UPDATE parts SET done = 2, failed = planned - 2, reused = 0, absent = 0
            """, to: "interrupt the import")
        let resumed = await area(there, "import", set)
        #expect(resumed.status == 0 && resumed.output.contains("imported 1 region"), "\(resumed)")
        let shown = try await there.shown()
        #expect(shown["state"] == "complete" && shown["tiles"]?.int == 86, "\(shown)")
        let again = await area(there, "import", set)
        #expect(again.status == 3 && again.errors.contains("exists already"), "\(again)")
    }
}
