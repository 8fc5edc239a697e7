package import RhumbCore
internal import RhumbEngine
package import RhumbHTTP
package import RhumbStore

/// One edition of a remote archive. When the file changes on its server, another edition replaces it, and
/// everything that was read from this one becomes invalid.
package final class ArchiveVersion: Sendable {
    package let index: PMTilesIndex
    /// The version of the file.
    package let fileVersion: FileVersion
    /// The identifier of the edition.
    package var version: String { fileVersion.name }
    package var tiles: TileEdition { TileEdition(version: version) }
    package let beginning: Document
    private let file: RemoteFile
    private let leaves: DirectoryLoader

    /// - Parameter old: The version that it replaces; nil for none.
    init(
        _ beginning: Document, of file: RemoteFile, replacing old: FileVersion? = nil
    ) throws(ArchiveFailure) {
        self.beginning = beginning
        self.file = file
        index = try PMTilesIndex(start: beginning.body, name: file.name) { _, _ throws(TileFailure) in
            throw TileFailure(
                .badContent, "the root directory is not in the first \(PMTilesIndex.startLength) bytes")
        }
        fileVersion = FileVersion(beginning, replacing: old)
        leaves = DirectoryLoader(file, index, fileVersion)
    }

    /// Reads the metadata, usually without a request, because it tends to be in the first bytes.
    func metadata() async throws(RangeFailure) -> JSON {
        let section = index.header.metadata
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
        guard var entry = index.root.firstUsable else { return nil }
        var sections: [PMTilesHeader.Section] = []
        do throws(TileFailure) {
            while entry.isLeaf {
                guard sections.count < PMTilesIndex.deepest else { throw index.tooDeep }
                sections.append(try index.place(ofLeaf: entry))
                guard let next = try await leaf(entry).firstUsable else { return nil }
                entry = next
            }
            let section = try index.place(ofTile: entry, "the first tile")
            let body = try index.body(try await bytes(section), "the first tile")
            return Sample(body: body, sections: sections + [section])
        } catch {
            throw .failed(error)
        }
    }

    /// A tile's body, and everything that was read to find it.
    struct Sample {
        let body: [UInt8]
        let sections: [PMTilesHeader.Section]
    }

    private func leaf(_ entry: PMTilesDirectory.Entry) async throws(TileFailure) -> PMTilesDirectory {
        do throws(RangeFailure) { return try await leaves.leaf(entry).get() } catch {
            throw error.tileFailure(file)
        }
    }

    private func bytes(_ section: PMTilesHeader.Section) async throws(TileFailure) -> [UInt8] {
        do throws(RangeFailure) { return try await part(section) } catch {
            throw error.tileFailure(file)
        }
    }

    /// Returns bytes of the file from memory or the store; nil if neither has them.
    func bytesAtHand(_ section: PMTilesHeader.Section) async -> [UInt8]? {
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
    private func part(_ section: PMTilesHeader.Section) async throws(RangeFailure) -> [UInt8] {
        if let bytes = await bytesAtHand(section) { return bytes }
        return try await file.document(section, of: fileVersion)
    }

    /// Returns the position of a tile's body; nil if there is no such tile, or it has no content.
    package func place(of tile: TileID) async throws(RangeFailure) -> PMTilesHeader.Section? {
        let id = tile.pmtilesID
        var found = index.root.entry(for: id)
        var depth = 1
        while let entry = found, entry.isLeaf {
            guard depth < PMTilesIndex.deepest else { throw .failed(index.tooDeep) }
            found = try await leaves.leaf(entry).get().entry(for: id)
            depth += 1
        }
        guard let found, found.length > 0 else { return nil }
        do throws(TileFailure) {
            return try index.place(ofTile: found, "\(tile)")
        } catch {
            throw .failed(error)
        }
    }
}
