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
