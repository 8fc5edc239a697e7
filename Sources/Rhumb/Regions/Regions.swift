internal import Glibc
public import RhumbCore
public import RhumbEngine
public import RhumbStore

/// Offline regions: planned, made, downloaded, refreshed, checked and removed.
public struct Regions: Sendable {
    public let store: RegionStore
    /// What is there already is taken over from it.
    public let cache: SharedCache?
    private let clock: EngineClock

    public init(_ store: RegionStore, cache: SharedCache?, clock: EngineClock = .machine) {
        self.store = store
        self.cache = cache
        self.clock = clock
    }

    // MARK: Before

    /// What a region would cost.
    /// - Parameter isPermitted: the person says that the provider allows it.
    /// - Throws: `RegionStoreFailure`
    public func plan(
        _ definition: RegionDefinition, _ sources: [RegionSource], isPermitted: Bool = false
    ) throws(RegionStoreFailure) -> RegionPlan {
        var planned: [PlanSource] = []
        for source in sources { planned.append(try planSource(definition, source, isPermitted)) }
        return RegionPlan(
            zooms: definition.zooms, packing: definition.packing, sources: planned, freeDisk: freeDisk)
    }

    private func planSource(
        _ definition: RegionDefinition, _ source: RegionSource, _ isPermitted: Bool
    ) throws(RegionStoreFailure) -> PlanSource {
        let cover = source.cover(definition)
        var planned = PlanSource(
            id: source.words, name: source.layer.info.name, counts: cover.counts(),
            samples: (cache?.samples(origin: source.origin) ?? [:])
                .merging(try store.samples(origin: source.origin)) { cached, stored in stored.count > 20 ? stored : cached },
            requestsPerSecond: source.supply.policy.requestsPerSecond,
            permission: source.supply.policy.permission(source.layer.info.name, isPermitted))
        let now = clock.date()
        for (zoom, count) in planned.counts.rows where count <= Regions.countedLimit {
            planned.stored[zoom] = try store.freshCount(origin: source.origin, zoom: zoom, at: now) { cover.contains($0) }
                + (cache?.freshTiles(origin: source.origin, zoom: zoom, at: now) { tile in
                    cover.contains(tile) && store.response(for: .tile(origin: source.origin, tile)) == nil
                } ?? 0)
        }
        if let limit = source.supply.policy.packLimit {
            planned.packs = try packUse(definition, source, limit)
        }
        return planned
    }

    /// Tiles of a zoom beyond which it isn't counted what is there already.
    private static let countedLimit = 2_000_000

    private func packUse(
        _ definition: RegionDefinition, _ source: RegionSource, _ limit: Int
    ) throws(RegionStoreFailure) -> PlanSource.PackUse {
        let cover = source.packs(definition)
        var added = cover.counts()
        let used = try store.packCount(origin: source.origin)
        if added.total <= limit {
            // Packs that another region has are counted once.
            for pack in cover.packs() where try store.holds(pack, origin: source.origin) {
                added[pack.top.zoom] -= 1
            }
        }
        return PlanSource.PackUse(limit: limit, used: used, added: added)
    }

    private var freeDisk: Int? {
        var facts = statvfs()
        var folder = store.path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        if folder.isEmpty { folder = store.path.hasPrefix("/") ? "/" : "." }
        guard statvfs(folder, &facts) == 0 else { return nil }
        return Int(facts.f_bavail) * Int(facts.f_frsize)
    }

    // MARK: Making

    /// Makes a region, or changes the one of that id, without fetching anything.
    /// - Parameters:
    ///   - configuration: the layer configuration in force, which is kept with it.
    ///   - documents: those it needs, with the keys they are stored under.
    /// - Throws: `RegionStoreFailure`
    public func add(
        _ definition: RegionDefinition, _ sources: [RegionSource],
        documents: [(key: String, response: StoredResponse)] = []
    ) throws(RegionStoreFailure) -> RegionRecord {
        if let old = try store.regions().first(where: { $0.id == definition.id.text }),
            old.definition == definition.json, !old.parts.isEmpty
        { return old }
        return try store.put(
            definition.id.text, definition: definition.json, sources: .array(sources.map(\.definition)),
            parts: sources.map { RegionPart(origin: $0.origin, planned: $0.cover(definition).counts().total) },
            packs: sources.map { ($0.origin, Array($0.packs(definition).packs())) }, documents: documents,
            at: clock.date())
    }

