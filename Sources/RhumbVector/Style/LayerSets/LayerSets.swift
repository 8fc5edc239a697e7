internal import RhumbBase

/// The layers of a style, grouped by source.
public struct LayerSets: Sendable {
    /// All layers of one source.
    public struct LayerSet: Sendable {
        /// The name of the source; not sanitised for terminals.
        public let name: String
        /// The type of the source in the style; nil if the style doesn't define it.
        public let type: String?
        /// The number of layers of each type, in order of first appearance.
        public let layers: [(type: String, count: Int)]
        /// The use of the set.
        public let verdict: Verdict

        /// The number of layers.
        public var count: Int { layers.reduce(0) { $0 + $1.count } }
    }

    /// The use of a set.
    public enum Verdict: Sendable, Equatable {
        /// All layers are drawn.
        case drawn
        /// This number of layers isn't drawn.
        case leftOut(Int)
        /// The style defines the source, but no layer draws it.
        case unused
        /// The set is mandatory and complete.
        case complete
        /// The set is mandatory and invalid for this reason; the standard layers are used instead.
        case completed(problem: String)
    }

    /// The sets: the style's sources in order, then sources that only layers mention, then missing mandatory
    /// sets.
    public let sets: [LayerSet]

    /// Collects the sets of a style.
    public init(_ text: StyleText) {
        let json = text.node.value, style = text.style
        let layers = json["layers"]?.array ?? []
        let byID = StyleReader.layersByID(json)
        let types = Dictionary(grouping: layers.compactMap { Self.subject(of: $0, byID) }, by: \.source)
        let drawn = Dictionary(grouping: style.layers.compactMap(\.source)) { $0 }.mapValues(\.count)
        var names = json["sources"]?.object?.names ?? []
        var known = Set(names)
        let others = layers.compactMap { $0["source"]?.string } + MandatoryLayerSet.allCases.map(\.rawValue)
        names += others.filter { known.insert($0).inserted }
        sets = names.map { name in
            let own = types[name]?.map(\.type) ?? []
            return LayerSet(
                name: name, type: json["sources"]?[name]?["type"]?.string, layers: Self.counted(own),
                verdict: Self.verdict(of: name, own.count, drawn[name] ?? 0, style))
        }
    }

    /// Returns the source and type of a layer, resolving an old style's "ref".
    private static func subject(
        of layer: JSON, _ layers: [String: JSON]
    ) -> (source: String, type: String)? {
        let origin = layer["ref"]?.string.flatMap { layers[$0] } ?? layer
        return origin["source"]?.string.map { ($0, origin["type"]?.string ?? "") }
    }

    private static func counted(_ types: [String]) -> [(type: String, count: Int)] {
        var counts: [String: Int] = [:], order: [String] = []
        for type in types {
            counts[type, default: 0] += 1
            if counts[type] == 1 { order.append(type) }
        }
        return order.map { ($0, counts[$0] ?? 0) }
    }

    private static func verdict(of name: String, _ count: Int, _ drawn: Int, _ style: Style) -> Verdict {
        if let set = MandatoryLayerSet(rawValue: name) {
            return style.mandatoryLayers[set]?.problem.map { .completed(problem: $0) } ?? .complete
        }
        if count == 0 { return .unused }
        return drawn == count ? .drawn : .leftOut(count - drawn)
    }
}
