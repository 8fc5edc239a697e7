internal import Glibc
public import RhumbCore
public import RhumbEngine
public import RhumbStore

/// Plans, creates, downloads, refreshes, checks and removes offline regions.
public struct Regions: Sendable {
    /// The store of the regions.
    public let store: RegionStore
    /// The shared cache, from which cached tiles are reused; nil for none.
    public let cache: SharedCache?
    let clock: EngineClock

    /// Creates the regions of a store. Tiles in the cache are reused.
    public init(_ store: RegionStore, cache: SharedCache?, clock: EngineClock = .machine) {
        self.store = store
        self.cache = cache
        self.clock = clock
    }

    // MARK: Creating regions

    /// Creates a region, or changes the region with that id, without fetching anything. If its sources have
    /// new editions, the stored editions are shown until the new ones are complete.
    /// - Parameters:
    ///   - documents: The documents that the region's map needs.
    ///   - isPermitted: True if the user confirms that the providers allow the download. Required once for
    ///     each source whose policy is `ask`.
    /// - Throws: `RegionStoreFailure`, also `.refused` if a source's policy or pack limit forbids the region.
    public func add(
        _ definition: RegionDefinition, _ sources: [RegionSource], documents: [RegionDocument] = [],
        isPermitted: Bool = false
    ) throws(RegionStoreFailure) -> RegionRecord {
        let old = try store.regions().first { $0.id == definition.id.text }
        let known = old?.parts.map(\.origin) ?? []
        try requireRoom(for: definition, sources) { source in
            isPermitted || known.contains { $0.isSameSource(as: source.origin) }
        }
        guard let old else { return try put(definition, sources, documents, held: [:]) }
        if old.isSame(as: definition, sources), try store.missingDocuments(of: old.number).isEmpty {
            return try sound(old)
        }
        try store.claim(old, at: clock.date())
        defer { try? store.release(old.number) }
        if old.hasOlderEditions(than: sources) {
            try store.change(old.number, to: definition)
            return try stage(try store.region(definition.id.text), sources, documents)
        }
        var held = try covers(except: old)
        held[old.number] = sources.map { ($0.origin, $0.cover(definition)) }
        return try put(definition, sources, documents, held: held)
    }

    private func put(
        _ definition: RegionDefinition, _ sources: [RegionSource], _ documents: [RegionDocument], held: Covers
    ) throws(RegionStoreFailure) -> RegionRecord {
        try store.put(
            definition, parts: sources.map { $0.part(of: definition) },
            packs: sources.map { ($0.origin, $0.packs(definition).packs()) }, documents: documents,
            at: clock.date(),
            isHeld: Regions.claim(held))
    }

    // MARK: Downloads

    /// Starts to download or refresh a region. The returned job reports the progress until the region is
    /// done, cancelled or fails. A refresh revalidates every tile. New editions of the sources are stored
    /// beside the old ones, and replace them once complete.
    /// - Parameters:
    ///   - sources: The region's sources. For a refresh, they must have been opened with revalidated
    ///     documents.
    ///   - documents: The documents that the region's map needs now; nil to keep the stored ones.
    /// - Throws: `RegionStoreFailure`; `.busy` if this or another process is working on the region,
    ///   `.refused` if a provider no longer allows downloads.
    public func start(
        _ record: RegionRecord, _ sources: [RegionSource], _ pass: SyncMode = SyncMode(),
        documents: [RegionDocument]? = nil
    ) throws(RegionStoreFailure) -> RegionJob {
        try requireNoDenial(of: sources)
        try store.claim(record, at: clock.date())
        do throws(RegionStoreFailure) {
            var current = try store.region(record.id), pass = pass
            if pass.kind == .refresh {
                current = try refreshed(current, sources, documents, olderThan: pass.olderThan)
                if !current.coming.isEmpty { pass.kind = .retry }
            } else if current.coming.isEmpty {
                // Resumes an interrupted refresh.
                pass.olderThan = current.refresh
            }
            return try follow(current, sources, pass)
        } catch {
            try? store.release(record.number)
            throw error
        }
    }

