import RhumbCore
import RhumbTestSupport
import Testing

struct LayerSetTests {
    private func text(_ sources: JSON, _ layers: [JSON]) throws -> StyleText {
        let style: JSON = ["version": 8, "sources": sources, "layers": .array(layers)]
        return try StyleText(Array(style.text.utf8))
    }

    private func layer(_ id: String, _ type: String, _ source: String) -> JSON {
        ["id": .string(id), "type": .string(type), "source": .string(source)]
    }

    private let geojson: JSON = ["type": "geojson"]

    @Test func `layers are counted by source and type, with their outcome`() throws {
        let text = try text(
            [
                "v": ["type": "vector"], "r": ["type": "raster", "url": "x"], "idle": geojson,
                "film": ["type": "video"],
            ],
            [
                ["id": "ground", "type": "background"],
                ["id": "a", "type": "line", "source": "v", "source-layer": "l"],
                ["id": "b", "type": "fill", "source": "v", "source-layer": "l"],
                ["id": "c", "ref": "a"], ["id": "d", "type": "sky", "source": "v"],
                layer("e", "raster", "r"), layer("f", "raster", "film"), layer("g", "fill", "nowhere"),
            ])
        let sets = LayerSets(text).sets
        #expect(sets.map(\.name).prefix(5) == ["v", "r", "idle", "film", "nowhere"])
        #expect(sets.prefix(5).map(\.type) == ["vector", "raster", "geojson", "video", nil])
        #expect(sets[0].layers.map { "\($0.count) \($0.type)" } == ["2 line", "1 fill", "1 sky"])
        #expect(sets.prefix(5).map(\.verdict) == [.leftOut(1), .drawn, .unused, .leftOut(1), .leftOut(1)])
    }

