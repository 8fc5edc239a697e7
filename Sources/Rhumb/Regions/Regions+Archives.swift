internal import RhumbCore
internal import RhumbEngine
public import RhumbStore

/// Regions to and from archives.
extension Regions {
    /// Writes a region's tiles of one source into an archive, each body once.
    /// - Parameter source: its name or the id of its definition; nil where the region has but one.
    /// - Throws: `ExportFailure`, `RegionExportFailure`
    public func export(
        _ record: RegionRecord, of source: String? = nil, to path: String, isReplacing: Bool = false
    ) throws -> ExportSummary {
        let (definition, origin, cover) = try part(of: record, source)
        guard definition.policy.archives else {
            throw RegionExportFailure.denied(definition.name, definition.policy.policyURL)
        }
        guard let format = ArchiveFormat(path: path) else { throw RegionExportFailure.format(path) }
        var label = ExportLabel(name: record.name)
        label.attribution = definition.attribution
        label.isOverlay = definition.isOverlay
        let writer = try format.writer(to: path, label: label, isReplacing: isReplacing)
        for tile in ordered(cover, format) {
            if let body = store.response(for: .tile(origin: origin, tile))?.body { try writer.add(tile, body) }
        }
        return try writer.finish()
    }

    private func part(
        of record: RegionRecord, _ source: String?
    ) throws(RegionExportFailure) -> (SourceDefinition, origin: TileOrigin, RegionCover) {
        let all = zip(record.parts.compactMap(\.definition), record.covers).map { ($0, origin: $1.origin, $1.cover) }
        guard !all.isEmpty else { throw .noDefinition(record.id) }
        let wanted = all.filter { source == nil || $0.0.id == source || $0.0.name == source }
        guard wanted.count == 1, let part = wanted.first else { throw .source(record.id, all.map(\.0.id)) }
        return part
    }

    private func ordered(_ cover: RegionCover, _ format: ArchiveFormat) -> AnyIterator<TileID> {
        guard format.needsOrder else { return AnyIterator(cover.tiles()) }
        return AnyIterator(cover.tiles().sorted { $0.pmtilesID < $1.pmtilesID }.makeIterator())
    }
}

/// Why a region can't be written into an archive.
public enum RegionExportFailure: Error, Sendable, Equatable, CustomStringConvertible {
    case denied(String, String?)
    case format(String)
    case noDefinition(String)
    /// It has several sources, or not the one named.
    case source(String, [String])

    public var description: String {
        switch self {
        case .denied(let name, let url):
            "the policy of \(SafeText.sanitised(name)) does not allow archives to be made of it"
                + (url.map { " (\(SafeText.sanitised($0)))" } ?? "") + ": the region stays usable in Rhumb"
        case .format(let path): "\(SafeText.sanitised(path)): name a file that ends in .mbtiles or .pmtiles"
        case .source(let id, let sources):
            "an archive has the tiles of one source: region \(SafeText.sanitised(id)) has "
                + "\(SafeText.sanitised(sources.joined(separator: ", "), limit: 300)); say --source"
        case .noDefinition(let id): "the definition of region \(SafeText.sanitised(id)) can't be read: make it anew"
        }
    }
}
