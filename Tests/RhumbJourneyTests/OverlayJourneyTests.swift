import RhumbCore
import RhumbTestSupport
import Testing

/// One's own data over the map, as a person lays it there.
struct OverlayJourneyTests {
    private static let environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/dev/null/none", "SWIFT_BACKTRACE": "enable=no"]

    private func run(_ words: String) async -> ProgramRun {
        await ProgramRun.of("/bin/sh", ["-c", words.replacing("rhumb", with: TestProducts.path("rhumb"))], environment: Self.environment)
    }

    @Test func `places on standard input are shown while keys come from the terminal`() throws {
        let program = try PtyProgram(
            "/bin/sh", ["-c", "(echo 60.45,22.26,Alpha; echo nonsense; echo 60.46,22.30,Beta; while echo '#'; do sleep 0.2; done 2>/dev/null) | \(TestProducts.path("rhumb")) -"],
            environment: Self.environment.merging(["TERM": "xterm-256color", "COLORTERM": "truecolor"]) { $1 }, columns: 100, rows: 30)
        try program.read(untilText: "Alpha")
        try program.read(untilText: "Beta")
        try program.send("m")
        try program.read(untilText: "standard input")
        try program.read(untilText: "left out: 1")
        try program.send("q")
        #expect(try program.readToEnd() == .exited(0))
    }

    @Test func `a picture is framed on its points, and says what it left out`() async {
        let picture = await run("printf '60.45,22.26,Alpha\\nbad\\n60.46,22.30,Beta\\n' | rhumb render - --size 60x20")
        #expect(picture.status == 3, "\(picture.errors)")
        #expect(await run("rhumb render /dev/null/none.gpx --size 20x5").status == 1)
        #expect(picture.output.contains("Alpha") && picture.output.contains("Beta"))
        #expect(picture.errors.contains("standard input: left out 1, line 2"))
    }

    @Test func `figures of a track are printed for people and for programs`() async throws {
        let track = "$GPRMC,120000,A,6000.000,N,02200.000,E,10,0,010524,,\\n$GPRMC,120100,A,6001.000,N,02200.000,E,10,0,010524,,\\n"
        let text = await run("printf '\(track)' | rhumb track stats -")
        #expect(text.status == 0 && text.output.contains("length: 1.85 km"), "\(text.errors)")
        let figures = try JSON.parse(await run("printf '\(track)' | rhumb track stats - --json").output).array?.first
        #expect(figures?["duration"]?.double == 60)
        #expect(abs((figures?["distance"]?.double ?? 0) - 1853) < 3)
        #expect(await run("rhumb track stats /dev/null/none.gpx").status == 1)
        #expect(await run("printf 'nothing\\n' | rhumb track stats -").status == 1)
    }
}
