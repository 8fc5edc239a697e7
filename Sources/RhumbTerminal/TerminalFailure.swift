/// Why the screen could not be taken; the text says what to do about it.
public enum TerminalFailure: Error, Equatable, CustomStringConvertible {
    /// Standard output is a file or a pipe.
    case notATerminal
    /// `TERM` is not set, or empty.
    case nameMissing
    /// The terminal called so cannot address its cursor.
    case tooSimple(String)
    /// The terminfo database could not be read at all.
    case noDatabase(String)
    /// The system refused a call on the terminal device.
    case system(call: String, reason: String)
    /// This process has the screen already.
    case alreadyTaken

    public var description: String {
        switch self {
        case .notATerminal:
            "standard output is not a terminal, so the map can't be shown there; "
                + "`rhumb render` prints a picture into files and pipes"
        case .nameMissing:
            "TERM is not set, so it is unknown what this terminal understands; "
                + "set it, for instance TERM=xterm-256color, or use `rhumb render`"
        case .tooSimple(let name):
            "the terminal '\(name)' can't move its cursor; if it is a better one than it says, "
                + "set TERM, for instance TERM=xterm-256color; otherwise use `rhumb render`"
        case .noDatabase(let name):
            "no terminfo entry for '\(name)' nor for xterm; install ncurses-base, "
                + "or set TERMINFO to the folder that holds the entries"
        case .system(let call, let reason):
            "the terminal could not be set up: \(call): \(reason); try another terminal window"
        case .alreadyTaken:
            "the screen is in use by this process already; close the other screen first"
        }
    }
}
