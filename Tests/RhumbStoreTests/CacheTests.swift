import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport
import Testing

struct CacheTests {
    private let box = CacheBox()
    private let tile = ResourceKey.tile(
        origin: TileOrigin(source: "a", address: "https://a/{z}/{x}/{y}"), .world)
    private let document = ResourceKey.document("https://a/tiles.json")

    @Test func `a stored response is unchanged, even for the next process`() throws {
        var response = StoredResponse(
            body: [1, 2, 3],
            freshness: Freshness(
                receivedAt: UnixSeconds(1_799_999_000), initialAge: 5, lifetime: 70, alwaysRevalidate: true,
                revalidateWhenStale: true, immutable: true),
            headers: ["ETag": "\"x\"", "Cache-Control": "max-age=70", "Set-Cookie": "secret=1"])
        response.variant = "accept:image/webp"
        response.dataVersion = "7"
        response.isInvalidated = true
        try box.open().store(response, for: tile)
        #expect(try box.open().response(for: tile) == response)
        #expect(response.headers["Set-Cookie"] == nil)
    }

    @Test func `an empty body, an absent tile and a document are distinguished`() throws {
        let cache = try box.open()
        cache.store(.hour([]), for: tile)
        cache.store(.hour(nil), for: .tile(origin: TileOrigin(source: "b", address: ""), .world))
        cache.store(.hour([9]), for: document)
        cache.flush()
        let second = try box.open()
        #expect(second.response(for: tile)?.body == [])
        #expect(
            second.response(for: .tile(origin: TileOrigin(source: "b", address: ""), .world)).map {
                $0.body == nil
            } == true)
        #expect(second.response(for: document)?.body == [9])
        #expect(second.response(for: .tile(origin: TileOrigin(source: "c", address: ""), .world)) == nil)
        #expect(second.response(for: .document("b")) == nil)
        var filter = CacheFilter()
        filter.key = document
        #expect(second.list(filter).map(\.key) == [document])
    }

    @Test(arguments: [
        "\"v1\"", "W/\"v1\"", "unquoted-v1", "\"a: b\"", "\"\"", "\"dé\"", "W/ \"odd  blanks\" ",
    ])
    func `validators are preserved byte for byte`(etag: String) throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let cache = try box.open()
        cache.store(.hour([1], ["ETag": etag, "Last-Modified": date]), for: tile)
        cache.flush()
        #expect(try box.open().response(for: tile)?.validators == Validators(etag: etag, lastModified: date))
    }

    @Test func `equal bodies are stored once and deleted with their last response`() throws {
        let cache = try box.open()
        let keys = (0..<9).map { ResourceKey.document("d\($0)") }
        for key in keys { cache.store(.hour([7, 7, 7]), for: key) }
        cache.flush()
        #expect(try box.number("SELECT count(*) FROM bodies") == 1)
        for key in keys.dropLast() { cache.forget(key) }
        cache.flush()
        #expect(cache.response(for: keys[8])?.body == [7, 7, 7])
        cache.store(.hour([8]), for: keys[8])
        cache.flush()
        #expect(try box.rows("SELECT count(*), sum(length(bytes)) FROM bodies").first?.prefix(2) == [1, 1])
        cache.store(.hour(nil), for: keys[8])
        cache.flush()
        #expect(try box.number("SELECT count(*) FROM bodies") == 0)
    }

    @Test func `a damaged document is not returned, and a damaged tile is marked`() throws {
        let cache = try box.open()
        for key in [tile, document] { cache.store(.hour([1, 2]), for: key) }
        cache.flush()
        #expect(cache.response(for: tile)?.isDamaged == false && cache.response(for: document) != nil)
        try box.run("UPDATE bodies SET bytes = x'0909'")
        #expect(cache.response(for: tile)?.isDamaged == true && cache.response(for: document) == nil)
    }

    @Test func `bodies with equal hashes are not mixed up`() throws {
        let cache = try box.open()
        cache.store(.hour([1]), for: tile)
        cache.flush()
        try box.run("UPDATE bodies SET hash = \(BodyHash.of([2]))")
        cache.store(.hour([2]), for: document)
        cache.flush()
        #expect(cache.response(for: tile)?.body == [1])
        #expect(cache.response(for: document)?.body == [2])
        #expect(try box.number("SELECT count(DISTINCT hash) * 10 + count(*) FROM bodies") == 12)
    }

    @Test func `an altered body is reported, but a hash of an earlier release is accepted`()
        throws
    {
        let cache = try box.open()
        let body = (0..<100).map { UInt8($0) }
        cache.store(.hour(body), for: tile)
        cache.flush()
        #expect(try cache.verify().faults == [])
        try box.run("UPDATE bodies SET hash = \(ContentHash(body).half)")
        #expect(try cache.verify().faults == [])
        try box.run("UPDATE bodies SET bytes = x'0909'")
        #expect(try cache.verify().faults.count == 1)
    }

    @Test func `bodies that differ in a single byte have different hashes`() {
        var hashes: Set<Int> = []
        for count in [0, 1, 31, 32, 33, 100] {
            var body = [UInt8](repeating: 7, count: count)
            hashes.insert(BodyHash.of(body))
            for at in 0..<count {
                body[at] = 8
                hashes.insert(BodyHash.of(body))
                body[at] = 7
            }
        }
        #expect(hashes.count == 6 + 1 + 31 + 32 + 33 + 100)
    }

    @Test func `freshening leaves the body unchanged`() throws {
        let cache = try box.open()
        cache.store(.hour([1, 2, 3], ["ETag": "\"1\""]), for: tile)
        cache.flush()
        // Writing the body again would undo this change.
        try box.run("UPDATE bodies SET bytes = x'0909'")
        var life = Freshness(receivedAt: UnixSeconds(1_800_000_100), initialAge: 0, lifetime: 9)
        life.immutable = true
        cache.prolong(tile, life, headers: ["ETag": "\"2\""])
        for _ in 0..<2 {
            let now = try #require(cache.response(for: tile))
            #expect(now.body == [9, 9] && now.freshness == life && now.validators.etag == "\"2\"")
            cache.flush()
        }
    }

    @Test func `freshening a removed response has no effect`() throws {
        let cache = try box.open()
        cache.prolong(tile, StoredResponse.hour([1]).freshness, headers: [:])
        #expect(cache.response(for: tile) == nil)
        cache.store(.hour([1]), for: tile)
        cache.forget(tile)
        cache.prolong(tile, StoredResponse.hour([1]).freshness, headers: [:])
        #expect(cache.response(for: tile) == nil)
        cache.flush()
        #expect(try box.number("SELECT count(*) FROM entries") == 0)
    }

    @Test func `an invalidated response is revalidated until a server confirms it`() throws {
        let cache = try box.open()
        cache.store(.hour([1]), for: tile)
        #expect(try cache.invalidate() == 1)
        #expect(try cache.invalidate() == 1)
        #expect(cache.response(for: tile)?.state(at: box.now) == .mustRevalidate)
        cache.prolong(tile, StoredResponse.hour([1]).freshness, headers: [:])
        cache.flush()
        #expect(cache.response(for: tile)?.state(at: box.now) == .fresh)
    }

    @Test func `within a process the same file is opened only once, even before its folder exists`() throws {
        let path = box.folder.path + "/new/folder/tiles.db"
        let first = try SharedCache.open(path),
            second = try SharedCache.open(box.folder.path + "/new/../new/folder/tiles.db")
        #expect(first === second)
        #expect(try SharedCache.open(box.path) !== first)
    }

    @Test func `nothing is stored with a quota of 0`() throws {
        let cache = try box.open(quota: 0)
        cache.store([1, 2, 3])
        #expect(cache.whole(1...3) == [])
        #expect(try box.number("SELECT count(*) FROM entries") == 0)
    }
}

