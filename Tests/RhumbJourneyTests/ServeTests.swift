import Glibc
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests `rhumb serve` as a program, with other programs as clients.
struct ServeTests {
    private let home = TemporaryFolder()
    private var environment: [String: String] {
        ["HOME": home.path, "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"]
    }

    /// Starts the program and returns it with the server's address.
    private func serve(_ words: [String]) throws -> (ChildProgram, address: String) {
        let program = ChildProgram(
            TestProducts.path("rhumb"), ["serve", "--port", "0"] + words, environment: environment,
            errors: home.path + "/errors")
        let line = try #require(program.readLine(), "\(home.text("errors"))")
        return (program, String(line.dropLast()))
    }

    private func run(_ words: [String]) async -> ProgramRun {
        await ProgramRun.of(TestProducts.path("rhumb"), words, environment: environment)
    }

    private static func pyramid() throws -> MBTilesFixture {
        var fixture = MBTilesFixture(zooms: 0...1)
        fixture.tiles = fixture.tiles.map { ($0.tile, blankPicture(.init(0x336699), side: 256)) }
        fixture.metadata = [("name", "Blue"), ("format", "png"), ("minzoom", "0"), ("maxzoom", "1")]
        return fixture
    }

    @Test func `another Rhumb shows what one serves, as tiles and as an archive`() async throws {
        let file = try Self.pyramid().write(in: home, name: "blue.mbtiles")
        #expect(await run(["archive", "convert", file, home.path + "/copy.pmtiles"]).status == 0)
        let (program, address) = try serve([file, home.path + "/copy.pmtiles"])
        defer { program.kill() }
        for map in ["\(address)/blue.json", "\(address)/copy.pmtiles", "\(address)/copy/{z}/{x}/{y}.png"] {
            let shown = await run(["render", map, "-z", "0", "--size", "20x6", "-o", home.path + "/out.png"])
            #expect(shown.status == 0 && shown.errors.isEmpty, "\(map): \(shown.errors)")
        }
    }

