import Dispatch
import Glibc
import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests files that are not caches, or no longer usable ones.
struct CacheTroubleTests {
    private let box = CacheBox()

    private func written(_ count: Int = 200) throws {
        let cache = try box.open()
        cache.store(0..<count)
        _ = try cache.trim(to: .max)
    }

    /// Opens the cache and uses it until it works.
    private func opened() async throws -> SharedCache {
        let cache = try box.open()
        _ = cache.whole(0..<200)
        cache.store([500])
        _ = cache.whole([500])
        cache.store([501])
        #expect(cache.whole([501]) == [501])
        _ = await eventually { [box] in !box.troubles.isEmpty }
        return cache
    }

    private func isSetAsideOnce(_ reason: String) -> Bool {
        box.troubles == [.quarantined(file: box.path, as: box.path + ".set-aside", reason: reason)]
    }

    @Test(arguments: [
        Array("not a database, but somebody's notes".utf8), [UInt8](repeating: 0xAA, count: 300_000),
    ])
    func `a file that is not a database is set aside`(bytes: [UInt8]) async throws {
        box.folder.write(bytes, to: "tiles.db")
        _ = try await opened()
        #expect(isSetAsideOnce("not a Rhumb cache"))
        #expect(box.bytes(of: "tiles.db.set-aside") == bytes)
    }

    @Test func `another program's database is set aside unchanged`() async throws {
        try box.run("CREATE TABLE diary (day); INSERT INTO diary VALUES (1)")
        let before = box.bytes()
        _ = try await opened()
        #expect(isSetAsideOnce("not a Rhumb cache"))
        #expect(box.bytes(of: "tiles.db.set-aside") == before)
    }

    @Test func `an empty file becomes a cache`() throws {
        box.folder.write([], to: "tiles.db")
        try box.open().store([1])
        #expect(try box.open().whole([1]) == [1])
        #expect(box.troubles == [])
    }

    @Test(arguments: [0.01, 0.3, 0.9])
    func `a truncated file is set aside`(share: Double) async throws {
        try written()
        truncate(box.path, Int(Double(box.size()) * share) / 512 * 512 + 100)
        _ = try await opened()
        #expect(box.troubles.count == 1 && box.files.contains("tiles.db.set-aside"))
    }

    @Test func `a damaged file is set aside with its log`() async throws {
        try written()
        box.folder.write([1, 2, 3], to: "tiles.db-wal")
        for page in 1..<12 { box.damage(from: page * 16_384, [UInt8](repeating: 0xFF, count: 16_384)) }
        _ = try await opened()
        #expect(isSetAsideOnce("damaged"))
        #expect(try box.open().verify().faults == [])
    }

    @Test func `damage during use is reported once and survived`() async throws {
        try written()
        let cache = try box.open(), other = try box.open()
        #expect(cache.whole([1]) == [1] && other.whole([1]) == [1])
        for page in 1..<box.size() / 16_384 {
            box.damage(from: page * 16_384, [UInt8](repeating: 0xFF, count: 16_384))
        }
        for cache in [cache, other] {
            _ = cache.whole(0..<200)
            cache.store([300])
            cache.store([301])
        }
        #expect(cache.whole([301]) == [301] && other.whole([301]) == [301])
        _ = await eventually { [box] in !box.troubles.isEmpty }
        #expect(isSetAsideOnce("damaged"))
        cache.store([302])
        #expect(other.whole([302]) == [302])
    }

    @Test func `an earlier file that was set aside is not overwritten`() async throws {
        for number in 1...3 {
            box.folder.write([UInt8](repeating: UInt8(number), count: 200), to: "tiles.db")
            _ = try box.open()
        }
        #expect(
            box.bytes(of: "tiles.db.set-aside").first == 1 && box.bytes(of: "tiles.db.set-aside-3").first == 3
        )
    }

    @Test func `a newer schema is rejected with the next step and not touched`() async throws {
        try written(5)
        // The cache may still be closing its file on another thread.
        let change = "PRAGMA journal_mode = DELETE; PRAGMA user_version = 99"
        let isChanged = await eventually { [box] in (try? box.run(change)) != nil }
        #expect(isChanged)
        let before = box.bytes()
        #expect(throws: CacheFailure.newerSchema(file: box.path, version: 99)) { try box.open() }
        #expect(CacheFailure.newerSchema(file: "x", version: 99).remedy == .nameCacheFile)
        #expect(box.bytes().count == before.count && box.files == ["tiles.db"])
    }

    @Test func `a folder in place of the file is rejected by name`() throws {
        mkdir(box.path, 0o755)
        #expect { try box.open() } throws: { "\($0)".contains("tiles.db") }
    }

    @Test func `a long lock blocks nobody, and waiting responses are written afterwards`()
        throws
    {
        let cache = try box.open()
        cache.store([1])
        let intruder = try Connection(box.path, .readWrite)
        try intruder.execute("BEGIN IMMEDIATE", to: "hold the lock")
        // Returns once SQLite gives up waiting for the lock.
        cache.store([2])
        #expect(cache.whole([1, 2]) == [1, 2])
        try intruder.execute("COMMIT", to: "let go")
        cache.flush()
        #expect(try box.open().whole([1, 2]) == [1, 2])
        #expect(box.troubles == [])
    }

    @Test func `a removed file is created again`() throws {
        let cache = try box.open()
        cache.store([1])
        unlink(box.path)
        cache.store([2])
        #expect(cache.whole([1, 2]) == [2])
        #expect(try box.open().whole([1, 2]) == [2])
        #expect(box.troubles == [])
    }

    @Test func `two objects on one file see each other's responses`() throws {
        let first = try box.open(), second = try box.open()
        first.store([1])
        #expect(second.whole([1, 2]) == [1])
        second.store([2])
        #expect(first.whole([1, 2]) == [1, 2])
        second.store([1], version: 2)
        #expect(first.response(for: NumberedTile(1).key)?.body == NumberedTile(1).body(version: 2))
        first.forget(NumberedTile(2).key)
        first.flush()
        #expect(second.whole([1, 2]) == [1])
    }

    @Test func `a response removed elsewhere during reading is complete or missing`() async throws {
        let first = try box.open(), second = try box.open()
        first.store(0..<50)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<50 {
                    first.forget(NumberedTile(number).key)
                    first.store([number], version: 2)
                }
            }
            group.addTask {
                for number in (0..<50).reversed() {
                    guard let body = second.response(for: NumberedTile(number).key)?.body else { continue }
                    #expect(NumberedTile(number).version(of: body) != nil)
                }
            }
        }
    }
}
