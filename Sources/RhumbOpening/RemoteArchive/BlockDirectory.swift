internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

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
