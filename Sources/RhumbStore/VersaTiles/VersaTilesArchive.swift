public import RhumbCore
public import RhumbEngine
internal import Synchronization

/// A VersaTiles container of version 02: one file with blocks of up to 256 × 256 tiles. See
/// https://github.com/versatiles-org/versatiles-spec, v02.
public final class VersaTilesArchive: TileArchive, IndexedArchive {
    /// The description of the container.
    public let info: TileSourceInfo
    /// The content of "tiles.json"; empty if it can't be read.
    public let metadata: JSON
    /// The reason why the tiles can't be shown as pictures; nil if they can.
    public let refusal: ArchiveFailure?
    /// The compression of the tiles and the metadata.
    public var compression: Compression { header.tilePrecompression }

    /// The name of the format.
    public let format = "VersaTiles 02"
    /// Reads the size of tiles in pixels; nil to assume 256.
    public let probe: TileProbe?
    /// The path or name, as given.
    public var path: String { name }

    package let bytes: any ByteSource
    package let name: String
    private let layout: VersaTilesLayout
    private var header: VersaTilesHeader { layout.header }
    /// The blocks in the order of their zooms, then of the file.
    let blocks: [VersaTilesBlock]
    private let numbers: [VersaTilesBlock.Position: Int]
    private let indices = Mutex(TileIndices())
    let metadataProblem: String?

    /// Opens a file.
    /// - Throws: `ArchiveFailure`.
    public convenience init(_ path: String, probe: TileProbe? = nil) throws(ArchiveFailure) {
        try self.init(try FileBytes(path), name: path, probe: probe)
    }

    /// Opens a container from any source of bytes.
    /// - Parameters:
    ///   - name: The name for errors, and for the status line if the metadata has none.
    ///   - probe: Reads the size of tiles in pixels; nil to assume 256.
    /// - Throws: `ArchiveFailure`.
    public init(_ bytes: any ByteSource, name: String, probe: TileProbe? = nil) throws(ArchiveFailure) {
        self.bytes = bytes
        self.name = name
        self.probe = probe
        do throws(TileFailure) {
            let start = try bytes.read(
                offset: 0, count: Int(min(bytes.size, UInt64(VersaTilesHeader.length))))
            layout = try VersaTilesLayout(decoding: start, size: bytes.size, name: name)
            try layout.checkBlockIndexSize()
            blocks = try layout.blocks(bytes.read(layout.header.blockIndex))
        } catch {
            try bytes.checkServer(name)
            throw VersaTilesLayout.failure(error, name)
        }
        numbers = Dictionary(blocks.enumerated().map { ($1.position, $0) }) { first, _ in first }
        do throws(TileFailure) {
            metadata = try Self.metadata(bytes, layout)
            metadataProblem = metadata.object == nil ? "the metadata is not a JSON object" : nil
        } catch {
            metadata = [:]
            metadataProblem = error.message
        }
        let body = Self.firstBody(bytes, layout, blocks)
        try bytes.checkServer(name)
        info = layout.info(metadata, body: body, probe)
        refusal = layout.refusal(body: body)
    }

    // MARK: Reading

    private static func metadata(
        _ bytes: any ByteSource, _ layout: VersaTilesLayout
    ) throws(TileFailure) -> JSON {
        guard layout.metadataSection.length > 0 else { return [:] }
        try layout.checkMetadataSize()
        return try layout.metadata(bytes.read(layout.metadataSection))
    }

    private static func index(
        of block: VersaTilesBlock, _ bytes: any ByteSource, _ layout: VersaTilesLayout
    ) throws(TileFailure) -> VersaTilesIndex {
        try layout.check(block, size: bytes.size)
        return try layout.index(of: block, bytes.read(block.tileIndex))
    }

