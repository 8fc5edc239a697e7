public import RhumbCore
public import RhumbEngine

/// A PMTiles archive of version 3: one file with directories along a Hilbert curve.
public final class PMTilesArchive: TileArchive, IndexedArchive {
    /// The description of the archive.
    public let info: TileSourceInfo
    /// The metadata object; empty if it can't be read.
    public let metadata: JSON
    /// The reason why the tiles can't be shown as pictures; nil if they can.
    public let refusal: ArchiveFailure?
    /// The name of the format.
    public let format = "PMTiles 3"
    /// Reads the size of tiles in pixels; nil to assume 256.
    public let probe: TileProbe?
    let file: PMTilesFile
    /// The reason why the metadata can't be read; nil if it can.
    let metadataProblem: String?

    /// Opens a file.
    /// - Throws: `ArchiveFailure`.
    public convenience init(_ path: String, probe: TileProbe? = nil) throws(ArchiveFailure) {
        try self.init(try FileBytes(path), name: path, probe: probe)
    }

    /// Opens an archive from any source of bytes.
    /// - Parameters:
    ///   - name: The name for errors, and for the status line if the metadata has none.
    ///   - probe: Reads the size of tiles in pixels; nil to assume 256.
    /// - Throws: `ArchiveFailure`.
    public init(
        _ bytes: any ByteSource, name: String, probe: TileProbe? = nil
    ) throws(ArchiveFailure) {
        let file = try PMTilesFile(bytes, name: name)
        self.file = file
        self.probe = probe
        do throws(TileFailure) {
            metadata = try file.metadata()
            metadataProblem = metadata.object == nil ? "the metadata is not a JSON object" : nil
        } catch {
            metadata = [:]
            metadataProblem = error.message
        }
        let body = PMTilesArchive.firstBody(file)
        try bytes.checkServer(name)
        info = file.index.info(metadata, body: body, probe)
        refusal = file.index.refusal(body: body)
    }

    private static func firstBody(_ file: PMTilesFile) -> [UInt8]? {
        var entry = file.root.firstUsable
        for _ in 1..<PMTilesIndex.deepest {
            guard let leaf = entry, leaf.isLeaf else { break }
            entry = try? file.leaf(leaf).firstUsable
        }
        guard let entry, !entry.isLeaf, let stored = try? file.stored(entry, "") else { return nil }
        return try? file.index.body(stored, "")
    }

    /// The path or name, as given.
    public var path: String { file.name }

    /// The size of the directories in bytes, without the root.
    package var directoryBytes: UInt64 { file.header.leaves.length }

    /// The compression of the tiles in the header.
    public var compression: Compression { file.header.tileCompression }

    /// Returns true if the archive's zoom range includes the tile's zoom.
    public func hasTile(_ tile: TileID) -> Bool { info.zooms.contains(tile.zoom) }

    /// Returns the picture or vector tile, decompressed.
    /// - Throws: `TileFailure`: `badContent` for damaged directories or data.
    public func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
        if let refusal, refusal.reason != .vectorTiles { throw TileFailure(.refused, refusal.description) }
        guard let stored = try storedBody(tile), !stored.isEmpty else { return .absent }
        return .bitmap(.encoded(try file.index.body(stored, "\(tile)")))
    }

    /// Returns the body as stored.
    /// - Throws: `TileFailure`: `badContent` for damaged directories.
    public func storedBody(_ tile: TileID) throws(TileFailure) -> [UInt8]? {
        guard let entry = try file.entry(for: tile.hilbertID) else { return nil }
        return try file.stored(entry, "\(tile)")
    }

    /// Calls a function for each directory entry. The location is the offset of the body; nil without bytes,
    /// because the next body has the same offset.
    public func walk(_ detail: TileDetail, _ visit: (StoredTileRun) throws -> Void) throws {
        var addressed = 0, budget = BodyBudget(bytes: file.header.tiles.length)
        let limit = TileID.firstHilbertID(zoom: TileID.maximumZoom + 1)
        for found in PMTilesEntries(file) {
            try Task.checkCancellation()
            switch found {
            case .leaf: continue
            case .fault(let problem):
                try file.bytes.checkServer(file.name)
                try visit(StoredTileRun(problem: problem))
            case .tiles(let entry):
                guard entry.id < limit, UInt64(entry.run) <= limit - entry.id else {
                    let problem = "the entry \(entry.id) is beyond the deepest zoom"
                    try visit(StoredTileRun(problem: problem))
                    continue
                }
                addressed = addressed.saturatingAdd(Int(entry.run))
                WorkProgress.report(addressed, of: Int(exactly: file.header.addressedTiles))
                let run = run(of: entry, detail, &budget)
                if case .failure = run.body { try file.bytes.checkServer(file.name) }
                try visit(run)
            }
        }
    }

    private func run(
        of entry: PMTilesDirectory.Entry, _ detail: TileDetail, _ budget: inout BodyBudget
    ) -> StoredTileRun {
        var body: Result<[UInt8], TileFailure> = .success([])
        if entry.length > 0, detail.needsBody(at: entry.offset) {
            body = Result { () throws(TileFailure) in
                try budget.take(UInt64(entry.length), at: entry.offset, ArchiveScan.name(entry.id))
                return try file.stored(entry, ArchiveScan.name(entry.id))
            }
        }
        return StoredTileRun(
            ids: entry.id..<entry.id + UInt64(entry.run), body: body, compression: compression,
            bytes: Int(entry.length), location: entry.length > 0 ? entry.offset : nil)
    }

    /// Returns the stored body of a tile, and the id after the last one that shares it; nil if there is no
    /// such tile.
    func storedRun(_ id: UInt64) throws(TileFailure) -> (body: [UInt8], end: UInt64)? {
        guard let entry = try file.entry(for: id) else { return nil }
        return (try file.stored(entry, ArchiveScan.name(id)), entry.id + UInt64(entry.run))
    }

    /// Returns the stored body of a run of `walk`, even if the directories are out of order.
    func storedBody(
        _ ids: Range<UInt64>, bytes: Int, at offset: UInt64
    ) throws(TileFailure) -> [UInt8] {
        let entry = PMTilesDirectory.Entry(
            id: ids.lowerBound, run: UInt32(clamping: ids.count), length: UInt32(clamping: bytes),
            offset: offset)
        return try file.stored(entry, ArchiveScan.name(entry.id))
    }

    /// Returns an empty list of hashes for this archive.
    /// - Parameter isSecure: True for cryptographic hashes.
    package func hashes(version: String, isSecure: Bool = false) throws(TileFailure) -> TileHashes {
        let count = Int(min(file.bytes.size, UInt64(PMTilesIndex.startLength)))
        let section = file.header.metadata
        var metadata: [UInt8]?
        if isSecure {
            guard section.length <= UInt64(PMTilesIndex.metadataLimit) else {
                throw TileFailure(
                    .badContent, "the metadata are larger than \(PMTilesIndex.metadataLimit) bytes")
            }
            metadata = try file.bytes.read(offset: section.offset, count: Int(section.length))
        }
        return TileHashes(
            version: version, beginning: try file.bytes.read(offset: 0, count: count), metadata: metadata)
    }
}

