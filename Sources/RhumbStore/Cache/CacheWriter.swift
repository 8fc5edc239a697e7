internal import RhumbCore
internal import RhumbEngine

/// The process's only writer of the cache. Writes batches and enforces the quota. Not thread-safe.
final class CacheWriter {
    let connection: Connection
    let table: ResponseTable
    private let addCount: Statement
    private let oldest, oldestOfOrigin, bytesOfOrigin: Statement
    private let pageSize: Int

    init(_ connection: Connection) throws(StoreFailure) {
        self.connection = connection
        table = try ResponseTable(connection)
        addCount = try connection.prepare(
            "INSERT INTO counters VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = value + ?2",
            to: "count")
        oldest = try connection.prepare(
            "SELECT origin, z, x, y, size FROM entries ORDER BY used", to: "find the least used entries")
        oldestOfOrigin = try connection.prepare(
            "SELECT origin, z, x, y, size FROM entries WHERE origin = ?1 ORDER BY used",
            to: "find the least used entries of a source")
        bytesOfOrigin = try connection.prepare(
            "SELECT sum(bytes) FROM totals WHERE origin = ?1", to: "sum up a source")
        pageSize = try connection.integer("PRAGMA page_size")
    }

    /// Writes a batch and evicts entries in one transaction.
    /// - Returns: The number of evicted entries.
    func write(
        _ batch: PendingWrites, _ room: Room, now: UnixSeconds
    ) throws(StoreFailure) -> Int {
        table.forgetOrigins()
        return try connection.transaction(to: "write to the cache") { () throws(StoreFailure) in
            for (key, write) in batch.writes { try apply(write, to: key, now) }
            for (key, moment) in batch.uses { try table.touch(key, used: moment) }
            let spared = try entries(of: room.onScreen)
            var evicted = try shrink(to: room.quota, sparing: spared)
            for (origin, limit) in room.limits { evicted += try shrink(origin, to: limit, sparing: spared) }
            for (event, number) in batch.counts { try add(number, to: event) }
            if evicted > 0 { try add(evicted, to: .eviction) }
            return evicted
        }
    }

    /// The limits of the cache.
    struct Room {
        /// The maximum size of the pages in use in bytes.
        var quota: Int
        /// The maximum size of the bodies of an origin in bytes.
        var limits: [TileOrigin: Int] = [:]
        /// The entries on screen, which are never evicted.
        var onScreen: Set<ResourceKey> = []
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

    private func add(_ number: Int, to event: CacheCounter) throws(StoreFailure) {
        try addCount.bind(1, event.rawValue)
        try addCount.bind(2, number)
        try addCount.step()
    }

    // MARK: Eviction

    /// Returns the size of the pages in use in bytes.
    func liveBytes() throws(StoreFailure) -> Int {
        (try connection.integer("PRAGMA page_count") - connection.integer("PRAGMA freelist_count")) * pageSize
    }

    /// Evicts the least recently used entries until the pages in use fit, except those on screen.
    func shrink(to quota: Int, sparing spared: Set<EntryKey> = []) throws(StoreFailure) -> Int {
        var evicted = 0
        while case let excess = try liveBytes() - quota, excess > 0 {
            // Shared bodies free nothing, and small ones share pages, so several rounds may be needed.
            let gone = try leastUsed(oldest, freeing: excess, sparing: spared)
            if gone.isEmpty { break }
            for entry in gone { try table.remove(entry) }
            evicted += gone.count
        }
        return evicted
    }

    /// Evicts the least recently used entries of an origin until its bodies fit with 1/16 of the limit to
    /// spare.
    private func shrink(
        _ origin: TileOrigin, to limit: Int, sparing spared: Set<EntryKey>
    ) throws(StoreFailure) -> Int {
        guard let id = try table.originID(origin) else { return 0 }
        try bytesOfOrigin.bind(1, id)
        let bytes = try bytesOfOrigin.first { $0.int(0) } ?? 0
        guard bytes > limit else { return 0 }
        try oldestOfOrigin.bind(1, id)
        let gone = try leastUsed(oldestOfOrigin, freeing: bytes - limit + limit / 16, sparing: spared)
        for entry in gone { try table.remove(entry) }
        return gone.count
    }

