import Glibc
import RhumbTestSupport
import Testing

/// Runs the program without a screen, with commands on standard input.
struct PlainProgramTests {
    private func run(_ commands: [String], _ arguments: [String] = ["--plain"]) async -> ProgramRun {
        let home = TemporaryFolder(),
            script = home.write(Array((commands.joined(separator: "\n") + "\n").utf8), to: "in")
        let words = ([TestProducts.path("rhumb")] + arguments).map { "'\($0)'" }.joined(separator: " ")
        return await ProgramRun.of(
            "/bin/sh", ["-c", "\(words) --offline < '\(script)'"],
            environment: ["HOME": home.path, "TERM": "dumb", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"])
    }

    @Test func `the plain program goes to a place, describes it, and ends with its input`() async {
        let run = await run(["help", "go Florence", "north 1 km", "street", "nonsense"])
        #expect(run.status == 0)
        #expect(run.output.contains("In the centre of Florence (Firenze), Tuscany, Italy."))
        #expect(run.output.contains("No map is stored here"))
        #expect(run.output.contains("unknown command") || run.output.contains("nonsense"))
        let signs = run.output.unicodeScalars.filter {
            $0.value < 32 && $0 != "\n" || (0x2190...0x2BFF).contains($0.value) || $0.value == 127
        }
        #expect(signs.isEmpty)
    }

    @Test func `a dumb terminal gets the plain program, and quit ends it`() async {
        let run = await run(["quit", "help"], [])
        #expect(run.status == 0 && run.output.hasPrefix("Rhumb. Type help"))
        #expect(!run.output.contains("go PLACE"))
    }
}
