import RhumbCore
import RhumbTestSupport
import Testing

struct VectorLabelTests {
    private static func labels(
        _ layers: [JSON], _ features: [VectorTileFixture.Feature]
    ) throws -> [VectorLabel] {
        let tile = try VectorTile(VectorTileFixture([("l", features)]).bytes)
        return VectorTileLabels(tile, style: try StyleFixture.style(layers), source: "v", zoom: 10).labels
    }

    private static func symbols(_ id: String, _ layout: JSON, filter: JSON = nil) -> JSON {
        [
            "id": .string(id), "type": "symbol", "source": "v", "source-layer": "l", "layout": layout,
            "filter": filter,
            "paint": ["text-color": "#123456", "text-halo-color": "white", "text-halo-width": 1],
        ]
    }

    @Test func `upper layers come first, then the sort key decides`() throws {
        let features: [VectorTileFixture.Feature] = [
            .init(.point, through: [(0, 2048)], [("name", .string("Low")), ("rank", .number(9))]),
            .init(.point, through: [(1024, 1024)], [("name", .string("High")), ("rank", .number(1))]),
            .init(.point, through: [(2048, 0)], [("capital", .bool(true)), ("name", .string("Top"))]),
        ]
        let labels = try Self.labels(
            [
                Self.symbols(
                    "towns", ["text-field": "{name}", "symbol-sort-key": ["get", "rank"]],
                    filter: ["!has", "capital"]),
                Self.symbols(
                    "capitals", ["text-field": "{name}", "text-transform": "uppercase"],
                    filter: ["has", "capital"]),
            ], features)
        #expect(labels.map(\.text) == ["TOP", "High", "Low"])
        #expect(
            labels.map(\.anchor) == [.point(SIMD2(0.5, 0)), .point(SIMD2(0.25, 0.25)), .point(SIMD2(0, 0.5))])
        #expect(labels.map(\.layer) == ["capitals", "towns", "towns"])
        #expect(labels.allSatisfy { $0.colour.rgb == RGB(0x123456) && $0.halo.rgb == RGB(0xFFFFFF) })
    }

    @Test func `points in the margin are left to the neighbouring tile`() throws {
        let points = [(-1, 0), (0, 0), (4095, 4095), (4096, 0)].map { point in
            VectorTileFixture.Feature(.point, through: [point], [("name", .string("\(point.0)"))])
        }
        #expect(
            try Self.labels([Self.symbols("a", ["text-field": "{name}"])], points).map(\.text) == [
                "0", "4095",
            ])
    }

    @Test func `a street's name follows its line`() throws {
        let street = VectorTileFixture.Feature(
            .line, through: [(0, 0), (4096, 2048)], [("name", .string("Via Laura"))])
        let labels = try Self.labels(
            [Self.symbols("a", ["text-field": "{name}", "symbol-placement": "line"])], [street])
        #expect(labels.map(\.anchor) == [.line([SIMD2(0, 0), SIMD2(1, 0.5)])])
    }

    @Test func `a lake's name is in its middle`() throws {
        let lake = VectorTileFixture.Feature(
            .polygon, through: [(0, 0), (2048, 0), (2048, 1024), (0, 1024)], [("name", .string("Lago"))])
        let labels = try Self.labels([Self.symbols("a", ["text-field": "{name}"])], [lake])
        #expect(labels.map(\.anchor) == [.point(SIMD2(0.25, 0.125))])
    }

    @Test func `texts contain no terminal control sequences and are never empty`() throws {
        let features = ["A\u{1B}[2J\nB", "\u{1B}", ""].map { text in
            VectorTileFixture.Feature(.point, through: [(1, 1)], [("name", .string(text))])
        }
        #expect(
            try Self.labels([Self.symbols("a", ["text-field": "{name}"])], features).map(\.text) == ["A[2J B"]
        )
    }

    @Test(
        arguments: [
            ([("name", "Firenze"), ("name:en", "Florence")], "Firenze Florence Firenze Firenze"),
            (
                [("name", "Firenze"), ("name_en", "Florence"), ("name_de", "Florenz")],
                "Firenze Florence Firenze Florenz"
            ),
            ([("name", "東京"), ("name:latin", "Tōkyō")], "東京 Tōkyō Tōkyō Tōkyō"),
            ([("name", "東京"), ("name:en", "Tokyo"), ("name:de", "Tokio")], "東京 Tokyo Tokyo Tokio"),
            ([("name", "Siena")], "Siena Siena Siena Siena"), ([("name", "東京")], "東京 東京 東京 東京"),
        ] as [([(String, String)], String)])
    func `a plain name is read in the requested language`(
        names: [(String, String)], texts: String
    ) throws {
        let feature = VectorTileFixture.Feature(
            .point, through: [(1, 1)], names.map { ($0.0, .string($0.1)) })
        let tile = try VectorTile(VectorTileFixture([("l", [feature])]).bytes)
        for field in ["{name}", ["coalesce", ["get", "name"], ""]] as [JSON] {
            let style = try StyleFixture.style([Self.symbols("a", ["text-field": field])])
            let found = [NameLanguage.local, .english, .usual, .code("de")].map { language in
                VectorTileLabels(tile, style: style, source: "v", zoom: 10, language: language).labels.first?
                    .text
            }
            #expect(found == texts.split(separator: " ").map(String.init))
        }
    }

    @Test(arguments: ["name:latin", "name_int", "name:en", "name_en"])
    func `in a layer without plain names, styles get those of another attribute`(key: String) throws {
        let named = VectorTileFixture.Feature(.point, through: [(1, 1)], [(key, .string("Fontvieille"))])
        let other = VectorTileFixture.Feature(.point, through: [(9, 9)], [("class", .string("park"))])
        let filters: [JSON] = [["has", "name"], ["==", "name", "Fontvieille"]]
        for filter in filters {
            let layer = Self.symbols("a", ["text-field": "{name}"], filter: filter)
            #expect(try Self.labels([layer], [named, other]).map(\.text) == ["Fontvieille"])
        }
    }

    @Test func `an icon without a name is preserved, and the padding around names is read`() throws {
        let feature = VectorTileFixture.Feature(.point, through: [(1, 1)], [("kind", .string("parking"))])
        let labels = try Self.labels(
            [Self.symbols("a", ["text-field": "{name}", "icon-image": "{kind}", "text-padding": 12])],
            [feature])
        #expect(labels.map(\.text) == [""] && labels.first?.icon == "parking" && labels.first?.padding == 12)
    }

    @Test(arguments: [(-1e308, 0.0), (1e308, 1024), (9.3e18, 1024)])
    func `the padding around names is bounded, whatever a style requests`(
        padding: Double, bounded: Double
    ) throws {
        let feature = VectorTileFixture.Feature(.point, through: [(1, 1)], [("name", .string("A"))])
        let labels = try Self.labels(
            [Self.symbols("a", ["text-field": "{name}", "text-padding": .number(padding)])], [feature])
        #expect(labels.map(\.padding) == [bounded])
    }
}
