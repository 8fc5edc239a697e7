internal import RhumbCore
internal import RhumbEngine

extension PMTilesArchive {
    /// Calls a function with the stored body of each directory entry.
    public func eachStoredRun(_ body: (StoredTileRun) throws -> Void) throws {
        try eachEntry { ids, entry in
            let stored = Result { () throws(TileFailure) in
                try file.stored(entry, ArchiveScan.name(entry.id))
            }
            try body(StoredTileRun(ids: ids, body: stored, compression: compression))
        } fault: {
            try body(StoredTileRun(problem: $0))
        }
    }

    /// Calls a function with the size in each directory entry. The place is the offset of the body.
    public func eachStoredSize(_ body: (StoredTileSize) throws -> Void) throws {
        try eachEntry { ids, entry in
            try body(StoredTileSize(ids: ids, bytes: Int(entry.length), place: entry.offset))
        } fault: {
            try body(StoredTileSize(StoredTileRun(problem: $0)))
        }
    }

    /// Calls a function with each entry of tiles, and another one with each fault of a directory.
    private func eachEntry(
        _ body: (Range<UInt64>, PMTilesDirectory.Entry) throws -> Void, fault: (String) throws -> Void
    ) throws {
        var addressed = 0
        let limit = TileID.firstPMTilesID(zoom: TileID.maximumZoom + 1)
        for found in PMTilesEntries(file) {
            try Task.checkCancellation()
            guard case .tiles(let entry) = found else {
                if case .fault(let problem) = found { try fault(problem) }
                continue
            }
            guard entry.id < limit, UInt64(entry.run) <= limit - entry.id else {
                try fault("the entry \(entry.id) is beyond the deepest zoom")
                continue
            }
            addressed += Int(entry.run)
            WorkProgress.report(addressed, of: Int(exactly: file.header.addressedTiles))
            try body(entry.id..<entry.id + UInt64(entry.run), entry)
        }
    }
}
