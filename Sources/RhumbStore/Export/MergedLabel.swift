internal import RhumbCore

/// The metadata of a merged archive.
struct MergedLabel {
    /// The label; nil without archives.
    let label: ExportLabel?

    init(_ inputs: [ArchiveInput]) {
        let all = inputs.map { ArchiveMetadata($0.archive) }
        guard let first = inputs.first, var merged = all.first else {
            label = nil
            return
        }
        for other in all.dropFirst() {
            for name in other.members.names where merged.members[name] == nil {
                merged.members[name] = other.members[name]
            }
        }
        merged.members["tilestats"] = nil
        merged.members["attribution"] = MergedLabel.attribution(all)
        merged.members["vector_layers"] = MergedLabel.layers(all)
        merged.bounds = MergedLabel.bounds(all)
        merged.center = nil
        merged.centerZoom = nil
        label = merged.label(for: first)
    }

    /// Returns the different attributions, separated by commas; nil if there are none.
    private static func attribution(_ all: [ArchiveMetadata]) -> JSON? {
        var texts: [String] = []
        for text in all.compactMap({ $0.members["attribution"]?.string }) where !text.isEmpty {
            if !texts.contains(where: { $0.contains(text) }) { texts.append(text) }
        }
        guard !texts.isEmpty else { return nil }
        return .string(texts.joined(separator: ", "))
    }

    /// Returns the layers of all archives; nil if one does not list them, so that they are collected from the
    /// tiles.
    private static func layers(_ all: [ArchiveMetadata]) -> JSON? {
        var names: [String] = [], layers: [String: JSONObject] = [:]
        for metadata in all {
            guard let list = metadata.members["vector_layers"]?.array else { return nil }
            for layer in list.compactMap(\.object) {
                guard let name = layer["id"]?.string else { return nil }
                if let known = layers[name] {
                    layers[name] = joined(known, layer)
                } else {
                    names.append(name)
                    layers[name] = layer
                }
            }
        }
        return .array(names.compactMap { layers[$0].map(JSON.object) })
    }

    private static func joined(_ first: JSONObject, _ second: JSONObject) -> JSONObject {
        var layer = first
        for name in second.names where layer[name] == nil { layer[name] = second[name] }
        if var fields = first["fields"]?.object, let more = second["fields"]?.object {
            for name in more.names where fields[name] == nil { fields[name] = more[name] }
            layer["fields"] = .object(fields)
        }
        for (name, choose) in [("minzoom", min), ("maxzoom", max)] as [(String, (Int, Int) -> Int)] {
            guard let own = first[name]?.int, let other = second[name]?.int else { continue }
            layer[name] = .integer(choose(own, other))
        }
        return layer
    }

    /// Returns the box around the bounds of all archives; nil if one is unknown or crosses the antimeridian,
    /// so that it is computed from the tiles.
    private static func bounds(_ all: [ArchiveMetadata]) -> Bounds? {
        let boxes = all.compactMap(\.bounds)
        guard let first = boxes.first, boxes.count == all.count, !boxes.contains(where: \.crossesAntimeridian)
        else { return nil }
        return boxes.dropFirst().reduce(first) { $0.union($1) }
    }
}
