internal import Glibc
public import RhumbCore
public import RhumbEngine
internal import RhumbOpening
public import RhumbStore

/// Plans, creates, downloads, refreshes, checks and removes offline regions.
public struct Regions: Sendable {
    /// The store of the regions.
    public let store: RegionStore
    /// The shared cache, from which cached tiles are reused; nil for none.
    public let cache: SharedCache?
    /// The maximum total time without a success that a download waits for a lost network, or for a server
    /// that accepts no connection; nil for no limit.
    public var networkTimeout: Duration?
    let clock: EngineClock

    /// Creates the regions of a store. Tiles in the cache are reused.
    public init(_ store: RegionStore, cache: SharedCache?, clock: EngineClock = .machine) {
        self.store = store
        self.cache = cache
        self.clock = clock
    }

    // MARK: Reading regions

    /// Returns all regions for reports, sorted by id, see `counted`.
    /// - Throws: `RegionStoreFailure`
    public func records() throws(RegionStoreFailure) -> [RegionRecord] {
        var records: [RegionRecord] = []
        for record in try store.regions() { records.append(try counted(record)) }
        return records
    }

    /// Returns a region for reports, see `counted`.
    /// - Throws: `RegionStoreFailure.noRegion` if it doesn't exist.
    public func record(_ id: String) throws(RegionStoreFailure) -> RegionRecord {
        try counted(try store.region(id))
    }

