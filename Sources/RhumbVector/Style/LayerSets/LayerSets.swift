internal import RhumbBase

/// The layers of a style by the sources they draw.
public struct LayerSets: Sendable {
    /// All layers of one source.
    public struct LayerSet: Sendable {
        /// The name of the source; not for a terminal.
        public let name: String
        /// The type of the source as the style writes it; nil where the style has no such source.
        public let type: String?
        /// The number of layers of each type, in order of appearance.
        public let layers: [(type: String, count: Int)]
        /// The treatment of the set.
        public let verdict: Verdict

        /// The number of layers.
        public var count: Int { layers.reduce(0) { $0 + $1.count } }
    }

    /// The treatment of a set.
    public enum Verdict: Sendable, Equatable {
        /// All its layers are drawn.
        case drawn
        /// So many of its layers are not drawn.
        case leftOut(Int)
        /// The source is there, and no layer draws it.
        case unused
        /// It is mandatory, and as it should be.
        case complete
        /// It is mandatory; the usual layers are drawn instead, for this reason.
        case completed(problem: String)
    }

    /// The sets in the order of the style's sources, then those that only layers name, then missing mandatory
    /// ones.
    public let sets: [LayerSet]

    /// The sets of a style.
    public init(_ text: StyleText) {
        let json = text.node.value, style = text.style
        let layers = json["layers"]?.array ?? []
        let types = Dictionary(grouping: layers.compactMap { Self.subject(of: $0, layers) }, by: \.source)
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

    /// The source and type of a layer, also of an old style's layer that names another.
    private static func subject(of layer: JSON, _ layers: [JSON]) -> (source: String, type: String)? {
        let other = layer["ref"]?.string.flatMap { id in layers.first { $0["id"]?.string == id } }
        let origin = other ?? layer
        return origin["source"]?.string.map { ($0, origin["type"]?.string ?? "") }
    }

    private static func counted(_ types: [String]) -> [(type: String, count: Int)] {
        types.reduce(into: []) { counts, type in
            if let at = counts.firstIndex(where: { $0.type == type }) {
                counts[at].count += 1
            } else {
                counts.append((type, 1))
            }
        }
    }

    private static func verdict(of name: String, _ count: Int, _ drawn: Int, _ style: Style) -> Verdict {
        if let set = MandatoryLayerSet(rawValue: name) {
            return style.mandatoryLayers[set]?.problem.map { .completed(problem: $0) } ?? .complete
        }
        if count == 0 { return .unused }
        return drawn == count ? .drawn : .leftOut(count - drawn)
    }
}
