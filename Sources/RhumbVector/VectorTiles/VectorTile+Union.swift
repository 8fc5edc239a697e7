internal import RhumbBase

extension VectorTile {
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
    private var known: Set<[UInt8]> = []
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
            if known.insert(message).inserted {
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
