/// A tile of shapes instead of pixels: Mapbox Vector Tile 2.1, not packed with gzip. Opening it
/// finds its layers; each is decoded when it is asked for.
public struct VectorTile: Sendable {
    /// The names of the layers in their order, as they came.
    public let layerNames: [String]
    let bytes: [UInt8]
    private let parts: [Range<Int>]

    private enum Field { static let layer: UInt64 = 3 }

    /// Finds the layers of a tile; no bytes at all are a tile without layers.
    /// - Throws: `VectorTileFailure` where the bytes are cut short or no Protocol Buffers.
    public init(_ bytes: [UInt8]) throws(VectorTileFailure) {
        var reader = WireReader(bytes, 0..<bytes.count)
        var names: [String] = [], parts: [Range<Int>] = []
        while let field = try reader.field() {
            guard field.number == Field.layer else { continue }
            guard case .bytes(let part) = field.content else { throw reader.failure("a layer is no message") }
            guard let name = try VectorLayer.name(of: part, in: bytes) else { continue }
            names.append(name)
            parts.append(part)
        }
        self.bytes = bytes
        self.parts = parts
        layerNames = names
    }

    /// The first layer of a name, decoded; nil if there is none.
    /// - Throws: `VectorTileFailure` if the layer is damaged; other layers may be sound.
    public func layer(named name: String) throws(VectorTileFailure) -> VectorLayer? {
        guard let index = layerNames.firstIndex(of: name) else { return nil }
        return try VectorLayer(name: name, parts[index], of: bytes)
    }
}
