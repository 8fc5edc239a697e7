public import RhumbCore
internal import RhumbEngine
public import RhumbStore

/// Exports regions to archives.
extension Regions {
    /// The placeholder for a source's id in the path of `exportEach`.
    public static let sourcePlaceholder = "{source}"

    /// Writes a region's tiles of one source to an archive. Equal bodies are written once. The summary counts
    /// missing and damaged tiles, which are left out.
    /// - Parameters:
    ///   - source: The source's name, its address or the id of its definition; nil if the region has only one
    ///     source.
    ///   - generator: The name of the program, stored in the archive.
    /// - Throws: `ExportFailure`, `RegionExportFailure`
    public func export(
        _ record: RegionRecord, of source: String? = nil, to path: String, isReplacing: Bool = false,
        generator: String = "Rhumb"
    ) throws -> ExportSummary {
        let parts = try exportable(record)
        let wanted = parts.filter { source == nil || $0.names.contains(source ?? "") }
        guard wanted.count == 1, let part = wanted.first else {
            throw RegionExportFailure.source(record.id, partNames(parts))
        }
        return try write(part, of: record, to: path, isReplacing, generator)
    }

    /// Writes an archive for each source of a region.
    /// - Parameter pattern: A path in which `sourcePlaceholder` stands for the source's id.
    /// - Returns: The path and the summary of each archive.
    /// - Throws: `ExportFailure`, `RegionExportFailure`
    public func exportEach(
        _ record: RegionRecord, to pattern: String, isReplacing: Bool = false, generator: String = "Rhumb"
    ) throws -> [(path: String, summary: ExportSummary)] {
        let parts = try exportable(record)
        for part in parts { try allow(part) }
        var taken: Set<String> = []
        return try parts.map { part in
            let name = RegionID(from: part.definition.id).text
            let unique =
                ([name] + (2...99).map { "\(name)-\($0)" }).first { taken.insert($0).inserted } ?? name
            let path = pattern.replacing(Regions.sourcePlaceholder, with: unique)
            return (path, try write(part, of: record, to: path, isReplacing, generator))
        }
    }

    private func write(
        _ part: ExportPart, of record: RegionRecord, to path: String, _ isReplacing: Bool, _ generator: String
    ) throws -> ExportSummary {
        try allow(part)
        guard let format = ArchiveFormat(path: path) else { throw RegionExportFailure.format(path) }
        var label = ExportLabel(name: record.name)
        label.attribution = part.definition.attribution
        label.isOverlay = part.definition.isOverlay
        label.holdsVectorTiles = part.definition.holdsVectorTiles
        label.vectorLayers = part.definition.vectorLayers.filter(try storedLayers(of: part.origin))
        label.generator = generator
        // Without the encoding, readers take heights for pictures.
        if let encoding = part.definition.elevation?.name { label.more["encoding"] = .string(encoding) }
        let writer = try format.writer(to: path, label: label, isReplacing: isReplacing)
        let total = record.parts.first { $0.origin == part.origin }?.planned
        var missing = 0, damaged = 0
        for (done, tile) in ordered(part.cover, format).enumerated() {
            WorkProgress.report(done, of: total)
            let response = store.response(for: .tile(origin: part.origin, tile))
            if response == nil { missing += 1 }
            guard let response, let body = response.body else { continue }
            if response.isDamaged || response.isInvalidated {
                damaged += 1
            } else {
                try writer.add(tile, body)
            }
        }
        var summary = try writer.finish()
        summary.missingTiles = missing
        summary.damagedTiles = damaged
        return summary
    }

    private func allow(_ part: ExportPart) throws(RegionExportFailure) {
        guard !part.definition.policy.archives else { return }
        throw .denied(part.definition.name, part.definition.policy.policyURL)
    }

    private func exportable(_ record: RegionRecord) throws(RegionExportFailure) -> [ExportPart] {
        let parts = zip(record.parts.compactMap(\.definition), record.covers).map {
            ExportPart(definition: $0, origin: $1.origin, cover: $1.cover)
        }
        guard !parts.isEmpty else { throw .noDefinition(record.id) }
        return parts
    }

    /// Returns the ids of a region's sources, or their addresses if ids are not unique.
    private func partNames(_ parts: [ExportPart]) -> [String] {
        let ids = parts.map(\.definition.id)
        return Set(ids).count == ids.count ? ids : parts.map(\.origin.address)
    }

    private func ordered(_ cover: RegionTileSet, _ format: ArchiveFormat) -> AnyIterator<TileID> {
        guard format.needsOrder else { return AnyIterator(cover.tiles()) }
        return AnyIterator(cover.tiles().sorted { $0.hilbertID < $1.hilbertID }.makeIterator())
    }
}

/// A source of a region to export.
private struct ExportPart {
    let definition: SourceDefinition
    let origin: TileOrigin
    let cover: RegionTileSet

    /// The names and addresses by which a caller may select the source.
    var names: [String] {
        [definition.id, definition.name, origin.source, origin.address] + definition.addresses
    }
}

/// The reason why a region can't be exported to an archive.
public enum RegionExportFailure: RecoverableError, Sendable, Equatable, CustomStringConvertible {
    case denied(String, String?)
    case format(String)
    case noDefinition(String)
    /// The region has several sources, or lacks the given one.
    case source(String, [String])

    public var description: String {
        switch self {
        case .denied(let name, let url):
            "the policy of \(SafeText.sanitised(name)) does not allow exporting it to archives"
                + (url.map { " (\(SafeText.sanitised($0)))" } ?? "") + "; the region stays usable in Rhumb"
        case .format(let path):
            "\(SafeText.sanitised(path)): unknown archive format; use \(ArchiveFormat.suffixes)"
        case .source(let id, let sources):
            "an archive has only one source, but region \(SafeText.sanitised(id)) has "
                + "\(SafeText.sanitised(sources.joined(separator: ", "), limit: 300))"
        case .noDefinition(let id): "the definition of region \(SafeText.sanitised(id)) can't be read"
        }
    }

    /// The remedy that a program can offer; nil if there is none.
    public var remedy: RecoverySuggestion? {
        switch self {
        case .source: .chooseSource
        case .noDefinition: .makeRegionAnew
        case .denied, .format: nil
        }
    }
}