    @Test func `a style without the mandatory sets gets the default ones, and nothing else changes`() throws {
        let bare = try StyleFixture.layer()
        #expect(bare.layers.map(\.id) == ["a"] && bare.findings.isEmpty)
        for set in MandatoryLayerSet.allCases {
            let layers = try #require(bare.mandatoryLayers[set])
            #expect(layers.problem == "it is missing" && layers.layers.allSatisfy { $0.kind == set.kind })
        }
        #expect(bare.mandatoryLayers[.activeRoute]?.layers.count == 2)
        #expect(
            bare.mandatoryLayers[.routeStart]?.layers.count == 1
                && bare.mandatoryLayers[.routeEnd]?.layers.count == 1)
    }

    @Test(arguments: MandatoryLayerSet.allCases)
    func `a correct set is part of the style, and separate from its map`(
        set: MandatoryLayerSet
    ) throws {
        let count = set == .activeRoute ? 2 : 1,
            own = (0..<count).map { layer("own\($0)", set.kind.rawValue, set.rawValue) }
        let style = try text(
            .object([set.rawValue: geojson].reduce(into: JSONObject()) { $0[$1.key] = $1.value }), own)
        #expect(style.style.mandatoryLayers[set]?.layers.map(\.id) == (0..<count).map { "own\($0)" })
        #expect(style.style.layers.isEmpty && style.style.findings.isEmpty)
        #expect(LayerSets(style).sets.first?.verdict == .complete)
    }

    @Test(
        arguments: [
            (.activeRoute, 1, "line", "geojson", "it has 1 of 2 line layers"),
            (.activeRoute, 3, "line", "geojson", "it has 3 of 2 line layers"),
            (.routeStart, 2, "symbol", "geojson", "it has 2 of 1 symbol layers"),
            (.position, 3, "symbol", "geojson", "it has 3 of 1 or 2 symbol layers"),
            (.chevron, 0, "symbol", "geojson", "it has 0 of 1 or 2 symbol layers"),
            (.positionAccuracy, 1, "line", "geojson", "it has a layer of type line, not circle"),
            (.position, 1, "symbol", "vector", "its source is of type vector, not geojson"),
        ] as [(MandatoryLayerSet, Int, String, String, String)])
    func `a wrong set is replaced, and the reason is reported`(
        set: MandatoryLayerSet, count: Int, type: String, source: String, problem: String
    ) throws {
        var sources = JSONObject()
        sources[set.rawValue] = ["type": .string(source), "url": "x"]
        let own = (0..<count).map { number -> JSON in
            [
                "id": .string("own\(number)"), "type": .string(type), "source": .string(set.rawValue),
                "source-layer": "l",
            ]
        }
        let style = try text(.object(sources), own)
        let layers = try #require(style.style.mandatoryLayers[set])
        #expect(layers.problem == problem && !layers.layers.contains { $0.id.hasPrefix("own") })
        #expect(
            style.style.findings.map(\.problem) == ["\(set.rawValue): \(problem); using Rhumb's own layers"])
        #expect(LayerSets(style).sets.first?.verdict == .completed(problem: problem))
    }

    @Test func `where a style has an active and a dimmed version, one of them is for a lost position`() throws
    {
        let layers = try #require(try StyleFixture.layer().mandatoryLayers[.position])
        #expect(layers.layers(isDimmed: false).map(\.id) == ["tomtom-position"])
        #expect(layers.layers(isDimmed: true).map(\.id) == ["tomtom-position-dimmed"])
        let start = try #require(try StyleFixture.layer().mandatoryLayers[.routeStart])
        #expect(start.layers(isDimmed: true).count == 1)
    }

    @Test(arguments: [(["a", "b"], "a", "b"), (["inactive-a", "b"], "b", "inactive-a")])
    func `of two layers of a position the second is for a lost one, unless their ids say otherwise`(
        ids: [String], active: String, dimmed: String
    ) throws {
        let style = try Style([
            "version": 8, "sources": ["tomtom-position": ["type": "geojson"]],
            "layers": .array(
                ids.map { ["id": .string($0), "type": "symbol", "source": "tomtom-position"] }),
        ])
        let layers = try #require(style.mandatoryLayers[.position])
        #expect(layers.layers(isDimmed: false).map(\.id) == [active])
        #expect(layers.layers(isDimmed: true).map(\.id) == [dimmed] && layers.hasDimmed)
    }

    @Test func `the usual layers can be evaluated in the style that they complete`() throws {
        let style = try StyleFixture.layer(filter: ["has", "kind"], paint: ["line-width": ["get", "other"]])
        var context = try StyleFixture.context(style, zoom: 13, [("radius", .number(7))])
        let circle = try #require(style.mandatoryLayers[.positionAccuracy]?.layers.first)
        let route = try #require(style.mandatoryLayers[.activeRoute]?.layers)
        #expect(circle.number(.circleRadius, &context) == 7)
        #expect(route[0].number(.lineWidth, &context) > route[1].number(.lineWidth, &context))
    }

    private func looks() throws -> LayerSetStyle {
        let sets: [MandatoryLayerSet] = [.routeStart, .routeEnd, .position, .positionAccuracy, .chevron]
        func symbol(_ id: String, _ set: MandatoryLayerSet, _ layout: JSON, _ paint: JSON) -> JSON {
            [
                "id": .string(id), "type": "symbol", "source": .string(set.rawValue), "layout": layout,
                "paint": paint,
            ]
        }
        func circle(_ id: String, _ colour: JSON) -> JSON {
            [
                "id": .string(id), "type": "circle",
                "source": .string(MandatoryLayerSet.positionAccuracy.rawValue),
                "paint": [
                    "circle-color": colour, "circle-opacity": 0.5, "circle-stroke-width": 2,
                    "circle-stroke-color": "#000000",
                ],
            ]
        }
        let text = try text(
            .object(sets.reduce(into: JSONObject()) { $0[$1.rawValue] = geojson }),
            [
                symbol(
                    "start", .routeStart, ["text-field": "GO"],
                    ["text-color": "#FF0000", "text-halo-color": "#00FF00", "text-halo-width": 1]),
                symbol("end", .routeEnd, ["icon-image": "flag"], ["text-color": "#0000FF"]),
                symbol(
                    "here", .position, ["text-field": "o"],
                    ["text-color": ["interpolate", ["linear"], ["zoom"], 4, "#000000", 5, "#FFFFFF"]]),
                symbol("arrow", .chevron, ["text-field": "^"], ["text-color": "#FF0000"]),
                symbol("arrow-dimmed", .chevron, ["text-field": "^"], ["text-color": "#112233"]),
                circle("ring", "#FF8000"), circle("ring-dimmed", "#606060"),
            ])
        return try #require(LayerSetStyle(text.style))
    }

    @Test func `marks have the text, the icon and the colours of the style's own layers`() throws {
        let looks = try looks()
        #expect(
            looks.mark(.routeStart, zoom: 9)
                == MarkStyle(text: "GO", colour: RGB(0xFF0000), halo: RGB(0x00FF00)))
        #expect(looks.mark(.routeEnd, zoom: 9) == MarkStyle(text: "", icon: "flag", colour: RGB(0x0000FF)))
        #expect(
            looks.mark(.position, zoom: 5)?.colour == RGB(0)
                && looks.mark(.position, zoom: 6)?.colour == RGB(0xFFFFFF))
    }

    @Test func `a lost position has the dimmed layers, and is greyed where there are none`() throws {
        let looks = try looks()
        #expect(looks.mark(.chevron, isDimmed: true, zoom: 9)?.colour == RGB(0x112233))
        #expect(looks.mark(.chevron, zoom: 9)?.colour == RGB(0xFF0000))
        #expect(looks.mark(.position, isDimmed: true, zoom: 9)?.colour == RGB(0xBFBFBF))
        let circle = try #require(looks.accuracyCircle(zoom: 9))
        #expect(circle.fill == RGB(0xFF8000) && circle.opacity == 0.5 && circle.rim == RGB(0))
        #expect(looks.accuracyCircle(isDimmed: true, zoom: 9)?.fill == RGB(0x606060))
    }

    @Test func `missing or wrong sets have no style of their own`() throws {
        #expect(LayerSetStyle(try StyleFixture.layer()) == nil)
        let looks = try looks()
        #expect(
            !looks.has(.activeRoute) && looks.has(.position)
                && looks.lineColour(of: .activeRoute, zoom: 9) == nil)
        #expect(looks.mark(.positionAccuracy, zoom: 9) == nil)
    }

    @Test func `layers of the default sets don't hide a style's layers of the same names`() throws {
        let style = try text(
            ["v": ["type": "vector"]],
            [["id": "tomtom-position", "type": "line", "source": "v", "source-layer": "l"]])
        #expect(style.style.layers.count == 1 && style.style.mandatoryLayers[.position]?.layers.count == 2)
    }
}
