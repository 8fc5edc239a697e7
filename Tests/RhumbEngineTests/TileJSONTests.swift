import RhumbCore
import RhumbEngine
import Testing

struct TileJSONTests {
    private func read(
        _ text: String, from url: String = "https://h/dir/t.json", base: SourceDefinition? = nil
    ) throws -> SourceDefinition {
        try TileJSON.read(try JSON.parse(text), from: url, id: "t", base: base)
    }

    @Test func `a document is read with all its members`() throws {
        let source = try read(
            #"""
            {"tilejson":"3.0.0","tiles":["https://a/{z}/{x}/{y}.png","https://b/{z}/{x}/{y}.png"],
             "name":"N","attribution":"<a>A</a> &amp; B","minzoom":2,"maxzoom":12,"version":"1.2.0",
             "bounds":[-10,-20,30,40],"center":[5,6,7],"other":1}
            """#)
        #expect(source.addresses.count == 2 && source.name == "N" && source.attribution == "A & B")
        #expect(source.zooms == 2...12 && source.dataVersion == "1.2.0" && source.kind == .tiles)
        #expect(source.bounds == Bounds(west: -10, south: -20, east: 30, north: 40))
        #expect(source.center == Coordinate(latitude: 6, longitude: 5) && source.centerZoom == 7)
    }

    @Test func `zooms may be texts, as in the metadata of MBTiles`() throws {
        let source = try read(
            #"{"tilejson":"2.2.0","tiles":["https://h/{z}/{x}/{y}"],"minzoom":"2","maxzoom":"5"}"#)
        #expect(source.zooms == 2...5)
    }

    @Test(arguments: [
        ("tiles/{z}/{x}/{y}", "https://h/dir/tiles/{z}/{x}/{y}"), ("/{z}/{x}/{y}", "https://h/{z}/{x}/{y}"),
        ("//o/{z}/{x}/{y}", "https://o/{z}/{x}/{y}"), ("http://o/{z}/{x}/{y}", "http://o/{z}/{x}/{y}"),
    ])
    func `templates may be relative to the document`(template: String, full: String) throws {
        #expect(try read("{\"tilejson\":\"2.2.0\",\"tiles\":[\"\(template)\"]}").addresses == [full])
    }

    @Test func `rows may count from the south`() throws {
        let source = try read(#"{"tilejson":"2.0.0","scheme":"tms","tiles":["https://h/{z}/{x}/{y}"]}"#)
        #expect(source.addresses == ["https://h/{z}/{x}/{-y}"])
    }

    @Test(arguments: [
        #""minzoom":-1"#, #""minzoom":"two""#, #""maxzoom":99"#, #""minzoom":9,"maxzoom":3"#,
        #""bounds":[1,2]"#, #""bounds":[0,50,1,40]"#, #""center":[1]"#, #""name":7"#, #""tileSize":300"#,
    ])
    func `an invalid optional member counts as absent`(member: String) throws {
        let source = try read("{\"tilejson\":\"3.0.0\",\"tiles\":[\"https://h/{z}/{x}/{y}\"],\(member)}")
        #expect(source.zooms == 0...30 && source.bounds == nil && source.center == nil && source.name == "t")
        #expect(source.tileSize == .pixels256)
    }

    @Test(arguments: [
        "{}", "[]", #"{"tilejson":"3.0.0"}"#, #"{"tilejson":"3.0.0","tiles":[]}"#,
        #"{"tilejson":"3.0.0","tiles":[7]}"#, #"{"tilejson":"4.0.0","tiles":["https://h/{z}/{x}/{y}"]}"#,
        #"{"tilejson":"3.0.0","tiles":["https://h/{z}/{x}"]}"#,
        #"{"tileInfo":{"spatialReference":{"wkid":25832}},"tiles":["tile/{z}/{y}/{x}.pbf"]}"#,
    ])
    func `a document without a required member is rejected`(text: String) {
        #expect(throws: SourceFailure.self) { try read(text) }
    }

    @Test(arguments: [#""tilejson":2,"#, #""tilejson":"1.0.0","#, ""])
    func `a document of an old or without a version is read`(version: String) throws {
        #expect(try read("{\(version)\"tiles\":[\"https://h/{z}/{x}/{y}\"]}").kind == .tiles)
    }

    @Test(arguments: [
        "https://h/{z}/{x}/{y}", "https://h/${z}/${x}/${y}", "https://h/%7Bz%7D/%7Bx%7D/%7by%7d",
    ])
    func `tokens in other spellings are read`(template: String) throws {
        #expect(
            try read("{\"tilejson\":\"3.0.0\",\"tiles\":[\"\(template)\"]}").addresses == [
                "https://h/{z}/{x}/{y}"
            ])
        let source = try SourceDefinition(address: template)
        #expect(source.kind == .tiles && source.addresses == ["https://h/{z}/{x}/{y}"])
    }

    @Test func `an address may lack its scheme, and list servers as other programs do`() throws {
        for (text, full) in [
            ("127.0.0.1:8080/{z}/{x}/{y}.png", "http://127.0.0.1:8080/{z}/{x}/{y}.png"),
            ("localhost/{z}/{x}/{y}.png", "http://localhost/{z}/{x}/{y}.png"),
            ("tile.example.org/{zoom}/{x}/{y}.png", "https://tile.example.org/{z}/{x}/{y}.png"),
            ("https://{switch:a,b}.h/{z}/{x}/{y}.png", "https://{a,b}.h/{z}/{x}/{y}.png"),
        ] {
            #expect(SourceDefinition.isAddress(text))
            #expect(try SourceDefinition(address: text).addresses == [full])
        }
        for text in [
            "tiles/{z}/{x}/{y}.png", "./a.b/{z}/{x}/{y}.png", "/a.b/{z}.png", "map.pmtiles", "a.b/c.json",
        ] {
            #expect(!SourceDefinition.isAddress(text))
        }
    }

    @Test func `a tile service of ArcGIS describes its tiles`() throws {
        let address = try SourceDefinition(address: "https://h/rest/services/World/VectorTileServer")
            .addresses[0]
        #expect(address == "https://h/rest/services/World/VectorTileServer?f=json")
        let grid = #""tileInfo":{"spatialReference":{"wkid":102100},"lods":[{"level":0},{"level":16}]}"#
        let vector = try TileJSON.read(
            JSON.parse(#"{"capabilities":"TilesOnly","tiles":["tile/{z}/{y}/{x}.pbf"],\#(grid)}"#),
            from: address, id: "t")
        #expect(vector.addresses == ["https://h/rest/services/World/VectorTileServer/tile/{z}/{y}/{x}.pbf"])
        #expect(vector.holdsVectorTiles && vector.zooms == 0...16)
        let raster = try TileJSON.read(
            JSON.parse(#"{"singleFusedMapCache":true,\#(grid)}"#), from: "https://h/a/MapServer?f=json",
            id: "t")
        #expect(raster.addresses == ["https://h/a/MapServer/tile/{z}/{y}/{x}"])
    }

    @Test func `members missing from the document are taken from the definition that named it`() throws {
        var base = SourceDefinition(id: "t", name: "Base", addresses: ["https://h/t.json"])
        base.policy.offline = .denied
        base.tileSize = .pixels512
        let source = try read(#"{"tilejson":"3.0.0","tiles":["https://h/{z}/{x}/{y}"]}"#, base: base)
        #expect(source.policy.offline == .denied && source.tileSize == .pixels512 && source.name == "Base")
    }
}
