import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests that commits are moved from the log into the database in the background.
struct CheckpointerTests {
    private let box = CacheBox()

    /// Stores tiles that fill about one page each, in one transaction.
    private func commit(_ numbers: Range<Int>, to cache: SharedCache) {
        for number in numbers {
            let body = [UInt8](repeating: UInt8(number % 251), count: 16_000) + Array("\(number)".utf8)
            cache.store(.hour(body, at: box.now), for: NumberedTile(number).key)
        }
        cache.flush()
    }

    @Test func `many commits reach the database without another commit`() async throws {
        let cache = try box.open()
        commit(0..<300, to: cache)
        #expect(await eventually { box.size() > 170 * 16_384 })
        #expect(box.size(of: "tiles.db-wal") > 300 * 16_384)
    }

    @Test func `few commits stay in the log`() async throws {
        let cache = try box.open()
        let before = box.size()
        commit(0..<20, to: cache)
        try await Task.sleep(for: .milliseconds(100))
        #expect(box.size() == before && box.size(of: "tiles.db-wal") > 20 * 16_384)
    }

    @Test func `the log is bounded even with a writer that never rests`() throws {
        let cache = try box.open(quota: 1 << 30)
        for first in stride(from: 0, to: 8000, by: 200) { commit(first..<first + 200, to: cache) }
        #expect(box.size(of: "tiles.db-wal") < 64 << 20)
        #expect(try cache.verify() == CacheCheck(entries: 8000, bodies: 8000, faults: []))
    }

    @Test func `a restarted log is checkpointed from its start`() async throws {
        let cache = try box.open()
        for round in 0..<4 {
            let before = box.size()
            commit(round * 300..<(round + 1) * 300, to: cache)
            #expect(await eventually { box.size() > before + 100 * 16_384 })
        }
    }

    @Test func `a log that restarted larger than before is checkpointed too`() async throws {
        let connection = try Connection(box.folder.path + "/plain.db", .readWrite)
        try connection.execute(
            "PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; CREATE TABLE blobs (bytes BLOB)",
            to: "lay out")
        connection.checkpointInBackground()
        for (count, total) in [(300, 300), (320, 620)] {
            try connection.transaction(to: "put") { () throws(StoreFailure) in
                for _ in 0..<count {
                    try connection.execute("INSERT INTO blobs VALUES (zeroblob(16000))", to: "put")
                }
            }
            #expect(await eventually { box.size(of: "plain.db") >= total * 16_384 })
            // Waits until the checkpoint is over, so that the log may restart.
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    @Test func `the log is truncated even while a large part of it is being checkpointed`() throws {
        let cache = try box.open(quota: 1 << 30)
        for round in 0..<8 {
            commit(round * 300..<(round + 1) * 300, to: cache)
            _ = try cache.trim()
            #expect(box.size(of: "tiles.db-wal") == 0)
        }
    }
}
