internal import Glibc
internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore
internal import RhumbTestSupport

/// Compares the shared cache with plain SQLite executing the same statements on the same tables.
enum CacheBench {
    static let tileBytes = 15_000

    static func rows() async -> [BenchRow] {
        let folder = TemporaryFolder()
        guard let small = try? CachedTiles(folder.path + "/small.db", count: 10_000),
            let empty = try? CachedTiles(folder.path + "/empty.db", count: 0)
        else { return failed() }
        return puts(small, folder) + reads(small) + openings([small, empty]) + pages(small)
    }

    /// Measures a cache of a million rows, a hundred per body. Runs only on request.
    static func largeRows() async -> [BenchRow] {
        let folder = TemporaryFolder()
        guard let small = try? CachedTiles(folder.path + "/small.db", count: 10_000),
            let large = try? CachedTiles(folder.path + "/large.db", count: 10_000),
            (try? large.multiply()) != nil,
            let empty = try? CachedTiles(folder.path + "/empty.db", count: 0)
        else { return failed() }
        return reads(small) + reads(large) + openings([large, empty]) + pages(large)
    }

    private static func failed() -> [BenchRow] {
        print("  cache: left out, no cache can be made in /tmp")
        return []
    }

    // MARK: Measurements

    private static func puts(_ tiles: CachedTiles, _ folder: TemporaryFolder) -> [BenchRow] {
        var own = tiles.speed, bare = Speed.none
        // Alternates, so that other load on the machine affects both.
        for turn in 0..<4 {
            let path = folder.path + "/\(turn)"
            bare = bare.best(
                (try? BareSQLite.fill(path + "bare.db", like: tiles.path, count: 10_000)) ?? .none)
            own = own.best((try? CachedTiles(path + "own.db", count: 10_000).speed) ?? .none)
        }
        return [
            BenchRow(
                name: "put of 15 kB tiles, on disk", value: own.rate, unit: "tiles/s",
                anchor:
                    "goal ≥ 8000; bare SQLite, 100 a transaction: \(Int(bare.rate)), ratio \(ratio(own.rate, bare.rate))"
            ),
            BenchRow(
                name: "the same: processor time", value: own.cpu, unit: "µs/tile",
                anchor: "bare SQLite \(ratio(bare.cpu, 1))"),
        ]
    }

    private static func reads(_ tiles: CachedTiles) -> [BenchRow] {
        guard let own = try? tiles.hits(), let bare = try? BareSQLite.hits(tiles) else { return failed() }
        return [
            BenchRow(
                name: "hit, \(tiles.count) rows of 15 kB, median", value: own.median, unit: "µs",
                anchor: "goal < 30; bare SQLite \(bare.median)"),
            BenchRow(
                name: "the same, 99th of 100", value: own.p99, unit: "µs", anchor: "bare SQLite \(bare.p99)"),
        ]
    }

    private static func openings(_ caches: [CachedTiles]) -> [BenchRow] {
        caches.map { tiles in
            let times = (0..<21).compactMap { _ in tiles.opening() }.sorted()
            return BenchRow(
                name: "opening a cache of \(tiles.count) rows, median",
                value: times.isEmpty ? .nan : times[times.count / 2],
                unit: "ms", anchor: "goal: as an empty one")
        }
    }

    private static func pages(_ tiles: CachedTiles) -> [BenchRow] {
        guard let cache = try? tiles.open() else { return failed() }
        return [
            ("statistics", { _ = cache.statistics() }),
            ("first page of the list, by use", { _ = cache.list(limit: 100) }),
            ("first page of the list, by key", { _ = cache.list(by: .key, limit: 100) }),
        ].map { (name: String, body: () -> Void) in
            BenchRow(
                name: "\(name), \(tiles.count) rows", value: Timing(runs: 5, body).best, unit: "ms",
                anchor: "goal < 100")
        }
    }

