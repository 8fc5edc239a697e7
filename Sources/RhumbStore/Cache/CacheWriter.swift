internal import RhumbCore
internal import RhumbEngine

/// The process's one writer of the cache: takes batches, keeps within the quota. Used by one
/// thread at a time.
final class CacheWriter {
    let connection: Connection
    let table: ResponseTable
    private let addCount: Statement
    private let oldest: Statement
    private let pageSize: Int

    init(_ connection: Connection) throws(StoreFailure) {
        self.connection = connection
        table = try ResponseTable(connection)
        addCount = try connection.prepare(
            "INSERT INTO counters VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = value + ?2",
            to: "count")
        oldest = try connection.prepare(
            "SELECT origin, z, x, y FROM entries ORDER BY used LIMIT ?1", to: "find what is used least")
        pageSize = try connection.integer("PRAGMA page_size")
    }

    /// Writes a batch in one transaction, and makes room within it.
    /// - Returns: how many entries had to go.
    func write(
        _ batch: PendingWrites, quota: Int, sparing onScreen: Set<ResourceKey>, now: UnixSeconds
    ) throws(StoreFailure) -> Int {
        table.forgetOrigins()
        let evicted = try connection.transaction(to: "write to the cache") { () throws(StoreFailure) in
            for (key, write) in batch.writes { try apply(write, to: key, now) }
            for (key, moment) in batch.uses { try table.touch(key, used: moment) }
            let evicted = try shrink(to: quota, sparing: onScreen)
            for (event, number) in batch.counts { try add(number, to: event) }
            if evicted > 0 { try add(evicted, to: .eviction) }
            return evicted
        }
        try giveBackSpace(over: quota)
        return evicted
    }

    private func apply(
        _ write: PendingWrites.Write, to key: ResourceKey, _ now: UnixSeconds
    ) throws(StoreFailure) {
        switch write {
        case .put(let response): try table.put(response, for: key, used: now)
        case .prolong(let freshness, let headers):
            try table.prolong(key, freshness, headers: headers)
            try table.touch(key, used: now)
        case .remove: try table.remove(key)
        }
    }

    private func add(_ number: Int, to event: StoreEvent) throws(StoreFailure) {
        try addCount.bind(1, event.rawValue)
        try addCount.bind(2, number)
        try addCount.step()
    }

    // MARK: Room

    /// Bytes of the pages in use.
    func liveBytes() throws(StoreFailure) -> Int {
        (try connection.integer("PRAGMA page_count") - connection.integer("PRAGMA freelist_count")) * pageSize
    }

    /// Removes what was used least recently until the pages in use fit; what is on screen stays.
    func shrink(to quota: Int, sparing onScreen: Set<ResourceKey> = []) throws(StoreFailure) -> Int {
        guard try liveBytes() > quota else { return 0 }
        let spared = try places(of: onScreen)
        var evicted = 0, reach = 64
        while try liveBytes() > quota {
            let candidates = try leastUsed(reach).filter { !spared.contains($0) }
            guard !candidates.isEmpty else {
                if reach >= spared.count + 64 { break }
                reach = spared.count + 64
                continue
            }
            for place in candidates { try table.remove(place) }
            evicted += candidates.count
        }
        return evicted
    }

    private func leastUsed(_ count: Int) throws(StoreFailure) -> [EntryPlace] {
        try oldest.bind(1, count)
        defer { oldest.reset() }
        var found: [EntryPlace] = []
        while try oldest.step() {
            found.append(EntryPlace(
                origin: oldest.int(0) ?? 0, z: oldest.int(1) ?? 0, x: oldest.int(2) ?? 0,
                y: oldest.int(3) ?? 0))
        }
        return found
    }

    private func places(of keys: Set<ResourceKey>) throws(StoreFailure) -> Set<EntryPlace> {
        var places: Set<EntryPlace> = []
        for key in keys { if let place = try table.place(of: key) { places.insert(place) } }
        return places
    }

    /// Gives pages that nothing uses back to the disk, a few at a time, so that no reader waits.
    func giveBackSpace(over quota: Int, slice: Int = 256) throws(StoreFailure) {
        let pages = try connection.integer("PRAGMA page_count")
        let free = try connection.integer("PRAGMA freelist_count")
        let excess = min(free, pages - quota / pageSize)
        guard excess > 0 else { return }
        let vacuum = try connection.prepare(
            "PRAGMA incremental_vacuum(\(min(excess, slice)))", to: "give back disk space")
        while try vacuum.step() {}
    }
}
