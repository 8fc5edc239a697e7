import Glibc
@testable import Rhumb
import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests killing, terminating and detaching the program during a download.
struct RegionKillTests {
    /// Three whole packs, or 1,023 tiles.
    private static let area = [
        "--source", "web", "--bbox", "0.1,0.1,13,1.3", "--zooms", "6-10", "--whole-packs",
    ]

    private func box() throws -> CommandFixture {
        let box = try CommandFixture()
        box.configure()
        return box
    }

    // MARK: Killed

    /// Kills a download at a random moment.
    /// - Returns: True if it was still running.
    private func killOnce(_ box: CommandFixture, _ generator: inout SplitMix) async -> Bool {
        let child = box.start(["resume", "home"])
        // Before the first commit, between two commits, or after many.
        let most = [3, 40, 400].randomElement(using: &generator) ?? 0
        let wanted = box.host.server.requestCount + Int.random(in: 0...most, using: &generator)
        #expect(await eventually { child.hasEnded || box.host.server.requestCount >= wanted })
        usleep(UInt32.random(in: 0..<3000, using: &generator))
        child.send(SIGKILL)
        return child.wait() == 128 + SIGKILL
    }

    @Test func `killed at any moment it continues, and fetches no finished tile again`() async throws {
        let kills = Soak.isOn ? 100 : 10, seed = SplitMix.anySeed
        var generator = SplitMix(seed: seed)
        let box = try box()
        var killed = 0
        try await add(box)
        while killed < kills {
            let before = Set(try box.stored().keys), asked = box.host.server.requestCount
            if await killOnce(box, &generator) { killed += 1 } else { try await startOver(box) }
            let again = before.intersection(box.host.asked.dropFirst(asked))
            #expect(again.isEmpty, "\(again.count) tiles fetched again, RHUMB_TEST_SEED=\(seed)")
        }
        let before = Set(try box.stored().keys), asked = box.host.server.requestCount
        #expect(await box.run("resume", "home").status == 0)
        #expect(before.isDisjoint(with: box.host.asked.dropFirst(asked)))
        try await compare(box)
    }

    @Test func `a killed download is listed as interrupted, and not as running`() async throws {
        let box = try box()
        try await add(box)
        let child = box.start(["resume", "home"]), asked = box.host.server.requestCount
        #expect(await eventually { child.hasEnded || box.host.server.requestCount > asked })
        child.send(SIGKILL)
        guard child.wait() == 128 + SIGKILL else { return }
        let shown = try await box.shown()
        #expect(shown["state"] == "queued" && shown["reason"]?.string != "", "\(shown)")
    }

    /// Creates the region without fetching any of its tiles.
    private func add(_ box: CommandFixture) async throws {
        box.host.server.stop()
        let child = box.start(["add", "home"] + RegionKillTests.area)
        let path = box.storePath
        #expect(await eventually { access(path, F_OK) == 0 })
        let store = try RegionStore(path)
        #expect(await eventually { (try? store.region("home").state) == .waitingForNetwork })
        child.kill()
        try box.host.server.start()
    }

    /// Starts again from the beginning, because the download ended before it was killed.
    private func startOver(_ box: CommandFixture) async throws {
        #expect(await box.run("remove", "home").status == 0)
        try await add(box)
    }

    /// Compares the region with one that was downloaded without interruption.
    private func compare(_ box: CommandFixture) async throws {
        let other = try self.box()
        #expect(await other.run(["add", "home"] + RegionKillTests.area).status == 0)
        #expect(try box.stored() == other.stored() && box.stored().count == 1023)
        let one = try await box.shown()
        let two = try await other.shown()
        for name in ["planned", "settled", "bytes", "failed", "state"] {
            #expect(one[name] == two[name], "\(name)")
        }
        #expect(await box.run("check", "home").status == 0)
    }

    // MARK: Terminated

    /// Holds the tiles of zoom 11.
    private func hold(_ box: CommandFixture) -> LoopbackGate {
        let gate = LoopbackGate()
        box.host.answer { request in
            request.target.hasPrefix("/11/")
                ? TileHost.tile(request.target[...]).map {
                    LoopbackReply(200, TileHost.body($0)).with { $0.gate = gate }
                } : nil
        }
        return gate
    }

