/// The reason why the screen can't be opened. The description suggests a remedy.
public enum TerminalFailure: Error, Equatable, CustomStringConvertible {
    /// Standard output is a file or a pipe.
    case notATerminal
    /// `TERM` is unset or empty.
    case nameMissing
    /// The terminal with this name can't move its cursor.
    case tooSimple(String)
    /// The terminfo database has neither the named entry nor one for xterm.
    case noDatabase(String)
    /// A system call on the terminal device failed.
    case system(call: String, reason: String)
    /// This process already uses the screen.
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
