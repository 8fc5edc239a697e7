internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// Finds the tiles of one edition of a remote archive. It reads the parts of the directory that it needs.
protocol ArchiveDirectory: Sendable {
    /// Returns the position of a tile's body; nil if there is no such tile, or it has no content.
    func place(of tile: TileID) async throws(RangeFailure) -> FileSection?

    /// Returns the sections to read for a tile of the archive, which the last one contains; empty if there is
    /// no tile.
    func sampleSections() async throws(RangeFailure) -> [FileSection]
}

extension DirectoryLoader: ArchiveDirectory {
    nonisolated func place(of tile: TileID) async throws(RangeFailure) -> FileSection? {
        let id = tile.pmtilesID
        var found = index.root.entry(for: id), depth = 1
        while let entry = found, entry.isLeaf {
            guard depth < PMTilesIndex.deepest else { throw .failed(index.tooDeep) }
            found = try await leaf(entry).get().entry(for: id)
            depth += 1
        }
        guard let found, found.length > 0 else { return nil }
        do throws(TileFailure) { return try index.place(ofTile: found, "\(tile)") } catch {
            throw .failed(error)
        }
    }

    nonisolated func sampleSections() async throws(RangeFailure) -> [FileSection] {
        guard var entry = index.root.firstUsable else { return [] }
        var sections: [FileSection] = []
        while entry.isLeaf {
            guard sections.count < PMTilesIndex.deepest else { throw .failed(index.tooDeep) }
            do throws(TileFailure) { sections.append(try index.place(ofLeaf: entry)) } catch {
                throw .failed(error)
            }
            guard let next = try await leaf(entry).get().firstUsable else { return [] }
            entry = next
        }
        do throws(TileFailure) { return sections + [try index.place(ofTile: entry, "the first tile")] } catch
        {
            throw .failed(error)
        }
    }
}
