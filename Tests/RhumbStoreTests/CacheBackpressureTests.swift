import Dispatch
import Glibc
import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport
import Synchronization
import Testing

/// Tests fetching faster than the disk can write.
struct CacheBackpressureTests {
    private let box = CacheBox()

    /// Stores more responses than may wait in memory.
    private func fill(_ cache: SharedCache) {
        for number in 0..<1200 { cache.store(.hour([1], at: box.now), for: NumberedTile(number).key) }
    }

    /// A task that waits for room, and records whether it was admitted.
    private final class Waiter: Sendable {
        private let admitted = Atomic(false)
        var isAdmitted: Bool { admitted.load(ordering: .acquiring) }

        init(_ cache: SharedCache) {
            Task {
                await cache.waitForRoom()
                admitted.store(true, ordering: .releasing)
            }
        }
    }

    @Test func `with enough room nothing waits`() async throws {
        let cache = try box.open()
        cache.store(.hour([1], at: box.now), for: NumberedTile(1).key)
        await cache.waitForRoom()
    }

    @Test func `while the writer is busy storing continues, and prefetching waits for room`() async throws {
        let cache = try box.open()
        let isBusy = DispatchSemaphore(value: 0), isDone = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            _ = try? cache.write { (_) throws(StoreFailure) in
                isBusy.signal()
                isDone.wait()
            }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                isBusy.wait()
                continuation.resume()
            }
        }
        fill(cache)
        #expect(cache.response(for: NumberedTile(1199).key)?.body == [1])
        let waiters = (0..<40).map { _ in Waiter(cache) }
        try await Task.sleep(for: .milliseconds(100))
        #expect(waiters.allSatisfy { !$0.isAdmitted })
        isDone.signal()
        #expect(await eventually { waiters.allSatisfy(\.isAdmitted) })
        cache.flush()
        #expect(try box.number("SELECT count(*) FROM entries") == 1200)
    }

    @Test func `while another process holds the file nothing waits forever`() async throws {
        let cache = try box.open(), intruder = try Connection(box.path, .readWrite)
        try intruder.execute("BEGIN IMMEDIATE", to: "hold")
        fill(cache)
        await cache.waitForRoom()
        try intruder.execute("COMMIT", to: "let go")
        cache.flush()
        #expect(try box.number("SELECT count(*) FROM entries") == 1200)
    }

    @Test func `if nothing can be written nothing waits forever`() async throws {
        let cache = try box.open(), folder = box.folder.path
        #expect(rename(folder, folder + ".away") == 0 && close(creat(folder, 0o600)) == 0)
        defer { #expect(unlink(folder) == 0 && rename(folder + ".away", folder) == 0) }
        fill(cache)
        await cache.waitForRoom()
        cache.flush()
        #expect(box.troubles.count <= 1)
    }
}
