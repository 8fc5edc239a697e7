public import RhumbCore

/// Everything a terminal profile is decided from.
public struct TerminalFacts: Sendable {
    /// The environment's variables.
    public var environment: [String: String]
    /// True if standard output is a terminal.
    public var isTerminal: Bool
    /// The character set of the locale as `nl_langinfo(CODESET)` calls it: "UTF-8".
    public var codeset: String
    /// The entry of terminfo for `TERM`; nil if there is none.
    public var terminfo: TerminfoSummary?
    /// The user's choice of colours, from the command line or the configuration.
    public var colors: ColorDepth?
    /// The user's choice of glyphs.
    public var symbols: Symbols?

    /// The facts about a terminal.
    public init(
        environment: [String: String], isTerminal: Bool, codeset: String,
        terminfo: TerminfoSummary?, colors: ColorDepth? = nil, symbols: Symbols? = nil
    ) {
        self.environment = environment
        self.isTerminal = isTerminal
        self.codeset = codeset
        self.terminfo = terminfo
        self.colors = colors
        self.symbols = symbols
    }

    /// The value of a variable that is set and not empty.
    func variable(_ name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    var term: String { variable("TERM") ?? "" }
}

/// The few things of a terminfo entry that decide how to draw.
public struct TerminfoSummary: Equatable, Sendable {
    /// The number of colours; 0 or less for none.
    public var colors: Int
    /// The entry carries `RGB` or `Tc`: colours by red, green and blue.
    public var hasDirectColor: Bool

    /// The colours of the terminal's description.
    public init(colors: Int, hasDirectColor: Bool) {
        self.colors = colors
        self.hasDirectColor = hasDirectColor
    }
}
