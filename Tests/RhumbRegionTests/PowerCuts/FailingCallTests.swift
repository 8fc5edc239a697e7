import Glibc
@testable import Rhumb
import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Commands whose calls to the system fail, one after another: each ends with a message and an exit
/// status, and the next run recovers.
struct FailingCallTests {
    private let box: CommandFixture
    private let seed = SplitMix.anySeed
    private static let add = ["add", "home", "--source", "web"] + CommandFixture.area
    /// A disk that fails, one that is full, a full quota, and a call that a signal interrupts.
    private static let errors = [EIO, ENOSPC, EDQUOT, EINTR]

    init() throws {
        box = try CommandFixture()
        box.configure()
    }

    /// Makes calls of a command fail, each in a copy of the home.
    /// - Parameters:
    ///   - words: Returns the command for a home.
    ///   - recovery: The command that runs afterwards without a failure; nil for the same one.
    ///   - check: Checks the home after the recovery.
    private func failCalls(
        of words: (CommandFixture) -> [String], recovery: ((CommandFixture) -> [String])? = nil,
        _ check: (CommandFixture) throws -> Void
    ) async throws {
        let home = CrashDisk(box.folder.path)
        var generator = SplitMix(seed: seed), tried = 0
        func run(_ failure: (call: Int, error: Int32), lasts: Bool) async -> (CommandFixture, RecordedRun) {
            let box = CommandFixture(self.box.host, in: TemporaryFolder())
            home.write(to: box.folder.path, .nothing)
            box.configure()
            let recorded = await RecordedRun.of(
                words(box), in: box.folder.path, environment: box.environment, failing: failure, lasts: lasts)
            return (box, recorded)
        }
        for error in Self.errors {
            let count = await run((.max, error), lasts: false).1.trace.calls
            #expect(count > 0)
            // Calls that are always interrupted are repeated for ever.
            for lasts in error == EINTR ? [false] : [false, true] {
                let calls =
                    Soak.isOn && error != EIO
                    ? Array(1...count)
                    : (0..<(Soak.isOn ? 400 : 3)).map { _ in Int.random(in: 1...count, using: &generator) }
                for call in calls {
                    let (box, recorded) = await run((call, error), lasts: lasts)
                    // Another order of calls may have fewer of them.
                    guard let failed = recorded.trace.failures.first else { continue }
                    tried += 1
                    let comment: Comment =
                        "call \(call) of \(count), \(failed), error \(error), lasts \(lasts): \(recorded.run)"
                    let status = recorded.run.status
                    #expect([0, 1, 3].contains(status), comment)
                    if status == 1 { #expect(recorded.run.errors.contains("rhumb: "), comment) }
                    let again = await ProgramRun.of(
                        CommandFixture.program, recovery?(box) ?? words(box), environment: box.environment)
                    #expect(again.status == 0, "\(again) after \(comment)")
                    try check(box)
                }
            }
        }
        #expect(tried > 10, "RHUMB_TEST_SEED=\(seed)")
    }

    private func checkRegion(_ box: CommandFixture) throws {
        let store = try RegionStore(box.storePath), comment: Comment = "RHUMB_TEST_SEED=\(seed)"
        #expect(try store.integrityFaults() == [], comment)
        #expect(try store.regions().map(\.state) == [.complete], comment)
        let stored = try box.stored()
        #expect(stored.count == 86, comment)
        #expect(stored.allSatisfy { TileHost.body($0.key) == $0.value }, comment)
    }

    @Test
    func `if the disk is full or fails, a command ends with an error, and the next run recovers`()
        async throws
    {
        try await failCalls(of: { $0.words(Self.add) }, checkRegion)
    }

    @Test func `an export succeeds in the next run, and leaves no temporary file`() async throws {
        #expect(await box.run(Self.add).status == 0)
        func words(_ box: CommandFixture) -> [String] {
            box.words(["export", "home", "--force", "-o", box.folder.path + "/out.pmtiles"])
        }
        try await failCalls(of: words) { box in
            #expect(!box.folder.names.contains { $0.hasSuffix(".part") })
        }
    }

    @Test func `a bookmark is saved by the next run, and none is lost`() async throws {
        let first = await ProgramRun.of(
            CommandFixture.program, ["bookmarks", "add", "a", "1,2"], environment: box.environment)
        #expect(first.status == 0)
        try await failCalls(of: { _ in ["bookmarks", "add", "q", "60,22"] }) { box in
            let bytes = CrashDisk.read(box.folder.path + "/.local/share/rhumb/bookmarks.json")
            let letters = try JSON.parse(bytes).array?.compactMap { $0["letter"]?.string }
            #expect(letters == ["a", "q"])
        }
    }

    @Test func `a removal that failed leaves a store that works`() async throws {
        #expect(await box.run(Self.add).status == 0)
        try await failCalls(of: { $0.words(["remove", "home"]) }, recovery: { $0.words(["list"]) }) { box in
            let store = try RegionStore(box.storePath)
            #expect(try store.integrityFaults() == [])
        }
    }
}
