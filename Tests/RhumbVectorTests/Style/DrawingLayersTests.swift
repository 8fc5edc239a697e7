import RhumbCore
import RhumbTestSupport
import Testing

/// Tests which layers of a style draw a feature.
struct DrawingLayersTests {
    private static func layer(_ id: String, _ type: String, _ more: JSON = [:]) -> JSON {
        var layer: JSONObject = JSONObject()
        for (name, value) in [
            ("id", .string(id)), ("type", .string(type)), ("source", "v"), ("source-layer", "l"),
        ] as [(String, JSON)] {
            layer[name] = value
        }
        for name in more.object?.names ?? [] { layer[name] = more[name] }
        return .object(layer)
    }

    private static func ids(_ layers: [JSON], _ kind: VectorFeature.Kind, zoom: Double = 5) throws -> [String]
    {
        let fixture = VectorTileFixture([
            ("l", [.init(kind, through: [(0, 0), (9, 0), (9, 9)], [("class", .string("main"))])])
        ])
        let data = try #require(try VectorTile(fixture.bytes).layer(named: "l"))
        var drawing = DrawingLayers(try StyleFixture.style(layers), source: "v", zoom: zoom)
        return drawing.ids(drawing: data.features[0], of: data)
    }

    @Test
    func `the topmost layer comes first, and only those with the feature's layer, filter and zoom count`()
        throws
    {
        let layers = [
            Self.layer("casing", "line"), Self.layer("line", "line", ["filter": ["==", "class", "main"]]),
            Self.layer("path", "line", ["filter": ["==", "class", "path"]]),
            Self.layer("other", "line", ["source-layer": "m"]),
            Self.layer("near", "line", ["minzoom": 6]),
            Self.layer("hidden", "line", ["layout": ["visibility": "none"]]),
            Self.layer("name", "symbol"),
        ]
        #expect(try Self.ids(layers, .line) == ["name", "line", "casing"])
        #expect(try Self.ids(layers, .line, zoom: 6) == ["name", "near", "line", "casing"])
    }

    @Test(arguments: [
        (VectorFeature.Kind.point, ["symbol", "heatmap", "circle"]),
        (.line, ["symbol", "heatmap", "circle", "line"]),
        (.polygon, ["symbol", "heatmap", "circle", "line", "fill-extrusion", "fill"]),
    ])
    func `a layer draws features of its kind`(kind: VectorFeature.Kind, drawn: [String]) throws {
        #expect(
            try Self.ids(
                ["fill", "fill-extrusion", "line", "circle", "heatmap", "symbol"].map { Self.layer($0, $0) },
                kind) == drawn)
    }

    @Test func `a feature on several maps is listed once with all layers that draw it, points first`() {
        let street = MapFeature(
            layer: "roads", kind: .line, attributes: [.init("name", "Via Roma")], styleLayers: ["over"])
        var below = street
        below.styleLayers = ["under"]
        let tree = MapFeature(layer: "trees", kind: .point, attributes: [.init("name", "Oak")])
        let merged = MapFeature.merged([[street], [below, tree]])
        #expect(merged.map(\.layer) == ["trees", "roads"] && merged[1].styleLayers == ["over", "under"])
    }

    @Test func `ids contain no terminal control sequences`() {
        #expect(
            MapFeature(layer: "l", kind: .point, attributes: [], styleLayers: ["a\u{1B}[2J"]).styleLayers == [
                "a[2J"
            ])
    }
}
