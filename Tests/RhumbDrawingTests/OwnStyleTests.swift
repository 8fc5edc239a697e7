import RhumbCore
import RhumbDrawing
import RhumbEngine
import RhumbStore
import RhumbTestSupport
import Testing

struct OwnStyleTests {
    private static func style(_ name: String) throws -> Style {
        try Style(try #require(TestFiles.bytes("Assets/styles/\(name).json")))
    }

    @Test(arguments: ["day", "night"]) func `the own styles are wholly understood`(name: String) throws {
        let style = try Self.style(name)
        #expect(style.findings.isEmpty, "\(style.findings.map(\.description))")
        for schema in TileSchema.allCases {
            #expect(style.source(for: schema) == schema.rawValue)
            #expect(style.layers.count { $0.source == schema.rawValue } >= 4)
        }
    }

    @Test func `day and night have the same layers`() throws {
        #expect(try Self.style("day").layers.map(\.id) == Self.style("night").layers.map(\.id))
    }

    @Test(arguments: [
        (["water", "transportation", "place", "landuse"], .openMapTiles), (["earth", "roads", "water", "landuse"], .protomaps),
        (["ocean", "streets", "land", "buildings"], .shortbread), (["ocean", "lakes", "borders"], .world), (["cities"], .other), ([], .other), (["landuse"], .other),
    ] as [([String], TileSchema)])
    func `a schema is known by its layers`(names: [String], schema: TileSchema) {
        #expect(TileSchema(layerNames: names) == schema)
    }

    @Test(arguments: [
        ["vector_layers": [["id": "roads"], ["id": "earth"]]], ["json": ["vector_layers": [["id": "roads"], ["id": "earth"]]]],
        ["tilestats": ["layers": [["layer": "roads"], ["layer": "earth"]]]],
    ] as [JSON])
    func `metadata names the layers in several places`(metadata: JSON) {
        #expect(TileSchema.layerNames(in: metadata) == ["roads", "earth"])
    }

    @Test func `a style of another source is used for any schema`() throws {
        let style = try Style([
            "version": 8, "sources": ["a": ["type": "raster"], "b": ["type": "vector"], "c": ["type": "vector"]],
            "layers": [["id": "x", "type": "fill", "source": "c", "source-layer": "l"]],
        ])
        #expect(style.source(for: .protomaps) == "c")
    }

    /// The Arno flows through the tile; Florence lies on both its banks.
    @Test(.enabled(if: TestData.isPresent, "RHUMB_TEST_DATA is not set"), arguments: [(13, "day"), (14, "night"), (16, "day")])
    func `Florence has a river, ground and roads`(zoom: Int, theme: String) throws {
        let path = try #require(TestData.folder) + "/firenze-vector.pmtiles"
        let archive = try PMTilesArchive(path)
        let schema = TileSchema(layerNames: TileSchema.layerNames(in: archive.metadata))
        #expect(schema == .protomaps)
        let style = try Self.style(theme)
        let painter = VectorPainter(style, source: try #require(style.source(for: schema)))
        let bridge = Mercator.world(Coordinate(latitude: 43.768, longitude: 11.2531))
        let data = TileID(zoom: min(zoom, 14), containing: bridge)
        guard case .bitmap(.encoded(let bytes)) = try archive.tile(data) else {
            Issue.record("no tile")
            return
        }
        let tile = try VectorDrawing(archive.info, painters: [schema: painter]).tile(data, from: bytes)
        let raster = try tile.picture(of: TileID(zoom: zoom, containing: bridge), side: 512)
        var counts: [RGB: Int] = [:]
        for at in stride(from: 0, to: raster.pixels.count, by: 4) {
            counts[RGB(red: raster.pixels[at], green: raster.pixels[at + 1], blue: raster.pixels[at + 2]), default: 0] += 1
        }
        let water = RGB(theme == "day" ? 0x8CBADA : 0x11314B), street = RGB(theme == "day" ? 0xFFFFFF : 0x66727C)
        #expect(counts[water, default: 0] > 3000 && counts[street, default: 0] > 1000)
        #expect(zoom < 14 || tile.labels(at: 16, in: .local).contains { $0.text == "Ponte Vecchio" })
    }

    @Test(
        .enabled(if: TestData.isPresent, "RHUMB_TEST_DATA is not set"),
        arguments: ["osm-bright", "dark-matter", "maplibre-demo"])
    func `real styles draw real tiles`(name: String) throws {
        let style = try Style(try #require(TestData.bytes(of: "styles/\(name).json")))
        let archive = try MBTilesArchive(try #require(TestData.folder) + "/world_cities-vector.mbtiles")
        let painter = VectorPainter(style, source: try #require(style.source(for: .other)))
        guard case .bitmap(.encoded(let bytes)) = try archive.tile(.world) else {
            Issue.record("no tile")
            return
        }
        let drawing = VectorDrawing(archive.info, painters: [.other: painter])
        #expect(try drawing.tile(.world, from: bytes).picture(of: .world, side: 512).isOpaque)
    }
}