    // MARK: Work

    /// Works on a region until it is done, broken off or fails; the handle tells how far it is.
    /// - Throws: `RegionStoreFailure.busy` when another process does.
    public func start(
        _ record: RegionRecord, _ sources: [RegionSource], _ pass: RegionPass = RegionPass()
    ) throws(RegionStoreFailure) -> RegionTask {
        try store.claim(record, at: clock.date())
        var record = record
        if pass.kind == .refresh { record.parts = try restart(record) }
        let task = RegionTask(record)
        let definition = try? RegionDefinition(json: record.definition)
        let work = RegionWork(
            task: task, store: store, cache: cache,
            parts: sources.compactMap { source in
                definition.map { RegionWork.Part(supply: source.supply, cover: source.cover($0)) }
            }, pass: pass, clock: clock)
        task.follow(Task.detached {
            do throws(RegionStoreFailure) {
                try await work.run()
            } catch {
                work.fail(error)
            }
            try? work.store.release(record.number)
            task.end()
        })
        return task
    }

    /// Counts from the beginning again; what is stored stays.
    private func restart(_ record: RegionRecord) throws(RegionStoreFailure) -> [RegionPart] {
        let parts = record.parts.map { RegionPart(origin: $0.origin, planned: $0.planned) }
        for part in parts { try store.restart(part, of: record.number) }
        return parts
    }

    // MARK: After

    /// Removes a region and what no other region holds.
    /// - Throws: `RegionStoreFailure`; `.busy` while a process works on it.
    public func remove(_ record: RegionRecord) throws(RegionStoreFailure) -> RegionRemoval {
        try store.claim(record, at: clock.date())
        let others = try covers(except: record)
        return try store.remove(record) { regions, origin, tile in
            regions.contains { number in others[number]?.contains { $0.0 == origin && $0.1.contains(tile) } ?? true }
        }
    }

    /// What the other regions cover, by their numbers.
    private func covers(except record: RegionRecord) throws(RegionStoreFailure) -> [Int: [(String, RegionCover)]] {
        var covers: [Int: [(String, RegionCover)]] = [:]
        for other in try store.regions() where other.number != record.number {
            covers[other.number] = other.covers
        }
        return covers
    }
}

extension RegionRecord {
    /// What it covers of each of its sources, by their cache keys; empty where the definition
    /// can't be read.
    public var covers: [(origin: String, cover: RegionCover)] {
        guard let definition = try? RegionDefinition(json: definition) else { return [] }
        return zip(parts, sortedDefinitions).map { part, source in
            (part.origin, definition.cover(available: source.info.regionZooms, bounds: source.bounds))
        }
    }

    /// The definitions of its sources in the order of its parts.
    var sortedDefinitions: [SourceDefinition] {
        let all = (try? SourceList.read(["sources": sources])) ?? []
        return parts.compactMap { part in all.first { part.origin.hasPrefix("\($0.id) ") } }
    }
}

extension TileSourceInfo {
    /// The zooms a layer asks its source for.
    var regionZooms: ClosedRange<Int> {
        let deepest = min(zooms.upperBound, tileSize.maximumZoom)
        return min(zooms.lowerBound, deepest)...deepest
    }
}

extension SourcePolicy {
    fileprivate func permission(_ name: String, _ isPermitted: Bool) -> PlanSource.Permission {
        switch offline {
        case .allowed: .allowed
        case .ask: isPermitted ? .allowed : .ask(policyURL: policyURL)
        case .denied:
            .denied(
                reason: "its provider does not allow areas to be downloaded", policyURL: policyURL,
                alternative: "use a source that allows it (rhumb source list), a server of your own, or a PMTiles extract")
        }
    }
}
