import Glibc
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests a program that uses the screen on a real pseudo-terminal.
@Suite(.serialized)
struct ScreenTests {
    static func fixture(
        _ variables: [String: String] = [:], columns: Int = 60, rows: Int = 12,
        pixels: (width: Int, height: Int)? = nil
    ) throws -> PtyProgram {
        try PtyProgram(
            TestProducts.path("TerminalFixture"), environment: environment(variables),
            columns: columns, rows: rows, pixels: pixels)
    }

    static func environment(_ variables: [String: String]) -> [String: String] {
        [
            "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "COLORTERM": "truecolor",
            "SWIFT_BACKTRACE": "enable=no",
        ]
        .merging(variables) { $1 }
    }

    static func expectGivenBack(_ program: PtyProgram, modes: [UInt32]) {
        #expect(program.modes == modes)
        #expect(!program.screen.isAlternate)
        #expect(program.screen.isCursorShown)
        #expect(program.screen.modes.isDisjoint(with: [1000, 1002, 1003, 1006, 2004, 2026]))
    }

    enum End: CaseIterable {
        case quit, thrown, exit, fatalError, segmentationFault
        case terminate, hangUp, interrupt, quitSignal, user1, user2, alarm, profiled

        func ask(_ program: PtyProgram) throws {
            switch self {
            case .quit: try program.send("q")
            case .thrown: try program.send("t")
            case .exit: try program.send("x")
            case .fatalError: try program.send("f")
            case .segmentationFault: try program.send("s")
            default: if let signal { program.signal(signal) }
            }
        }

        private var signal: Int32? {
            switch self {
            case .terminate: SIGTERM
            case .hangUp: SIGHUP
            case .interrupt: SIGINT
            case .quitSignal: SIGQUIT
            case .user1: SIGUSR1
            case .user2: SIGUSR2
            case .alarm: SIGALRM
            case .profiled: SIGPROF
            default: nil
            }
        }

        var endings: [PtyProgram.Ending] {
            switch self {
            case .quit: [.exited(0)]
            case .thrown: [.exited(3)]
            case .exit: [.exited(7)]
            case .fatalError: [.killed(by: SIGILL), .killed(by: SIGTRAP)]
            case .segmentationFault: [.killed(by: SIGSEGV)]
            default: [.exited(128 + (signal ?? 0))]
            }
        }
    }

    @Test(arguments: End.allCases)
    func `the terminal is restored however the program ends`(end: End) throws {
        let program = try Self.fixture()
        let modes = program.modesBefore
        try program.read(untilText: "ready truecolor 60x12")
        #expect(program.screen.isAlternate)
        #expect(!program.screen.isCursorShown)
        #expect(program.screen.modes.isSuperset(of: [1002, 1006, 2004]))
        #expect(program.modes != modes)
        try end.ask(program)
        let ending = try program.readToEnd()
        #expect(end.endings.contains(ending))
        Self.expectGivenBack(program, modes: modes)
        #expect(program.screen.unknown.isEmpty)
    }

    @Test(arguments: [
        ("s", "rhumb: crashed (SIG"), ("f", "rhumb: crashed (SIG"), ("m", "rhumb: out of memory;"),
    ])
    func `a crash is reported in one line, without waiting for a key`(key: String, report: String) throws {
        let program = try PtyProgram(
            TestProducts.path("TerminalFixture"),
            environment: Self.environment([:]).filter { $0.key != "SWIFT_BACKTRACE" }, columns: 100, rows: 12)
        let modes = program.modesBefore
        try program.read(untilText: "ready")
        try program.send(key)
        let ending = try program.readToEnd()
        let faults = [SIGSEGV, SIGILL, SIGTRAP, SIGABRT].map { PtyProgram.Ending.killed(by: $0) }
        #expect(faults.contains(ending))
        Self.expectGivenBack(program, modes: modes)
        let lines = program.screen.text.split(separator: "\n").filter { $0.contains("rhumb: ") }
        #expect(lines.count == 1 && lines[0].contains(report))
        #expect(!program.screen.text.contains("Thread"))
    }

    @Test func `stopping returns the terminal to the shell, and continuing takes it back`() throws {
        let script = "\(TestProducts.path("TerminalFixture")); echo STOPPED; read x; fg; echo OVER"
        let program = try PtyProgram(
            "/bin/sh", ["-mc", script], environment: Self.environment([:]), columns: 60, rows: 12)
        let modes = program.modesBefore
        try program.read(untilText: "ready truecolor")
        try program.send([0x1A])
        try program.read(untilText: "STOPPED")
        Self.expectGivenBack(program, modes: modes)
        try program.send("\n")
        try program.read(untilText: "back")
        #expect(program.screen.isAlternate)
        #expect(program.modes != modes)
        try program.send("q")
        try program.read(untilText: "OVER")
        _ = try program.readToEnd()
        Self.expectGivenBack(program, modes: modes)
    }

    @Test func `a program stopped by another process takes the terminal back`() throws {
        let program = try Self.fixture()
        try program.read(untilText: "ready")
        program.signal(SIGSTOP)
        program.signal(SIGCONT)
        try program.read(untilText: "resumed")
        #expect(program.screen.isAlternate)
        try program.send("q")
        #expect(try program.readToEnd() == .exited(0))
    }

