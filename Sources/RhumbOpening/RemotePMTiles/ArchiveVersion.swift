package import RhumbCore
internal import RhumbEngine
package import RhumbHTTP
package import RhumbStore

/// One edition of a remote archive. When the file changes on its server, another edition replaces it, and
/// everything that was read from this one becomes invalid.
package final class ArchiveVersion: Sendable {
    package let index: any ArchiveIndex
    /// The version of the file.
    package let fileVersion: FileVersion
    /// The identifier of the edition.
    package var version: String { fileVersion.name }
    package var tiles: TileEdition { TileEdition(version: version) }
    package let beginning: Document
    private let file: RemoteFile
    private let directory: any ArchiveDirectory

    /// - Parameter old: The version that it replaces; nil for none.
    init(
        _ beginning: Document, of file: RemoteFile, replacing old: FileVersion? = nil
    ) throws(ArchiveFailure) {
        self.beginning = beginning
        self.file = file
        fileVersion = FileVersion(beginning, replacing: old)
        if case .versatiles? = FileSignature(beginning.body) {
            let layout = try VersaTilesLayout(start: beginning.body, name: file.name)
            index = layout
            directory = BlockDirectory(file, layout, fileVersion, beginning: beginning.body)
            return
        }
        let tree = try PMTilesIndex(start: beginning.body, name: file.name) { _, _ throws(TileFailure) in
            throw TileFailure(
                .badContent, "the root directory is not in the first \(PMTilesIndex.startLength) bytes")
        }
        index = tree
        directory = DirectoryLoader(file, tree, fileVersion)
    }

    /// Reads the metadata, usually without a request, because it tends to be in the first bytes.
    func metadata() async throws(RangeFailure) -> JSON {
        let section = index.metadataSection
        guard section.length > 0 else { return [:] }
        do throws(TileFailure) {
            try index.checkMetadataSize()
        } catch {
            throw .failed(error)
        }
        let packed = try await part(section)
        do throws(TileFailure) {
            return try index.metadata(packed)
        } catch {
            throw .failed(error)
        }
    }

    /// Reads the first tile of the file, as a sample; nil if there is none.
    func sample() async throws(RangeFailure) -> Sample? {
        let sections = try await directory.sampleSections()
        guard let section = sections.last else { return nil }
        let packed = try await part(section)
        do throws(TileFailure) {
            return Sample(body: try index.body(packed, "the first tile"), sections: sections)
        } catch {
            throw .failed(error)
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
        return await BlockingExecutor.run { [file, version] in
            file.loader.cached.match(file.key(of: section), version: version)?.response.body
        }
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

    /// Returns the position of a tile's body; nil if there is no such tile, or it has no content.
    package func place(of tile: TileID) async throws(RangeFailure) -> FileSection? {
        try await directory.place(of: tile)
    }
}
