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
        #""minzoom":-1"#, #""minzoom":"2""#, #""maxzoom":99"#, #""minzoom":9,"maxzoom":3"#,
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
        #"{"tiles":["https://h/{z}/{x}/{y}"]}"#, #"{"tilejson":"3.0.0","tiles":["https://h/{z}/{x}"]}"#,
        #"{"tilejson":3,"tiles":["https://h/{z}/{x}/{y}"]}"#,
    ])
    func `a document without a required member is rejected`(text: String) {
        #expect(throws: SourceFailure.self) { try read(text) }
    }

    @Test func `members missing from the document are taken from the definition that named it`() throws {
        var base = SourceDefinition(id: "t", name: "Base", addresses: ["https://h/t.json"])
        base.policy.offline = .denied
        base.tileSize = .pixels512
        let source = try read(#"{"tilejson":"3.0.0","tiles":["https://h/{z}/{x}/{y}"]}"#, base: base)
        #expect(source.policy.offline == .denied && source.tileSize == .pixels512 && source.name == "Base")
    }
}
