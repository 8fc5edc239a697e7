internal import Dispatch
public import RhumbCore
internal import RhumbEngine
public import RhumbStore
internal import Synchronization

/// Imports archives into regions.
extension Regions {
    /// The maximum number of tiles missing from an archive that are listed as gaps. If more are missing,
    /// resuming the region processes all its tiles.
    static let gapLimit = 200_000

    /// The reason for the state of a region whose import has not ended.
    public static let unfinishedImport = "its import is unfinished"

    /// The number of tiles that an import reads and checks at the same time.
    private static let readBatch = 256

    /// Imports the tiles of an archive into a region created for them. Iterates over the tiles of the archive
    /// rather than those of the region. Tiles missing from the archive become gaps. Tiles that other regions
    /// store and that are still fresh are kept, because the age of those in the archive is unknown.
    /// - Returns: The numbers of imported tiles, with those kept, and of the archive's tiles that the region
    ///   doesn't cover.
    /// - Throws: `RegionStoreFailure`, `RegionExportFailure`, `ArchiveFailure`
    public func fill(
        _ record: RegionRecord, from archive: any TileArchive, at now: UnixSeconds
    ) throws -> (imported: Int, outside: Int) {
        try fill(record, from: archive, at: now, gapLimit: Regions.gapLimit)
    }

    /// - Parameters:
    ///   - index: The index of the source within the region.
    ///   - isComplete: True if tiles missing from the archive are known not to exist.
    ///   - ages: The ages of the tiles; nil if they are unknown. Stored tiles that are not older are kept.
    func fill(
        _ record: RegionRecord, part index: Int = 0, from archive: any TileArchive, at now: UnixSeconds,
        gapLimit: Int = Regions.gapLimit, isComplete: Bool = false, ages: TileAges? = nil
    ) throws -> (imported: Int, outside: Int) {
        guard record.parts.indices.contains(index), record.covers.count == record.parts.count else {
            throw RegionExportFailure.noDefinition(record.id)
        }
        let planned = record.parts[index], cover = record.covers[index].cover
        try store.claim(record, at: now)
        defer { try? store.release(record.number) }
        if ![.complete, .completeWithGaps].contains(record.state) {
            try store.setState(.queued, of: record.number, reason: Regions.unfinishedImport, at: now)
        }
        let tileValidator = TileValidator(planned.definition?.tileBodyKind ?? .either)
        let selection = try selection(record, planned)
        var part = planned.restarted
        part.failed = part.planned
        var work = ArchiveImport(region: record.number, store: store, part: part, now: now)
        defer { try? work.writer.wait() }
        var seen = 0, outside = 0, tiles: [TileID] = []
        func read() throws(RegionStoreFailure) {
            let stored = store.responses(for: tiles, of: planned.origin)
            let outcomes = zip(tiles, stored).map { ($0, $1, ages?[$0]) }.concurrentlyMapped {
                tile, stored, age in
                if let kept = ArchiveImport.kept(stored, insteadOf: age, selection, now) { return kept }
                return ArchiveImport.outcome(
                    of: tile, archive, tileValidator, selection, age, now, isComplete: isComplete)
            }
            for (tile, outcome) in zip(tiles, outcomes) { try work.settle(tile, outcome) }
            tiles.removeAll(keepingCapacity: true)
        }
        try archive.eachTile { tile in
            WorkProgress.report(seen, of: planned.planned)
            seen += 1
            guard cover.contains(tile) else {
                outside += 1
                return
            }
            tiles.append(tile)
            if tiles.count == Regions.readBatch { try read() }
        }
        try read()
        if isComplete { try work.settleAbsent(in: cover, planned.origin, ages, selection) }
        let isListed = try work.finish(cover, gapLimit: gapLimit)
        let parts = try store.region(record.id).parts
        let isLeft = !isListed || parts.contains { $0.settled < $0.planned }
        let state: RegionState =
            isLeft ? .cancelled : parts.contains { $0.failed > 0 } ? .completeWithGaps : .complete
        try store.setState(state, of: record.number, reason: "imported", at: now)
        return (work.progress.part.done + work.progress.part.reused, outside)
    }
}

/// An import of an archive's tiles. Initially, all tiles count as gaps.
private struct ArchiveImport {
    let region: Int
    let store: RegionStore
    var progress: SourceProgress
    let now: UnixSeconds
    private var found = TileRuns()
    let writer = WriteBehind()

    /// The maximum number of tiles in a transaction, and their maximum size in bytes. The index of bodies is
    /// written at random offsets, so few large transactions write much less than many small ones.
    private static let batch = (tiles: 8192, bytes: 8 << 20)

    private static let noTile = "the archive has no such tile"

    init(region: Int, store: RegionStore, part: RegionSourceRecord, now: UnixSeconds) {
        self.region = region
        self.store = store
        self.now = now
        progress = SourceProgress(part, isGap: { _ in true })
    }

    mutating func settle(_ tile: TileID, _ outcome: TileOutcome) throws(RegionStoreFailure) {
        found.insert(tile.hilbertID..<tile.hilbertID + 1)
        progress.settle(tile, outcome)
        let isFull =
            progress.unwritten.count >= Self.batch.tiles || progress.unwrittenBytes >= Self.batch.bytes
        if isFull { try write(progress.part, progress.take()) }
    }

