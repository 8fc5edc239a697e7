internal import RhumbCore
internal import RhumbEngine

extension PMTilesArchive {
    /// Calls a function with the stored body of each directory entry.
    public func eachStoredRun(_ body: (StoredTileRun) throws -> Void) throws {
        var addressed = 0
        let limit = TileID.firstPMTilesID(zoom: TileID.maximumZoom + 1)
        for found in PMTilesEntries(file) {
            guard case .tiles(let entry) = found else {
                if case .fault(let problem) = found { try body(StoredTileRun(problem: problem)) }
                continue
            }
            guard entry.id < limit, UInt64(entry.run) <= limit - entry.id else {
                try body(StoredTileRun(problem: "the entry \(entry.id) is beyond the deepest zoom"))
                continue
            }
            addressed += Int(entry.run)
            WorkProgress.report(addressed, of: Int(exactly: file.header.addressedTiles))
            let stored = Result { () throws(TileFailure) in
                try file.stored(entry, ArchiveScan.name(entry.id))
            }
            try body(
                StoredTileRun(
                    ids: entry.id..<entry.id + UInt64(entry.run), body: stored, compression: compression))
        }
    }
}