    @Test func `a new size is reported and drawn`() throws {
        let program = try Self.fixture(pixels: (8, 16))
        try program.read(untilText: "ready")
        program.resize(columns: 100, rows: 30)
        try program.read(untilText: "size 100x30")
        program.resize(columns: 20, rows: 3)
        try program.read(untilText: "size 20x3")
        try program.send("q")
        #expect(try program.readToEnd() == .exited(0))
    }

    @Test(arguments: [(1, 1), (500, 200)])
    func `a screen of any size is drawn`(size: (Int, Int)) throws {
        let program = try Self.fixture(columns: size.0, rows: size.1)
        try program.read { $0.isAlternate && $0.grid[0, 0].glyph != " " }
        try program.send("q")
        #expect(try program.readToEnd() == .exited(0))
    }

    @Test func `a burst of keys arrives completely and in order`() throws {
        let program = try Self.fixture(columns: 100, rows: 30)
        try program.read(untilText: "ready")
        try program.send("\u{1B}[A\u{1B}[1;2Bé\u{1B}[<64;3;4M\u{1B}[200~60,24\u{1B}[201~\u{1B}")
        try program.read(untilText: "escape")
        let order = ["up, shift: false", "down, shift: true", "\"é\"", "wheelUp", "60,24", "escape"]
        let rows = order.map { word in program.screen.grid.lines.firstIndex { $0.contains(word) } }
        let known = rows.compactMap { $0 }
        #expect(known.count == order.count && known == known.sorted())
        try program.send("q")
        #expect(try program.readToEnd() == .exited(0))
    }

    @Test func `the reported background never leaks into the keys`() throws {
        let program = try Self.fixture(columns: 60, rows: 30)
        try program.read(untilText: "background(#10202E)")
        try program.send("q")
        #expect(try program.readToEnd() == .exited(0))
        #expect(!program.screen.text.contains("character"))
    }

    @Test func `a terminal that answers no queries doesn't delay the program`() throws {
        let program = try Self.fixture()
        program.answersQueries = false
        try program.read(untilText: "ready")
        try program.send("q")
        #expect(try program.readToEnd() == .exited(0))
    }

    @Test func `after two seconds without an answer, Escape waits no longer for one`() throws {
        let program = try Self.fixture()
        program.answersQueries = false
        try program.read(untilText: "ready")
        usleep(2_100_000)
        try program.send("\u{1B}")
        usleep(200_000)
        try program.send("l")
        try program.read(untilText: "\"l\"")
        #expect(program.screen.text.contains("escape"))
        try program.send("q")
        #expect(try program.readToEnd() == .exited(0))
    }

    @Test func `frames are synchronised if the terminal supports it`() throws {
        let program = try Self.fixture()
        try program.read(untilText: "background")
        try program.send("l")
        try program.read(untilText: "\"l\"")
        let marks = ["\u{1B}[?2026h", "\u{1B}[?2026l"].map { String(decoding: $0.utf8, as: UTF8.self) }
        let text = String(decoding: program.output, as: UTF8.self)
        #expect(marks.allSatisfy { text.contains($0) })
        try program.send("q")
        _ = try program.readToEnd()
    }

    @Test(arguments: [
        (["TERM": "", "COLORTERM": ""], "TERM is not set"),
        (["TERM": "dumb", "COLORTERM": ""], "can't move the cursor"),
    ])
    func `a terminal that can't show a map leads to a one-sentence explanation`(
        variables: [String: String], words: String
    ) throws {
        let program = try Self.fixture(variables, columns: 120)
        let modes = program.modesBefore
        #expect(try program.readToEnd() == .exited(1))
        #expect(program.screen.text.contains(words))
        Self.expectGivenBack(program, modes: modes)
    }

    @Test(arguments: [
        (["COLORTERM": ""], "256"), (["TERM": "xterm", "COLORTERM": ""], "16"),
        (["TERM": "linux", "COLORTERM": ""], "16"), (["TERM": "vt100", "COLORTERM": ""], "mono"),
        (["TERM": "screen-256color"], "truecolor"), (["TERM": "tmux-256color"], "truecolor"),
        (["TERM": "xterm-nobody-knows", "COLORTERM": ""], "16"), (["NO_COLOR": "1"], "mono"),
        (["LC_ALL": "C"], "truecolor"),
    ])
    func `every terminal gets an image in its colours`(
        variables: [String: String], depth: String
    ) throws {
        let program = try Self.fixture(variables)
        let modes = program.modesBefore
        try program.read(untilText: "ready \(depth) 60x12")
        try program.send("q")
        #expect(try program.readToEnd() == .exited(0))
        #expect(program.modes == modes)
        #expect(program.screen.unknown.isEmpty)
    }

    @Test func `a terminal that accepts no bytes doesn't prevent the program from ending`() throws {
        let program = try Self.fixture(columns: 500, rows: 200)
        try program.read { $0.modes.contains(1006) }
        program.signal(SIGTERM)
        #expect(try program.waitWithoutReading() == .exited(128 + SIGTERM))
    }
}