    /// Returns a statement's first entries whose bodies total at least a number of bytes.
    private func leastUsed(
        _ statement: Statement, freeing bytes: Int, sparing spared: Set<EntryKey>
    ) throws(StoreFailure) -> [EntryKey] {
        defer { statement.reset() }
        var found: [EntryKey] = [], sum = 0
        while sum < bytes, try statement.step() {
            let entry = EntryKey(
                origin: statement.int(0) ?? 0, z: statement.int(1) ?? 0, x: statement.int(2) ?? 0,
                y: statement.int(3) ?? 0)
            if spared.contains(entry) { continue }
            found.append(entry)
            sum += statement.int(4) ?? 0
        }
        return found
    }

    private func entries(of keys: Set<ResourceKey>) throws(StoreFailure) -> Set<EntryKey> {
        var entries: Set<EntryKey> = []
        for key in keys { if let entry = try table.entry(of: key) { entries.insert(entry) } }
        return entries
    }

    /// Returns unused pages to the disk, a few at a time, so that no reader waits.
    func giveBackSpace(over quota: Int, slice: Int = 256) throws(StoreFailure) {
        let pages = try connection.integer("PRAGMA page_count")
        let free = try connection.integer("PRAGMA freelist_count")
        let excess = min(free, pages - quota / pageSize)
        guard excess > 0 else { return }
        let vacuum = try connection.prepare(
            "PRAGMA incremental_vacuum(\(min(excess, slice)))", to: "free disk space")
        while try vacuum.step() {}
    }
}

/// The writes for the next transaction, which are already visible to readers.
struct PendingWrites {
    enum Write {
        case put(StoredResponse)
        case prolong(Freshness, HTTPHeaders)
        case remove
    }

    private(set) var writes: [ResourceKey: Write] = [:]
    /// The writes of the transaction in progress, which aren't visible on disk until it ends.
    private var leaving: [ResourceKey: Write] = [:]
    private(set) var uses: [ResourceKey: UnixSeconds] = [:]
    private(set) var counts: [CacheCounter: Int] = [:]
    private(set) var byteCount = 0

    var isEmpty: Bool { writes.isEmpty && uses.isEmpty && counts.isEmpty }

    enum Pressure {
        case none
        /// Enough writes for a transaction.
        case full
        /// More than memory should hold.
        case tooFull
    }

    var pressure: Pressure {
        if writes.count >= 1000 || byteCount > 8 << 20 { return .tooFull }
        return writes.count >= 256 || byteCount > 4 << 20 ? .full : .none
    }

    mutating func set(_ write: Write, for key: ResourceKey) {
        if case .prolong = write, let earlier = writes[key] {
            return writes[key] = earlier.followed(by: write)
        }
        if case .put(let old) = writes[key] { byteCount -= old.body?.count ?? 0 }
        if case .put(let new) = write { byteCount += new.body?.count ?? 0 }
        writes[key] = write
    }

    mutating func use(_ key: ResourceKey, at now: UnixSeconds) { uses[key] = now }

    mutating func count(_ event: CacheCounter, _ number: Int) { counts[event, default: 0] += number }

    /// Returns the pending write of a key; nil if there is none.
    func waiting(for key: ResourceKey) -> Write? {
        guard let earlier = leaving[key] else { return writes[key] }
        return writes[key].map { earlier.followed(by: $0) } ?? earlier
    }

    /// Removes and returns all pending writes. Must be followed by `end()`.
    mutating func take() -> PendingWrites {
        let batch = self
        self = PendingWrites()
        leaving = batch.writes
        return batch
    }

    /// Ends the transaction, whether it succeeded or not.
    mutating func end() { leaving = [:] }

    /// Restores writes that failed. Newer writes take precedence.
    mutating func putBack(_ old: PendingWrites) {
        let new = writes
        writes = old.writes
        byteCount = old.byteCount
        for (key, write) in new { set(write, for: key) }
        uses.merge(old.uses) { new, _ in new }
        counts.merge(old.counts, uniquingKeysWith: +)
    }
}

extension PendingWrites.Write {
    /// Returns the combination of two writes. Prolonging a removed entry has no effect.
    fileprivate func followed(by next: PendingWrites.Write) -> PendingWrites.Write {
        guard case .prolong(let freshness, let headers) = next else { return next }
        switch self {
        case .put(var response):
            response.freshness = freshness
            response.headers = headers
            response.isInvalidated = false
            return .put(response)
        case .prolong: return next
        case .remove: return .remove
        }
    }
}
