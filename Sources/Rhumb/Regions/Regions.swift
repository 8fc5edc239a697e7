internal import Glibc
public import RhumbCore
public import RhumbEngine
public import RhumbStore

/// Offline regions: planned, made, downloaded, refreshed, checked and removed.
public struct Regions: Sendable {
    public let store: RegionStore
    /// What is there already is taken over from it.
    public let cache: SharedCache?
    let clock: EngineClock

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
        planned.notes = source.notes(on: definition)
        let now = clock.date()
        for (zoom, count) in planned.counts.rows where count <= Regions.countedLimit {
            planned.stored[zoom] = try store.freshCount(origin: source.origin, zoom: zoom, at: now) { cover.contains($0) }
                + (cache?.freshTiles(origin: source.origin, zoom: zoom, at: now) { tile in
                    cover.contains(tile) && !store.has(.tile(origin: source.origin, tile))
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
        let used = try store.packCount(of: source.origin)
        if added.total <= limit {
            // Packs that another region has are counted once.
            for pack in cover.packs() where try store.holds(pack, of: source.origin) {
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

    /// Makes a region, or changes the one of that id, without fetching anything. Where its sources
    /// have other editions by now, what is stored is shown until all of the new ones is there.
    /// - Parameter documents: those its map is made of.
    /// - Throws: `RegionStoreFailure`
    public func add(
        _ definition: RegionDefinition, _ sources: [RegionSource], documents: [RegionDocument] = []
    ) throws(RegionStoreFailure) -> RegionRecord {
        let old = try store.regions().first { $0.id == definition.id.text }
        guard let old else { return try put(definition, sources, documents, held: [:]) }
        if old.isSame(as: definition, sources), try store.missingDocuments(of: old.number).isEmpty { return try sound(old) }
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
            packs: sources.map { ($0.origin, $0.packs(definition).packs()) }, documents: documents, at: clock.date(),
            isHeld: Regions.claim(held))
    }

    // MARK: Editions

    /// Begins to bring a region up to date: every tile is asked about. Where its sources have other
    /// editions by now, these come beside what is stored, and take its place when all is there.
    /// - Parameters:
    ///   - sources: opened with documents that a server was asked about.
    ///   - documents: those its map is made of by now.
    /// - Throws: `RegionStoreFailure`
    public func update(
        _ record: RegionRecord, _ sources: [RegionSource], documents: [RegionDocument], _ pass: RegionPass
    ) throws(RegionStoreFailure) -> RegionTask {
        try store.claim(record, at: clock.date())
        do throws(RegionStoreFailure) {
            let ready = try prepared(record, sources, documents, pass)
            var pass = pass
            if !ready.coming.isEmpty { pass.kind = .download }
            return follow(ready, sources, pass)
        } catch {
            try? store.release(record.number)
            throw error
        }
    }

    private func prepared(
        _ record: RegionRecord, _ sources: [RegionSource], _ documents: [RegionDocument], _ pass: RegionPass
    ) throws(RegionStoreFailure) -> RegionRecord {
        if record.coming.map(\.origin) == sources.map(\.origin) { return try stage(record, sources, documents, keeps: true) }
        if record.hasOlderEditions(than: sources) { return try stage(record, sources, documents) }
        try store.stage(record, [], packs: [], documents: documents, at: clock.date())
        return try store.restart(try store.region(record.id), refresh: pass.olderThan ?? Regions.everAfter)
    }

    /// - Parameter keeps: what is under way goes on from where it was.
    private func stage(
        _ record: RegionRecord, _ sources: [RegionSource], _ documents: [RegionDocument], keeps: Bool = false
    ) throws(RegionStoreFailure) -> RegionRecord {
        let definition = try record.readDefinition()
        try store.stage(
            record, keeps ? record.coming : sources.map { $0.part(of: definition) },
            packs: sources.map { ($0.origin, $0.packs(definition).packs()) }, documents: documents, at: clock.date())
        return try store.region(record.id)
    }

    /// A source has another edition by now: its part begins anew, beside what is stored.
    func supersede(
        _ record: RegionRecord, _ at: Int, by next: RegionSuccessor
    ) throws(RegionStoreFailure) -> RegionRecord {
        var parts = record.active
        parts[at] = RegionPart(next.supply.origin, parts[at].definition, planned: parts[at].planned)
        let kept = try store.documents(of: record.number, isComing: !record.coming.isEmpty)
        let others = kept.filter { old in !next.documents.contains { $0.address == old.address } }
        try store.stage(record, parts, packs: [], documents: others + next.documents, at: clock.date())
        return try store.region(record.id)
    }

    /// The editions that were under way take the place of those that were shown before; what no
    /// region wants any more is removed.
    /// - Throws: `RegionStoreFailure`
    func commitComing(_ record: RegionRecord) throws(RegionStoreFailure) -> RegionRecord {
        var held = try covers(except: record)
        held[record.number] = record.coming.isEmpty ? record.covers(record.parts) : record.covers(record.coming)
        return try store.commitComing(record, isHeld: Regions.claim(held))
    }

    // MARK: Work

    /// Works on a region until it is done, broken off or fails; the handle tells how far it is.
    /// - Throws: `RegionStoreFailure.busy` when this or another process does already.
    public func start(
        _ record: RegionRecord, _ sources: [RegionSource], _ pass: RegionPass = RegionPass()
    ) throws(RegionStoreFailure) -> RegionTask {
        try store.claim(record, at: clock.date())
        do throws(RegionStoreFailure) {
            let (current, pass) = try begin(record.id, pass)
            return follow(current, sources, pass)
        } catch {
            try? store.release(record.number)
            throw error
        }
    }

    /// The region as it is now, and what is to be done: a refresh that was broken off goes on.
    private func begin(
        _ id: String, _ pass: RegionPass
    ) throws(RegionStoreFailure) -> (RegionRecord, RegionPass) {
        let record = try store.region(id)
        if !record.coming.isEmpty {
            var pass = pass
            if pass.kind == .refresh { pass.kind = .download }
            return (record, pass)
        }
        if pass.kind == .refresh {
            return (try store.restart(record, refresh: pass.olderThan ?? Regions.everAfter), pass)
        }
        guard pass.kind == .download, let refresh = record.refresh else { return (record, pass) }
        var pass = pass
        (pass.kind, pass.olderThan) = (.refresh, refresh)
        return (record, pass)
    }

    private static let everAfter = UnixSeconds(.max)

    private func follow(_ record: RegionRecord, _ sources: [RegionSource], _ pass: RegionPass) -> RegionTask {
        let task = RegionTask(record)
        let work = RegionWork(
            task: task, regions: self,
            parts: sources.compactMap { source in
                record.definition.map { RegionWork.Part(supply: source.supply, cover: source.cover($0), judge: source.judge) }
            }, pass: pass, clock: clock)
        let listening = Task.detached { await work.listen() }
        task.follow(Task.detached {
            do throws(RegionStoreFailure) {
                try await work.run()
            } catch {
                work.fail(error)
            }
            listening.cancel()
            try? work.store.release(record.number)
            task.end()
        })
        return task
    }

    // MARK: After

    /// Removes a region and what no other region holds.
    /// - Throws: `RegionStoreFailure`; `.busy` while this or another process works on it.
    public func remove(_ record: RegionRecord) throws(RegionStoreFailure) -> RegionRemoval {
        try store.claim(record, at: clock.date())
        defer { try? store.release(record.number) }
        return try store.remove(record, isHeld: Regions.claim(try covers(except: record)))
    }

    /// What regions cover, by their numbers; of one whose definition can't be read, nothing.
    private typealias Covers = [Int: [(origin: TileOrigin, cover: RegionCover)]]

    private func covers(except record: RegionRecord) throws(RegionStoreFailure) -> Covers {
        var covers: Covers = [:]
        for other in try store.regions() where other.number != record.number {
            covers[other.number] = other.covers(other.parts + other.coming)
        }
        return covers
    }

    /// A region of which it can't be told what it covers holds all that it touches.
    private static func claim(_ covers: Covers) -> RegionClaim {
        { regions, origin, tile in
            regions.contains { number in
                guard let parts = covers[number], !parts.isEmpty else { return true }
                return parts.contains { $0.origin == origin && $0.cover.contains(tile) }
            }
        }
    }
}

extension RegionRecord {
    /// What it covers of each of its sources in the editions that are shown; empty where the
    /// definition can't be read.
    public var covers: [(origin: TileOrigin, cover: RegionCover)] { covers(parts) }

    func covers(_ parts: [RegionPart]) -> [(origin: TileOrigin, cover: RegionCover)] {
        guard let definition else { return [] }
        return parts.compactMap { part in
            part.definition.map {
                (part.origin, definition.cover(available: $0.info.regionZooms, bounds: $0.bounds))
            }
        }
    }

    /// Whether it was asked for in the same words, and its sources are still the same.
    fileprivate func isSame(as definition: RegionDefinition, _ sources: [RegionSource]) -> Bool {
        self.definition == definition && active.map(\.origin) == sources.map(\.origin)
            && active.map(\.definition?.json) == sources.map(\.definition.json)
    }

    /// Whether something is stored of it, of the same sources in other editions.
    fileprivate func hasOlderEditions(than sources: [RegionSource]) -> Bool {
        parts.contains { part in
            part.settled > part.failed && sources.contains { $0.origin != part.origin && $0.origin.isSameSource(as: part.origin) }
        }
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
