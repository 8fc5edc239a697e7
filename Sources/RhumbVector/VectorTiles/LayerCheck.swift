internal import RhumbBase

/// The faults of a layer's features, in one tile.
public struct LayerCheck: Sendable, Equatable {
    /// The features that can't be drawn, except those that are listed as violations.
    public private(set) var faults = FeatureFaults()
    /// The number of polygons that begin with a hole, because their rings have the wrong orientation.
    public private(set) var reversedCount = 0
    /// The number of features with points more than `reach` tiles outside of the tile.
    public private(set) var distantCount = 0
    /// The violations of the format that readers tolerate, in words.
    public private(set) var violations: [String] = []

    /// Maximum distance of a point from the tile, in sides of the tile. Buffers are much narrower.
    public static let reach = 1

    /// Checks a layer of a tile. The orientation of rings is not checked in version 1, which does not define
    /// it.
    /// - Parameter index: Index of the layer in `layerNames`.
    /// - Throws: `VectorTileFailure` if the layer can't be decoded.
    public init(_ tile: VectorTile, layer index: Int) throws(VectorTileFailure) {
        let layer = try tile.layer(at: index)
        faults.add(layer.damagedCount, .message)
        if !tile.isMapLibre { violations = LayerViolations(tile.parts[index], of: tile.bytes).problems }
        var repeatedCount = 0
        var reader = GeometryReader(), tags: [UInt32] = []
        let reach = Int32(layer.extent * Self.reach), limits = -reach...Int32(layer.extent) + reach
        for feature in layer.features {
            let isRead = layer.readTags(of: feature, into: &tags)
            let reason = FeatureFaults.reason(feature, of: layer, hasAttributes: isRead, &reader)
            if let reason, reason != .type, feature.geometry != .none { faults.add(1, reason) }
            guard reason == nil || reason == .shape else { continue }
            let shape = reader.geometry
            if shape.points.contains(where: { !limits.contains($0.x) || !limits.contains($0.y) }) {
                distantCount += 1
            }
            if feature.kind == .polygon, layer.version == 2, shape.beginsWithHole { reversedCount += 1 }
            if feature.kind != .point, !tile.isMapLibre, shape.hasRepeatedPoint { repeatedCount += 1 }
        }
        if repeatedCount > 0 {
            violations.append("\(AmountText.count(repeatedCount, "feature")) with a point twice in a row")
        }
    }
}

extension VectorGeometry {
    /// True if two consecutive points of a part are equal.
    fileprivate var hasRepeatedPoint: Bool {
        (0..<partCount).contains { index in
            let range = part(index)
            return range.dropFirst().contains { points[$0] == points[$0 - 1] }
        }
    }

    /// True if the first ring with an area is a hole.
    fileprivate var beginsWithHole: Bool {
        (0..<partCount).lazy.map { doubleArea(ofPart: $0) }.first { $0 != 0 } ?? 0 < 0
    }
}

/// The violations of Mapbox Vector Tile 2.1 in the message of a layer that its readers tolerate.
struct LayerViolations {
    /// The problems of the layer, in words.
    private(set) var problems: [String] = []
    /// The numbers of features with a problem.
    private var features: [(problem: String, count: Int)] = []
    private var badValues = 0

    /// Examines a layer. Ends without a problem at damage, which the decoder reports.
    init(_ part: Range<Int>, of bytes: [UInt8]) {
        var reader = WireReader(bytes, part), version: WireReader.Content?, extent: WireReader.Content?
        var hasBadKeys = false
        while let field = try? reader.field() {
            switch (field.number, field.content) {
            case (VectorLayer.Field.version, let content): version = content
            case (VectorLayer.Field.extent, let content): extent = content
            case (VectorLayer.Field.feature, .bytes(let message)): examine(feature: message, of: bytes)
            case (VectorLayer.Field.value, .bytes(let message)):
                if !Self.isValue(message, of: bytes) { badValues += 1 }
            case (VectorLayer.Field.key, let content): if case .bytes = content {} else { hasBadKeys = true }
            default: break
            }
        }
        switch version {
        case .varint(1), .varint(2): break
        case .varint(let number): problems.append("its version \(number) is unknown")
        case nil: problems.append("it has no version")
        default: problems.append("its version is not a number")
        }
        if let extent {
            if case .varint = extent {} else { problems.append("its extent is not a number") }
        }
        if hasBadKeys { problems.append("a name of an attribute is not a text") }
        if badValues > 0 {
            problems.append("\(AmountText.count(badValues, "value")) not of exactly one known type")
        }
        problems += features.map { AmountText.count($0.count, "feature") + " " + $0.problem }
    }

    private mutating func examine(feature message: Range<Int>, of bytes: [UInt8]) {
        var reader = WireReader(bytes, message), type: UInt64?, shapes = 0, isPacked = true
        while let field = try? reader.field() {
            switch (field.number, field.content) {
            case (VectorFeature.Field.kind, .varint(let value)): type = value
            case (VectorFeature.Field.geometry, let content):
                shapes += 1
                if case .bytes = content {} else { isPacked = false }
            default: break
            }
        }
        if type == nil { note("without a type") }
        if let type, type > 3 { note("of an unknown type") }
        if shapes == 0 { note("without a geometry") }
        if shapes > 1, isPacked { note("with several geometries") }
    }

    private mutating func note(_ problem: String) {
        guard let at = features.firstIndex(where: { $0.problem == problem }) else {
            return features.append((problem, 1))
        }
        features[at].count += 1
    }

    /// Returns true if a Value message has exactly one field, of a type in the specification.
    private static func isValue(_ message: Range<Int>, of bytes: [UInt8]) -> Bool {
        var reader = WireReader(bytes, message), count = 0
        while let field = try? reader.field() {
            count += 1
            switch (field.number, field.content) {
            case (1, .bytes), (2, .fixed32), (3, .fixed64), (4...7, .varint): break
            default: return false
            }
        }
        return count == 1
    }
}
