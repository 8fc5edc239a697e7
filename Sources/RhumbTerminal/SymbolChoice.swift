internal import RhumbCore

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