    /// Returns the region with the tiles that stay stored while an update of them is unfinished or failed.
    /// The ledger counts only those that the update has processed.
    func counted(_ record: RegionRecord) throws(RegionStoreFailure) -> RegionRecord {
        var record = record
        let covers = record.covers
        for at in record.parts.indices {
            record.parts[at].uncount()
            let part = record.parts[at]
            guard part.missing > 0, part.failed > 0 || record.refresh != nil,
                let cover = covers.first(where: { $0.origin == part.origin })?.cover
            else { continue }
            record.parts[at].count(try store.count(of: part.origin) { cover.contains($0) })
        }
        return record
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
        let origins = old?.parts.map(\.origin) ?? []
        try requireRoom(for: definition, sources) { source in
            isPermitted || origins.contains { $0.isSameSource(as: source.origin) }
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
    ///   - documents: The documents that the region's map needs now; nil to keep the stored ones. Documents
    ///     of the stored editions are replaced at once.
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
                if let documents, !current.hasOlderEditions(than: sources) {
                    try store.stage(current, [], packs: [], documents: documents, at: clock.date())
                    current = try commitComing(try store.region(record.id))
                }
                if pass.kind == .download, current.failed > 0 { pass.kind = .retry }
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
        let all = try store.regions(), loads = TaskBag(), record = try counted(record)
        let job = RegionJob(record, cancelRequests: loads.close)
        let work = RegionDownload(
            job: job, loads: loads, regions: self,
            parts: sources.compactMap { source in
                record.definition.map {
                    RegionDownload.Part(
                        supply: source.supply, cover: source.cover($0), tileValidator: source.tileValidator,
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

/// The sizes of a region's data groups.
extension Regions {
    /// Returns the data groups of a source besides the base map, with their estimated sizes in the region.
    /// The estimate is based on stored and cached tiles.
    /// - Throws: `RegionStoreFailure`
    public func groups(
        _ definition: RegionDefinition, _ source: RegionSource
    ) throws(RegionStoreFailure) -> [PlanSource.Group] {
        let whole = try bytes(definition, source), enabled = Set(definition.features)
        if source.layer.feature != .rendering {
            let name = source.layer.feature.name
            return [PlanSource.Group(features: [name], bytes: whole, isContained: enabled.contains(name))]
        }
        guard source.layer.tileBodyKind == .vectorTile else { return [] }
        let (shares, omitted) = shares(definition, source)
        let announced = (source.layer.vectorLayerNames ?? []).map(Regions.features)
        return Set(announced).union(shares.keys).union(omitted).filter { !$0.isEmpty }.sorted {
            $0.sorted().lexicographicallyPrecedes($1.sorted())
        }.map { features in
            PlanSource.Group(
                features: features,
                bytes: shares[features].flatMap { share in whole.map { Int(Double($0) * share) } },
                isContained: !features.isDisjoint(with: enabled))
        }
    }

    private static func features(_ layer: String) -> Set<String> {
        Set(Feature.features(ofVectorLayer: layer).map(\.name))
    }

    /// Returns the estimated size of the whole region in bytes; nil if no tile is stored or cached.
    private func bytes(
        _ definition: RegionDefinition, _ source: RegionSource
    ) throws(RegionStoreFailure) -> Int? {
        let samples = try samples(of: source)
        guard !samples.isEmpty else { return nil }
        return source.cover(definition).counts().rows.reduce(0) { sum, row in
            sum.addingReportingOverflow(
                ByteEstimate(tiles: row.count, zoom: row.zoom, samples: samples).bytes
            ).partialValue
        }
    }

    func samples(of source: RegionSource) throws(RegionStoreFailure) -> [Int: ByteSample] {
        (cache?.samples(origin: source.origin) ?? [:])
            .merging(try store.samples(origin: source.origin)) { cached, stored in
                stored.count > 20 ? stored : cached
            }
    }

    /// Returns each group's share of the bytes of complete tiles, and the features that incomplete tiles
    /// lack.
    private func shares(
        _ definition: RegionDefinition, _ source: RegionSource
    ) -> ([Set<String>: Double], omitted: Set<Set<String>>) {
        var sums: [Set<String>: Int] = [:], seen = 0, omitted: Set<Set<String>> = []
        for tile in source.cover(definition).tiles().prefix(Regions.searchedTiles)
        where seen < Regions.weighedTiles {
            let key = ResourceKey.tile(origin: source.origin, tile)
            guard let response = store.response(for: key) ?? cache?.response(for: key) else { continue }
            seen += 1
            omitted.formUnion(response.omits.map { [$0] })
            guard response.omits.isEmpty, let tile = response.body.flatMap(Regions.vectorTile) else {
                continue
            }
            for layer in tile.layerSizes { sums[Regions.features(layer.name), default: 0] += layer.bytes }
        }
        let all = sums.values.reduce(0, +)
        return (all > 0 ? sums.mapValues { Double($0) / Double(all) } : [:], omitted)
    }

    private static let searchedTiles = 2000
    private static let weighedTiles = 32

    private static func vectorTile(_ body: [UInt8]) -> VectorTile? {
        (try? Gzip.unwrapped(body, limit: VectorTile.sizeLimit)).flatMap { try? VectorTile($0) }
    }
}

/// Refreshing regions, including to new editions of their sources.
extension Regions {
    /// Returns the region prepared for a refresh: restarted, or with new editions of its sources staged.
    func refreshed(
        _ record: RegionRecord, _ sources: [RegionSource], _ documents: [RegionDocument]?,
        olderThan: UnixSeconds?
    ) throws(RegionStoreFailure) -> RegionRecord {
        let documents =
            if let documents { documents } else {
                try store.documents(of: record.number, isComing: !record.coming.isEmpty)
            }
        if record.coming.map(\.origin) == sources.map(\.origin) {
            return try stage(record, sources, documents, keeps: true)
        }
        if record.hasOlderEditions(than: sources) { return try stage(record, sources, documents) }
        try store.stage(record, [], packs: [], documents: documents, at: clock.date())
        return try store.restart(try store.region(record.id), refresh: olderThan ?? Regions.everAfter)
    }

    /// Stages new editions of a region's sources beside the stored ones.
    /// - Parameter keeps: True to preserve the progress of editions that are already staged.
    func stage(
        _ record: RegionRecord, _ sources: [RegionSource], _ documents: [RegionDocument], keeps: Bool = false
    ) throws(RegionStoreFailure) -> RegionRecord {
        let definition = try record.readDefinition()
        try store.stage(
            record, keeps ? record.coming : sources.map { $0.part(of: definition) },
            packs: sources.map { ($0.origin, $0.packs(definition).packs()) }, documents: documents,
            at: clock.date())
        return try store.region(record.id)
    }

    /// Restarts a part for a newer edition of its source, beside the stored tiles.
    func supersede(
        _ record: RegionRecord, _ at: Int, by next: RegionSuccessor
    ) throws(RegionStoreFailure) -> RegionRecord {
        var parts = record.active
        parts[at] = RegionSourceRecord(next.supply.origin, parts[at].definition, planned: parts[at].planned)
        let stored = try store.documents(of: record.number, isComing: !record.coming.isEmpty)
        let others = stored.filter { old in !next.documents.contains { $0.address == old.address } }
        try store.stage(record, parts, packs: [], documents: others + next.documents, at: clock.date())
        return try store.region(record.id)
    }

    /// Replaces the stored edition with the staged one if that is complete. Does nothing if no edition is
    /// staged.
    /// - Throws: `RegionStoreFailure`; `.busy` while this or another process is downloading the region.
    func takeOver(_ record: RegionRecord) throws(RegionStoreFailure) {
        guard !record.coming.isEmpty, record.active.allSatisfy({ $0.failed == 0 && $0.settled == $0.planned })
        else { return }
        try store.claim(record, at: clock.date())
        defer { try? store.release(record.number) }
        let committed = try commitComing(try store.region(record.id))
        try store.setState(.complete, of: committed.number, at: clock.date())
    }

    /// Replaces the stored editions with the staged ones, and removes tiles that no region uses any more.
    /// - Throws: `RegionStoreFailure`
    func commitComing(_ record: RegionRecord) throws(RegionStoreFailure) -> RegionRecord {
        var held = try covers(except: record)
        held[record.number] = record.covers(record.active)
        return try store.commitComing(record, isHeld: Regions.claim(held))
    }
}
