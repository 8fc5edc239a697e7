/// An uncompressed vector tile (Mapbox Vector Tile 2.1). Opening it locates its layers; each is decoded on
/// demand.
public struct VectorTile: Sendable {
    /// The names of the layers in order, unchanged.
    public let layerNames: [String]
    /// The number of features, keys and values in its layers, which decides the memory for decoding.
    public let itemCount: Int
    let bytes: [UInt8]
    /// In bytes.
    public var size: Int { bytes.count }
    private let parts: [Range<Int>]

    /// The most bytes of a tile. Honest ones have some hundred thousand.
    public static let sizeLimit = 16 << 20
    /// The most features, keys and values of a tile.
    public static let itemLimit = 1 << 20

    private enum Field { static let layer: UInt64 = 3 }

    /// Finds the layers of a tile; no bytes at all are a tile without layers.
    /// - Throws: `VectorTileFailure` where the bytes are cut short or no Protocol Buffers, and
    ///   beyond the limits.
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

    /// The names of the attributes that a layer lists, without decoding its features.
    /// - Parameter index: of the layer, in `layerNames`.
    public func keys(ofLayer index: Int) -> [String] { VectorLayer.keys(in: parts[index], of: bytes) }

    /// The names of the layers and the bytes of each, in their order.
    public var layerSizes: [(name: String, bytes: Int)] { zip(layerNames, parts).map { ($0, $1.count) } }

    /// Returns a tile without some of its layers; everything else stays byte for byte.
    /// - Parameter bytes: The uncompressed tile.
    /// - Returns: nil if it has none of the layers.
    /// - Throws: `VectorTileFailure` if the bytes are not a tile.
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

    /// The first layer of a name, decoded; nil if there is none.
    /// - Throws: `VectorTileFailure` if the layer is damaged; other layers may be sound.
    public func layer(named name: String) throws(VectorTileFailure) -> VectorLayer? {
        guard let index = layerNames.firstIndex(of: name) else { return nil }
        return try VectorLayer(name: name, parts[index], of: bytes)
    }
}
