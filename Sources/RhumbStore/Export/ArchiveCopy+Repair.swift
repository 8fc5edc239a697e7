internal import RhumbCore
internal import RhumbEngine

/// Copies with correct metadata, counts, bounds and directories. Bodies are copied unchanged, even damaged
/// ones, but compressed as the writer of the new archive does.
extension ArchiveCopy {
    /// The result of a repair.
    public struct Repair: Equatable, Sendable {
        /// The new archive.
        public let archive: ExportSummary
        /// The number of parts without a usable body: NULL or empty tiles, invalid positions, and damaged
        /// directories.
        public let omitted: Int
    }

    /// Copies the tiles that can be read. Of several bodies of a tile, the first one is copied.
    /// - Parameter found: The faults of the archive. They decide which metadata is computed from the tiles.
    /// - Throws: `ArchiveFailure`, `ExportFailure`; `CancellationError` if the task is cancelled.
    public func repair(_ found: ArchiveVerification) throws -> Repair {
        if let refusal = input.archive.refusal, refusal.reason != .vectorTiles { throw refusal }
        let writer = try destination.writer(label(found))
        var omitted = 0
        if let archive = input.archive as? PMTilesArchive {
            try copy(archive, to: writer, &omitted)
        } else {
            try copyListed(to: writer, &omitted)
        }
        try input.checkUnchanged()
        return Repair(archive: try writer.finish(), omitted: omitted)
    }

    private func label(_ found: ArchiveVerification) -> ExportLabel {
        var label = ArchiveMetadata(input.archive).label(for: input)
        if found.has(.layers) { label.vectorLayerList = nil }
        if found.has(.bounds) {
            label.bounds = nil
            label.center = nil
        }
        if found.has(.zooms) { label.centerZoom = nil }
        return label
    }

    /// Copies the entries of all directories that can be read, because a lookup in a disordered directory may
    /// fail. Uses 24 bytes of memory for each entry.
    private func copy(_ archive: PMTilesArchive, to writer: any ArchiveWriter, _ omitted: inout Int) throws {
        let limit = TileID.firstPMTilesID(zoom: TileID.maximumZoom + 1)
        var entries: [PMTilesDirectory.Entry] = []
        for found in PMTilesEntries(archive.file) {
            switch found {
            case .leaf: break
            case .fault: omitted += 1
            case .tiles(let entry) where entry.id < limit && UInt64(entry.run) <= limit - entry.id:
                entries.append(entry)
            case .tiles: omitted += 1
            }
        }
        // Sorting is stable, so the first of equal entries stays first.
        entries.sort { $0.id < $1.id }
        var next: UInt64 = 0
        for (index, entry) in entries.enumerated() {
            WorkProgress.report(index, of: entries.count)
            guard let stored = try? archive.file.stored(entry, ArchiveScan.name(entry.id)) else {
                omitted += 1
                continue
            }
            let body = input.writable(stored)
            let end = entry.id + UInt64(entry.run)
            for id in max(entry.id, next)..<max(end, next) {
                try Task.checkCancellation()
                if let tile = TileID(pmtilesID: id) { try writer.add(tile, body) }
            }
            next = max(next, end)
        }
    }

    private func copyListed(to writer: any ArchiveWriter, _ omitted: inout Int) throws {
        try input.tiles().eachTile { tile in
            guard let body = try? input.archive.storedBody(tile), !body.isEmpty else {
                omitted += 1
                return
            }
            try writer.add(tile, input.writable(body))
        }
    }
}
