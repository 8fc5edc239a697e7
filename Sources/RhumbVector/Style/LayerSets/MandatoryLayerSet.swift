internal import RhumbBase

/// The sets of layers that every style has, for routes and the position. Their sources have no data of their
/// own. The raw values are the source names in TomTom's styles.
public enum MandatoryLayerSet: String, Sendable, CaseIterable {
    /// The outline and the fill of the chosen route.
    case activeRoute = "tomtom-active-route"
    /// The alternatives to the chosen route.
    case inactiveRoute = "tomtom-inactive-route"
    case routeStart = "tomtom-start-route"
    case routeEnd = "tomtom-end-route"
    /// A circle around the position whose radius is the accuracy.
    case positionAccuracy = "tomtom-gpsradius"
    case position = "tomtom-position"
    /// An arrow in the direction of travel, in place of the position.
    case chevron = "tomtom-chevron"

    /// The type of all layers in the set.
    public var kind: StyleLayer.Kind {
        switch self {
        case .activeRoute, .inactiveRoute: .line
        case .positionAccuracy: .circle
        case .routeStart, .routeEnd, .position, .chevron: .symbol
        }
    }

    /// The allowed number of layers. Some sets may have an active and a dimmed layer.
    var counts: ClosedRange<Int> {
        switch self {
        case .activeRoute: 2...2
        case .routeStart, .routeEnd: 1...1
        case .inactiveRoute, .positionAccuracy, .position, .chevron: 1...2
        }
    }

    /// Returns the reason why layers don't form the set; nil if they do.
    func problem(_ source: StyleSource.Kind?, _ kinds: [StyleLayer.Kind]) -> String? {
        guard let source else { return "it is missing" }
        guard source == .geojson else { return "its source is of type \(source.rawValue), not geojson" }
        if let other = kinds.first(where: { $0 != kind }) {
            return "it has a layer of type \(other.rawValue), not \(kind.rawValue)"
        }
        guard !counts.contains(kinds.count) else { return nil }
        let wanted =
            counts.count == 1 ? "\(counts.lowerBound)" : "\(counts.lowerBound) or \(counts.upperBound)"
        return "it has \(kinds.count) of \(wanted) \(kind.rawValue) layers"
    }
}

/// The layers of a mandatory set.
public struct MandatoryLayers: Sendable {
    /// The layers from bottom to top; never empty.
    public let layers: [StyleLayer]
    /// The reason why they are the standard layers; nil if they are the style's own.
    public let problem: String?
    /// True if the second of two layers is the dimmed one, unless their ids say otherwise.
    private let isPair: Bool

    init(layers: [StyleLayer], problem: String?, of set: MandatoryLayerSet) {
        self.layers = layers
        self.problem = problem
        isPair = layers.count == 2 && [.positionAccuracy, .position, .chevron].contains(set)
    }

    /// Returns the layers for a known or a lost position; all layers if the style doesn't distinguish them.
    public func layers(isDimmed: Bool) -> [StyleLayer] {
        if hasNamedDimmed { return layers.filter { Self.isDimmed($0.id) == isDimmed } }
        return isPair ? [layers[isDimmed ? 1 : 0]] : layers
    }

    /// True if the set has separate layers for a lost position.
    public var hasDimmed: Bool { hasNamedDimmed || isPair }

    private var hasNamedDimmed: Bool { Set(layers.map { Self.isDimmed($0.id) }).count == 2 }

    private static func isDimmed(_ id: StyleLayer.ID) -> Bool {
        ["dimmed", "inactive"].contains { id.lowercased().contains($0) }
    }
}

extension StyleReader {
    /// Removes the layers of the mandatory sets from those that were read, and completes the sets.
    mutating func takeMandatoryLayers() -> [MandatoryLayerSet: MandatoryLayers] {
        let own = Dictionary(grouping: layers) { $0.source.flatMap(MandatoryLayerSet.init) }
        let sets = MandatoryLayerSet.allCases.reduce(into: [:]) { sets, set in
            sets[set] = completed(set, own[set] ?? [])
        }
        layers = own[nil] ?? []
        return sets
    }

    private mutating func completed(_ set: MandatoryLayerSet, _ own: [StyleLayer]) -> MandatoryLayers {
        let name = set.rawValue, source = sources[name]?.kind
        guard let problem = set.problem(source, own.map(\.kind)) else {
            return MandatoryLayers(layers: own, problem: nil, of: set)
        }
        if source != nil {
            note(
                StyleDiagnostic(
                    property: "sources", "\(name): \(problem); using Rhumb's own layers",
                    at: ["sources", .member(name)]))
        }
        sources[name] = StyleSource(["type": "geojson"])
        layers = []
        ids = []
        for layer in set.standard { read(layer: layer, at: nil) }
        return MandatoryLayers(layers: layers, problem: problem, of: set)
    }
}

extension MandatoryLayerSet {
    /// The layers for styles without a valid set of their own.
    var standard: [JSON] { Self.standards[self] ?? [] }

    private static let standards = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.made) })

    private var made: [JSON] {
        switch self {
        case .activeRoute: route(opacity: 1)
        case .inactiveRoute: route(opacity: 0.45)
        case .routeStart: [mark("", "◉", "#1A6FE8", size: 18)]
        case .routeEnd: [mark("", "⚑", "#C4302B", size: 18)]
        case .positionAccuracy: [radius("", "#1A6FE8"), radius("dimmed", "#808080")]
        case .position: [mark("", "●", "#1A6FE8", size: 20), mark("dimmed", "●", "#808080", size: 20)]
        case .chevron: [mark("", "▲", "#1A6FE8", size: 20), mark("dimmed", "▲", "#808080", size: 20)]
        }
    }

    private func route(opacity: JSON) -> [JSON] {
        [("outline", "#FFFFFF", Self.width(3.5, 6)), ("fill", "#1A6FE8", Self.width(2, 3.6))].map {
            part, colour, width in
            let paint: JSON = ["line-color": .string(colour), "line-width": width, "line-opacity": opacity]
            return layer(part, layout: Self.round, paint: paint)
        }
    }

    private static let round: JSON = ["line-cap": "round", "line-join": "round"]

    private static func width(_ far: JSON, _ near: JSON) -> JSON {
        ["interpolate", ["linear"], ["zoom"], 8, far, 18, near]
    }

    private func layer(_ part: String, layout: JSON, paint: JSON) -> JSON {
        [
            "id": .string(part.isEmpty ? rawValue : "\(rawValue)-\(part)"), "type": .string(kind.rawValue),
            "source": .string(rawValue), "layout": layout, "paint": paint,
        ]
    }

    private func mark(_ part: String, _ sign: JSON, _ colour: JSON, size: JSON) -> JSON {
        layer(
            part, layout: ["text-field": sign, "text-size": size, "text-allow-overlap": true],
            paint: ["text-color": colour, "text-halo-color": "#FFFFFF", "text-halo-width": 1])
    }

    private func radius(_ part: String, _ colour: JSON) -> JSON {
        layer(
            part, layout: [:],
            paint: [
                "circle-radius": ["coalesce", ["get", "radius"], 20], "circle-color": colour,
                "circle-opacity": 0.2,
                "circle-stroke-color": colour, "circle-stroke-width": 1,
            ])
    }
}