/// Reading only the parts of an archive that are needed, in few requests.
extension PMTilesArchive {
    /// The size of all directories and tiles in bytes; nil if the archive is on this machine.
    public var remoteSize: Int? {
        guard file.bytes.isRemote else { return nil }
        return Int(clamping: file.header.tiles.length).saturatingAdd(Int(clamping: file.header.leaves.length))
    }

    /// Throws if the server of a remote archive is failing.
    public func checkServer() throws(ArchiveFailure) { try file.bytes.checkServer(file.name) }

    /// Plans to read tiles.
    public func plan(_ tiles: [TileID]) throws(TileFailure) -> ReadPlan? {
        guard file.bytes.isRemote else { return nil }
        var sections: [FileSection] = []
        for tile in tiles {
            guard let entry = try file.entry(for: tile.hilbertID), entry.length > 0 else { continue }
            sections.append(try file.index.section(ofTile: entry, "\(tile)"))
        }
        let parts = FileSection.groups(of: sections) { $0 }.map(\.section)
        file.bytes.plan(parts)
        return ReadPlan(bytes: parts.reduce(0) { $0 + Int($1.length) }, requests: parts.count)
    }

    /// Returns those of some tiles that the archive has. Only reads the directories that may contain them.
    /// - Throws: `TileFailure` if a directory is damaged; `CancellationError` if the task is cancelled.
    func tiles(among wanted: TileRuns) throws -> TileRuns {
        var found = TileRuns()
        try collect(wanted, from: file.root, until: .max, depth: 1, &found)
        found.settle()
        return found
    }

    private func collect(
        _ wanted: TileRuns, from directory: PMTilesDirectory, until end: UInt64, depth: Int,
        _ found: inout TileRuns
    ) throws {
        let limit = TileID.firstHilbertID(zoom: TileID.maximumZoom + 1), entries = directory.entries
        var leaves: [(entry: PMTilesDirectory.Entry, end: UInt64)] = []
        for (index, entry) in entries.enumerated() where entry.id < limit {
            let next = index + 1 < entries.count ? entries[index + 1].id : end
            if entry.isLeaf {
                if next > entry.id, !wanted.runs(within: entry.id..<next).isEmpty {
                    leaves.append((entry, next))
                }
            } else {
                let tiles = entry.id..<min(entry.id + UInt64(entry.run), limit)
                for run in wanted.runs(within: tiles) { found.insert(run) }
            }
        }
        guard !leaves.isEmpty else { return }
        guard depth < PMTilesIndex.deepest else { throw file.index.tooDeep }
        if file.bytes.isRemote {
            let sections = try leaves.map { try file.index.section(ofLeaf: $0.entry) }
            file.bytes.plan(FileSection.groups(of: sections) { $0 }.map(\.section))
        }
        // All leaves of a level are read before the next level replaces the plan.
        let directories = try leaves.map { leaf in
            try Task.checkCancellation()
            return (try file.leaf(leaf.entry), leaf.end)
        }
        for (directory, end) in directories {
            try collect(wanted, from: directory, until: end, depth: depth + 1, &found)
        }
    }
}
