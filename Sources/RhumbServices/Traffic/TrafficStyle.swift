internal import RhumbBase
internal import RhumbCells
public import RhumbVector

/// Rhumb's own style for vector tiles of traffic: worse levels are drawn over better ones, closed roads are
/// dashed, and the names of layers do not matter.
extension Style {
    /// The name of the style's only source.
    public static let trafficSource = "traffic"

    /// Returns the style of a kind of traffic in the default colours.
    /// - Parameter mode: The meaning of the flow levels.
    /// - Throws: `StyleFailure`, never.
    public static func traffic(_ kind: TrafficKind, _ mode: FlowMode) throws(StyleFailure) -> Style {
        let layers = kind == .flow ? TrafficLayers.flow(mode) : TrafficLayers.incidents
        return try Style([
            "version": 8, "name": "traffic", "sources": [trafficSource: ["type": "vector"]],
            "layers": .array(layers),
        ])
    }

    /// The source that this style draws a kind of traffic from; nil where it draws none. Names of layers
    /// count as far as all generations of the service agree.
    public func source(ofTraffic kind: TrafficKind) -> String? {
        layers.first { layer in
            layer.source != nil && layer.sourceLayer.map { TrafficLayers.isName($0, of: kind) } == true
        }?.source
    }

    /// The sources that nothing but traffic is drawn from.
    public var trafficSources: Set<String> {
        let named = layers.compactMap { layer in
            layer.sourceLayer.flatMap { name in layer.source.map { ($0, name) } }
        }
        let others = named.filter { _, name in
            !TrafficKind.allCases.contains { TrafficLayers.isName(name, of: $0) }
        }
        return Set(named.map(\.0)).subtracting(others.map(\.0))
    }
}

/// The layers of that style.
private enum TrafficLayers {
    static func isName(_ name: String, of kind: TrafficKind) -> Bool {
        let words = name.lowercased()
        guard words.hasPrefix("traffic") else { return false }
        return words.contains("incident") == (kind == .incidents)
            && (kind == .incidents || words.contains("flow"))
    }

    // MARK: Flow

    static func flow(_ mode: FlowMode) -> [JSON] {
        let (levels, end) = mode.bands
        let ends = levels.dropFirst().map(\.from) + [end]
        let open = zip(levels, ends).map { band, end in
            line(
                "traffic \(band.level)",
                ["all", isLine, ["!", isClosed], [">=", measure, .number(band.from)]]
                    + (end.isFinite ? [["<", measure, .number(end)]] : []),
                TrafficRamp.standard.colour(of: band.level), roadWidth)
        }
        let closed = line(
            "traffic closure", ["all", isLine, isClosed], TrafficRamp.standard.colour(of: .closed), roadWidth,
            dashes: true)
        return open.reversed() + [closed]
    }

    private static let isLine: JSON = ["==", ["geometry-type"], "LineString"]
    private static let measure: JSON = ["to-number", ["get", "traffic_level"], -1]
    private static let isClosed: JSON = [
        "match", ["downcase", ["to-string", ["get", "road_closure"]]],
        .array(TrafficAttributes.yes.map { .string($0) }), true, false,
    ]
    /// Main roads are wider, and all of them closer up.
    private static let roadWidth: JSON = [
        "*", ["interpolate", ["linear"], ["zoom"], 5, 1.6, 10, 2.4, 14, 4, 18, 8],
        [
            "match", ["to-string", ["get", "road_type"]], ["Motorway", "International road"], 1.4,
            ["Major road"], 1.2, ["Connecting road", "Local road", "Major local road"], 0.8,
            ["Minor local road", "Parking road", "Non public road"], 0.6, 1,
        ],
    ]

    // MARK: Incidents

    static let incidents: [JSON] = [
        line("incident road", ["all", isLine, ["!", isStanding]], nil, 3),
        line("incident closure", ["all", isLine, isStanding], nil, 3, dashes: true),
        [
            "id": "incident", "type": "circle", "source": .string(Style.trafficSource),
            "source-layer": .string(Style.anyLayer), "filter": ["==", ["geometry-type"], "Point"],
            "paint": [
                "circle-radius": 6, "circle-color": magnitude, "circle-stroke-width": 1,
                "circle-stroke-color": "#333333",
            ],
        ],
    ]

    private static let magnitude: JSON = {
        var match: [JSON] = ["match", number("magnitude")]
        for magnitude in TrafficIncident.Magnitude.allCases where magnitude != .unknown {
            match += [.integer(magnitude.rawValue), text(magnitude.colour)]
        }
        return .array(match + [text(TrafficIncident.Magnitude.unknown.colour)])
    }()

    /// A filter that is true if the road is closed or the delay is indefinite.
    private static let isStanding: JSON = [
        "any", ["==", number("icon_category"), 8], ["==", number("magnitude"), 4],
    ]

    /// An attribute as a number, of the first of several incidents; -1 for none.
    private static func number(_ name: String) -> JSON {
        ["to-number", ["get", .string(name)], ["get", .string(name + "_0")], -1]
    }

    // MARK: Words of the specification

    /// - Parameter colour: nil for that of the magnitude.
    private static func line(
        _ id: String, _ filter: [JSON], _ colour: RGB?, _ width: JSON, dashes: Bool = false
    ) -> JSON {
        [
            "id": .string(id), "type": "line", "source": .string(Style.trafficSource),
            "source-layer": .string(Style.anyLayer), "filter": .array(filter),
            "layout": ["line-cap": "round", "line-join": "round"],
            "paint": [
                "line-color": colour.map(text) ?? magnitude, "line-width": width,
                "line-dasharray": dashes ? [2, 1.5] : .null,
            ],
        ]
    }

    private static func text(_ colour: RGB) -> JSON { .string("\(colour)") }
}
