import Glibc
@testable import Rhumb
import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests quitting the map while a region is downloaded, and starting it again.
struct RegionLeavingTests {
    private let box: CommandFixture

    init() throws {
        box = try CommandFixture()
        box.configure()
    }

    private func open() throws -> PtyProgram {
        let variables = box.environment.merging(["TERM": "xterm-256color", "COLORTERM": "truecolor"]) { $1 }
        return try PtyProgram(
            CommandFixture.program, ["-c", "0.7,0.7", "-z", "5", "--no-animation"] + box.places,
            environment: variables, columns: 110, rows: 30)
    }

    @Test
    func `an unfinished download is reported on exit and at the next start, and resumes only on request`()
        async throws
    {
        let gate = LoopbackGate(), host = box.host
        box.host.answer { request in
            request.target.hasPrefix("/11/")
                ? TileHost.tile(request.target[...]).map {
                    LoopbackReply(200, TileHost.body($0)).with { $0.gate = gate }
                } : nil
        }
        let child = box.start(["add", "home", "--source", "web"] + CommandFixture.area)
        #expect(await eventually { host.asked.last?.zoom == 11 })
        child.send(SIGKILL)
        #expect(child.wait() == 128 + SIGKILL)
        let asked = host.server.requestCount

        let first = try open()
        try first.read(untilText: "Download unfinished: home")
        #expect(host.server.requestCount == asked)
        try first.send("r")
        try first.read(untilText: "P resume")
        try first.send("P")
        #expect(await eventually { host.server.requestCount > asked })
        try first.send("\u{1B}q")
        #expect(try first.readToEnd() == .exited(0))
        #expect(first.screen.text.contains("rhumb region resume home"), "\(first.screen.text)")
        gate.open()
        box.host.behave()
        let shown = try await box.shown(), again = host.server.requestCount
        #expect(shown["state"]?.string == "paused" && shown["reason"]?.string?.contains("closed") == true)

        let second = try open()
        try second.read(untilText: "Download unfinished: home")
        try second.send("q")
        #expect(try second.readToEnd() == .exited(0))
        #expect(!second.screen.text.contains("rhumb region resume") && host.server.requestCount == again)
        #expect(await box.run("resume", "home").status == 0)
        #expect(try await box.shown()["settled"]?.int == 86)
    }
}
