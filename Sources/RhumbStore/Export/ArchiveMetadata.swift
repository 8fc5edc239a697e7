internal import RhumbCore
internal import RhumbEngine

/// The metadata of an archive in a form that is the same for all formats.
struct ArchiveMetadata {
    /// The members, without those that writers derive from the tiles, and without the bounds and the centre.
    var members: JSONObject
    /// The declared bounds; nil if unknown.
    var bounds: Bounds?
    /// The declared centre; nil if unknown.
    var center: Coordinate?
    /// The declared initial zoom; nil if unknown.
    var centerZoom: Int?

    private static let derived = ["format", "minzoom", "maxzoom", "bounds", "center", "scheme"]

    init(_ archive: any TileArchive) {
        members = ArchiveMetadata.flat(archive)
        for name in ArchiveMetadata.derived { members[name] = nil }
        bounds =
            archive is PMTilesArchive || archive is VersaTilesArchive
            ? archive.info.bounds : ArchiveDescription(metadata: archive.metadata).bounds
        center = archive.info.center
        centerZoom = archive.info.centerZoom.map { Int(clamping: $0) }
    }

    /// Returns the members. Those of the row "json" of MBTiles are moved to the top.
    private static func flat(_ archive: any TileArchive) -> JSONObject {
        var members = archive.metadata.object ?? JSONObject()
        guard archive is MBTilesArchive, let nested = members["json"]?.object else { return members }
        members["json"] = nil
        for name in nested.names where members[name] == nil { members[name] = nested[name] }
        return members
    }

    /// Returns the label of a copy.
    /// - Parameter input: The archive that provides a name if the metadata has none.
    func label(for input: ArchiveInput) -> ExportLabel {
        let info = input.archive.info
        var label = ExportLabel(name: members["name"]?.string ?? info.name)
        label.isOverlay = info.isOverlay
        label.holdsVectorTiles = input.holdsVectorTiles
        label.vectorLayerList = members["vector_layers"]
        label.bounds = bounds
        label.center = center
        label.centerZoom = centerZoom
        label.more = members
        return label
    }
}

/// The changes of the metadata from one archive to another.
extension ArchiveMetadata {
    /// Returns the members that differ. The order of members in objects does not count. Bounds and centres
    /// are compared only if both archives declare them.
    func changes(to other: ArchiveMetadata) -> [ArchiveDiff.MetadataChange] {
        var changes: [ArchiveDiff.MetadataChange] = []
        let names = members.names + other.members.names.filter { members[$0] == nil }
        for name in names {
            let first = value(name), second = other.value(name)
            if first.map(ArchiveMetadata.sorted) != second.map(ArchiveMetadata.sorted) {
                changes.append(.init(name: name, first: first, second: second))
            }
        }
        let numbers = [("bounds", edges, other.edges), ("center", position, other.position)]
        for (name, first, second) in numbers {
            guard let first, let second, zip(first, second).contains(where: { abs($0 - $1) > 2e-7 }) else {
                continue
            }
            func json(_ values: [Double]) -> JSON { .array(values.map(JSON.number)) }
            changes.append(.init(name: name, first: json(first), second: json(second)))
        }
        return changes
    }

    private func value(_ name: String) -> JSON? {
        guard name == "type" else { return members[name] }
        return members[name] ?? "baselayer"
    }

    private var edges: [Double]? {
        let limit = Mercator.latitudeLimit
        return bounds.map { [$0.west, max($0.south, -limit), $0.east, min($0.north, limit)] }
    }

    private var position: [Double]? { center.map { [$0.longitude, $0.latitude] } }

    private static func sorted(_ value: JSON) -> JSON {
        switch value {
        case .array(let values): return .array(values.map(sorted))
        case .object(let members):
            var result = JSONObject()
            for name in members.names.sorted() { result[name] = members[name].map(sorted) }
            return .object(result)
        case .null, .bool, .integer, .unsigned, .number, .string: return value
        }
    }
}

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
                if let previous = layers[name] {
                    layers[name] = joined(previous, layer)
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
