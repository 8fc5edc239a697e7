internal import RhumbBase

/// The differences between the features of a layer in two vector tiles.
public struct LayerDifference: Sendable, Equatable {
    /// The kind of difference.
    public enum Kind: String, Sendable, CaseIterable { case added, removed, changed }

    /// A feature that differs.
    public struct Feature: Sendable, Equatable {
        /// The kind of difference.
        public let kind: Kind
        /// The feature in the first tile; nil if added.
        public let first: VectorFeature?
        /// The feature in the second tile; nil if removed.
        public let second: VectorFeature?
        /// The names of the attributes that differ, sorted; empty unless changed.
        public let fields: [String]
        /// True if the feature is changed and its shape differs.
        public let hasOtherShape: Bool

        /// The id; nil if there is none.
        public var id: UInt64? { second?.id ?? first?.id }
    }

    /// The name, not sanitised.
    public let name: String
    /// The layer in the first tile; nil if it lacks the layer.
    public let first: VectorLayer?
    /// The layer in the second tile; nil if it lacks the layer.
    public let second: VectorLayer?
    /// The features that differ: removed and changed ones in the order of the first tile, then added ones.
    public let features: [Feature]

    public static func == (a: Self, b: Self) -> Bool { a.name == b.name && a.features == b.features }
}

extension VectorTile {
    /// Compares the features of two tiles. A feature is unchanged if the other tile has one with the same
    /// shape and attributes. Others are matched by id or, without ids, by shape or else by attributes; such a
    /// pair is a changed feature. Shapes are compared in tile units.
    /// - Parameters:
    ///   - first: The old tile; nil if there is none.
    ///   - second: The new tile; nil if there is none.
    /// - Returns: The layers that differ, in the order of the tiles.
    /// - Throws: `VectorTileFailure` if a layer is damaged.
    public static func differences(
        _ first: VectorTile?, _ second: VectorTile?
    ) throws(VectorTileFailure) -> [LayerDifference] {
        let own = first?.numberedNames ?? [], its = second?.numberedNames ?? []
        var found: [LayerDifference] = []
        for name in own + its.filter({ !own.contains($0) }) {
            let old = try own.firstIndex(of: name).flatMap { at throws(VectorTileFailure) in
                try first?.layer(at: at)
            }
            let new = try its.firstIndex(of: name).flatMap { at throws(VectorTileFailure) in
                try second?.layer(at: at)
            }
            let features = FeatureMatching(old, new).result
            if !features.isEmpty {
                found.append(LayerDifference(name: name.name, first: old, second: new, features: features))
            }
        }
        return found
    }

    /// The names of the layers, with a number that tells apart layers of one name.
    private var numberedNames: [LayerName] {
        var counts: [String: Int] = [:]
        return layerNames.map { name in
            counts[name, default: 0] += 1
            return LayerName(name: name, number: counts[name] ?? 0)
        }
    }
}

private struct LayerName: Hashable {
    let name: String
    let number: Int
}

/// Finds the counterparts of features.
private struct FeatureMatching {
    private struct Content: Hashable {
        let shape: Shape
        let attributes: [String: VectorValue]
    }

    private struct Shape: Hashable {
        let kind: VectorFeature.Kind
        let commands: [UInt32]
        let extent: Int
    }

    private let old: [(feature: VectorFeature, content: Content)]
    private let new: [(feature: VectorFeature, content: Content)]
    private var openOld: [Int]
    private var openNew: [Int]
    private var pairs: [(old: Int, new: Int)] = []

    init(_ first: VectorLayer?, _ second: VectorLayer?) {
        old = first.map(Self.contents) ?? []
        new = second.map(Self.contents) ?? []
        openOld = Array(old.indices)
        openNew = Array(new.indices)
        match { $1 }
        pairs = []
        match { feature, _ in feature.id }
        match { feature, content in feature.id == nil ? content.shape : nil }
        match { feature, content in
            feature.id == nil && !content.attributes.isEmpty ? content.attributes : nil
        }
    }

    private static func contents(
        _ layer: VectorLayer
    ) -> [(feature: VectorFeature, content: Content)] {
        layer.features.map { feature in
            var commands: [UInt32] = []
            _ = layer.appendNumbers(
                VectorFeature.Field.geometry, feature.geometry, of: feature, to: &commands)
            let shape = Shape(kind: feature.kind, commands: commands, extent: layer.extent)
            let attributes = (layer.attributes(of: feature) ?? [:]).mapValues(comparable)
            return (feature, Content(shape: shape, attributes: attributes))
        }
    }

    /// Returns a value that equals itself: NaN becomes null, which tiles don't have.
    private static func comparable(_ value: VectorValue) -> VectorValue {
        if case .number(let number) = value, number.isNaN { return .nested(.null) }
        return value
    }

    /// Pairs the remaining features with equal keys, in order.
    private mutating func match<Key: Hashable>(_ key: (VectorFeature, Content) -> Key?) {
        guard !openOld.isEmpty, !openNew.isEmpty else { return }
        var indices: [Key: [Int]] = [:]
        for at in openNew.reversed() {
            if let key = key(new[at].feature, new[at].content) { indices[key, default: []].append(at) }
        }
        var left: [Int] = [], matched: Set<Int> = []
        for at in openOld {
            guard let key = key(old[at].feature, old[at].content), let other = indices[key]?.popLast() else {
                left.append(at)
                continue
            }
            pairs.append((at, other))
            matched.insert(other)
        }
        openOld = left
        openNew.removeAll(where: matched.contains)
    }

    /// The features that differ.
    var result: [LayerDifference.Feature] {
        let removed = openOld.map { (at: $0, feature: feature(.removed, first: $0, second: nil)) }
        let changed = pairs.map { (at: $0.old, feature: feature(.changed, first: $0.old, second: $0.new)) }
        return (removed + changed).sorted { $0.at < $1.at }.map(\.feature)
            + openNew.map { feature(.added, first: nil, second: $0) }
    }

    private func feature(_ kind: LayerDifference.Kind, first: Int?, second: Int?) -> LayerDifference.Feature {
        var fields: [String] = [], hasOtherShape = false
        if let first, let second {
            let a = old[first].content, b = new[second].content
            fields = Set(a.attributes.keys).union(b.attributes.keys)
                .filter { a.attributes[$0] != b.attributes[$0] }.sorted()
            hasOtherShape = a.shape != b.shape
        }
        return .init(
            kind: kind, first: first.map { old[$0].feature }, second: second.map { new[$0].feature },
            fields: fields, hasOtherShape: hasOtherShape)
    }
}
