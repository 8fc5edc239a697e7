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
            "standard output is not a terminal, so the map can't be shown; "
                + "use `rhumb render` for files and pipes"
        case .nameMissing:
            "TERM is not set, so the terminal type is unknown; "
                + "set it, e.g. TERM=xterm-256color, or use `rhumb render`"
        case .tooSimple(let name):
            "the terminal type '\(name)' can't move the cursor; if that type is wrong, "
                + "set TERM, e.g. TERM=xterm-256color; otherwise use `rhumb render`"
        case .noDatabase(let name):
            "no terminfo entry for '\(name)' nor for xterm; install ncurses-base, "
                + "or set TERMINFO to the folder with the entries"
        case .system(let call, let reason):
            "can't set up the terminal: \(call): \(reason); try another terminal window"
        case .alreadyTaken:
            "this process already uses the screen; close the other screen first"
        }
    }
}