    static let everAfter = UnixSeconds(.max)

    func follow(
        _ record: RegionRecord, _ sources: [RegionSource], _ pass: SyncMode
    ) throws(RegionStoreFailure) -> RegionJob {
        let all = try store.regions(), loads = TaskBag()
        let job = RegionJob(record, cancelRequests: loads.close)
        let work = RegionDownload(
            job: job, loads: loads, regions: self,
            parts: sources.compactMap { source in
                record.definition.map {
                    RegionDownload.Part(
                        supply: source.supply, cover: source.cover($0), judge: source.judge,
                        selection: selection(record, source, among: all),
                        acceptsExpired: $0.acceptsExpired(of: source.origin.key))
                }
            }, pass: pass, clock: clock)
        job.start(on: BlockingExecutor.shared) {
            await work.outcome()
        } atEnd: { [store] in
            store.post(.ended(job.record))
        }
        return job
    }

    // MARK: Removal

    /// Removes a region and all tiles that no other region uses.
    /// - Throws: `RegionStoreFailure`; `.busy` while this or another process is downloading it.
    public func remove(_ record: RegionRecord) throws(RegionStoreFailure) -> RegionRemoval {
        try store.claim(record, at: clock.date())
        defer { try? store.release(record.number) }
        var held = try covers(except: record)
        held[record.number] = record.covers(record.parts + record.coming)
        return try store.remove(record, isHeld: Regions.claim(held))
    }

    /// The tiles of regions, by region number; empty for a region with an unreadable definition.
    typealias Covers = [Int: [(origin: TileOrigin, cover: RegionTileSet)]]

    func covers(except record: RegionRecord) throws(RegionStoreFailure) -> Covers {
        var covers: Covers = [:]
        for other in try store.regions() where other.number != record.number {
            covers[other.number] = other.covers(other.parts + other.coming)
        }
        return covers
    }

    /// Returns a function that reports whether any of the given regions uses a tile. A region with unknown
    /// tiles is assumed to use all tiles.
    static func claim(_ covers: Covers) -> TileClaim {
        { regions, origin, tile in
            regions.contains { number in
                guard let parts = covers[number], !parts.isEmpty else { return true }
                return parts.contains { $0.origin == origin && $0.cover.contains(tile) }
            }
        }
    }
}

extension RegionRecord {
    /// The tiles of each source in the stored editions; empty if the definition can't be read.
    public var covers: [(origin: TileOrigin, cover: RegionTileSet)] { covers(parts) }

    func covers(_ parts: [RegionSourceRecord]) -> [(origin: TileOrigin, cover: RegionTileSet)] {
        guard let definition else { return [] }
        return parts.compactMap { part in
            part.definition.map {
                (
                    part.origin,
                    definition.cover(of: part.origin.key, available: $0.info.regionZooms, bounds: $0.bounds)
                )
            }
        }
    }

    /// True if the region has this definition, and its sources are unchanged.
    fileprivate func isSame(as definition: RegionDefinition, _ sources: [RegionSource]) -> Bool {
        self.definition == definition && active.map(\.origin) == sources.map(\.origin)
            && active.map(\.definition?.json) == sources.map(\.definition.json)
    }

    /// True if the region has an older edition of one of these sources. Doesn't compare tile counts, because
    /// a repair resets them while the tiles remain stored.
    func hasOlderEditions(than sources: [RegionSource]) -> Bool {
        parts.contains { part in
            sources.contains { $0.origin != part.origin && $0.origin.isSameSource(as: part.origin) }
        }
    }
}

extension TileSourceInfo {
    /// The zooms that a layer requests from the source.
    var regionZooms: ClosedRange<Int> {
        let deepest = min(zooms.upperBound, tileSize.maximumZoom)
        return min(zooms.lowerBound, deepest)...deepest
    }
}
