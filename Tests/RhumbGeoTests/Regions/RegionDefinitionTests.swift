import RhumbCore
import Testing

struct RegionDefinitionTests {
    private func definition(_ change: (inout RegionDefinition) -> Void = { _ in }) throws -> RegionDefinition
    {
        var definition = try RegionDefinition(
            id: RegionID("berlin.v2"), name: "Berlin \u{1B}[31mred", metadata: ["car": [1, 2.5, nil]],
            geometry: .circle(around: Coordinate(latitude: 52.5, longitude: 13.4), radius: 9000),
            zooms: ZoomRange(8, 15), sources: ["osm", "sea", "osm"], features: ["rendering"], scale: 2,
            packing: .exact)
        change(&definition)
        return definition
    }

    @Test func `a definition is read back the same from its JSON text`() throws {
        let definition = try definition()
        #expect(try RegionDefinition(json: JSON.parse(definition.json.text)) == definition)
        #expect(definition.sources == ["osm", "sea"] && definition.name == "Berlin [31mred")
        let plain = try RegionDefinition(
            id: RegionID("a"), geometry: .box(.world), zooms: ZoomRange(0, 2), sources: ["osm"], features: [])
        #expect(plain.name == "a" && plain.packing == .exact)
        #expect(try RegionDefinition(json: JSON.parse(plain.json.text)) == plain)
    }

    @Test(arguments: ["version", "id", "geometry", "zooms", "sources", "features", "scale", "exact"])
    func `a missing member is reported by name`(name: String) throws {
        var members = try #require(try definition().json.object)
        members[name] = nil
        #expect(throws: RegionDefinitionFailure.member(name)) { try RegionDefinition(json: .object(members)) }
        members[name] = [:]
        #expect(throws: RegionDefinitionFailure.self) { try RegionDefinition(json: .object(members)) }
    }

    static let wrong: [(String, JSON, RegionDefinitionFailure)] = [
        ("version", 3, .version(3)), ("zooms", [9, 3], .zooms(.reversed(9, 3))),
        ("zooms", [9], .member("zooms")),
        ("sources", [], .noSource), ("sources", [1], .member("sources")), ("scale", 9, .scale(9)),
        ("id", "a b", .id(.character(" "))),
        ("geometry", ["type": "Point"], .geometry(.type("the document has no \"coordinates\""))),
    ]

    @Test(arguments: wrong)
    func `an invalid member is rejected`(
        name: String, value: JSON, failure: RegionDefinitionFailure
    ) throws {
        var members = try #require(try definition().json.object)
        members[name] = value
        #expect(throws: failure) { try RegionDefinition(json: .object(members)) }
    }

    @Test(arguments: ["a", "Berlin-2", "0.1_x", String(repeating: "x", count: 64)])
    func `an id consists of letters, digits and a few signs`(text: String) throws {
        #expect(try RegionID(text).text == text)
    }

    @Test(
        arguments: [
            ("", .empty), (String(repeating: "x", count: 65), .tooLong), ("a/b", .character("/")),
            ("..", .beginning(".")),
            ("-x", .beginning("-")), ("é", .character("é")), ("a\u{1B}", .character("\u{1B}")),
            ("a\nb", .character("\n")),
        ] as [(String, RegionIDFailure)])
    func `an invalid id is rejected with the reason`(text: String, failure: RegionIDFailure) {
        #expect(throws: failure) { try RegionID(text) }
        #expect(!failure.description.unicodeScalars.contains("\u{1B}"))
    }

    @Test(arguments: [
        ("Lake Constance (west)", "lake-constance-west"), ("Ünter den L.", "nter-den-l"), ("日本", "region"),
        ("", "region"),
    ])
    func `an id is derived from a name`(name: String, id: String) throws {
        #expect(RegionID(from: name).text == id)
        #expect(try RegionID(id) == RegionID(from: name))
    }

    @Test func `tilesets keep the gaps between their zooms, and survive JSON`() throws {
        var near = try ZoomTileset(
            source: "osm", zooms: ZoomRange(0, 2), metadata: ["part": 1], acceptsExpired: true)
        var sharp = try ZoomTileset(source: "osm", zooms: ZoomRange(5, 6), scale: 2)
        near.origins = ["osm 256"]
        sharp.origins = ["osm 512"]
        let definition = try RegionDefinition(
            id: RegionID("a"), geometry: .box(.world), tilesets: [near, sharp], features: [])
        #expect(definition.sources == ["osm"] && definition.zooms.zooms == 0...6 && definition.scale == 2)
        #expect(definition.cover(of: "osm 256", available: 0...12).zooms == [0, 1, 2])
        #expect(definition.cover(of: "osm 512", available: 0...5).zooms == [5])
        #expect(
            definition.packs(of: "osm 512", available: 0...12).groups.map(\.description) == ["0-5", "6-10"])
        #expect(definition.acceptsExpired(of: "osm 256") && !definition.acceptsExpired(of: "osm 512"))
        #expect(definition.zoomText == "0-2, 5-6 at scale 2")
        #expect(definition.json["version"] == 2 && definition.json["zooms"] == [0, 6])
        #expect(try RegionDefinition(json: JSON.parse(definition.json.text)) == definition)
        let plain = try self.definition().json
        #expect(plain["version"] == 1 && plain["tilesets"] == nil)
        let renamed = try definition.renamed(to: RegionID("b"), name: "")
        #expect(renamed.id.text == "b" && renamed.name == "b" && renamed.tilesets == definition.tilesets)
        #expect(throws: RegionDefinitionFailure.noSource) {
            try RegionDefinition(id: RegionID("a"), geometry: .box(.world), tilesets: [], features: [])
        }
    }

    @Test func `the tiles and packs of a region follow the source's zooms`() throws {
        let definition = try definition { $0.packing = .wholePacks }
        #expect(definition.cover(available: 0...12).zooms == Array(6...12))
        #expect(definition.packs(available: 0...12).groups.count == 2)
    }

    @Test func `heights are a source with zooms of its own, added once`() throws {
        let plain = try RegionDefinition(
            id: RegionID("alps"), geometry: .box(#require(Bounds(west: 7, south: 46, east: 8, north: 47))),
            zooms: ZoomRange(10, 15), sources: ["osm"], features: ["rendering"])
        let high = try plain.withHeights(of: "heights")
        #expect(high.sources == ["osm", "heights"] && high.features == ["rendering", "terrain"])
        #expect(high.tilesets.map(\.zooms.zooms) == [10...15, 7...12])
        #expect(try high.withHeights(of: "heights") == high)
        // Heights that are shown already are a source of the region: they become its heights.
        func shown(_ sources: [String]) throws -> RegionDefinition {
            try RegionDefinition(
                id: plain.id, geometry: plain.geometry, zooms: plain.zooms, sources: sources,
                features: plain.features
            ).withHeights(of: "heights")
        }
        #expect(try shown(["osm", "heights"]).tilesets == high.tilesets)
        let alone = try shown(["heights"])
        #expect(alone.sources == ["heights"] && alone.features == ["rendering", "terrain"])
        var opened = high
        opened.tilesets[0].origins = ["osm tiles"]
        opened.tilesets[1].origins = ["heights tiles"]
        #expect(opened.zooms.zooms == 7...15)
        #expect(opened.zooms(without: ["heights tiles"]).zooms == 10...15)
        #expect(opened.zooms(of: "osm tiles") == 10...15 && opened.zooms(of: "heights tiles") == 7...12)
        var low = plain
        low.zooms = try ZoomRange(3, 5)
        #expect(try low.withHeights(of: "heights").tilesets.map(\.zooms.zooms) == [3...5, 3...7])
    }
}
