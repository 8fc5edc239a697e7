import RhumbCore
import RhumbTestSupport
import Testing

/// Expressions that read states, compare texts in a language, or compare features with shapes.
struct StateAndShapeTests {
    @Test func `the state of a feature is missing, as on a map without a pointer`() throws {
        let style = try StyleFixture.layer(paint: [
            "line-color": ["case", ["boolean", ["feature-state", "hover"], false], "#f00", "#0f0"]
        ])
        var context = try StyleFixture.context(style)
        #expect(style.findings.isEmpty)
        #expect(style.layers.first?.colour(.lineColour, &context).rgb == RGB(0x00FF00))
    }

    @Test(arguments: [("width", 4.0), ("unknown", 9)])
    func `a global state has the default that the style states`(name: String, expected: Double) throws {
        let style = try Style([
            "version": 8, "sources": ["v": ["type": "vector"]], "state": ["width": ["default": 4]],
            "layers": [
                [
                    "id": "a", "type": "line", "source": "v", "source-layer": "l",
                    "paint": ["line-width": ["coalesce", ["global-state", .string(name)], 9]],
                ]
            ],
        ])
        var context = try StyleFixture.context(style)
        #expect(style.findings.isEmpty && style.layers.first?.number(.lineWidth, &context) == expected)
    }

    @Test(arguments: [
        (#"{}"#, "==", "Åbo", "abo", "true"), (#"{"case-sensitive":true}"#, "==", "Åbo", "abo", "false"),
        (#"{"diacritic-sensitive":true}"#, "==", "Åbo", "åbo", "true"),
        (#"{"diacritic-sensitive":true}"#, "==", "Åbo", "abo", "false"), (#"{}"#, "<", "b", "Á", "false"),
        (#"{"locale":"sv"}"#, ">", "Åbo", "Zug", "true"),
        (#"{"locale":"de"}"#, "==", "Müll", "muell", "true"),
        (#"{}"#, "<", "Åbo", "Zug", "true"),
    ])
    func `collators compare letters, accents and case`(
        options: String, kind: String, first: String, second: String, expected: String
    ) throws {
        let expression = #"["\#(kind)","\#(first)","\#(second)",["collator",\#(options)]]"#
        #expect(try ExpressionTests.value(expression) == expected)
    }

    @Test func `a collator of a language without rules is reported`() throws {
        let style = try StyleFixture.layer(filter: [
            "==", ["get", "name"], "a", ["collator", ["locale": "th"]],
        ])
        #expect(style.layers.count == 1 && style.findings.first?.problem.contains("\"th\"") == true)
    }

    @Test(arguments: [
        ("12345.678", "{}", "12,345.678"), ("-0.5", "{}", "-0.5"),
        ("1e21", "{}", "1,000,000,000,000,000,000,000"),
        ("12345.678", #"{"max-fraction-digits":0}"#, "12,346"),
        ("999.996", #"{"max-fraction-digits":2}"#, "1,000"),
        ("3", #"{"min-fraction-digits":2}"#, "3.00"), ("0.00005", "{}", "0"),
        ("12345.678", #"{"locale":"de-AT"}"#, "12.345,678"), ("1234", #"{"locale":"fr"}"#, "1\u{202F}234"),
        ("1234.5", #"{"currency":"EUR"}"#, "€1,234.50"), ("1234.5", #"{"currency":"jpy"}"#, "¥1,235"),
        ("2962", #"{"unit":"meter"}"#, "2,962 m"),
    ])
    func `numbers are written as the options of number-format say`(
        number: String, options: String, expected: String
    ) throws {
        #expect(try ExpressionTests.value(#"["number-format",\#(number),\#(options)]"#) == expected)
    }

    /// The tile that contains the point 0, 0 in its north-west corner.
    private static let tile = TileID(zoom: 4, x: 8, y: 8)

    private func value(
        _ expression: JSON, _ kind: VectorFeature.Kind, _ commands: [UInt32], tile: TileID? = Self.tile
    ) throws -> Double {
        let style = try StyleFixture.layer("circle", paint: ["circle-radius": expression])
        try #require(style.findings.isEmpty)
        let fixture = VectorTileFixture([("l", [.init(kind, commands, [])])])
        let layer = try #require(try VectorTile(fixture.bytes).layer(named: "l"))
        var context = StyleContext(style, zoom: 4, tile: tile)
        context.enter(layer)
        let isEntered = context.enter(layer.features[0])
        try #require(isEntered)
        return style.layers[0].number(.circleRadius, &context)
    }

    /// Zigzag coding of a coordinate.
    private static func coded(_ value: Int32) -> UInt32 { UInt32(bitPattern: value << 1 ^ value >> 31) }

    private static let square: JSON = [
        "type": "Polygon", "coordinates": [[[1, -1], [9, -1], [9, -9], [1, -9], [1, -1]]],
    ]

    @Test(
        arguments: [
            (VectorFeature.Kind.point, [9, 800, 800], true), (.point, [9, 20, 20], false),
            (.line, [9, 800, 800, 10, 400, 400], true), (.line, [9, 800, 800, 10, 4000, 400], false),
        ] as [(VectorFeature.Kind, [UInt32], Bool)])
    func `features within a polygon are recognised`(
        kind: VectorFeature.Kind, commands: [UInt32], isWithin: Bool
    ) throws {
        let expression: JSON = ["case", ["within", Self.square], 1, 2]
        #expect(try value(expression, kind, commands) == (isWithin ? 1 : 2))
        #expect(try value(expression, kind, commands, tile: nil) == 2)
    }

    @Test func `features have a distance in metres from a shape`() throws {
        // The point is on the equator, a degree west of the square and a degree north of it.
        let point = [9, Self.coded(0), Self.coded(0)]
        let distance = try value(["distance", Self.square], .point, point)
        #expect(abs(distance - 156_897) < 100)
        #expect(try value(["distance", Self.square], .point, [9, 800, 800]) == 0)
    }

    @Test(arguments: [
        #"["within",{"type":"Point","coordinates":[1,2]}]"#, #"["within",7]"#,
        #"["distance",{"type":"GeometryCollection","geometries":[]}]"#,
        #"["distance",{"type":"Polygon","coordinates":[[["a"]]]}]"#,
    ])
    func `a shape that can't be used is reported`(expression: String) throws {
        let style = try StyleFixture.layer(paint: [
            "line-width": ["case", ["==", JSON.parse(expression), 1], 1, 2]
        ])
        #expect(style.findings.count == 1)
    }
}
