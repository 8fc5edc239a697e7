internal import RhumbBase

/// A vector tile in the format Mapbox Vector Tile 2.1 or MapLibre Tile 1, not compressed. Opening it only
/// finds the layers; each is decoded on demand.
public struct VectorTile: Sendable {
    /// The names of the layers, in order and unsanitised.
    public let layerNames: [String]
    /// The number of features, keys and values in all layers, which determines the memory for decoding.
    public let itemCount: Int
    /// True for a MapLibre Tile.
    public var isMapLibre: Bool { frames != nil }
    /// The parts that are skipped: layers without a name, and those of a MapLibre Tile in other versions of
    /// the format; nil if there are none.
    public let skippedParts: String?
    /// The layers of a MapLibre Tile.
    let frames: [MapLibreFrame]?
    /// The headers of these layers; nil for damaged ones.
    private let headers: [MapLibreLayer?]
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
    /// - Throws: `VectorTileFailure` if the data is truncated, in neither format, or beyond the limits.
    public init(_ bytes: [UInt8]) throws(VectorTileFailure) {
        if let frames = MapLibreFrame.frames(of: bytes) {
            try self.init(frames, of: bytes)
        } else {
            try self.init(messages: bytes)
        }
    }

    /// Returns true if the bytes are a MapLibre Tile.
    package static func isMapLibre(_ bytes: [UInt8]) -> Bool { MapLibreFrame.frames(of: bytes) != nil }

    private init(messages bytes: [UInt8]) throws(VectorTileFailure) {
        var reader = WireReader(bytes, 0..<bytes.count)
        guard bytes.count <= VectorTile.sizeLimit else {
            throw reader.failure("larger than \(VectorTile.sizeLimit >> 20) MiB")
        }
        var names: [String] = [], parts: [Range<Int>] = [], items = 0, nameless = 0
        while let field = try reader.field() {
            guard field.number == Field.layer else { continue }
            guard case .bytes(let part) = field.content else {
                throw reader.failure("a layer is not a message")
            }
            guard let layer = try VectorLayer.outline(of: part, in: bytes) else {
                nameless += 1
                continue
            }
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
        frames = nil
        headers = []
        skippedParts = nameless == 0 ? nil : AmountText.count(nameless, "layer") + " without a name"
    }

    private init(_ frames: [MapLibreFrame], of bytes: [UInt8]) throws(VectorTileFailure) {
        let layers = frames.filter { $0.tag == MapLibreFrame.v1 }, skipped = frames.count - layers.count
        let isExperimental = frames.contains { $0.tag == MapLibreFrame.v2 }
        let version = isExperimental ? "the experimental version 2" : "an unknown version"
        skippedParts =
            skipped == 0 ? nil : "\(AmountText.count(skipped, "layer")) in \(version) of MapLibre Tiles"
        if let skippedParts, layers.isEmpty {
            throw VectorTileFailure(problem: "only \(skippedParts), which is not supported,", offset: 0)
        }
        guard bytes.count <= VectorTile.sizeLimit else {
            throw VectorTileFailure(problem: "larger than \(VectorTile.sizeLimit >> 20) MiB", offset: 0)
        }
        var names: [String] = [], headers: [MapLibreLayer?] = [], items = 0
        for frame in layers {
            names.append(try MapLibreLayer.name(in: frame, of: bytes))
            // Damage after the name is reported when the layer is decoded.
            headers.append(try? MapLibreLayer(frame, of: bytes))
            items += headers.last??.itemCount ?? 0
            guard items <= VectorTile.itemLimit else {
                throw VectorTileFailure(
                    problem: "more than \(VectorTile.itemLimit) features, keys and values",
                    offset: frame.body.lowerBound)
            }
        }
        self.frames = layers
        self.headers = headers
        self.bytes = bytes
        parts = layers.map(\.range)
        layerNames = names
        itemCount = items
    }

    /// Returns the attribute names of a layer, without decoding its features.
    /// - Parameter index: Index of the layer in `layerNames`.
    public func keys(ofLayer index: Int) -> [String] {
        guard frames != nil else { return VectorLayer.keys(in: parts[index], of: bytes) }
        let columns = headers[index]?.columns ?? []
        return columns.filter(\.type.isProperty).map(\.name)
    }

    /// The name and the size in bytes of each layer, in order.
    public var layerSizes: [(name: String, bytes: Int)] { zip(layerNames, parts).map { ($0, $1.count) } }

    /// Removes some layers from a tile, leaving everything else unchanged byte for byte.
    /// - Parameter bytes: The uncompressed tile.
    /// - Returns: nil if the tile has none of the layers.
    /// - Throws: `VectorTileFailure` if the data isn't a tile.
    public static func bytes(
        _ bytes: [UInt8], without isLeftOut: (String) -> Bool
    ) throws(VectorTileFailure) -> [UInt8]? {
        if let frames = MapLibreFrame.frames(of: bytes) {
            var kept: [MapLibreFrame] = []
            for frame in frames where try !isLeftOut(MapLibreLayer.name(in: frame, of: bytes)) {
                kept.append(frame)
            }
            return kept.count == frames.count ? nil : kept.flatMap { bytes[$0.range] }
        }
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
        guard let header = try header(ofLayer: index) else {
            return try VectorLayer(name: layerNames[index], parts[index], of: bytes)
        }
        return try VectorLayer(header, of: bytes)
    }

    /// Returns the header of a layer of a MapLibre Tile; nil for a Mapbox Vector Tile.
    /// - Throws: `VectorTileFailure` if it is damaged.
    func header(ofLayer index: Int) throws(VectorTileFailure) -> MapLibreLayer? {
        guard let frames else { return nil }
        if let cached = headers[index] { return cached }
        return try MapLibreLayer(frames[index], of: bytes)
    }
}
