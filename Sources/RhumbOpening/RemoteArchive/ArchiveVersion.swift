package import RhumbCore
package import RhumbEngine
package import RhumbHTTP
package import RhumbStore
internal import Synchronization

/// One edition of a remote archive. When the file changes on its server, another edition replaces it, and
/// everything that was read from this one becomes invalid.
package final class ArchiveVersion: Sendable {
    package let index: any ArchiveIndex
    package let fileVersion: FileVersion
    /// The identifier of the edition.
    package var version: String { fileVersion.name }
    package var tiles: TileEdition { TileEdition(version: version) }
    package let beginning: Document
    private let file: RemoteFile
    private let directory: any ArchiveDirectory
    private let readMetadata = Mutex<[UInt8]>([])

    /// Opens an edition. Only a GeoTIFF needs more than the first bytes.
    /// - Parameter old: The version that it replaces; nil for none.
    init(
        _ beginning: Document, of file: RemoteFile, replacing old: FileVersion? = nil
    ) async throws(ArchiveFailure) {
        self.beginning = beginning
        self.file = file
        fileVersion = FileVersion(beginning, replacing: old)
        if case .versatiles? = FileSignature(beginning.body) {
            let layout = try VersaTilesLayout(
                start: beginning.body, size: fileVersion.size, name: file.name)
            index = layout
            directory = BlockDirectory(file, layout, fileVersion, beginning: beginning.body)
            return
        }
        if SourceDefinition.isGeoTIFF(file.name) {
            let image = try await TIFFDirectory(beginning, file, fileVersion)
            index = image
            directory = image
            return
        }
        guard case .pmTiles? = FileSignature(beginning.body) else {
            throw ArchiveFailure(
                file.name, .notRecognised, "the response is not a PMTiles or VersaTiles archive",
                "check the URL")
        }
        // A truncated archive still shows the tiles that it has, so its size is not compared here.
        let tree = try PMTilesIndex(start: beginning.body, name: file.name) { _, _ throws(TileFailure) in
            throw TileFailure(
                .badContent, "the root directory is not in the first \(PMTilesIndex.startLength) bytes")
        }
        index = tree
        directory = LeafDirectory(file, tree, fileVersion)
    }

    /// Reads the metadata, usually without a request, because it tends to be in the first bytes.
    func metadata() async throws(RangeFailure) -> JSON {
        let section = index.metadataSection
        guard section.length > 0 else { return index.ownMetadata }
        try RangeFailure.of(index.checkMetadataSize)
        let packed = try await part(section)
        readMetadata.withLock { $0 = packed }
        return try RangeFailure.of { () throws(TileFailure) in try index.metadata(packed) }
    }

    /// The stored form of the metadata that were read; empty if none were.
    package var packedMetadata: [UInt8] { readMetadata.withLock(\.self) }

    /// Reads the first tile of the file, as a sample; nil if there is none.
    func sample() async throws(RangeFailure) -> Sample? {
        let sections = try await directory.sampleSections()
        guard let section = sections.last else { return nil }
        let packed = try await part(section)
        return try RangeFailure.of { () throws(TileFailure) in
            Sample(body: try index.body(packed, "the first tile"), sections: sections)
        }
    }

    /// A tile's body, and everything that was read to find it.
    struct Sample {
        let body: [UInt8]
        let sections: [FileSection]
    }

    /// Returns bytes of the file from memory or the store; nil if neither has them.
    func bytesAtHand(_ section: FileSection) async -> [UInt8]? {
        if let bytes = PMTilesIndex.slice(beginning.body, section) { return bytes }
        return await file.stored(section, of: fileVersion)
    }

    /// Returns a response with the headers and version of the edition, as fresh as these headers permit.
    package func answer(_ body: [UInt8]?) -> StoredResponse {
        let now = file.loader.date()
        var freshness = Freshness(
            headers: beginning.headers, requestedAt: now, receivedAt: now, policy: .tiles())
        freshness.initialAge = 0
        var answer = StoredResponse(body: body, freshness: freshness, headers: beginning.headers)
        answer.dataVersion = version
        return answer
    }

    /// Returns bytes that are stored as a document.
    private func part(_ section: FileSection) async throws(RangeFailure) -> [UInt8] {
        if let bytes = await bytesAtHand(section) { return bytes }
        return try await file.document(section, of: fileVersion)
    }

    /// Returns the sections of a tile's body; empty if there is no such tile, or it has no content.
    package func sections(of tile: TileID) async throws(RangeFailure) -> [FileSection] {
        try await directory.sections(of: tile)
    }

    /// Returns a tile's body; nil if it shows nothing.
    /// - Parameter ranges: The sections of the body.
    package func body(
        of tile: TileID, from ranges: [FileSection: LoadedRange]
    ) throws(TileFailure) -> [UInt8]? {
        try index.body(of: tile, from: ranges.mapValues(\.bytes))
    }

    /// Loads sections of a tile's body.
    func load(
        _ sections: [FileSection], _ priority: HTTPPriority
    ) async throws(RangeFailure) -> [FileSection: LoadedRange] {
        if let loader = directory.loader { return try await loader.load(sections) }
        var found: [FileSection: LoadedRange] = [:]
        for section in sections {
            found[section] = try await file.load(section, of: fileVersion, priority: priority)
        }
        return found
    }

    /// The recently loaded sections, if tiles share them.
    package var recent: RecentItems<FileSection, LoadedRange>? { directory.loader?.recent }

    /// The image if the file is a GeoTIFF; nil for others.
    var image: TIFFDirectory? { directory as? TIFFDirectory }

    /// Returns the documents that the archive is opened from.
    /// - Parameter sample: The sample that was read; nil for none.
    func documents(_ sample: Sample?) -> [WebResource] {
        let sections = [index.metadataSection] + (sample?.sections ?? []) + directory.openingSections
        return [file.beginning]
            + sections.filter { $0.length > 0 && PMTilesIndex.slice(beginning.body, $0) == nil }
            .map(file.range)
    }
}
