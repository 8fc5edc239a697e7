internal import RhumbCore

/// Which glyphs pictures are made of, and why.
struct SymbolChoice: Equatable {
    let symbols: Symbols
    let reason: String

    private init(_ symbols: Symbols, _ reason: String) {
        self.symbols = symbols
        self.reason = reason
    }

    /// Sextants only where the terminal is known to draw them itself; fonts show seams between
    /// them. Octants are never chosen: too few terminals draw them, and none says so.
    init(_ facts: TerminalFacts, isUTF8: Bool) {
        if let asked = facts.symbols {
            self.init(asked, "asked for")
        } else if !isUTF8 {
            self.init(.ascii, "the locale's character set is \(facts.codeset)")
        } else if facts.term == "linux" {
            self.init(.half, "the console's font has few glyphs")
        } else if let multiplexer = Self.multiplexer(facts) {
            self.init([.quadrant, .half], "\(multiplexer) hides what the terminal draws itself")
        } else if let name = Self.drawsSextants(facts) {
            self.init([.sextant, .quadrant, .half], "\(name) draws sextants itself")
        } else {
            self.init([.quadrant, .half], "this terminal may leave sextants to its font")
        }
    }

    private static func multiplexer(_ facts: TerminalFacts) -> String? {
        let term = facts.term
        if facts.variable("TMUX") != nil || term.hasPrefix("tmux") { return "tmux" }
        if facts.variable("STY") != nil || term.hasPrefix("screen") { return "screen" }
        return nil
    }

    private static func drawsSextants(_ facts: TerminalFacts) -> String? {
        let program = facts.variable("TERM_PROGRAM")?.lowercased() ?? ""
        let known = ["kitty", "foot", "wezterm", "ghostty", "alacritty", "contour"]
        if let name = known.first(where: { program == $0 || family(facts.term) == $0 }) {
            return name
        }
        let marks = [
            "KITTY_WINDOW_ID": "kitty", "WEZTERM_PANE": "wezterm", "ALACRITTY_WINDOW_ID": "alacritty",
            "GHOSTTY_RESOURCES_DIR": "ghostty",
        ]
        if let mark = marks.keys.sorted().first(where: { facts.variable($0) != nil }) {
            return marks[mark]
        }
        return versioned(facts)
    }

    /// VTE draws them since 0.62, Konsole since 21.08.
    private static func versioned(_ facts: TerminalFacts) -> String? {
        if let vte = facts.variable("VTE_VERSION").flatMap({ Int($0) }), vte >= 6200 { return "VTE" }
        if let konsole = facts.variable("KONSOLE_VERSION").flatMap({ Int($0) }), konsole >= 210_800 {
            return "Konsole"
        }
        return nil
    }

    /// "kitty" of "xterm-kitty" and "foot" of "foot-extra".
    private static func family(_ term: String) -> String {
        let name = term.hasPrefix("xterm-") ? term.dropFirst(6) : term[...]
        return String(name.prefix { $0 != "-" })
    }
}
