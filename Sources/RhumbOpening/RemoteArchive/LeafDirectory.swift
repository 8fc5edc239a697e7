internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// Reads the leaf directories of one edition of a PMTiles archive, each once for all its tiles.
actor LeafDirectory: ArchiveDirectory {
    private let file: RemoteFile
    private let index: PMTilesIndex
    private let version: FileVersion
    let leafLoader: SectionLoader
    private var cache = DirectoryCache()

    init(_ file: RemoteFile, _ index: PMTilesIndex, _ version: FileVersion) {
        self.file = file
        self.index = index
        self.version = version
        leafLoader = SectionLoader(file, version, .leaves)
    }

    func sections(of tile: TileID) async throws(RangeFailure) -> [FileSection] {
        let id = tile.hilbertID
        var found = index.root.entry(for: id), depth = 1
        while let entry = found, entry.isLeaf {
            guard depth < PMTilesIndex.deepest else { throw .failed(index.tooDeep) }
            found = try await leaf(entry).entry(for: id)
            depth += 1
        }
        guard let found, found.length > 0 else { return [] }
        return [try RangeFailure.of { () throws(TileFailure) in try index.section(ofTile: found, "\(tile)") }]
    }

    func sampleSections() async throws(RangeFailure) -> [FileSection] {
        guard var entry = index.root.firstUsable else { return [] }
        var sections: [FileSection] = []
        while entry.isLeaf {
            guard sections.count < PMTilesIndex.deepest else { throw .failed(index.tooDeep) }
            sections.append(try section(of: entry))
            guard let next = try await leaf(entry).firstUsable else { return [] }
            entry = next
        }
        let tile = try RangeFailure.of { () throws(TileFailure) in
            try index.section(ofTile: entry, "the first tile")
        }
        return sections + [tile]
    }

    private nonisolated func section(of entry: PMTilesDirectory.Entry) throws(RangeFailure) -> FileSection {
        try RangeFailure.of { () throws(TileFailure) in try index.section(ofLeaf: entry) }
    }

    /// Returns the leaf directory that an entry points to, from memory, the store or the server.
    func leaf(_ entry: PMTilesDirectory.Entry) async throws(RangeFailure) -> PMTilesDirectory {
        // A damaged entry must not delay or replace those that are read with it.
        let section = try section(of: entry)
        if let cached = cache[entry.offset] { return cached }
        if let stored = await file.stored(section, of: version), let leaf = try? index.leaf(stored, of: entry)
        {
            cache.insert(leaf, at: entry.offset)
            return leaf
        }
        let range = try await leafLoader.load(section)
        if let cached = cache[entry.offset] { return cached }
        let leaf = try RangeFailure.of { () throws(TileFailure) in try index.leaf(range.bytes, of: entry) }
        file.store(range, for: section)
        cache.insert(leaf, at: entry.offset)
        return leaf
    }
}
