public import RhumbCore

/// The abilities of the terminal, decided once at the start, with the reasons for `rhumb doctor`.
public struct TerminalProfile: Equatable, Sendable {
    /// The value of `TERM`; empty if not set.
    public var term: String
    /// The number of colours to use.
    public var colors: ColorDepth
    /// True if the locale, and so the terminal, uses UTF-8.
    public var isUTF8: Bool
    /// The glyphs pictures are made of unless the user says otherwise.
    public var symbols: Symbols
    /// True if the terminal can be queried without displaying the query.
    public var answersQueries: Bool
    /// "truecolor: COLORTERM=truecolor"
    public var colorReason: String
    /// "quadrant+half: xterm leaves sextants to the font"
    public var symbolReason: String
    /// "UTF-8", or the locale's other character set and its consequences.
    public var localeReason: String

    /// Decides from the facts; the same facts give the same profile.
    public init(_ facts: TerminalFacts) {
        term = facts.term
        isUTF8 = Self.isUTF8(facts.codeset)
        let colorChoice = ColorChoice(facts)
        colors = colorChoice.depth
        colorReason = "\(colorChoice.depth.rawValue): \(colorChoice.reason)"
        let symbolChoice = SymbolChoice(facts, isUTF8: isUTF8, colors: colors)
        symbols = symbolChoice.symbols
        symbolReason = "\(symbolChoice.symbols.text): \(symbolChoice.reason)"
        answersQueries = facts.isTerminal && Self.answersQueries(facts.term)
        localeReason =
            isUTF8
            ? "UTF-8"
            : "\(facts.codeset), so only ASCII is used; set LC_ALL=C.UTF-8 to change that"
    }

    private static func isUTF8(_ codeset: String) -> Bool {
        let name = codeset.lowercased()
        return name == "utf-8" || name == "utf8"
    }

    /// Families known to swallow questions they don't understand.
    private static func answersQueries(_ term: String) -> Bool {
        let families = [
            "xterm", "tmux", "screen", "foot", "alacritty", "kitty", "wezterm", "ghostty",
            "contour", "konsole", "vte", "gnome", "rxvt", "st-", "mlterm", "mintty",
        ]
        return families.contains { term.hasPrefix($0) }
    }
}
