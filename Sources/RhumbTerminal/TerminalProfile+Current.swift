internal import Glibc
public import RhumbCore

extension TerminalProfile {
    /// Returns the profile of the current terminal. Sets the locale from the environment.
    /// - Parameter isControlling: If true, uses the controlling terminal, even if standard output isn't a
    ///   terminal.
    public static func current(
        colors: ColorDepth? = nil, symbols: Symbols? = nil, isControlling: Bool = false
    ) -> TerminalProfile {
        let environment = Self.environment
        // A locale that is not installed, or only the name of its encoding, as macOS sends over SSH.
        let isMissing = setlocale(LC_CTYPE, "") == nil
        if isMissing { setlocale(LC_CTYPE, "C.UTF-8") }
        let installed = isMissing ? nil : nl_langinfo(Int32(CODESET)).map { String(cString: $0) }
        let term = environment["TERM"] ?? ""
        let summary = term.isEmpty ? nil : TerminfoSummary(of: term)
        return TerminalProfile(
            TerminalFacts(
                environment: environment, isTerminal: isControlling || isatty(STDOUT_FILENO) == 1,
                codeset: installed ?? Self.codeset(named: environment),
                terminfo: summary, colors: colors, symbols: symbols))
    }

    /// Returns the encoding that the locale of the environment names, by itself or after a dot.
    static func codeset(named environment: [String: String]) -> String {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let name = locale?.prefix { $0 != "@" } ?? "", parts = name.split(separator: ".")
        return parts.count > 1 || name.lowercased().hasPrefix("utf")
            ? String(parts[parts.count - 1]) : "ASCII"
    }

    /// The variables that affect the profile.
    private static var environment: [String: String] {
        let names = [
            "LC_ALL", "LC_CTYPE", "LANG", "TERM", "COLORTERM", "NO_COLOR", "TMUX", "STY", "TERM_PROGRAM",
            "VTE_VERSION",
            "KONSOLE_VERSION", "XTERM_VERSION", "KITTY_WINDOW_ID", "WEZTERM_PANE", "ALACRITTY_WINDOW_ID",
            "GHOSTTY_RESOURCES_DIR", "COLORFGBG",
        ]
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { name in
                getenv(name).map { (name, String(cString: $0)) }
            })
    }
}

extension TerminfoSummary {
    /// Reads a terminfo entry; nil if there is none.
    init?(of name: String) {
        let read = Terminfo.withEntry(name) {
            TerminfoSummary(
                colors: Terminfo.number("colors"),
                hasDirectColor: Terminfo.hasDirectColor)
        }
        guard let read else { return nil }
        self = read
    }
}
