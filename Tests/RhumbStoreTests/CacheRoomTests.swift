import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport
import Testing

struct CacheRoomTests {
    private let box = CacheBox()
    private static let quota = 2 << 20

    private func body(_ number: Int, _ size: Int = 15_000) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
            + [UInt8](repeating: 3, count: size)
    }

    private func key(_ number: Int, _ origin: String = "o") -> ResourceKey {
        .tile(origin: TileOrigin(source: origin, address: ""), NumberedTile(number).tile)
    }

    /// Stores tiles a minute apart, each in its own transaction.
    private func fill(_ cache: SharedCache, _ numbers: Range<Int>, origin: String = "o") {
        for number in numbers {
            box.pass(61)
            cache.store(.hour(body(number), at: box.now), for: key(number, origin))
            cache.flush()
        }
    }

    private func held(_ cache: SharedCache, _ numbers: Range<Int>) throws -> [Int] {
        let places = Set(try box.rows("SELECT x FROM entries").compactMap { $0[0] })
        return numbers.filter(places.contains)
    }

    @Test func `the least recently used response is evicted first, and no more than necessary`() throws {
        let cache = try box.open(quota: Self.quota)
        fill(cache, 0..<90)
        #expect(try held(cache, 0..<90).count == 90)
        fill(cache, 90..<200)
        let left = try held(cache, 0..<200)
        #expect(left.last == 199 && left == Array((200 - left.count)..<200))
        #expect(left.count > 100)
        #expect(cache.statistics().session[.eviction] == 200 - left.count)
        #expect(cache.statistics().usedBytes <= Self.quota)
    }

    @Test func `reading counts as use, but several uses within a minute count once`() throws {
        let cache = try box.open(quota: Self.quota)
        fill(cache, 0..<90)
        let before = try box.number("SELECT used FROM entries WHERE x = 89")
        box.pass(59)
        #expect(cache.response(for: key(89)) != nil)
        cache.flush()
        #expect(try box.number("SELECT used FROM entries WHERE x = 89") == before)
        #expect(cache.response(for: key(0)) != nil)
        cache.flush()
        #expect(try box.number("SELECT used FROM entries WHERE x = 0") == Int(box.now.value))
        fill(cache, 90..<130)
        #expect(try held(cache, 0..<2) == [0])
    }

    @Test func `visible tiles stay whatever is stored`() throws {
        let cache = try box.open(quota: Self.quota)
        fill(cache, 0..<90)
        cache.protect([key(0), key(5), .document("not there")])
        fill(cache, 90..<300)
        #expect(try held(cache, 0..<90) == [0, 5])
        cache.protect([])
        fill(cache, 300..<302)
        #expect(try held(cache, 0..<90) == [])
    }

    @Test func `visible tiles stay even if they exceed the quota`() throws {
        let cache = try box.open(quota: Self.quota)
        cache.protect(Set((0..<200).map { key($0) }))
        fill(cache, 0..<200)
        #expect(try held(cache, 0..<200).count == 200)
    }

    @Test func `the file stays within its quota, and its log stays small`() throws {
        let cache = try box.open(quota: Self.quota)
        for round in 0..<8 {
            for number in 0..<90 {
                cache.store(.hour(body(round * 90 + number), at: box.now), for: key(round * 90 + number))
            }
            cache.flush()
            #expect(box.size() <= Self.quota + 90 * 32_768)
            #expect(box.size(of: "tiles.db-wal") <= 20 << 20)
        }
        fill(cache, 1000..<1002)
        _ = try cache.trim()
        #expect(box.size() <= Self.quota && box.size() > Self.quota / 2)
        #expect(box.size(of: "tiles.db-wal") == 0)
    }

    @Test func `a response larger than the quota is not stored and evicts nothing`() throws {
        let cache = try box.open(quota: Self.quota)
        fill(cache, 0..<50)
        cache.store(.hour(body(7, 3 << 20)), for: key(7))
        cache.flush()
        #expect(try held(cache, 0..<50) == (0..<50).filter { $0 != 7 })
        #expect(cache.response(for: key(7)) == nil)
    }

    @Test func `a smaller quota applies from the next write`() throws {
        fill(try box.open(quota: 4 * Self.quota), 0..<200)
        let cache = try box.open(quota: Self.quota)
        fill(cache, 200..<201)
        #expect(cache.statistics().usedBytes <= Self.quota)
        #expect(try held(cache, 200..<201) == [200])
    }

    @Test func `an origin stays within its own limit and evicts nothing of others`() throws {
        let cache = try box.open()
        cache.limit(TileOrigin(source: "small", address: ""), to: 10 * 15_002)
        for number in 0..<10 { fill(cache, number..<number + 1, origin: "other") }
        fill(cache, 100..<150, origin: "small")
        let small = try held(cache, 100..<150)
        #expect(small.count <= 10 && small.count >= 9 && small.last == 149)
        #expect(try held(cache, 0..<10).count == 10)
        #expect(cache.statistics().session[.eviction] == 50 - small.count)
    }

    @Test func `deletion frees disk space`() throws {
        let cache = try box.open()
        cache.store(0..<600)
        _ = try box.open().trim(to: .max)
        let before = box.size()
        var filter = CacheFilter()
        filter.zooms = 0...5
        #expect(try cache.clear(filter).entries == 0)
        let gone = try cache.clear()
        #expect(gone.entries == 600 && gone.bytes > before / 2)
        #expect(box.size() < before / 4 && box.size(of: "tiles.db-wal") == 0)
        #expect(try box.number("SELECT count(*) FROM bodies") == 0)
        #expect(try box.number("PRAGMA freelist_count") == 0)
    }
}
