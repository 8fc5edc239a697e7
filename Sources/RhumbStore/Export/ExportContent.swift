internal import RhumbCore

/// The tile kind of an archive being written, and the encoding of its bodies: gzip for vector tiles, none for
/// pictures.
struct ExportContent {
    /// The kind of the tiles, from the label or the first tile.
    private(set) var kind: TileKind
    private var layers: VectorLayerList
    /// The layers from the label; nil to collect them from the tiles.
    private let declaredLayers: JSON?
    /// True once the first tile was examined.
    private var isKnown = false

    init(_ label: ExportLabel) {
        declaredLayers = label.vectorLayerList
        kind = label.holdsVectorTiles ? .vector : .unknown
        layers = VectorLayerList(label.vectorLayers)
    }

    /// The value of `vector_layers`; nil for other kinds of tiles.
    var vectorLayers: JSON? {
        guard kind.isVector else { return nil }
        return declaredLayers ?? layers.json
    }

    /// Returns a body as the archive stores it.
    mutating func stored(_ body: [UInt8]) -> [UInt8] {
        if kind.isVector, isKnown, body.starts(with: [0x1F, 0x8B]) { return body }
        let plain = ExportContent.plain(body)
        if kind == .unknown || !isKnown { kind = kind.refined(by: plain) }
        isKnown = true
        if kind.isVector, body.starts(with: [0x1F, 0x8B]) { return body }
        return kind.isVector ? Gzip.packed(plain) : plain
    }

    /// Adds the layers of a stored body.
    mutating func inspect(_ stored: [UInt8]) {
        if kind.isVector, declaredLayers == nil { layers.add(ExportContent.plain(stored)) }
    }

    private static func plain(_ body: [UInt8]) -> [UInt8] {
        (try? TileBody.unwrapped(body, "", in: "")) ?? body
    }
}

extension TileKind {
    /// Returns the kind of an archive's tiles, after its first body. A picture shows that a declaration of
    /// vector tiles is wrong.
    func refined(by plain: [UInt8]) -> TileKind {
        let found = TileKind(of: plain)
        return self == .unknown || found == .mapLibre || isVector && found.isPicture ? found : self
    }
}

/// The layers of vector tiles and the attributes of their features, in the form of `vector_layers` of
/// TileJSON 3.
struct VectorLayerList {
    /// The layer names in order of discovery.
    private var names: [String]
    /// The attribute types, by layer and name.
    private var fields: [String: [String: String]] = [:]

    /// - Parameter names: The names of known layers.
    init(_ names: [String]) { self.names = names }

    /// Adds the layers of a tile. Invalid tiles are ignored.
    mutating func add(_ body: [UInt8]) {
        guard let tile = try? VectorTile(body) else { return }
        for (at, name) in tile.layerNames.enumerated() {
            if !names.contains(name) { names.append(name) }
            let types = fields[name] ?? [:]
            guard tile.keys(ofLayer: at).contains(where: { types[$0] == nil }),
                let layer = try? tile.layer(named: name)
            else { continue }
            fields[name] = types.merging(VectorLayerList.fields(of: layer)) { old, _ in old }
        }
    }

    private static func fields(of layer: VectorLayer) -> [String: String] {
        var types: [String: String] = [:], tags: [UInt32] = []
        for feature in layer.features where layer.readTags(of: feature, into: &tags) {
            for at in stride(from: 0, to: tags.count, by: 2) {
                types[layer.keys[Int(tags[at])]] = type(of: layer.values[Int(tags[at + 1])])
            }
        }
        // Unused keys have the default type.
        return types.merging(layer.keys.map { ($0, type(of: nil)) }) { used, _ in used }
    }

    private static func type(of value: VectorValue?) -> String {
        switch value {
        case .number, .integer, .unsigned: "Number"
        case .bool: "Boolean"
        case .string, .nested, nil: "String"
        }
    }

    var json: JSON {
        .array(
            names.map { name in
                var members = JSONObject()
                for (field, type) in (fields[name] ?? [:]).sorted(by: { $0.key < $1.key }) {
                    members[field] = .string(type)
                }
                return ["id": .string(name), "fields": .object(members)]
            })
    }
}

/// The zooms and area of the tiles written so far.
struct ExportExtent {
    private(set) var tiles = 0
    private(set) var zooms: ClosedRange<Int>?
    /// The columns at the deepest zoom.
    private var columns = 0...0
    private var rows = 0...0

    mutating func add(_ tile: TileID) {
        tiles += 1
        add(tile.x...tile.x, tile.y...tile.y, zoom: tile.zoom)
    }

    /// Adds tiles with consecutive PMTiles ids.
    mutating func add(_ ids: Range<UInt64>) {
        tiles = tiles.saturatingAdd(ids.count)
        for (zoom, ids) in TileRuns.zooms(of: ids) {
            for square in TileRuns.squares(ids, zoom: zoom) { add(square.columns, square.rows, zoom: zoom) }
        }
    }

    private mutating func add(_ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>, zoom: Int) {
        if let deepest = zooms?.upperBound, zoom <= deepest {
            if zoom == deepest {
                self.columns = joined(self.columns, columns)
                self.rows = joined(self.rows, rows)
            }
        } else {
            self.columns = columns
            self.rows = rows
        }
        zooms = zooms.map { joined($0, zoom...zoom) } ?? zoom...zoom
    }

    private func joined(_ a: ClosedRange<Int>, _ b: ClosedRange<Int>) -> ClosedRange<Int> {
        min(a.lowerBound, b.lowerBound)...max(a.upperBound, b.upperBound)
    }

    /// Returns west, south, east and north in degrees. Archive formats can't describe a box across the
    /// antimeridian, so it is extended around the world.
    func edges(_ declared: Bounds?) -> [Double] {
        let found = zooms.flatMap { Bounds(zoom: $0.upperBound, columns: columns, rows: rows) }
        let box = declared ?? found ?? .world
        let limit = Mercator.latitudeLimit
        let across = box.crossesAntimeridian
        return [
            across ? -180 : box.west, min(max(box.south, -limit), limit), across ? 180 : box.east,
            min(max(box.north, -limit), limit),
        ]
    }

    /// Returns the initial centre of the map.
    func center(_ declared: Bounds?) -> Coordinate {
        if let declared { return declared.center }
        let edges = edges(nil)
        return Coordinate(latitude: (edges[1] + edges[3]) / 2, longitude: (edges[0] + edges[2]) / 2)
    }
}