    static func ratio(_ a: Double, _ b: Double) -> Double { (a / b * 100).rounded() / 100 }
}

/// A cache full of distinct tiles, written as fast as possible.
final class CachedTiles {
    let path: String
    private(set) var count: Int
    /// The speed of writing them.
    private(set) var speed = Speed.none

    init(_ path: String, count: Int) throws {
        self.path = path
        self.count = count
        let cache = try open()
        var body = CachedTiles.noise
        speed = Speed(of: count) {
            for number in 0..<count {
                CachedTiles.mark(&body, number)
                cache.store(
                    CachedTiles.response(body),
                    for: .tile(origin: CachedTiles.origin, CachedTiles.tile(number)))
                // Stored responses remain in memory until the flush.
                if number % 256 == 255 { cache.flush() }
            }
            cache.flush()
        }
    }

    /// Multiplies the rows by a hundred. The new rows share the bodies of the old ones, because their own
    /// would take 16 GB and several minutes.
    func multiply() throws {
        let columns = count / 1000
        try Connection(path, .readWrite).execute(
            """
            WITH RECURSIVE copies(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM copies WHERE number < 99)
            INSERT INTO entries SELECT origin, z, x + \(columns) * number, y, body, size, received, age, lifetime,
                flags, headers, variant, version, used FROM entries, copies
            """, to: "fill")
        count *= 100
    }

    static let origin = TileOrigin(source: "bench", address: "https://bench.example/{z}/{x}/{y}.png")
    static let noise: [UInt8] = {
        var generator = SplitMix(seed: 15)
        return (0..<CacheBench.tileBytes).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }()

    static func tile(_ number: Int) -> TileID {
        TileID(zoom: 14, x: number / 1000, y: number % 1000) ?? .world
    }

    static func mark(_ body: inout [UInt8], _ number: Int) {
        for place in 0..<4 { body[place] = UInt8(truncatingIfNeeded: number >> (place * 8)) }
    }

    static func response(_ body: [UInt8]) -> StoredResponse {
        StoredResponse(
            body: body, freshness: Freshness(receivedAt: .now, initialAge: 0, lifetime: 86_400),
            headers: [
                "Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Cache-Control": "max-age=86400",
                "ETag": "\"1234567890abcdef\"",
                "Content-Type": "image/png",
            ])
    }

    func open() throws(CacheFailure) -> SharedCache {
        var options = SharedCache.Options()
        options.quota = 60 << 30
        return try SharedCache.open(path, options)
    }

    /// Returns the time in milliseconds for opening the cache and reading one tile; nil if that fails.
    func opening() -> Double? {
        var isThere = false
        let time = ContinuousClock().measure {
            let cache = try? open()
            isThere =
                cache?.response(for: .tile(origin: CachedTiles.origin, CachedTiles.tile(0))) != nil
                || count == 0
        }
        return isThere ? time / .milliseconds(1) : nil
    }

    /// Measures random hits in microseconds.
    func hits() throws -> Percentiles {
        let cache = try open()
        return Percentiles(count) { number in
            cache.response(for: .tile(origin: CachedTiles.origin, CachedTiles.tile(number)))?.body?.count
                == CacheBench.tileBytes
        }
    }
}

/// The speed of many identical operations.
struct Speed {
    /// The number of operations per second.
    let rate: Double
    /// The processor time of the process per operation, in microseconds.
    let cpu: Double

    static let none = Speed(rate: 0, cpu: .infinity)

    private init(rate: Double, cpu: Double) { (self.rate, self.cpu) = (rate, cpu) }

    init(of count: Int, _ body: () throws -> Void) rethrows {
        let clock = ContinuousClock(), start = clock.now, cpuStart = HTTPBench.processorSeconds()
        try body()
        rate = Double(count) / ((clock.now - start) / .seconds(1))
        cpu = (HTTPBench.processorSeconds() - cpuStart) * 1e6 / Double(max(count, 1))
    }

