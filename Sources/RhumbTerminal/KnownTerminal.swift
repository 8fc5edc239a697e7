/// A terminal program recognised by its environment variables or its own `TERM`.
struct KnownTerminal: Equatable {
    let name: String
    let drawsDirectColor: Bool
    /// True if the terminal draws sextants itself, without seams in any font.
    let drawsSextants: Bool

    private init(_ name: String, directColor: Bool = true, sextants: Bool = true) {
        self.name = name
        drawsDirectColor = directColor
        drawsSextants = sextants
    }

    /// Returns nil for unknown terminals and inside a multiplexer, which hides the outer terminal.
    init?(_ facts: TerminalFacts) {
        guard facts.multiplexer == nil else { return nil }
        let program = facts.variable("TERM_PROGRAM")?.lowercased() ?? ""
        let family = Self.family(facts.term)
        // The terminal that set the variables may have started another kind of terminal, which inherits them.
        let isXtermLike = facts.term.hasPrefix("xterm")
        if let name = Self.modern.first(where: { family == $0 || (isXtermLike && program == $0) }) {
            self.init(name)
        } else if isXtermLike, let found = Self.marked(facts) ?? Self.versioned(facts) {
            self = found
        } else {
            return nil
        }
    }

    private static let modern = ["kitty", "foot", "wezterm", "ghostty", "alacritty", "contour"]

    /// Returns "kitty" for "xterm-kitty" and "foot" for "foot-extra".
    private static func family(_ term: String) -> String {
        let name = term.hasPrefix("xterm-") ? term.dropFirst(6) : term[...]
        return String(name.prefix { $0 != "-" })
    }

    private static func marked(_ facts: TerminalFacts) -> KnownTerminal? {
        let marks = [
            ("KITTY_WINDOW_ID", "kitty"), ("WEZTERM_PANE", "wezterm"),
            ("ALACRITTY_WINDOW_ID", "alacritty"), ("GHOSTTY_RESOURCES_DIR", "ghostty"),
        ]
        return marks.first { facts.variable($0.0) != nil }.map { KnownTerminal($0.1) }
    }

    /// VTE has had direct colours since 0.36 and sextants since 0.62, Konsole sextants since 21.08. xterm has
    /// had direct colours since 331 and leaves sextants to its font; it unsets `COLORTERM`.
    private static func versioned(_ facts: TerminalFacts) -> KnownTerminal? {
        if let version = facts.number("VTE_VERSION") {
            return KnownTerminal("VTE", directColor: version >= 3600, sextants: version >= 6200)
        }
        if let version = facts.number("KONSOLE_VERSION") {
            return KnownTerminal("Konsole", sextants: version >= 210_800)
        }
        if let version = facts.number("XTERM_VERSION") {
            return KnownTerminal("xterm \(version)", directColor: version >= 331, sextants: false)
        }
        return nil
    }
}

extension TerminalFacts {
    /// The multiplexer the program runs in; nil if none.
    var multiplexer: String? {
        if variable("TMUX") != nil || term.hasPrefix("tmux") { return "tmux" }
        if variable("STY") != nil || term.hasPrefix("screen") { return "screen" }
        return nil
    }

    /// Returns the first number in a variable's value: 379 for "XTerm(379)".
    fileprivate func number(_ name: String) -> Int? {
        variable(name).flatMap { Int($0.drop { !$0.isASCII || !$0.isNumber }.prefix { $0.isNumber }) }
    }
}