    /// Waits until tiles of zoom 11 have been requested.
    private func untilHeld(_ box: CommandFixture) async -> Bool {
        let host = box.host
        return await eventually { host.asked.last?.zoom == 11 }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `when terminated, it writes the received tiles and can be resumed`(signal: Int32) async throws {
        let box = try box()
        let gate = hold(box)
        let child = box.start(["add", "home", "--source", "web"] + CommandFixture.area)
        #expect(await untilHeld(box))
        child.send(signal)
        #expect(await box.end(of: child) == 128 + signal)
        gate.open()
        box.host.behave()
        let shown = try await box.shown()
        #expect(shown["state"]?.string == "queued" && shown["reason"]?.string == "interrupted")
        let before = Set(try box.stored().keys), asked = box.host.server.requestCount
        // Some tiles of zoom 10 may still have been in flight.
        #expect((6...22).contains(before.count) && shown["settled"]?.int == before.count)
        let end = await box.run("resume", "home", "--json")
        #expect(try end.status == 0 && box.json(end)["settled"]?.int == 86)
        #expect(before.isDisjoint(with: box.host.asked.dropFirst(asked)))
    }

    // MARK: Stopped for a long time

    /// Starts a download, and stops it while tiles of zoom 11 are in flight, for longer than others wait for
    /// it.
    private func stopped(_ box: CommandFixture) async throws -> (ChildProgram, LoopbackGate) {
        let gate = hold(box)
        let child = box.start(["add", "home", "--source", "web"] + CommandFixture.area)
        #expect(await untilHeld(box))
        #expect(await eventually { (try? box.number("SELECT sum(done) FROM parts")) ?? 0 > 0 })
        let path = box.storePath, process = child.process
        // Not while it holds the lock, because others would wait for that.
        #expect(
            await eventually {
                kill(process, SIGSTOP)
                let store = try? Connection(path, .readWrite, busyTimeout: .milliseconds(100))
                if (try? store?.execute("UPDATE workers SET beat = beat - 60", to: "let time pass")) != nil {
                    return true
                }
                kill(process, SIGCONT)
                return false
            })
        box.host.behave()
        return (child, gate)
    }

    @Test func `a download that was stopped while another process finished the region changes nothing`()
        async throws
    {
        let box = try box()
        let (child, gate) = try await stopped(box)
        #expect(await box.run("resume", "home").status == 0)
        let stored = try box.stored()
        gate.open()
        child.send(SIGCONT)
        #expect(await box.end(of: child) == 0)
        let shown = try await box.shown()
        #expect(shown["state"]?.string == "complete" && shown["settled"]?.int == 86, "\(shown)")
        #expect(try box.stored() == stored && stored.count == 86)
        #expect(
            String(decoding: box.folder.bytes("errors.txt"), as: UTF8.self).contains(
                "another process continues home"))
    }

    @Test func `a download that was stopped while its region was removed leaves no tiles behind`()
        async throws
    {
        let box = try box()
        let (child, gate) = try await stopped(box)
        #expect(await box.run("remove", "home").status == 0)
        gate.open()
        child.send(SIGCONT)
        #expect(await box.end(of: child) == 1)
        #expect(try box.stored().isEmpty && box.number("SELECT count(*) FROM parts") == 0)
    }

    // MARK: Detached

    /// Waits until the region of another process is in a state.
    private func wait(_ box: CommandFixture, for state: String) async throws -> JSON? {
        for _ in 0..<400 {
            let shown = try await box.shown()
            if shown["state"]?.string == state { return shown }
        }
        return nil
    }

    @Test func `when detached it continues on its own, and other processes can watch, pause and resume it`()
        async throws
    {
        let box = try box()
        let gate = hold(box)
        let started = await box.add("--detach", "--json")
        let process = try #require(try box.json(started)["process"]?.int)
        defer { kill(pid_t(process), SIGKILL) }
        #expect(started.status == 0)
        #expect(await untilHeld(box))
        let running = try #require(try await wait(box, for: "running"))
        #expect(running["worker"]?.int == process && running["planned"]?.int == 86)
        // Meanwhile, no other process may work on it.
        let second = await box.run("check", "home", "--repair")
        #expect(second.status == 1 && second.errors.contains("process \(process) is downloading region home"))
        #expect(try await box.json(box.run("pause", "home", "--json"))["told"]?.bool == true)
        // The process has received the command by now.
        #expect(await eventually { (try? box.number("SELECT count(*) FROM workers WHERE wish = ''")) == 1 })
        gate.open()
        let paused = try #require(try await wait(box, for: "paused"))
        #expect((23..<86).contains(paused["settled"]?.int ?? 0))
        let renamed = await box.run("rename", "home", "other")
        #expect(renamed.status == 1 && renamed.errors.contains("is paused in process \(process)"))
        #expect(try await box.json(box.run("resume", "home", "--json"))["told"]?.bool == true)
        let end = try #require(try await wait(box, for: "complete"))
        #expect(end["settled"]?.int == 86 && box.host.asked.count == 86, "\(box.host.asked.count)")
        #expect(await eventually { kill(pid_t(process), 0) != 0 })
        #expect(try await box.shown()["worker"] == .null)
    }

    @Test func `a detached refresh continues as a refresh`() async throws {
        let box = try box()
        #expect(await box.add().status == 0)
        let started = await box.run("update", "home", "--detach", "--json")
        let process = try #require(try box.json(started)["process"]?.int)
        let host = box.host
        #expect(await eventually { host.asked.count == 172 && kill(pid_t(process), 0) != 0 })
        let shown = try await box.shown()
        #expect(shown["state"]?.string == "complete" && shown["parts"]?.array?.first?["unchanged"]?.int == 86)
    }
}