    @Test func `sources that must not be redistributed are not served`() async throws {
        let origin = try LoopbackServer { _ in
            LoopbackReply(
                200, blankPicture(.init(0x336699), side: 256),
                headers: ["Content-Type": "image/png", "Cache-Control": "max-age=3600"])
        }
        let url = origin.url("/{z}/{x}/{y}.png")
        home.write(
            Array(
                """
                {"sources": [{"id": "open", "url": "\(url)?open", "policy": {"archives": true}},
                             {"id": "closed", "url": "\(url)?closed", "policy": {"archives": false}}]}
                """.utf8), to: ".config/rhumb/config.json")
        for source in ["open", "closed"] {
            #expect(await run(["render", source, "-z", "0", "--size", "20x6"]).status == 0)
        }
        let (program, address) = try serve(["open", "closed"])
        defer { program.kill() }
        let port = try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
        func get(_ path: String) throws -> String {
            try RawConnection.response(
                port, "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        }
        #expect(try get("/open/0/0/0.png").hasPrefix("HTTP/1.1 200"))
        #expect(try get("/closed/0/0/0.png").hasPrefix("HTTP/1.1 404"))
        #expect(try !get("/catalog.json").contains("closed"))
        #expect(home.text("errors").contains("closed is not served"))
    }

    @Test func `a region of a map with a version is served, and its heights as pictures`() async throws {
        let document = #"{"tilejson":"3.0.0","version":"2.0.0","maxzoom":8,"tiles":["{z}/{x}/{y}.png"]}"#
        let origin = try LoopbackServer { request in
            LoopbackReply(
                200,
                request.target == "/map.json"
                    ? Array(document.utf8) : blankPicture(.init(0x336699), side: 256))
        }
        let policy = #""policy": {"offline": "allowed", "archives": true}"#
        home.write(
            Array(
                """
                {"sources": [{"id": "map", "url": "\(origin.url("/map.json"))", "kind": "tilejson", \(policy)},
                             {"id": "heights", "url": "\(origin.url("/h/{z}/{x}/{y}.png"))", "maxzoom": 8,
                              "feature": "terrain", "encoding": "terrarium", \(policy)}]}
                """.utf8), to: ".config/rhumb/config.json")
        let added = await run([
            "region", "add", "x", "--source", "map", "--bbox", "0.1,0.1,1,1", "--zooms", "7-8", "--heights",
            "--terrain", "heights",
        ])
        #expect(added.status == 0, "\(added.errors)")
        let (program, address) = try serve(["x"])
        defer { program.kill() }
        for path in ["/x-map/7/64/63.png", "/x-heights/7/64/63.png"] {
            #expect(try status(address, path, "Host: localhost") == "200", "\(path)")
        }
    }

    private func status(_ address: String, _ path: String, _ fields: String) throws -> Substring {
        let port = try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
        return try RawConnection.response(
            port, "GET \(path) HTTP/1.1\r\n\(fields)\r\nConnection: close\r\n\r\n"
        ).dropFirst(9).prefix(3)
    }

    @Test func `a page that resolves its name to this machine is refused, unless its origin is named`()
        async throws
    {
        let file = try Self.pyramid().write(in: home, name: "blue.mbtiles")
        for (words, expected) in [
            ([], "421"), (["--origin", "https://Maps.example/"], "200"), (["--trust-forwarded"], "200"),
        ] as [([String], Substring)] {
            let (program, address) = try serve([file] + words)
            defer { program.kill() }
            #expect(try status(address, "/blue.json", "Host: maps.example:80") == expected)
            for host in ["localhost", "127.0.0.1:1", "[::1]", "LOCALHOST.", "map.localhost"] {
                #expect(try status(address, "/blue.json", "Host: \(host)") == "200", "\(host)")
            }
        }
    }

    @Test func `without a name nothing is served, and a text that is no origin is refused`() async throws {
        let nothing = await run(["serve"]), file = try Self.pyramid().write(in: home)
        #expect(nothing.status == 2 && nothing.errors.contains("name the archives, regions or sources"))
        for text in [
            "maps.example", "https://maps.example/page", "ftp://maps.example", "https://me@maps.example",
        ] {
            let run = await run(["serve", file, "--origin", text])
            #expect(run.status == 2 && run.errors.contains("is no origin"), "\(text)")
        }
    }

    @Test func `the name of a region publishes its tiles, not those that were viewed elsewhere`() async throws
    {
        let origin = try LoopbackServer { _ in
            LoopbackReply(
                200, blankPicture(.init(0x336699), side: 256),
                headers: ["Content-Type": "image/png", "Cache-Control": "max-age=3600"])
        }
        home.write(
            Array(
                """
                {"sources": [{"id": "mine", "url": "\(origin.url("/{z}/{x}/{y}.png"))",
                              "policy": {"offline": "allowed", "archives": true}}]}
                """.utf8), to: ".config/rhumb/config.json")
        #expect(await run(["render", "mine", "-c", "10,-10", "-z", "2", "--size", "20x6"]).status == 0)
        let added = await run([
            "region", "add", "home", "--source", "mine", "--bbox", "1,1,9,9", "--zooms", "2-2",
        ])
        #expect(added.status == 0, "\(added.errors)")
        for (name, elsewhere) in [("home", "404"), ("mine", "200")] as [(String, Substring)] {
            let (program, address) = try serve([name])
            defer { program.kill() }
            #expect(try status(address, "/\(name)/2/2/1.png", "Host: localhost") == "200")
            let other = try status(address, "/\(name)/2/1/1.png", "Host: localhost")
            #expect(other == elsewhere, "\(name): \(other)")
        }
    }

    @Test func `regions of two sources on one host are published under their own names`() async throws {
        let origin = try LoopbackServer { request in
            let colour = request.target.hasPrefix("/a/") ? 0x336699 : 0xCC3333
            return LoopbackReply(
                200, blankPicture(RGB(UInt32(colour)), side: 256),
                headers: ["Content-Type": "image/png", "Cache-Control": "max-age=3600"])
        }
        for (id, box) in [("one", "1,1,9,9"), ("two", "-9,1,-1,9")] {
            let path = id == "one" ? "/a/{z}/{x}/{y}.png" : "/b/{z}/{x}/{y}.png"
            let added = await run([
                "region", "add", id, "--source", origin.url(path), "--bbox", box, "--zooms", "2-2",
                "--permitted",
            ])
            #expect(added.status == 0, "\(added.errors)")
        }
        let (program, address) = try serve(["one", "two"])
        defer { program.kill() }
        #expect(try status(address, "/one/2/2/1.png", "Host: localhost") == "200")
        #expect(try status(address, "/one/2/1/1.png", "Host: localhost") == "404")
        #expect(try status(address, "/two/2/1/1.png", "Host: localhost") == "200")
        #expect(try status(address, "/two/2/2/1.png", "Host: localhost") == "404")
    }

    @Test func `a missing file and a port in use are reported`() async throws {
        let missing = await run(["serve", "nothing.pmtiles"])
        #expect(missing.status == 1 && missing.errors.contains("no such file"))
        let file = try Self.pyramid().write(in: home), (program, address) = try serve([file])
        defer { program.kill() }
        let port = try #require(address.split(separator: ":").last)
        let second = await run(["serve", file, "--port", String(port)])
        #expect(second.status == 1 && second.errors.contains("choose another port"), "\(second.errors)")
    }

    @Test(.enabled(if: access("/usr/bin/gdal_translate", X_OK) == 0, "gdal-bin is not installed"))
    func `GDAL reads the tiles`() async throws {
        let (program, address) = try serve([try Self.pyramid().write(in: home, name: "blue.mbtiles")])
        defer { program.kill() }
        let service = """
            <GDAL_WMS><Service name="TMS"><ServerUrl>\(address)/blue/${z}/${x}/${y}.png</ServerUrl></Service>
            <DataWindow><UpperLeftX>-20037508.34</UpperLeftX><UpperLeftY>20037508.34</UpperLeftY>
            <LowerRightX>20037508.34</LowerRightX><LowerRightY>-20037508.34</LowerRightY>
            <TileLevel>1</TileLevel><TileCountX>1</TileCountX><TileCountY>1</TileCountY>
            <YOrigin>top</YOrigin></DataWindow><Projection>EPSG:3857</Projection>
            <BlockSizeX>256</BlockSizeX><BlockSizeY>256</BlockSizeY><BandsCount>3</BandsCount></GDAL_WMS>
            """
        let copy = await ProgramRun.of(
            "/usr/bin/gdal_translate",
            ["-q", "-of", "XYZ", "-outsize", "2", "2", service, home.path + "/out.xyz"])
        #expect(copy.status == 0, "\(copy.errors)")
        let values = home.text("out.xyz").split(separator: "\n").compactMap { $0.split(separator: " ").last }
        #expect(values == ["51", "51", "51", "51"])
    }

    @Test(.enabled(if: access("/usr/bin/ogrinfo", X_OK) == 0, "gdal-bin is not installed"))
    func `GDAL reads the vector tiles`() async throws {
        let quay = VectorTileFixture.Feature(
            .line, through: [(0, 0), (4096, 4096)], [("name", .string("Quay"))])
        let body = VectorTileFixture([("roads", [quay])]).bytes
        var fixture = MBTilesFixture(TileID.pyramid(0...1).map { ($0, body) })
        fixture.metadata = [("name", "Roads"), ("format", "pbf"), ("minzoom", "0"), ("maxzoom", "1")]
        let (program, address) = try serve([try fixture.write(in: home, name: "roads.mbtiles")])
        defer { program.kill() }
        // A single tile, and all tiles of a zoom with the fields of the TileJSON document.
        for words in [
            ["/vsicurl/\(address)/roads/0/0/0.pbf"],
            ["-oo", "METADATA_FILE=\(address)/roads.json", "MVT:\(address)/roads/1"],
        ] {
            let run = await ProgramRun.of("/usr/bin/ogrinfo", ["-ro", "-q", "-al"] + words)
            #expect(
                run.status == 0 && run.output.contains("Quay"), "\(run.output) \(run.errors)")
        }
    }
}
