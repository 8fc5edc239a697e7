import Glibc
import RhumbCore
import RhumbTestSupport
import Testing

/// The map as a job of a shell.
@Suite(.serialized)
struct JobControlTests {
    /// The map in a shell that says when it is stopped and, told so, brings it back.
    private static func startUnderShell(_ words: String = "") throws -> PtyProgram {
        let script = "\(TestProducts.path("rhumb")) \(words); echo STOPPED; read x; fg; echo \"OVER $?\""
        return try PtyProgram(
            "/bin/sh", ["-mc", script],
            environment: ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": "/dev/null/none", "PATH": "/usr/bin:/bin"],
            columns: 100, rows: 30)
    }

    @Test func `Ctrl-Z gives the terminal to the shell, and fg brings the map back as it was`() throws {
        let program = try Self.startUnderShell("-z 5 -c 48,12")
        try program.read(untilText: "z5.0")
        try program.send([0x1A])
        try program.read(untilText: "STOPPED")
        #expect(program.modes == program.modesBefore && !program.screen.isAlternate)
        try program.send("\n")
        try program.read { $0.isAlternate && $0.text.contains("z5.0") }
        #expect(program.modes != program.modesBefore)
        try program.send("+")
        try program.read { !$0.text.contains("z5.0") }
        try program.send("q")
        try program.read(untilText: "OVER 0")
        #expect(program.modes == program.modesBefore && !program.screen.isAlternate)
    }
}
