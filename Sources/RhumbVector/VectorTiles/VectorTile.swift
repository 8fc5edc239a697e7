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

    /// Returns a tile with the layers of several tiles. Layers of one name become one layer, without repeated
    /// features; all other layers are copied byte for byte. MapLibre layers of one name must be equal.
    /// - Parameter tiles: Uncompressed tiles of one format.
    /// - Throws: `VectorTileFailure` if one is damaged, or if the layers of MapLibre Tiles can't be united.
    public static func union(_ tiles: [[UInt8]]) throws(VectorTileFailure) -> [UInt8] {
        if tiles.contains(where: isMapLibre) { return try mapLibreUnion(tiles) }
        var names: [String] = [], layers: [String: [(tile: VectorTile, index: Int)]] = [:]
        for bytes in tiles {
            let tile = try VectorTile(bytes)
            for (index, name) in tile.layerNames.enumerated() {
                if layers[name] == nil { names.append(name) }
                layers[name, default: []].append((tile, index))
            }
        }
        var united: [UInt8] = []
        for name in names {
            let parts = layers[name] ?? []
            if parts.count == 1, let only = parts.first {
                VectorTileWriter.append(3, Array(only.tile.bytes[only.tile.parts[only.index]]), to: &united)
            } else {
                var union = LayerUnion()
                for (tile, index) in parts { try union.add(tile.layer(at: index), tile.parts[index]) }
                VectorTileWriter.append(3, union.layer(named: name), to: &united)
            }
        }
        return united
    }

    /// Joins the layers of MapLibre Tiles, which need no common header.
    private static func mapLibreUnion(_ tiles: [[UInt8]]) throws(VectorTileFailure) -> [UInt8] {
        var layers: [String: [UInt8]] = [:], united: [UInt8] = []
        for bytes in tiles {
            let tile = try VectorTile(bytes)
            guard tile.isMapLibre, tile.skippedParts == nil else {
                throw VectorTileFailure(problem: "not only layers of MapLibre Tiles 1", offset: 0)
            }
            for (name, part) in zip(tile.layerNames, tile.parts) {
                let layer = Array(bytes[part])
                if layers[name] == layer { continue }
                guard layers.updateValue(layer, forKey: name) == nil else {
                    throw VectorTileFailure(
                        problem:
                            "different layers \"\(SafeText.sanitised(name, limit: 40))\" of MapLibre Tiles",
                        offset: part.lowerBound)
                }
                united += layer
            }
        }
        return united
    }
}

/// Collects the features of layers with one name.
private struct LayerUnion {
    private enum Field {
        static let name: UInt64 = 1, feature: UInt64 = 2, key: UInt64 = 3, value: UInt64 = 4
        static let extent: UInt64 = 5, version: UInt64 = 15
    }

    private var features: [UInt8] = []
    private var seen: Set<[UInt8]> = []
    private var keys = Table(Field.key)
    private var values = Table(Field.value)
    private var extent: Int?
    private var version = 1

    /// Adds a layer. The first one determines the extent.
    /// - Parameter part: The range of the layer's message.
    mutating func add(_ layer: VectorLayer, _ part: Range<Int>) throws(VectorTileFailure) {
        guard case .messages(let bytes) = layer.content else { return }
        var reader = WireReader(bytes, part), keyNumbers: [UInt64] = [], valueNumbers: [UInt64] = []
        while let field = try reader.field() {
            guard case .bytes(let message) = field.content else { continue }
            if field.number == Field.key { keyNumbers.append(keys.number(of: Array(bytes[message]))) }
            if field.number == Field.value { valueNumbers.append(values.number(of: Array(bytes[message]))) }
        }
        let scale = Double(extent ?? layer.extent) / Double(layer.extent)
        extent = extent ?? layer.extent
        version = max(version, layer.version)
        var tags: [UInt32] = [], shapes = GeometryReader()
        for feature in layer.features where layer.readTags(of: feature, into: &tags) {
            var message: [UInt8] = [], numbers: [UInt8] = []
            for (index, tag) in tags.enumerated() {
                numbers += VectorTileWriter.varint(
                    index.isMultiple(of: 2) ? keyNumbers[Int(tag)] : valueNumbers[Int(tag)])
            }
            if let id = feature.id { VectorTileWriter.append(VectorFeature.Field.id << 3, id, to: &message) }
            if !numbers.isEmpty { VectorTileWriter.append(VectorFeature.Field.tags, numbers, to: &message) }
            VectorTileWriter.append(
                VectorFeature.Field.kind << 3, UInt64(feature.kind.rawValue), to: &message)
            guard shapes.read(feature, of: layer) else { continue }
            let shape = shapes.geometry
            let parts = (0..<shape.partCount).map { shape.points[shape.part($0)].map { $0.scaled(scale) } }
            VectorTileWriter.append(
                VectorFeature.Field.geometry, VectorTileWriter.commands(feature.kind, parts), to: &message)
            if seen.insert(message).inserted {
                VectorTileWriter.append(Field.feature, message, to: &features)
            }
        }
    }

    /// Returns the message of the united layer.
    func layer(named name: String) -> [UInt8] {
        var message: [UInt8] = []
        VectorTileWriter.append(Field.name, Array(name.utf8), to: &message)
        message += features + keys.bytes + values.bytes
        VectorTileWriter.append(Field.extent << 3, UInt64(extent ?? 4096), to: &message)
        VectorTileWriter.append(Field.version << 3, UInt64(version), to: &message)
        return message
    }

    /// The distinct names or values of a layer, as encoded fields.
    private struct Table {
        private let field: UInt64
        private var numbers: [[UInt8]: UInt64] = [:]
        private(set) var bytes: [UInt8] = []

        init(_ field: UInt64) { self.field = field }

        /// Returns the index of an entry, adding it if it is new.
        mutating func number(of entry: [UInt8]) -> UInt64 {
            if let number = numbers[entry] { return number }
            numbers[entry] = UInt64(numbers.count)
            VectorTileWriter.append(field, entry, to: &bytes)
            return UInt64(numbers.count - 1)
        }
    }
}

extension VectorGeometry.Point {
    fileprivate func scaled(_ scale: Double) -> Self {
        guard scale != 1 else { return self }
        return Self(Int32(clamping: Double(x) * scale), Int32(clamping: Double(y) * scale))
    }
}

/// The reason why data is not a vector tile, or why a layer can't be read.
public struct VectorTileFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The problem in words.
    public let problem: String
    /// The offset in bytes, from 0.
    public let offset: Int

    public var description: String { "invalid vector tile: \(problem) at byte \(offset)" }
}
