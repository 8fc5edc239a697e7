/// A vector tile in the format Mapbox Vector Tile 2.1, not compressed. Opening it only finds the layers; each
/// is decoded on demand.
public struct VectorTile: Sendable {
    /// The names of the layers, in order and unsanitised.
    public let layerNames: [String]
    /// The number of features, keys and values in all layers, which determines the memory for decoding.
    public let itemCount: Int
    let bytes: [UInt8]
    /// The size in bytes.
    public var size: Int { bytes.count }
    /// The byte range of each layer's message.
    let parts: [Range<Int>]

    /// Maximum size in bytes. Typical tiles have a few hundred thousand.
    public static let sizeLimit = 16 << 20
    /// Maximum number of features, keys and values.
    public static let itemLimit = 1 << 20

    private enum Field { static let layer: UInt64 = 3 }

    /// Finds the layers of a tile. Empty data is a tile without layers.
    /// - Throws: `VectorTileFailure` if the data is truncated, not Protocol Buffers, or beyond the limits.
    public init(_ bytes: [UInt8]) throws(VectorTileFailure) {
        var reader = WireReader(bytes, 0..<bytes.count)
        guard bytes.count <= VectorTile.sizeLimit else {
            throw reader.failure("larger than \(VectorTile.sizeLimit >> 20) MiB")
        }
        var names: [String] = [], parts: [Range<Int>] = [], items = 0
        while let field = try reader.field() {
            guard field.number == Field.layer else { continue }
            guard case .bytes(let part) = field.content else {
                throw reader.failure("a layer is not a message")
            }
            guard let layer = try VectorLayer.outline(of: part, in: bytes) else { continue }
            names.append(layer.name)
            parts.append(part)
            items += layer.items
            guard items <= VectorTile.itemLimit else {
                throw reader.failure("more than \(VectorTile.itemLimit) features, keys and values")
            }
        }
        self.bytes = bytes
        self.parts = parts
        layerNames = names
        itemCount = items
    }

    /// Returns the attribute names of a layer, without decoding its features.
    /// - Parameter index: Index of the layer in `layerNames`.
    public func keys(ofLayer index: Int) -> [String] { VectorLayer.keys(in: parts[index], of: bytes) }

    /// The name and the size in bytes of each layer, in order.
    public var layerSizes: [(name: String, bytes: Int)] { zip(layerNames, parts).map { ($0, $1.count) } }

    /// Removes some layers from a tile, leaving everything else unchanged byte for byte.
    /// - Parameter bytes: The uncompressed tile.
    /// - Returns: nil if the tile has none of the layers.
    /// - Throws: `VectorTileFailure` if the data isn't a tile.
    public static func bytes(
        _ bytes: [UInt8], without isLeftOut: (String) -> Bool
    ) throws(VectorTileFailure) -> [UInt8]? {
        var reader = WireReader(bytes, 0..<bytes.count), kept: [UInt8] = [], hasAll = true
        var start = reader.position
        while let field = try reader.field() {
            defer { start = reader.position }
            if field.number == Field.layer, case .bytes(let part) = field.content,
                let layer = try VectorLayer.outline(of: part, in: bytes), isLeftOut(layer.name)
            {
                hasAll = false
            } else {
                kept += bytes[start..<reader.position]
            }
        }
        return hasAll ? nil : kept
    }

    /// Decodes the first layer with a name; nil if there is none.
    /// - Throws: `VectorTileFailure` if the layer is damaged. Other layers may be valid.
    public func layer(named name: String) throws(VectorTileFailure) -> VectorLayer? {
        guard let index = layerNames.firstIndex(of: name) else { return nil }
        return try layer(at: index)
    }

    /// Decodes a layer.
    /// - Parameter index: Index of the layer in `layerNames`.
    /// - Throws: `VectorTileFailure` if the layer is damaged. Other layers may be valid.
    public func layer(at index: Int) throws(VectorTileFailure) -> VectorLayer {
        try VectorLayer(name: layerNames[index], parts[index], of: bytes)
    }
}