    private static func firstBody(
        _ bytes: any ByteSource, _ layout: VersaTilesLayout, _ blocks: [VersaTilesBlock]
    ) -> [UInt8]? {
        guard let block = blocks.first, let index = try? index(of: block, bytes, layout),
            let entry = index.first(where: { $0.section.length > 0 }),
            (try? layout.check(entry.section, of: entry.tile, in: block)) != nil,
            entry.section.fits(size: bytes.size), let body = try? bytes.read(entry.section)
        else { return nil }
        return try? layout.body(body, "")
    }

    private func index(of block: VersaTilesBlock) throws(TileFailure) -> VersaTilesIndex {
        if let cached = indices.withLock({ $0[block.position] }) { return cached }
        let index = try Self.index(of: block, bytes, layout)
        indices.withLock { $0.insert(index, at: block.position) }
        return index
    }

    /// Returns the section of a tile's body; nil if there is no such tile.
    private func section(of tile: TileID) throws(TileFailure) -> FileSection? {
        guard let number = numbers[VersaTilesBlock.Position(tile)], blocks[number].contains(tile) else {
            return nil
        }
        let section = try index(of: blocks[number])[tile]
        guard section.length > 0 else { return nil }
        try layout.check(section, of: tile, in: blocks[number])
        return section
    }

    // MARK: Tiles

    /// Returns true if the container's zoom range includes the tile's zoom.
    public func hasTile(_ tile: TileID) -> Bool { info.zooms.contains(tile.zoom) }

