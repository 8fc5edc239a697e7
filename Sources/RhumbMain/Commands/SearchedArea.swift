internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// The region, package or archive that a command is limited to.
struct SearchedArea {
    let area: MapSearchArea
    /// Its extent; nil if unknown.
    let bounds: Bounds?
    /// The keys of its sources of tiles.
    let sources: Set<String>
    /// True if it has only pictures, in which nothing can be searched.
    let isImage: Bool

    /// - Throws: `ArchiveFailure`
    init(archive path: String, _ search: OfflineSearchEngine) throws {
        let archive = try Archive.open(path)
        search.add(archive, path: path)
        area = .archive(path)
        bounds = archive.info.bounds
        sources = Set([ArchiveTiles.key(path)].compactMap(\.self))
        isImage = archive.refusal?.reason != .vectorTiles
    }

    init(_ record: RegionRecord) {
        area = .region(record.id)
        bounds = record.definition?.geometry.bounds
        sources = Set(record.parts.map(\.origin.description))
        let kinds = record.parts.compactMap(\.definition?.holdsVectorTiles)
        isImage = !kinds.isEmpty && !kinds.contains(true)
    }
}

extension Invocation {
    /// Returns the region, package or archive of `--in`, and adds an archive to the search; nil without the
    /// option. A package's id in the catalogue names it if only one package has it.
    /// - Throws: `SearchFailure.unknownArea`, or `ArchiveFailure`
    func searchedArea(_ regions: RegionStore?, _ search: OfflineSearchEngine) throws -> SearchedArea? {
        guard let name = self[.searchArea] else { return nil }
        if let record = try? regions?.region(name) { return SearchedArea(record) }
        let packages = ((try? regions?.regions()) ?? []).filter { $0.package?.package == name }
        if packages.count == 1 { return SearchedArea(packages[0]) }
        guard Files.exists(name) else { throw SearchFailure.unknownArea(name) }
        return try SearchedArea(archive: name, search)
    }

    /// Returns the area of `--in`, or else the first archive of vector tiles that the command opens as a map.
    func searchedArea(_ session: MapSession) throws -> SearchedArea? {
        if let area = try searchedArea((try? session.regions())?.store, session.offlineSearch) { return area }
        let opensMap = [CommandName.open, .streets, .render].contains(command)
        let maps = opensMap ? ([operand].compactMap(\.self) + operands).filter { Files.exists($0) } : []
        return maps.lazy.compactMap { try? SearchedArea(archive: $0, session.offlineSearch) }
            .first { !$0.isImage }
    }
}
