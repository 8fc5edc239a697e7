internal import RhumbBase

/// The number and the size of a layer's contents, in one tile or in many. Sizes are uncompressed.
public struct LayerSize: Sendable, Equatable {
    /// The number of valid features.
    public internal(set) var features = 0
    /// The number of points of all shapes. The first point of a ring isn't repeated at its end.
    public internal(set) var vertices = 0
    /// The size in bytes of attribute names, values, and the references of features to them.
    public internal(set) var attributeBytes = 0
    /// The size in bytes.
    public internal(set) var bytes = 0

    /// Creates the size of an empty layer.
    public init() {}

    /// Adds the contents of tiles with equal layers.
    /// - Parameter count: The number of such tiles.
    public mutating func add(_ other: LayerSize, times count: Int = 1) {
        func sum(_ own: Int, _ more: Int) -> Int { own.saturatingAdd(more.saturatingMultiply(count)) }
        features = sum(features, other.features)
        vertices = sum(vertices, other.vertices)
        attributeBytes = sum(attributeBytes, other.attributeBytes)
        bytes = sum(bytes, other.bytes)
    }
}

extension VectorTile {
    /// Returns the number and the size of a layer's contents.
    /// - Parameter index: Index of the layer in `layerNames`.
    /// - Throws: `VectorTileFailure` if the layer is damaged.
    public func size(ofLayer index: Int) throws(VectorTileFailure) -> LayerSize {
        let layer = try layer(at: index)
        var size = LayerSize(), reader = GeometryReader()
        size.features = layer.features.count
        size.bytes = parts[index].count
        for feature in layer.features where reader.read(feature, of: layer) {
            size.vertices += reader.geometry.points.count
        }
        size.attributeBytes =
            if let header = try header(ofLayer: index) {
                header.attributeBytes
            } else {
                try VectorLayer.attributeBytes(in: parts[index], of: bytes)
            }
        return size
    }
}

extension VectorLayer {
    /// Returns the size of a layer's names, values and tags, with the headers of their fields.
    fileprivate static func attributeBytes(
        in part: Range<Int>, of bytes: [UInt8]
    ) throws(VectorTileFailure) -> Int {
        var reader = WireReader(bytes, part), start = reader.position, sum = 0
        while let field = try reader.field() {
            switch (field.number, field.content) {
            case (Field.key, _), (Field.value, _): sum += reader.position - start
            case (Field.feature, .bytes(let message)): sum += tagBytes(in: message, of: bytes)
            default: break
            }
            start = reader.position
        }
        return sum
    }

    private static func tagBytes(in message: Range<Int>, of bytes: [UInt8]) -> Int {
        var reader = WireReader(bytes, message), start = reader.position, sum = 0
        while let field = try? reader.field() {
            if field.number == VectorFeature.Field.tags { sum += reader.position - start }
            start = reader.position
        }
        return sum
    }
}
