internal import RhumbBase

/// The faults of a layer's features, in one tile.
public struct LayerCheck: Sendable, Equatable {
    /// The number of features whose message, attributes or geometry is damaged.
    public private(set) var damagedCount: Int
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
        damagedCount = layer.damagedCount
        if !tile.isMapLibre { violations = LayerViolations(tile.parts[index], of: tile.bytes).problems }
        var repeatedCount = 0
        var reader = GeometryReader(), tags: [UInt32] = []
        let reach = Int32(layer.extent * Self.reach), limits = -reach...Int32(layer.extent) + reach
        for feature in layer.features {
            guard layer.readTags(of: feature, into: &tags),
                feature.kind == .unknown || reader.read(feature, of: layer)
            else {
                damagedCount += 1
                continue
            }
            guard feature.kind != .unknown else { continue }
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