    func best(_ other: Speed) -> Speed { Speed(rate: max(rate, other.rate), cpu: min(cpu, other.cpu)) }
}

/// The times of 20,000 random reads in microseconds.
struct Percentiles {
    let median, p99: Double

    init(_ count: Int, _ read: (Int) -> Bool) {
        var generator = SplitMix(seed: 99), times: [Double] = []
        let clock = ContinuousClock()
        for _ in 0..<20_000 {
            let number = Int.random(in: 0..<max(count, 1), using: &generator)
            let start = clock.now
            guard read(number) else { continue }
            times.append((clock.now - start) / .microseconds(1))
        }
        times.sort()
        func at(_ share: Double) -> Double {
            times.isEmpty ? .nan : (times[Int(Double(times.count - 1) * share)] * 10).rounded() / 10
        }
        median = at(0.5)
        p99 = at(0.99)
    }
}

/// Executes the cache's statements without the cache.
enum BareSQLite {
    private static let tables =
        "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name <> 'sqlite_sequence'"

    /// Writes tiles to an empty file with the same tables, a hundred per transaction.
    static func fill(
        _ path: String, like other: String, count: Int, bytes size: Int = CacheBench.tileBytes
    ) throws -> Speed {
        let connection = try Connection(path, .readWrite)
        try connection.execute("PRAGMA page_size = 16384; PRAGMA auto_vacuum = INCREMENTAL", to: "lay out")
        try connection.execute(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8192", to: "lay out"
        )
        let tables = try Connection(other, .readOnly).prepare(tables, to: "read the tables")
        while try tables.step() { try connection.execute(tables.text(0) ?? "", to: "make a table") }
        let find = try connection.prepare("SELECT id FROM bodies WHERE hash = ?1 AND bytes = ?2", to: "find")
        let body = try connection.prepare("INSERT INTO bodies (hash, bytes) VALUES (?1, ?2)", to: "put")
        let entry = try connection.prepare(
            "INSERT INTO entries VALUES (1, 14, ?1, ?2, ?3, \(size), 1, 0, 86400, 0, ?4, '', NULL, 1)",
            to: "put")
        var bytes = Array((CachedTiles.noise + CachedTiles.noise).prefix(size))
        return try Speed(of: count) {
            for first in stride(from: 0, to: count, by: 100) { try put(first..<first + 100) }
        }
        func put(_ numbers: Range<Int>) throws(StoreFailure) {
            try connection.transaction(to: "put") { () throws(StoreFailure) in
                for number in numbers {
                    CachedTiles.mark(&bytes, number)
                    for statement in [find, body] {
                        try statement.bind(1, number &* 0x1E37_79B9_7F4A_7C15)
                        try statement.bind(2, bytes)
                        try statement.step()
                    }
                    try entry.bind(1, number / 1000)
                    try entry.bind(2, number % 1000)
                    try entry.bind(3, connection.lastInsertedRow)
                    try entry.bind(
                        4,
                        "Date: Sun, 06 Nov 1994 08:49:37 GMT\nCache-Control: max-age=86400\nETag: \"1234567890abcdef\"\n"
                    )
                    try entry.step()
                }
            }
        }
    }

    static func hits(_ tiles: CachedTiles) throws -> Percentiles {
        let connection = try Connection(tiles.path, .readOnly)
        let find = try connection.prepare(
            """
            SELECT received, age, lifetime, flags, headers, variant, version, used, bytes
            FROM entries LEFT JOIN bodies ON id = body WHERE origin = 1 AND z = 14 AND x = ?1 AND y = ?2
            """, to: "read")
        return Percentiles(tiles.count) { number in
            defer { find.reset() }
            return (try? find.bind(1, number / 1000)) != nil && (try? find.bind(2, number % 1000)) != nil
                && (try? find.step()) == true && find.bytes(8)?.count == CacheBench.tileBytes
        }
    }
}