    /// Returns the picture or vector tile, decompressed.
    /// - Throws: `TileFailure`: `badContent` for damaged indices or data.
    public func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
        if let refusal, refusal.reason != .vectorTiles { throw TileFailure(.refused, refusal.description) }
        guard let stored = try storedBody(tile) else { return .absent }
        return .bitmap(.encoded(try layout.body(stored, "\(tile)")))
    }

    /// Returns the body as stored.
    /// - Throws: `TileFailure`: `badContent` for damaged indices.
    public func storedBody(_ tile: TileID) throws(TileFailure) -> [UInt8]? {
        guard let section = try section(of: tile) else { return nil }
        return try bytes.read(offset: section.offset, count: Int(section.length))
    }

    /// The minimum number of index records to read, for small files, and the maximum number for each byte of
    /// a file. Brotli packs the records of missing or equal tiles to almost nothing.
    private static let leastRecords = 1 << 24, mostPerByte: UInt64 = 1 << 12

    /// Calls a function for each tile, block by block. The location is the offset of the body.
    public func walk(_ detail: TileDetail, _ visit: (StoredTileRun) throws -> Void) throws {
        var budget = BodyBudget(bytes: bytes.size), done = 0
        var recordsLeft = max(
            Self.leastRecords, Int(clamping: bytes.size.multipliedReportingOverflow(by: Self.mostPerByte).0))
        for block in blocks {
            try Task.checkCancellation()
            recordsLeft -= block.tileCount
            guard recordsLeft >= 0 else {
                return try visit(StoredTileRun(problem: "more tiles than a file of this size can have"))
            }
            let index: VersaTilesIndex
            do throws(TileFailure) { index = try self.index(of: block) } catch {
                try bytes.checkServer(name)
                try visit(StoredTileRun(problem: error.message))
                continue
            }
            for (tile, section) in index where section.length > 0 {
                done += 1
                WorkProgress.report(done, of: nil)
                var body: Result<[UInt8], TileFailure> = .success([])
                if detail.needsBody(at: section.offset) {
                    body = Result { () throws(TileFailure) in
                        try layout.check(section, of: tile, in: block)
                        try budget.take(section.length, at: section.offset, "\(tile)")
                        return try bytes.read(offset: section.offset, count: Int(section.length))
                    }
                    if case .failure = body { try bytes.checkServer(name) }
                }
                try visit(
                    StoredTileRun(
                        tile, body: body, compression: compression, bytes: Int(clamping: section.length),
                        location: section.offset))
            }
        }
    }

    /// Returns those of some tiles that the container has. Only reads the indices of their blocks.
    /// - Throws: `TileFailure` if an index is damaged; `CancellationError` if the task is cancelled.
    func tiles(among wanted: TileRuns) throws -> TileRuns {
        var found = TileRuns()
        for id in wanted.runs.joined() {
            try Task.checkCancellation()
            guard let tile = TileID(hilbertID: id), try section(of: tile) != nil else { continue }
            found.insert(id..<id + 1)
        }
        found.settle()
        return found
    }

    /// Throws if the server of a remote archive is failing.
    public func checkServer() throws(ArchiveFailure) { try bytes.checkServer(name) }

    /// The size of all blocks in bytes; nil if the container is on this machine.
    public var remoteSize: Int? {
        guard bytes.isRemote else { return nil }
        return blocks.reduce(0) {
            $0.saturatingAdd(Int(clamping: $1.blobs.length)).saturatingAdd(Int(clamping: $1.tileIndex.length))
        }
    }

    /// Plans to read tiles.
    public func plan(_ tiles: [TileID]) throws(TileFailure) -> ReadPlan? {
        guard bytes.isRemote else { return nil }
        var sections: [FileSection] = []
        for tile in tiles { if let section = try section(of: tile) { sections.append(section) } }
        let parts = FileSection.groups(of: sections) { $0 }.map(\.section)
        bytes.plan(parts)
        return ReadPlan(bytes: parts.reduce(0) { $0 + Int($1.length) }, requests: parts.count)
    }

    // MARK: Checks

    /// The properties in the header.
    public var declaredContent: DeclaredContent {
        var declared = DeclaredContent(metadata)
        declared.kind = header.kind
        declared.compression = compression
        let (low, high) = (Int(header.minZoom), Int(header.maxZoom))
        declared.zooms = low <= high && high <= TileID.maximumZoom ? low...high : nil
        declared.bounds = header.bounds
        return declared
    }

    /// Checks the header, the metadata and all indices.
    public func checkStructure(isThorough: Bool, _ report: (VerificationFault) -> Void) throws {
        if let metadataProblem { report(VerificationFault(.metadata, metadataProblem)) }
        header.check(report)
        var positions: Set<VersaTilesBlock.Position> = [], end: UInt64 = 0
        for block in blocks.sorted(by: { $0.blobs.offset < $1.blobs.offset }) {
            try Task.checkCancellation()
            let location = VerificationFault.Location.byte(block.blobs.offset)
            if !positions.insert(block.position).inserted {
                report(VerificationFault(.duplicate, location, "\(block.text) occurs more than once"))
            }
            if block.blobs.offset < end {
                report(VerificationFault(.overlap, location, "\(block.text) overlaps the previous one"))
            }
            end = max(end, block.tileIndex.end)
            do throws(TileFailure) {
                for entry in try index(of: block)
                where entry.section.length > 0 && !block.encloses(entry.section) {
                    report(
                        VerificationFault(.directory, .tile(entry.tile), "its body is outside of its block"))
                }
            } catch {
                try bytes.checkServer(name)
                report(VerificationFault(.directory, location, error.message))
            }
        }
    }
}

/// The most recently used tile indices.
package struct TileIndices: Sendable {
    /// Maximum number of indices of up to 768 KiB.
    private static let limit = 16

    private var recent: [(position: VersaTilesBlock.Position, index: VersaTilesIndex)] = []

    package init() {}

    package subscript(position: VersaTilesBlock.Position) -> VersaTilesIndex? {
        mutating get {
            guard let at = recent.lastIndex(where: { $0.position == position }) else { return nil }
            recent.append(recent.remove(at: at))
            return recent.last?.index
        }
    }

    package mutating func insert(_ index: VersaTilesIndex, at position: VersaTilesBlock.Position) {
        recent.append((position, index))
        if recent.count > Self.limit { recent.removeFirst() }
    }
}
