import Glibc
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests quitting an https map while its tiles are in flight.
@Suite(.serialized)
struct LeavingTests {
    private let identity = TestIdentity()
    private static let canServe = TestIdentity.canBeMade && NginxServer.program != nil

    /// Returns a server with the same tile everywhere, at full speed or extremely slow.
    private func makeServer(isSlow: Bool) -> NginxServer? {
        guard let identity else { return nil }
        let pace = isSlow ? "limit_rate 300;" : ""
        return NginxServer(
            files: ["tile.png": blankPicture(.init(0x336699), side: 256)],
            extra: "location / { try_files /tile.png =404; \(pace) }", identity: identity)
    }

    /// The number of times that the map of each kind of server is quit.
    private static let rounds = Soak.isOn ? 250 : 8

    @Test(
        .enabled(if: canServe, "nginx or openssl(1) is missing"),
        arguments: [false, true], [false, true])
    func `an https map is left in good order at any moment`(isSlow: Bool, isTrusted: Bool) throws {
        let server = try #require(makeServer(isSlow: isSlow)), home = TemporaryFolder()
        var environment = ["HOME": home.path]
        if isTrusted { environment["CURL_CA_BUNDLE"] = identity?.authority }
        for round in 0..<Self.rounds {
            let journey = try Journey(
                [server.url("{z}/{x}/{y}.png"), "--store", "off", "-z", "5"], environment: environment)
            try journey.see("z5.0")
            try journey.type("+-l")
            usleep(.random(in: 0..<200_000))
            if round % 4 == 3 { journey.program.signal(SIGTERM) } else { try journey.type("q") }
            #expect(try journey.program.readToEnd() == .exited(round % 4 == 3 ? 128 + SIGTERM : 0))
            #expect(journey.program.modes == journey.program.modesBefore)
        }
    }

    @Test(
        .enabled(if: canServe, "nginx or openssl(1) is missing"),
        arguments: [false, true])
    func `render exits cleanly with a server that is not trusted or too slow`(isTrusted: Bool) async throws {
        let server = try #require(makeServer(isSlow: true)), home = TemporaryFolder()
        var environment = ["HOME": home.path, "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"]
        if isTrusted { environment["CURL_CA_BUNDLE"] = identity?.authority }
        for _ in 0..<Self.rounds {
            let run = await ProgramRun.of(
                TestProducts.path("rhumb"),
                ["render", server.url("{z}/{x}/{y}.png"), "-z", "5", "--size", "80x24", "--timeout", "2"],
                environment: environment)
            #expect(run.status == 3, "\(run.errors)")
        }
    }

    @Test(arguments: [SIGSEGV, SIGBUS, SIGABRT])
    func `a crash is reported in one line, and the terminal is restored`(fault: Int32) throws {
        let program = try PtyProgram(
            TestProducts.path("rhumb"),
            environment: ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": "/dev/null/none"],
            columns: 120, rows: 30)
        try program.read(untilText: "World")
        program.signal(fault)
        #expect(try program.readToEnd() == .killed(by: fault))
        #expect(
            program.modes == program.modesBefore && !program.screen.isAlternate
                && program.screen.isCursorShown)
        let lines = program.screen.text.split(separator: "\n").map { $0.prefix { $0 != "(" } }
        #expect(lines.count == 1 && lines[0].hasPrefix("rhumb: crashed"), "\(program.screen.text)")
    }
}
