@testable import Rhumb
import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Synchronization
import Testing

/// Tests stores whose write lock another program holds.
struct RegionLockTests {
    private let box: CommandFixture
    private var cachePath: String { box.folder.path + "/cache.db" }

    init() throws {
        box = try CommandFixture()
        box.configure()
    }

    /// Downloads a region, and locks both stores until the result is released.
    private func lockedStores() async throws -> [Connection] {
        #expect(await box.add().status == 0)
        let locks = try [box.storePath, cachePath].map { try Connection($0, .readWrite) }
        for lock in locks { try lock.execute("BEGIN IMMEDIATE", to: "hold the lock") }
        return locks
    }

    @Test func `commands that read do not wait for the lock`() async throws {
        let locks = try await lockedStores()
        for words in [["list"], ["show", "home"], ["check", "home"], ["why", "home", "7/64/63"]] {
            let run = await box.run(words)
            #expect(run.status == 0 && run.errors.isEmpty, "\(words) \(run)")
        }
        let render =
            ["render", "web", "-c", "0.7,0.7", "-z", "8", "--size", "20x5", "--offline"] + box.places
        #expect(await ProgramRun.of(CommandFixture.program, render, environment: box.environment).status == 0)
        withExtendedLifetime(locks) {}
    }

    @Test func `a writing command reports that it waits, and gives up after the timeout`() async throws {
        let locks = try await lockedStores()
        let run = await box.run("rename", "home", "--name", "Huis", "--timeout", "2")
        #expect(run.status == 1 && run.errors.contains("Waiting for another process"), "\(run)")
        #expect(run.errors.contains("another process is writing to the file"))
        for lock in locks { try lock.execute("ROLLBACK", to: "let go") }
        #expect(await box.run("rename", "home", "--name", "Huis").status == 0)
    }

    @Test func `a wait ends when the lock is free`() async throws {
        let locks = try await lockedStores()
        let child = box.start(["rename", "home", "--name", "Huis"]), errors = box.folder
        #expect(
            await eventually {
                String(decoding: errors.bytes("errors.txt"), as: UTF8.self).contains(
                    "Waiting for another process")
            })
        for lock in locks { try lock.execute("ROLLBACK", to: "let go") }
        #expect(await box.end(of: child) == 0)
    }

    @Test func `the map opens, and ends with q, while the lock is held`() async throws {
        let locks = try await lockedStores()
        let variables = box.environment.merging(["TERM": "xterm-256color", "COLORTERM": "truecolor"]) { $1 }
        let words = ["web", "-c", "0.7,0.7", "-z", "8", "--offline", "--no-animation"] + box.places
        let program = try PtyProgram(
            CommandFixture.program, words, environment: variables, columns: 80, rows: 24)
        try program.read(untilText: "z8.0")
        // Causes writes to both stores.
        try program.send("r")
        try program.read(untilText: "home")
        try program.send("\u{1B}q")
        #expect(try program.readToEnd() == .exited(0))
        withExtendedLifetime(locks) {}
    }

    @Test func `waits end when they are cancelled, and later ones don't begin`() async throws {
        #expect(await box.add().status == 0)
        let waits = Mutex<[LockTimeout.Wait]>([])
        let lockTimeout = LockTimeout(limit: .seconds(600)) { wait in waits.withLock { $0.append(wait) } }
        let store = try RegionStore(box.storePath, lockTimeout: lockTimeout),
            record = try store.region("home")
        let lock = try Connection(box.storePath, .readWrite)
        try lock.execute("BEGIN IMMEDIATE", to: "hold the lock")
        let work = Task.detached(executorPreference: BlockingExecutor.shared) { () -> Bool in
            (try? store.setState(.paused, of: record.number, at: .now)) == nil
        }
        #expect(await eventually { waits.withLock { $0.map(\.file) } == [store.path] })
        lockTimeout.expire(in: .zero)
        #expect(await work.value)
        #expect(throws: RegionStoreFailure.self) { try store.setState(.paused, of: record.number, at: .now) }
        #expect(try store.region("home").state == .complete)
    }
}
