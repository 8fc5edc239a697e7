public import RhumbCore
public import RhumbEngine
internal import Synchronization

/// The space in use by the cache, by source and zoom.
public struct CacheStatistics: Sendable, Equatable {
    /// The totals of one source, or of all documents, at one zoom.
    public struct Row: Sendable, Equatable {
        /// The source; nil for documents.
        public let origin: TileOrigin?
        /// The name of the source.
        public let name: String
        /// The zoom; −1 for documents.
        public let zoom: Int
        /// The number of tiles or documents, including absent ones.
        public let entries: Int
        /// The number of entries known not to exist.
        public let absent: Int
        /// The total size of the bodies in bytes, with shared bodies counted once per entry.
        public let bytes: Int
    }

    /// The path of the cache.
    public let path: String
    /// The limit in bytes for pages in use.
    public let quota: Int
    /// The size of the pages in use in bytes.
    public let usedBytes: Int
    /// The size of the files on disk in bytes, including the log.
    public let fileBytes: Int
    /// The totals by source and zoom.
    public let rows: [Row]
    /// The event counts since this process opened the cache.
    public let session: [CacheCounter: Int]
    /// The event counts since the file was created.
    public let ever: [CacheCounter: Int]

    /// The number of tiles and documents, including absent ones.
    public var entries: Int { rows.reduce(0) { $0 + $1.entries } }
    /// The number of entries known not to exist.
    public var absent: Int { rows.reduce(0) { $0 + $1.absent } }

    /// Returns the cache's share of the requested tiles, 0…1; nil if none were requested.
    static func hitShare(_ counts: [CacheCounter: Int]) -> Double? {
        let hits = (counts[.hit] ?? 0) + (counts[.staleHit] ?? 0)
        let all = hits + (counts[.miss] ?? 0)
        return all > 0 ? Double(hits) / Double(all) : nil
    }
}

/// The number of entries of one source and zoom, by freshness.
public struct CacheEntryCounts: Sendable, Equatable {
    /// The number of entries that are usable without a request.
    public internal(set) var fresh = 0
    /// The number of tiles known not to exist.
    public internal(set) var absent = 0
    /// The time when the oldest response was received; nil if there is none.
    public internal(set) var oldest: UnixSeconds?

    /// Creates empty counts.
    public init() {}
}

extension SharedCache {
    /// Returns the statistics. Fast for any number of entries.
    public func statistics() -> CacheStatistics {
        flush()
        let sums = read { (table) throws(StoreFailure) in try table?.sums() } ?? nil
        return CacheStatistics(
            path: path, quota: quota, usedBytes: sums?.used ?? 0,
            fileBytes: CacheFile(path: path).bytesOnDisk, rows: sums?.rows ?? [],
            session: session.withLock { $0 }, ever: sums?.ever ?? [:])
    }

    /// Returns the entry counts by origin and zoom. Reads all rows on a separate connection, so that other
    /// readers don't wait.
    public func standings() -> [TileOrigin?: [Int: CacheEntryCounts]] {
        flush()
        let now = options.now()
        return scan { (table) throws(StoreFailure) in try table.standings(at: now) } ?? [:]
    }

    /// Runs a long read on a separate connection; nil if the file can't be read.
    func scan<Result>(_ body: (ResponseTable) throws(StoreFailure) -> Result) -> Result? {
        let isUnwritable = trouble.withLock(\.isUnwritable)
        guard let table = try? CacheFile(path: path).makeReader(isUnwritable: isUnwritable) else {
            return nil
        }
        return try? body(table)
    }
}

extension ResponseTable {
    fileprivate func sums() throws(StoreFailure) -> (
        rows: [CacheStatistics.Row], used: Int, ever: [CacheCounter: Int]
    ) {
        let statement = try connection.prepare(
            """
            SELECT kind, z, sum(entries) AS entries, sum(absent) AS absent, sum(bytes) AS bytes, \(TileOrigin.columns)
            FROM totals JOIN origins ON id = origin GROUP BY kind, z, CASE kind WHEN 0 THEN id END
            HAVING sum(totals.entries) > 0 ORDER BY CASE kind WHEN 0 THEN source ELSE 'documents' END, address, size, edition, z
            """, to: "sum up the cache")
        var rows: [CacheStatistics.Row] = []
        while try statement.step() {
            let origin = statement.int("kind") == 0 ? TileOrigin(row: statement) : nil
            rows.append(
                CacheStatistics.Row(
                    origin: origin, name: origin?.source ?? "documents", zoom: statement.int("z") ?? 0,
                    entries: statement.int("entries") ?? 0, absent: statement.int("absent") ?? 0,
                    bytes: statement.int("bytes") ?? 0))
        }
        return (rows, try usedBytes(), try counters())
    }

    private func usedBytes() throws(StoreFailure) -> Int {
        let pages = try connection.integer("PRAGMA page_count") - connection.integer("PRAGMA freelist_count")
        return try pages * connection.integer("PRAGMA page_size")
    }

    private func counters() throws(StoreFailure) -> [CacheCounter: Int] {
        let statement = try connection.prepare("SELECT name, value FROM counters", to: "read the counts")
        var counts: [CacheCounter: Int] = [:]
        while try statement.step() {
            if let event = statement.text("name").flatMap(CacheCounter.init) {
                counts[event] = statement.int("value")
            }
        }
        return counts
    }

    fileprivate func standings(
        at now: UnixSeconds
    ) throws(StoreFailure) -> [TileOrigin?: [Int: CacheEntryCounts]] {
        let statement = try connection.prepare(
            """
            SELECT kind, z, sum(body IS NULL) AS absent,
                sum(body IS NOT NULL AND \(CacheFilter.isFresh)) AS fresh, min(received) AS oldest,
                source, address, origins.size AS size, edition, addresses
            FROM entries JOIN origins ON id = origin GROUP BY kind, z, CASE kind WHEN 0 THEN id END
            """, to: "count fresh and stale entries")
        try statement.bind("now", Int(now.value))
        var standings: [TileOrigin?: [Int: CacheEntryCounts]] = [:]
        while try statement.step() {
            var standing = CacheEntryCounts()
            standing.absent = statement.int("absent") ?? 0
            standing.fresh = statement.int("fresh") ?? 0
            standing.oldest = statement.moment("oldest")
            let origin = statement.int("kind") == 0 ? TileOrigin(row: statement) : nil
            standings[origin, default: [:]][statement.int("z") ?? 0] = standing
        }
        return standings
    }
}
