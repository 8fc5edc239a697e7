internal import Glibc
public import RhumbCore

/// The capabilities of a terminal, decided once at startup, with the reasons for `rhumb doctor`.
public struct TerminalProfile: Equatable, Sendable {
    /// The value of `TERM`; empty if unset.
    public var term: String
    /// The colour depth for drawing.
    public var colors: ColorDepth
    /// True if the locale, and therefore the terminal, uses UTF-8.
    public var isUTF8: Bool
    /// The glyphs for drawing pictures.
    public var symbols: Symbols
    /// The theme that fits the background colour in `COLORFGBG`; nil if the variable doesn't name one.
    public var theme: MapTheme?
    /// True if the terminal can be queried without showing the query on screen.
    public var answersQueries: Bool
    /// The multiplexer between the program and the terminal; nil if there is none.
    public var multiplexer: String?
    /// The colour depth and its reason, such as "truecolor: COLORTERM=truecolor".
    public var colorReason: String
    /// The glyphs and their reason, such as "quadrant+half: tmux hides which glyphs the terminal draws
    /// itself".
    public var symbolReason: String
    /// "UTF-8", or the locale's character set and its consequence.
    public var localeReason: String

    /// Decides the profile. The same facts give the same profile.
    public init(_ facts: TerminalFacts) {
        term = facts.term
        isUTF8 = Self.isUTF8(facts.codeset)
        let colorChoice = ColorChoice(facts)
        colors = colorChoice.depth
        colorReason = "\(colorChoice.depth.rawValue): \(colorChoice.reason)"
        let symbolChoice = SymbolChoice(facts, isUTF8: isUTF8, colors: colors)
        symbols = symbolChoice.symbols
        symbolReason = "\(symbolChoice.symbols.text): \(symbolChoice.reason)"
        multiplexer = facts.multiplexer
        theme = facts.variable("COLORFGBG").flatMap(Self.theme)
        answersQueries = facts.isTerminal && Self.answersQueries(facts.term)
        localeReason =
            isUTF8
            ? "UTF-8"
            : "\(facts.codeset), so only ASCII is used; set LC_ALL=C.UTF-8 to change that"
    }

    /// Returns the theme for a value of COLORFGBG, such as `0;default;15`. Its last part is the background.
    private static func theme(colours: String) -> MapTheme? {
        guard let background = colours.split(separator: ";").last.flatMap({ UInt8($0) }), background < 16
        else {
            return nil
        }
        return background < 7 || background == 8 ? .night : .day
    }

    private static func isUTF8(_ codeset: String) -> Bool {
        let name = codeset.lowercased()
        return name == "utf-8" || name == "utf8"
    }

    /// Returns true for terminal families that silently ignore unknown queries.
    private static func answersQueries(_ term: String) -> Bool {
        let families = [
            "xterm", "tmux", "screen", "foot", "alacritty", "kitty", "wezterm", "ghostty",
            "contour", "konsole", "vte", "gnome", "rxvt", "st-", "mlterm", "mintty",
        ]
        return families.contains { term.hasPrefix($0) }
    }

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

/// A colour depth and the reason for it.
struct ColorChoice: Equatable {
    let depth: ColorDepth
    let reason: String

    private init(_ depth: ColorDepth, _ reason: String) {
        self.depth = depth
        self.reason = reason
    }

    /// Chooses by the first that applies: the user's option, `NO_COLOR`, a dumb terminal, `COLORTERM`, direct
    /// colour by name or known program, terminfo.
    init(_ facts: TerminalFacts) {
        if let asked = facts.colors {
            self.init(asked, "from the command line")
        } else if facts.variable("NO_COLOR") != nil {
            self.init(.mono, "NO_COLOR is set")
        } else if facts.term == "dumb" {
            self.init(.mono, "TERM=dumb")
        } else if let value = facts.variable("COLORTERM"), ["truecolor", "24bit"].contains(value) {
            self.init(.truecolor, "COLORTERM=\(value)")
        } else {
            self.init(terminfo: facts)
        }
    }

    private init(terminfo facts: TerminalFacts) {
        let term = facts.term
        let isDirect = term.hasSuffix("-direct") || term.contains("-direct-")
        if isDirect || facts.terminfo?.hasDirectColor == true {
            self.init(.truecolor, "TERM=\(term) has direct colour")
        } else if let terminal = KnownTerminal(facts), terminal.drawsDirectColor {
            self.init(.truecolor, "\(terminal.name) has direct colour")
        } else if let colors = facts.terminfo?.colors {
            self.init(Self.depth(of: colors), "terminfo gives \(term) \(max(colors, 0)) colours")
        } else if term.contains("256color") {
            self.init(.indexed256, "TERM=\(term), from its name; not in terminfo")
        } else if term.isEmpty {
            self.init(.mono, "TERM is not set")
        } else {
            self.init(.indexed16, "'\(term)' is not in terminfo; assuming xterm")
        }
    }

    private static func depth(of colors: Int) -> ColorDepth {
        switch colors {
        case 256...: .indexed256
        case 8...: .indexed16
        default: .mono
        }
    }
}

/// The glyphs for drawing pictures and the reason for the choice.
struct SymbolChoice: Equatable {
    let symbols: Symbols
    let reason: String

    private init(_ symbols: Symbols, _ reason: String) {
        self.symbols = symbols
        self.reason = reason
    }

    /// Chooses sextants only if the terminal draws them itself, because fonts show seams between them.
    /// Octants are never chosen: few terminals draw them, and none reports it.
    init(_ facts: TerminalFacts, isUTF8: Bool, colors: ColorDepth) {
        if let asked = facts.symbols {
            self.init(asked, "from the command line")
        } else if !isUTF8 {
            self.init(.ascii, "the locale's character set is \(facts.codeset)")
        } else if facts.term == "linux" {
            self.init(.half, "the console's font has few glyphs")
        } else if colors == .mono {
            self.init(.braille, "without colours, braille draws the finest lines")
        } else if let multiplexer = facts.multiplexer {
            self.init([.quadrant, .half], "\(multiplexer) hides which glyphs the terminal draws itself")
        } else if let terminal = KnownTerminal(facts), terminal.drawsSextants {
            self.init([.sextant, .quadrant, .half], "\(terminal.name) draws sextants itself")
        } else {
            self.init([.quadrant, .half], "sextants not used: the terminal may draw them from its font")
        }
    }
}
