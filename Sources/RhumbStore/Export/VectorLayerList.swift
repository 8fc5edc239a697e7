internal import RhumbCore

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
