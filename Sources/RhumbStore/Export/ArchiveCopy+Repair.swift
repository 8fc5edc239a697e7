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
        let omitted = try copy(to: writer)
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

    /// Copies the tiles of a walk, because a lookup in a disordered directory may fail. Uses 48 bytes of
    /// memory for each run.
    /// - Returns: The number of parts without a usable body.
    private func copy(to writer: any ArchiveWriter) throws -> Int {
        var runs: [(ids: Range<UInt64>, bytes: Int, location: UInt64?)] = [], omitted = 0
        try input.archive.walk(.sizes) { run in
            if case .failure = run.body {
                omitted += 1
            } else {
                runs.append((run.ids, run.bytes, run.location))
            }
        }
        // Sorting is stable, so the first of equal runs stays first.
        runs.sort { $0.ids.lowerBound < $1.ids.lowerBound }
        if !destination.storesRuns {
            var tiles = TileRuns()
            for run in runs { tiles.insert(run.ids) }
            tiles.settle()
            try input.checkCount(of: tiles)
        }
        var next: UInt64 = 0
        for (index, (ids, bytes, location)) in runs.enumerated() {
            WorkProgress.report(index, of: runs.count)
            guard let stored = try? stored(ids, bytes, location), !stored.isEmpty else {
                omitted += 1
                continue
            }
            try Task.checkCancellation()
            let rest = max(ids.lowerBound, next)..<max(ids.upperBound, next)
            if !rest.isEmpty { try writer.add(rest, input.writable(stored)) }
            next = rest.upperBound
        }
        return omitted
    }

    private func stored(
        _ ids: Range<UInt64>, _ bytes: Int, _ location: UInt64?
    ) throws(TileFailure) -> [UInt8]? {
        if let archive = input.archive as? PMTilesArchive, let location {
            return try archive.storedBody(ids, bytes: bytes, at: location)
        }
        guard let tile = TileID(hilbertID: ids.lowerBound) else { return nil }
        return try input.archive.storedBody(tile)
    }
}
