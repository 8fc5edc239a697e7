/// The faults of a layer's features, in one tile.
public struct LayerCheck: Sendable, Equatable {
    /// The number of features whose message, attributes or geometry is damaged.
    public private(set) var damagedCount: Int
    /// The number of polygons that begin with a hole, because their rings have the wrong orientation.
    public private(set) var reversedCount = 0
    /// The number of features with points more than `reach` tiles outside of the tile.
    public private(set) var distantCount = 0

    /// Maximum distance of a point from the tile, in sides of the tile. Buffers are much narrower.
    public static let reach = 1

    /// Checks a layer. The orientation of rings is not checked in version 1, which does not define it.
    public init(_ layer: VectorLayer) {
        damagedCount = layer.damagedCount
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
        }
    }
}

extension VectorGeometry {
    /// True if the first ring with an area is a hole.
    fileprivate var beginsWithHole: Bool {
        (0..<partCount).lazy.map { doubleArea(ofPart: $0) }.first { $0 != 0 } ?? 0 < 0
    }
}
