import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests that a cache's totals equal the counted values after any change.
struct CacheTotalsTests {
    private let box = CacheBox()
    private static let keys: [ResourceKey] = (0..<40).map { number in
        number % 8 == 0
            ? .document("d\(number)")
            : .tile(
                origin: TileOrigin(source: "o\(number % 3)", address: ""),
                TileID(zoom: 3 + number % 2, x: number % 8, y: number / 8) ?? .world)
    }

    private func step(_ cache: SharedCache, _ generator: inout SplitMix) throws {
        guard let key = Self.keys.randomElement(using: &generator) else { return }
        box.pass(Int64.random(in: 0...50, using: &generator))
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<8:
            let size = Int.random(in: 0...3, using: &generator) * 9000
            let body = [UInt8](repeating: UInt8.random(in: 0...2, using: &generator), count: size)
            cache.store(.hour(body, at: box.now), for: key)
        case 8..<10: cache.store(.hour(nil, at: box.now), for: key)
        case 10..<13: cache.forget(key)
        case 13..<15:
            cache.prolong(key, StoredResponse.hour(nil, at: box.now).freshness, headers: ["ETag": "\"p\""])
        case 15..<17: _ = cache.response(for: key)
        case 17: cache.flush()
        case 18: try cache.invalidate()
        default: _ = try cache.trim(to: Int.random(in: 150_000...700_000, using: &generator))
        }
    }

    @Test func `two sources with the same name are listed by address, others by name`() throws {
        let cache = try box.open()
        let origins = [
            ("one.example", "https://one.example/a/{z}"), ("one.example", "https://one.example/b/{z}"),
            ("two", "https://two/{z}"),
        ]
        .map { TileOrigin(source: $0.0, address: $0.1) }
        for origin in origins { cache.store(.hour([1], at: box.now), for: .tile(origin: origin, .world)) }
        cache.flush()
        let lines = cache.statistics().lines.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
        #expect(
            lines.contains("one.example https://one.example/a/{z}")
                && lines.contains("one.example https://one.example/b/{z}"), "\(lines)")
        #expect(lines.contains("two 0"))
    }

    @Test func `the totals are right after any sequence of changes`() throws {
        let seed = SplitMix.anySeed
        var generator = SplitMix(seed: seed)
        let cache = try box.open(quota: 600_000), other = try box.open(quota: 600_000)
        for round in 0..<30 {
            for _ in 0..<40 { try step(Bool.random(using: &generator) ? cache : other, &generator) }
            cache.flush()
            other.flush()
            let wrong = try box.number(
                """
                SELECT count(*) FROM (SELECT * FROM (SELECT origin, z, entries, absent, bytes FROM totals WHERE entries <> 0
                EXCEPT SELECT origin, z, count(*), sum(body IS NULL), sum(size) FROM entries GROUP BY 1, 2)
                UNION ALL SELECT * FROM (SELECT origin, z, count(*), sum(body IS NULL), sum(size) FROM entries GROUP BY 1, 2
                EXCEPT SELECT origin, z, entries, absent, bytes FROM totals))
                """)
            #expect(wrong == 0, "round \(round), RHUMB_TEST_SEED=\(seed)")
            #expect(
                try box.number(
                    "SELECT count(*) FROM bodies WHERE id NOT IN (SELECT body FROM entries WHERE body IS NOT NULL)"
                ) == 0)
            #expect(
                try box.number(
                    "SELECT count(*) FROM (SELECT 1 FROM bodies GROUP BY bytes HAVING count(*) > 1)") == 0)
            #expect(
                try box.number(
                    "SELECT count(*) FROM entries LEFT JOIN bodies ON id = body WHERE size <> ifnull(length(bytes), 0)"
                ) == 0)
            #expect(try cache.verify().faults == [])
        }
        let sums = cache.statistics().rows.reduce(into: [0, 0]) {
            $0[0] += $1.entries; $0[1] += $1.bytes
        }
        #expect(
            try box.rows("SELECT count(*), sum(size) FROM entries").first?.prefix(2) == [sums[0], sums[1]])
        #expect(box.troubles == [])
    }

    @Test func `counts add up over all processes with the file open, and outlive them`() throws {
        for _ in 0..<2 {
            let caches = [try box.open(), try box.open()]
            for cache in caches {
                cache.count(.hit, 3)
                cache.count(.bytes, 100)
                cache.store([1])
                #expect(cache.statistics().session == [.hit: 3, .bytes: 100])
            }
        }
        #expect(try box.open().statistics().ever == [.hit: 12, .bytes: 400])
    }
}
