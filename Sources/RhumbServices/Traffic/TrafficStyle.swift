internal import RhumbBase
internal import RhumbCells
public import RhumbVector

/// Rhumb's style for vector tiles of traffic. Worse levels are drawn on top of better ones, and closed roads
/// are dashed. The names of the provider's layers don't matter.
extension Style {
    /// The name of the style's only source.
    public static let trafficSource = "traffic"

    /// Creates the style of a kind of traffic, in the standard colours.
    /// - Parameter mode: The mode that determines the levels of flow.
    /// - Throws: `StyleFailure`, in theory only.
    public static func traffic(_ kind: TrafficKind, _ mode: FlowMode) throws(StyleFailure) -> Style {
        let layers = kind == .flow ? TrafficLayers.flow(mode) : TrafficLayers.incidents
        return try Style([
            "version": 8, "name": "traffic", "sources": [trafficSource: ["type": "vector"]],
            "layers": .array(layers),
        ])
    }

    /// Returns the source from which this style draws a kind of traffic; nil if there is none. Recognises the
    /// layer names common to all versions of the service.
    public func source(ofTraffic kind: TrafficKind) -> String? {
        layers.first { layer in
            layer.source != nil && layer.sourceLayer.map { TrafficLayers.isName($0, of: kind) } == true
        }?.source
    }

    /// The sources that are used for traffic only.
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

/// The layers of the traffic style.
private enum TrafficLayers {
    static func isName(_ name: String, of kind: TrafficKind) -> Bool {
        let lowercased = name.lowercased()
        guard lowercased.hasPrefix("traffic") else { return false }
        return lowercased.contains("incident") == (kind == .incidents)
            && (kind == .incidents || lowercased.contains("flow"))
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
    /// The line width in pixels. Main roads are wider, and all roads grow with the zoom. Only the outermost
    /// expression may depend on the zoom.
    private static let roadWidth: JSON = [
        "interpolate", ["linear"], ["zoom"], 5, ["*", 1.6, roadScale], 10, ["*", 2.4, roadScale],
        14, ["*", 4, roadScale], 18, ["*", 8, roadScale],
    ]
    private static let roadScale: JSON = [
        "match", ["to-string", ["get", "road_type"]], ["Motorway", "International road"], 1.4,
        ["Major road"], 1.2, ["Connecting road", "Local road", "Major local road"], 0.8,
        ["Minor local road", "Parking road", "Non public road"], 0.6, 1,
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

    /// True if the road is closed or the delay is indefinite.
    private static let isStanding: JSON = [
        "any", ["==", number("icon_category"), 8], ["==", number("magnitude"), 4],
    ]

    /// Returns an attribute as a number, the first one's if incidents are merged; -1 if it isn't a number.
    private static func number(_ name: String) -> JSON {
        ["to-number", ["get", .string(name)], ["get", .string(name + "_0")], -1]
    }

    // MARK: Style JSON

    /// - Parameter colour: nil for the colour of the magnitude.
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
