import RhumbCore
import RhumbTestSupport

/// The program on a pseudo-terminal, with its own home folder.
struct Journey {
    let program: PtyProgram
    /// The largest difference in a channel between two screens of the same map: twice that of each screen.
    static let tolerance = 18

    /// - Parameter core: The only processor core that the program may use; nil for all.
    init(
        _ arguments: [String] = [], columns: Int = 100, rows: Int = 30,
        environment: [String: String] = [:], core: Int? = nil
    ) throws {
        var variables = [
            "TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8",
            "HOME": "/dev/null/none", "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no",
        ]
        variables.merge(environment) { $1 }
        let words =
            (core.map { ["/usr/bin/taskset", "-c", "\($0)"] } ?? []) + [TestProducts.path("rhumb")]
            + arguments
        program = try PtyProgram(
            words[0], Array(words.dropFirst()), environment: variables, columns: columns, rows: rows)
    }

    /// Waits until a text is on the screen.
    func see(_ text: String) throws { try program.read(untilText: text) }

    /// Waits until the map is drawn and at rest. It is preceded by an empty frame with a status line.
    func seeMap() throws {
        try program.read { Set($0.grid.visible.cells.map(\.paper)).count > 3 }
        try settle()
    }

    func type(_ keys: String) throws { try program.send(keys) }

    /// Waits until there has been no output for this many seconds.
    func settle(_ quiet: Double = 0.4) throws {
        while try program.readOnce(within: quiet) {}
    }

    /// Returns the screen once it is at rest.
    func screen() throws -> CellGrid {
        try settle()
        return program.screen.grid.visible
    }

    /// Quits with Ctrl-C, which also works in a panel.
    func quit() throws -> PtyProgram.Ending {
        try type("\u{3}")
        return try program.readToEnd()
    }
}
