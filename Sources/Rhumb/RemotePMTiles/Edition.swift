internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// One state of a remote archive. When the file changes on its server another takes its place,
/// and nothing that was read of this one is used any more.
final class Edition: Sendable {
    let index: PMTilesIndex
    /// What tells it from others.
    let version: String
    let beginning: Document
    private let file: RemoteFile
    private let leaves: LeafReads

    init(_ beginning: Document, of file: RemoteFile) throws(ArchiveFailure) {
        self.beginning = beginning
        self.file = file
        index = try PMTilesIndex(start: beginning.body, name: file.name) { _, _ throws(TileFailure) in
            throw TileFailure(
                .badContent, "the root directory does not lie in the first \(PMTilesIndex.startLength) bytes")
        }
        version = RemoteFile.version(beginning.headers) ?? "\(ContentHash(beginning.body))"
        leaves = LeafReads(file, index, version: version)
    }

    /// The metadata, mostly without asking: they tend to lie in the first bytes.
    func metadata() async throws(RemoteFile.Failure) -> JSON {
        let section = index.header.metadata
        guard section.length > 0 else { return [:] }
        do throws(TileFailure) {
            if let slice = PMTilesIndex.slice(beginning.body, section) { return try index.metadata(slice) }
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

    private func part(_ section: PMTilesHeader.Section) async throws(RemoteFile.Failure) -> [UInt8] {
        let key = file.key(of: section)
        if let kept = file.stored(key, version: version)?.body { return kept }
        let part = try await file.read(section, version: version, priority: .visible(view: .max))
        file.keep(part.bytes, of: part, .documents, for: key)
        return part.bytes
    }

    /// Where a tile's body lies; nil if there is no such tile.
    func place(of tile: TileID) async throws(RemoteFile.Failure) -> PMTilesHeader.Section? {
        let id = tile.pmtilesID
        var found = index.root.entry(for: id)
        var depth = 1
        while let entry = found, entry.isLeaf {
            guard depth < PMTilesIndex.deepest else { throw .failed(index.tooDeep) }
            found = try await leaves.leaf(entry).get().entry(for: id)
            depth += 1
        }
        guard let found else { return nil }
        do throws(TileFailure) {
            return try index.place(ofTile: found, "\(tile)")
        } catch {
            throw .failed(error)
        }
    }
}
