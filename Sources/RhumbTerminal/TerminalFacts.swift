public import RhumbCore

/// The inputs for deciding a terminal profile.
public struct TerminalFacts: Sendable {
    /// The environment variables.
    public var environment: [String: String]
    /// True if standard output is a terminal.
    public var isTerminal: Bool
    /// The locale's character set as returned by `nl_langinfo(CODESET)`, such as "UTF-8".
    public var codeset: String
    /// The terminfo entry of `TERM`; nil if there is none.
    public var terminfo: TerminfoSummary?
    /// The user's choice of colours, from the command line or the configuration.
    public var colors: ColorDepth?
    /// The user's choice of glyphs.
    public var symbols: Symbols?

    /// Creates the facts about a terminal.
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

    /// Returns a variable's value; nil if unset or empty.
    func variable(_ name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    var term: String { variable("TERM") ?? "" }
}

/// The parts of a terminfo entry that decide how to draw.
public struct TerminfoSummary: Equatable, Sendable {
    /// The number of colours; 0 or less for none.
    public var colors: Int
    /// True if the entry has `RGB` or `Tc`, for direct colours.
    public var hasDirectColor: Bool

    /// Creates a summary.
    public init(colors: Int, hasDirectColor: Bool) {
        self.colors = colors
        self.hasDirectColor = hasDirectColor
    }
}

/// One report from the terminal: user input or a query response.
package enum TerminalReport: Equatable {
    case key(Key)
    /// The background colour (OSC 11).
    case background(RGB)
    /// The response to DECRQM for mode 2026: whether the terminal supports synchronized output.
    case synchronizedFrames(Bool)
    /// The cell size in pixels: `CSI 6 ; height ; width t`.
    case cellSize(width: Int, height: Int)
    /// The terminal's colours changed between light and dark: `CSI ? 997 ; 1 n` or `; 2 n`.
    case colourScheme
    /// The response to DA1, which is queried last, so that no further responses follow. Attribute 4 reports
    /// sixel graphics, and 52 clipboard support.
    case attributes(hasClipboard: Bool, hasSixel: Bool = false)
    /// The maximum size of a sixel image: `CSI ? 2 ; 0 ; width ; height S`.
    case sixelLimit(width: Int, height: Int)
    /// The terminal's own name and version (XTVERSION), such as "kitty(0.26.5)".
    case name(String)
    /// The response of the kitty graphics protocol to a query, or an error about an image.
    case image(id: UInt32, isStored: Bool)
}
