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
}
