internal import RhumbCore
package import RhumbEngine

extension PMTilesArchive {
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
