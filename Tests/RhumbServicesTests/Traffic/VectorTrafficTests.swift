import RhumbCore
import Testing

struct VectorTrafficTests {
    typealias Value = VectorValue
    private static let id = TileID.world

    private func content(
        _ kind: TrafficKind, _ things: [(VectorFeature.Kind, [(String, Value)])]
    ) throws -> TrafficTileContent {
        var layer = VectorTileWriter(layer: "whatever", extent: 4096)
        for (shape, attributes) in things {
            layer.add(
                shape, shape == .point ? [[.init(2048, 1024)]] : [[.init(0, 0), .init(9, 9), .init(9, 0)]],
                attributes)
        }
        return TrafficTileContent(try VectorTile(layer.bytes), at: Self.id, kind)
    }

    // MARK: Levels

    @Test(arguments: [
        (FlowMode.absolute, 130.0, TrafficLevel?.some(.free)), (.absolute, 119, .slow), (.absolute, 30, .jam),
        (.absolute, 0, .closed),
        (.relative, 1, .free), (.relative, 0.99, .slow), (.relative, 0.5, .jam), (.relative, 0.005, .closed),
        (.relativeDelay, 1, nil), (.relativeDelay, 0.9, .slow), (.reducedSensitivity, 0.8, .free),
        (.reducedSensitivity, 0.6, .slow),
        (.relative0, 0.75, .free), (.relative0, 0.5, .slow), (.relative0, 0.2, .heavy),
        (.relative0Dark, 0.1, .jam),
        (.relative0, 0, .closed), (.relative, -1, nil),
    ])
    func `a measured value has the level that the mode's images show`(
        mode: FlowMode, value: Double, level: TrafficLevel?
    ) {
        #expect(mode.level(of: value) == level)
    }

    @Test(arguments: TrafficKind.allCases, FlowMode.allCases)
    func `the built-in style is drawn completely`(kind: TrafficKind, mode: FlowMode) throws {
        let style = try Style.traffic(kind, mode)
        #expect(style.findings.isEmpty && style.layers.allSatisfy { $0.source == Style.trafficSource })
        let levels = FlowLegend(mode).entries.count
        #expect(style.layers.count == (kind == .incidents ? 3 : levels + 1))
    }

    // MARK: Other styles

    @Test(arguments: [
        ("Traffic flow", TrafficKind?.some(.flow)), ("traffic_flow", .flow),
        ("Traffic incidents flow", .incidents),
        ("Traffic incident flow", .incidents), ("Traffic incidents POI", .incidents),
        ("Traffic incident points", .incidents),
        ("transportation", nil), ("roads", nil), ("traffic signals", nil),
    ])
    func `a style's traffic layers are recognised by the names of all generations`(
        name: String, kind: TrafficKind?
    ) throws {
        let style = try Style([
            "version": 8, "sources": ["s": ["type": "vector", "url": "https://t.example"]],
            "layers": [["id": "a", "type": "line", "source": "s", "source-layer": .string(name)]],
        ])
        for each in TrafficKind.allCases {
            #expect(style.source(ofTraffic: each) == (each == kind ? "s" : nil))
        }
    }

    // MARK: Tiles

    @Test func `incidents are marked at their positions, by kind and magnitude, even with numbers as text`()
        throws
    {
        let found = try content(
            .incidents,
            [
                (.point, [("icon_category", .number(9)), ("magnitude", .number(2))]),
                (.point, [("icon_category_0", .string("6")), ("icon_category_1", .string("1"))]),
                (.line, [("icon_category", .number(8))]),
            ])
        let place = WorldPoint(x: 0.5, y: 0.25)
        #expect(
            found.signs == [
                TrafficSign(place: place, category: .roadWorks, magnitude: .moderate),
                TrafficSign(place: place, category: .jam, magnitude: .unknown),
            ])
        #expect(found.unknownCount == 0)
    }

    @Test func `unknown kinds of incidents still count as incidents`() throws {
        let found = try content(
            .incidents, [(.point, [("icon_category", .number(77)), ("magnitude", .number(1e300))])])
        #expect(found.signs.map(\.category) == [.unknown] && found.signs.map(\.magnitude) == [.unknown])
    }

    @Test(arguments: [
        (TrafficKind.flow, VectorFeature.Kind.line, [(String, Value)]()),
        (.flow, .line, [("traffic_level", .string("fast"))]),
        (.flow, .line, [("traffic_level", .bool(true))]), (.flow, .line, [("traffic_level", .number(.nan))]),
        (.flow, .line, [("traffic_level", .number(-3))]), (.flow, .polygon, [("traffic_level", .number(1))]),
        (.incidents, .point, [("name", .string("x"))]),
        (.incidents, .polygon, [("icon_category", .number(1))]),
    ])
    func `features without level and kind are counted`(
        kind: TrafficKind, shape: VectorFeature.Kind, attributes: [(String, Value)]
    ) throws {
        let found = try content(kind, [(shape, attributes)])
        #expect(found.unknownCount == 1 && found.signs.isEmpty)
    }

    @Test(arguments: [Value.bool(true), .number(1), .string("true"), .string("Yes")])
    func `a closed road needs no level`(closure: Value) throws {
        #expect(try content(.flow, [(.line, [("road_closure", closure)])]).unknownCount == 0)
    }

    @Test func `a tile truncated anywhere is rejected or counted, and never ends the program`() throws {
        var layer = VectorTileWriter(layer: "Traffic flow", extent: 4096)
        for level in 0..<20 {
            layer.add(
                .line, [[.init(0, 0), .init(9, Int32(level))]],
                [("traffic_level", .number(Double(level) / 20))])
        }
        let whole = layer.bytes
        for length in 0..<whole.count {
            guard let tile = try? VectorTile(Array(whole.prefix(length))) else { continue }
            #expect(TrafficTileContent(tile, at: Self.id, .flow).signs.isEmpty)
        }
        for at in whole.indices {
            var bytes = whole
            bytes[at] ^= 0xFF
            if let tile = try? VectorTile(bytes) { _ = TrafficTileContent(tile, at: Self.id, .incidents) }
        }
    }

    // MARK: Words

    @Test(arguments: [
        (
            FlowMode?.some(.relative),
            ["road_type": Value.string("Motorway"), "traffic_level": .number(0.45)],
            ["name Motorway", "traffic 45 % of free flow, jam"]
        ),
        (
            .absolute,
            [
                "traffic_level": .number(62.4), "traffic_road_coverage": .string("one_side"),
                "lanes": .number(2),
            ],
            ["traffic 62 km/h, slow", "for one direction", "lanes 2"]
        ),
        (.relative, ["road_closure": .bool(true), "id": .string("a")], ["traffic closed"]),
        (.relative, [:], ["traffic unknown"]),
        (
            nil,
            [
                "icon_category": .number(1), "magnitude": .number(3), "delay": .number(250),
                "description": .string("Accident\u{1B}[2J"),
            ],
            ["name accident", "reason Accident[2J", "delay 4 min, major"]
        ),
        (
            nil,
            [
                "icon_category_0": .number(8), "magnitude": .number(4), "delay": .number(0),
                "road_type": .string("Local road"),
            ],
            ["name road closed", "delay indefinite", "road Local road"]
        ),
    ])
    func `incidents at a point are described in plain words`(
        mode: FlowMode?, values: [String: Value], words: [String]
    ) {
        let told = MapFeature.trafficAttributes(values, mode).map { "\($0.name) \($0.value)" }
        #expect(told.map { $0.filter { !$0.unicodeScalars.contains("\u{FFFD}") } } == words)
    }
}