struct PendingWritesTests {
    private let key = ResourceKey.document("d")

    private func body(_ pending: PendingWrites) -> [UInt8]? {
        if case .put(let response) = pending.waiting(for: key) { response.body } else { nil }
    }

    @Test func `a response being written can be read until it is on disk`() {
        var pending = PendingWrites()
        pending.set(.put(.hour([1])), for: key)
        #expect(body(pending) == [1])
        let batch = pending.take()
        #expect(pending.isEmpty && !batch.isEmpty && body(pending) == [1])
        pending.set(.put(.hour([2])), for: key)
        #expect(body(pending) == [2])
        pending.end()
        #expect(body(pending) == [2])
        _ = pending.take()
        pending.end()
        #expect(pending.waiting(for: key) == nil)
    }

    @Test func `a lifetime prolonged while the body is being written is preserved`() {
        var pending = PendingWrites()
        pending.set(.put(.hour([1])), for: key)
        _ = pending.take()
        pending.set(
            .prolong(Freshness(receivedAt: UnixSeconds(5), initialAge: 0, lifetime: 9), [:]), for: key)
        guard case .put(let response) = pending.waiting(for: key) else {
            Issue.record("the body is not there")
            return
        }
        #expect(response.body == [1] && response.freshness.lifetime == 9)
    }

    @Test func `a failed write is repeated with the next one, and newer responses win`() {
        var pending = PendingWrites()
        pending.set(.put(.hour([1])), for: key)
        pending.set(.put(.hour([3])), for: .document("e"))
        pending.count(.hit, 2)
        let batch = pending.take()
        pending.set(.put(.hour([2, 2])), for: key)
        pending.count(.hit, 1)
        pending.putBack(batch)
        pending.end()
        #expect(body(pending) == [2, 2] && pending.writes.count == 2)
        #expect(pending.byteCount == 3 && pending.counts == [.hit: 3])
    }

    @Test func `waiting responses increase the pressure`() {
        var pending = PendingWrites(), pressures: [PendingWrites.Pressure] = []
        for number in 0..<1000 {
            pending.set(number % 2 == 0 ? .put(.hour(nil)) : .remove, for: .document("\(number)"))
            if [254, 255, 998, 999].contains(number) { pressures.append(pending.pressure) }
        }
        #expect(pressures == [.none, .full, .full, .tooFull])
        var heavy = PendingWrites()
        for (megabytes, pressure) in [(5, PendingWrites.Pressure.full), (9, .tooFull), (1, .none)] {
            heavy.set(.put(.hour([UInt8](repeating: 1, count: megabytes << 20))), for: key)
            #expect(heavy.pressure == pressure)
        }
        heavy.set(.remove, for: key)
        #expect(heavy.byteCount == 0)
    }
}
