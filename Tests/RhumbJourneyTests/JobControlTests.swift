import Glibc
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests the map as a shell job.
@Suite(.serialized)
struct JobControlTests {
    /// The commands that start the map: directly, and by a script without job control, as `make run` does.
    private static let commands: [@Sendable (String) -> String] = [
        { "\(TestProducts.path("rhumb")) \($0)" },
        { "/bin/sh -c '\(TestProducts.path("rhumb")) \($0); exit $?'" },
    ]

    /// Starts a job in a shell that reports when the job is stopped, and resumes it after Enter.
    private static func startUnderShell(_ command: String) throws -> PtyProgram {
        let script = "\(command); echo STOPPED; read x; fg; echo \"OVER $?\""
        return try PtyProgram(
            "/bin/sh", ["-mc", script],
            environment: [
                "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": "/dev/null/none",
                "PATH": "/usr/bin:/bin",
            ],
            columns: 100, rows: 30)
    }

    @Test(arguments: commands.indices)
    func `Ctrl-Z returns the terminal to the shell, and fg restores the map`(number: Int) throws {
        let program = try Self.startUnderShell(Self.commands[number]("-z 5 -c 48,12"))
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