    /// Stores the tiles missing from the archive as absent.
    mutating func settleAbsent(
        in cover: RegionTileSet, _ origin: TileOrigin, _ ages: TileAges?, _ selection: LayerFilter
    ) throws(RegionStoreFailure) {
        found.settle()
        let known = found
        var tiles: [TileID] = []
        for tile in cover.tiles() where !known.contains(tile.hilbertID) {
            tiles.append(tile)
            guard tiles.count == Self.absentBatch else { continue }
            try settle(absent: tiles, origin, ages, selection)
            tiles.removeAll(keepingCapacity: true)
        }
        try settle(absent: tiles, origin, ages, selection)
    }

    /// The number of absent tiles that are looked up in the store at the same time.
    private static let absentBatch = 256

    private mutating func settle(
        absent tiles: [TileID], _ origin: TileOrigin, _ ages: TileAges?, _ selection: LayerFilter
    ) throws(RegionStoreFailure) {
        for (tile, stored) in zip(tiles, store.responses(for: tiles, of: origin)) {
            let age = ages?[tile]
            let absent = ArchiveImport.response(nil, age, now)
            let kept = ArchiveImport.kept(stored, insteadOf: age, selection, now)
            try settle(tile, kept ?? .fetched(absent))
        }
    }

    /// Returns the outcome of a tile whose stored response is kept: the newer one, or if the age of the
    /// imported one is unknown, one that is still fresh. Returns nil to import the tile.
    static func kept(
        _ stored: StoredResponse?, insteadOf age: TileAges.Age?, _ selection: LayerFilter, _ now: UnixSeconds
    ) -> TileOutcome? {
        guard let stored, !stored.isInvalidated, !stored.isDamaged, selection.suffices(stored) else {
            return nil
        }
        let isKept =
            age.map { stored.freshness.receivedAt >= $0.freshness.receivedAt }
            ?? (stored.freshness.state(at: now) == .fresh)
        return isKept ? .present(bytes: stored.body?.count ?? 0, isAbsent: stored.body == nil) : nil
    }

    /// Returns an imported tile. One of unknown age is stored as expired, and the next refresh asks for it.
    static func response(_ body: [UInt8]?, _ age: TileAges.Age?, _ now: UnixSeconds) -> StoredResponse {
        let expired = Freshness(receivedAt: now, initialAge: 0, lifetime: 0)
        return StoredResponse(
            body: body, freshness: age?.freshness ?? expired, headers: age?.validators.fields ?? HTTPHeaders()
        )
    }

    /// Lists the tiles missing from the archive as gaps.
    /// - Returns: False if there are too many. The region is then reset to the beginning of its download.
    mutating func finish(_ cover: RegionTileSet, gapLimit: Int) throws(RegionStoreFailure) -> Bool {
        var part = progress.part
        guard part.failed <= gapLimit else {
            try write(part.restarted, progress.take())
            try writer.wait()
            return false
        }
        found.settle()
        var batch = progress.take()
        for tile in cover.tiles() {
            part.cursor = tile
            if !found.contains(tile.hilbertID) {
                batch.append((tile, .failed(reason: Self.noTile)))
            }
            if batch.count >= Self.batch.tiles {
                try write(part, batch)
                batch = []
            }
        }
        try write(part, batch)
        try writer.wait()
        return true
    }

    private func write(
        _ part: RegionSourceRecord, _ outcomes: [(tile: TileID, outcome: TileOutcome)]
    ) throws(RegionStoreFailure) {
        let batch = RegionBatch(region: region, part: part, outcomes: outcomes)
        try writer.begin { [store, now] () throws(RegionStoreFailure) in try store.commit(batch, at: now) }
    }

    /// - Parameter isComplete: True if a tile missing from the archive is known not to exist. Otherwise it is
    ///   a gap, because only its source knows that.
    static func outcome(
        of tile: TileID, _ archive: any TileArchive, _ tileValidator: TileValidator, _ selection: LayerFilter,
        _ age: TileAges.Age?, _ now: UnixSeconds, isComplete: Bool
    ) -> TileOutcome {
        let found: [UInt8]?
        do throws(TileFailure) {
            switch try archive.tile(tile) {
            case .bitmap(.encoded(let body))?: found = body
            // An image such as a GeoTIFF, which draws its tiles.
            case .bitmap?: found = try archive.storedBody(tile)
            case .absent?, nil: found = nil
            }
        } catch {
            return .failed(reason: error.message)
        }
        guard let body = found else {
            return isComplete ? .fetched(response(nil, age, now)) : .failed(reason: noTile)
        }
        if let fault = tileValidator.fault(in: body) { return .failed(reason: "\(fault)") }
        var response = response(body, age, now)
        if TileKind(of: body).isVector {
            response.body = TileBody.stored((try? archive.storedBody(tile)) ?? [], body)
        }
        return .fetched(selection.selected(response, tile) ?? response)
    }
}

/// Writes to a store on another thread, one transaction at a time.
final class WriteBehind: Sendable {
    private let queue = DispatchQueue(label: "import")
    private let failure = Mutex<RegionStoreFailure?>(nil)

    /// Waits for the previous transaction, and begins the next.
    /// - Throws: The failure of the previous one.
    func begin(
        _ write: @escaping @Sendable () throws(RegionStoreFailure) -> Void
    ) throws(RegionStoreFailure) {
        try wait()
        queue.async { [self] in
            do throws(RegionStoreFailure) { try write() } catch { failure.withLock { $0 = error } }
        }
    }

    /// Waits for the last transaction.
    /// - Throws: Its failure.
    func wait() throws(RegionStoreFailure) {
        queue.sync {}
        if let failure = failure.withLock({ $0.take() }) { throw failure }
    }
}
