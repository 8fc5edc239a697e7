import Glibc
import Rhumb
import RhumbCore
@testable import RhumbOffline
@testable import RhumbStore
import RhumbTestSupport
import Synchronization
import Testing

/// Tests regions on disks that can't be written.
@Suite(.enabled(if: SearchDiskTests.hasSmallDisks))
struct RegionDiskTests {
    private let box: CommandFixture
    private var data: String { box.folder.path + "/data" }

    init() throws {
        box = try CommandFixture()
        box.configure()
    }

    /// Runs commands on a disk of 4 MB with a copy of the region store.
    /// - Parameter preparation: Shell commands to run first.
    private func run(_ preparation: String, _ commands: [[String]]) async -> ProgramRun {
        let runs = commands.map { words in
            (["'\(CommandFixture.program)'"] + words + box.places).joined(separator: " ")
                + "; echo \"status $?\""
        }
        let script = """
            mkdir -p '\(data).copy' && cp -a '\(data)/.' '\(data).copy' && mount -t tmpfs -o size=4m none '\(data)' || exit 9
            cp -a '\(data).copy/.' '\(data)'
            \(preparation)
            \(runs.joined(separator: "\n"))
            """
        return await ProgramRun.of(
            "/usr/bin/unshare", ["-rm", "/bin/sh", "-c", script], environment: box.environment)
    }

    private func statuses(_ run: ProgramRun) -> [Substring] {
        run.output.split(separator: "\n").filter { $0.hasPrefix("status ") }.map { $0.dropFirst(7) }
    }

    private static let render = ["render", "web", "-c", "0.7,0.7", "-z", "8", "--size", "20x5", "--offline"]
    private static let reading = [["region", "list"], ["region", "check", "home"], render]
    private static let writing = [["region", "rename", "home", "--name", "Huis"]]

    /// Moves the log into the database, as the last writer does when it exits normally.
    private func removeLog() throws {
        try Connection(box.storePath, .readWrite).execute(
            "PRAGMA wal_checkpoint(TRUNCATE)", to: "empty the log")
        for ending in ["-wal", "-shm"] { unlink(box.storePath + ending) }
    }

    /// Writes without closing the connection, like a writer that is killed.
    private func leaveLog() throws -> Connection {
        let writer = try Connection(box.storePath, .readWrite)
        try writer.execute("UPDATE regions SET number = number", to: "write to the log")
        return writer
    }

    /// - Parameter hasLog: If true, the last writer was killed.
    @Test(arguments: [true, false])
    func `regions on a read-only disk are listed, checked and shown, and a change is refused with the cause`(
        hasLog: Bool
    ) async throws {
        #expect(await box.add().status == 0)
        let writer = try hasLog ? leaveLog() : nil
        defer { withExtendedLifetime(writer) {} }
        if !hasLog { try removeLog() }
        let remove = "rm -f '\(data)/regions.db-shm'"
        let run = await run("\(remove); mount -o remount,ro '\(data)'", Self.reading + Self.writing)
        #expect(statuses(run) == ["0", "0", "0", "1"], "\(run)")
        #expect(run.output.contains("86/86") && run.errors.contains("read-only"), "\(run)")
    }

    @Test(arguments: [true, false])
    func `regions on a full disk are listed, checked and shown, and a change is refused with the cause`(
        hasLog: Bool
    ) async throws {
        #expect(await box.add().status == 0)
        let writer = try hasLog ? leaveLog() : nil
        defer { withExtendedLifetime(writer) {} }
        if !hasLog { try removeLog() }
        let fill = "rm -f '\(data)/regions.db-shm'; dd if=/dev/zero of='\(data)/fill' bs=1k 2> /dev/null"
        let run = await run(fill, Self.reading + Self.writing)
        #expect(statuses(run) == ["0", "0", "0", "1"], "\(run)")
        #expect(run.output.contains("86/86") && run.errors.contains("the disk is full"), "\(run)")
    }

    @Test func `after a command, the file alone has all regions`() async throws {
        #expect(await box.add().status == 0)
        #expect(box.folder.bytes("data/regions.db-wal").isEmpty)
        for ending in ["-wal", "-shm"] { unlink(box.storePath + ending) }
        #expect(await box.run("check", "home").output.contains("complete"))
    }

    /// - Parameter pausesLate: If true, the last tiles of the second region are written alone, when the log
    ///   is long.
    @Test(arguments: [false, true])
    func `a region that filled the disk can be removed, and makes room for another`(
        pausesLate: Bool
    ) async throws {
        let replies = Mutex((all: 0, ofDeepTiles: 0))
        box.host.answer { request in
            let size = replies.withLock { replies in
                replies.all += 1
                if request.target.contains("/10/57") { replies.ofDeepTiles += 1 }
                if pausesLate, replies.ofDeepTiles == 18 { usleep(400_000) }
                // The first tiles, from which the size is estimated, are small.
                return replies.all > 20 ? 30_000 : 100
            }
            return LoopbackReply(200, picture(size, seed: 1) + Array(request.target.utf8))
        }
        let first = ["--source", "web", "--bbox", "10.1,10.1,11.3,11.3", "--exact"]
        let second = ["--source", "web", "--bbox", "20.8,10.1,22.2,11.3", "--exact"]
        #expect(await box.run(["add", "home", "--zooms", "5-5"] + first).status == 0)
        let run = await run(
            "dd if=/dev/zero of='\(data)/fill' bs=1k count=100 2> /dev/null",
            [
                ["region", "add", "large", "--zooms", "7-11"] + first, ["region", "remove", "large"],
                ["region", "add", "small", "--zooms", "7-10"] + second, ["region", "check", "small"],
            ])
        #expect(statuses(run) == ["1", "0", "0", "0"], "\(run)")
        #expect(run.errors.contains("the disk is full"), "\(run)")
    }
}
