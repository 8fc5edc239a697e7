internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// Finds the tiles of one edition of a remote archive. It reads the parts of the directory that it needs.
protocol ArchiveDirectory: Sendable {
    /// Returns the sections of a tile's body; empty if there is no such tile, or it has no content.
    func sections(of tile: TileID) async throws(RangeFailure) -> [FileSection]

    /// Returns the sections to read for a tile of the archive, which the last one contains; empty if there is
    /// no tile, or a sample is unnecessary.
    func sampleSections() async throws(RangeFailure) -> [FileSection]

    /// The sections that were read when the archive was opened, besides its first bytes.
    var openingSections: [FileSection] { get }

    /// The loader of the sections of tiles, if tiles share them; nil to load each by itself.
    var loader: SectionLoader? { get }
}

extension ArchiveDirectory {
    /// None.
    nonisolated var openingSections: [FileSection] { [] }
    /// None.
    nonisolated var loader: SectionLoader? { nil }
}

extension RangeFailure {
    /// Runs a decoder, and converts its failure.
    static func of<Value>(_ body: () throws(TileFailure) -> Value) throws(RangeFailure) -> Value {
        do throws(TileFailure) { return try body() } catch { throw .failed(error) }
    }
}

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

/// Reads the block index and the tile indices of one edition of a VersaTiles container, each once for all its
/// tiles.
actor BlockDirectory: ArchiveDirectory {
    private let file: RemoteFile
    private let layout: VersaTilesLayout
    private let version: FileVersion
    private let beginning: [UInt8]
    private var blocks: [VersaTilesBlock]?
    private var numbers: [VersaTilesBlock.Position: Int] = [:]
    private var indices = TileIndices()
    private let reading = SingleFlight<UInt64, Result<[UInt8], RangeFailure>>()
    /// The failed sections by offset, which are not requested again during the pause.
    private var failures: [UInt64: (failure: RangeFailure, at: UnixSeconds)] = [:]

    /// The number of seconds after which a failed section is requested again.
    private static let pause: Int64 = 15

    init(_ file: RemoteFile, _ layout: VersaTilesLayout, _ version: FileVersion, beginning: [UInt8]) {
        self.file = file
        self.layout = layout
        self.version = version
        self.beginning = beginning
    }

    func sections(of tile: TileID) async throws(RangeFailure) -> [FileSection] {
        let blocks = try await loadedBlocks()
        guard let number = numbers[VersaTilesBlock.Position(tile)], blocks[number].contains(tile) else {
            return []
        }
        let section = try await index(of: blocks[number])[tile]
        guard section.length > 0 else { return [] }
        try RangeFailure.of { () throws(TileFailure) in
            try layout.check(section, of: tile, in: blocks[number])
        }
        return [section]
    }

    func sampleSections() async throws(RangeFailure) -> [FileSection] {
        guard let block = try await loadedBlocks().first,
            let entry = try await index(of: block).first(where: { $0.section.length > 0 })
        else { return [] }
        try RangeFailure.of { () throws(TileFailure) in
            try layout.check(entry.section, of: entry.tile, in: block)
        }
        return [layout.header.blockIndex, block.tileIndex, entry.section]
    }

    private func loadedBlocks() async throws(RangeFailure) -> [VersaTilesBlock] {
        if let blocks { return blocks }
        try RangeFailure.of(layout.checkBlockIndexSize)
        let packed = try await bytes(layout.header.blockIndex)
        if let blocks { return blocks }
        let found = try RangeFailure.of { () throws(TileFailure) in try layout.blocks(packed) }
        numbers = Dictionary(found.enumerated().map { ($1.position, $0) }) { first, _ in first }
        blocks = found
        return found
    }

    private func index(of block: VersaTilesBlock) async throws(RangeFailure) -> VersaTilesIndex {
        if let index = indices[block.position] { return index }
        try RangeFailure.of { () throws(TileFailure) in try layout.check(block, size: nil) }
        let packed = try await bytes(block.tileIndex)
        if let index = indices[block.position] { return index }
        let index = try RangeFailure.of { () throws(TileFailure) in try layout.index(of: block, packed) }
        indices.insert(index, at: block.position)
        return index
    }

    /// Returns a section from memory, the store or the server.
    private func bytes(_ section: FileSection) async throws(RangeFailure) -> [UInt8] {
        if let bytes = PMTilesIndex.slice(beginning, section) { return bytes }
        let now = file.loader.date()
        if let failed = failures[section.offset],
            (0..<BlockDirectory.pause).contains(now.seconds(since: failed.at))
        {
            throw failed.failure
        }
        let outcome = await reading.value(for: section.offset) { [file, version] in
            do throws(RangeFailure) {
                return .success(try await file.storedDocument(section, of: version))
            } catch {
                return .failure(error)
            }
        }
        if case .failure(.request(let failure)) = outcome, failure.kind != .cancelled {
            failures[section.offset] = (.request(failure), now)
        } else {
            failures[section.offset] = nil
        }
        return try outcome.get()
    }
}
