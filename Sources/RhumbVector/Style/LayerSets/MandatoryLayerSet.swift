internal import RhumbBase

/// The sets of layers that every style has: they show routes and the position. Their sources have no data of
/// their own. The raw values are the names that TomTom's styles give the sources.
public enum MandatoryLayerSet: String, Sendable, CaseIterable {
    /// A line for the outline of the chosen route, another for its fill.
    case activeRoute = "tomtom-active-route"
    /// The lines of the alternatives to the chosen route.
    case inactiveRoute = "tomtom-inactive-route"
    case routeStart = "tomtom-start-route"
    case routeEnd = "tomtom-end-route"
    /// A circle around the position, as wide as its accuracy.
    case positionAccuracy = "tomtom-gpsradius"
    case position = "tomtom-position"
    /// Points in the direction of motion, in place of the position.
    case chevron = "tomtom-chevron"

    /// The kind of all its layers.
    public var kind: StyleLayer.Kind {
        switch self {
        case .activeRoute, .inactiveRoute: .line
        case .positionAccuracy: .circle
        case .routeStart, .routeEnd, .position, .chevron: .symbol
        }
    }

    /// The number of its layers; some sets may have an active and a dimmed one.
    var counts: ClosedRange<Int> {
        switch self {
        case .activeRoute: 2...2
        case .routeStart, .routeEnd: 1...1
        case .inactiveRoute, .positionAccuracy, .position, .chevron: 1...2
        }
    }

    /// Why a style's layers don't make up the set; nil if they do.
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
    /// Bottom to top; never empty.
    public let layers: [StyleLayer]
    /// Why they are the usual ones; nil: they are the style's own.
    public let problem: String?

    /// Returns the layers for a known position, or for a lost one; all if the style makes no difference.
    public func layers(isDimmed: Bool) -> [StyleLayer] {
        hasDimmed ? layers.filter { Self.isDimmed($0.id) == isDimmed } : layers
    }

    /// True if the set has separate layers for a lost position.
    public var hasDimmed: Bool { Set(layers.map { Self.isDimmed($0.id) }).count == 2 }

    private static func isDimmed(_ id: StyleLayer.ID) -> Bool {
        ["dimmed", "inactive"].contains { id.lowercased().contains($0) }
    }
}

extension StyleReader {
    /// Takes the layers of the mandatory sets out of those that were read, and completes the sets.
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
            return MandatoryLayers(layers: own, problem: nil)
        }
        if source != nil {
            note(
                StyleFinding(
                    property: "sources", "\(name): \(problem); using Rhumb's own layers",
                    at: ["sources", .member(name)]))
        }
        sources[name] = StyleSource(["type": "geojson"])
        layers = []
        ids = []
        for layer in set.standard { read(layer: layer, at: nil) }
        return MandatoryLayers(layers: layers, problem: problem)
    }
}
