import RhumbCore
import Testing

@testable import RhumbTerminal

struct TerminalProfileTests {
    static let xterm256 = TerminfoSummary(colors: 256, hasDirectColor: false)

    static func facts(
        _ environment: [String: String], _ terminfo: TerminfoSummary? = xterm256,
        codeset: String = "UTF-8", colors: ColorDepth? = nil, symbols: Symbols? = nil
    ) -> TerminalFacts {
        TerminalFacts(
            environment: environment, isTerminal: true, codeset: codeset, terminfo: terminfo,
            colors: colors, symbols: symbols)
    }

    @Test(arguments: [
        (["LANG": "C.UTF-8", "LC_CTYPE": "UTF-8"], "UTF-8"), (["LC_ALL": "xx_YY.utf8@euro"], "utf8"),
        (["LC_ALL": "", "LC_CTYPE": "xx_YY.UTF-8", "LANG": "C"], "UTF-8"),
        (["LC_ALL": "xx_YY.ISO-8859-1", "LC_CTYPE": "UTF-8"], "ISO-8859-1"), (["LANG": "xx_YY"], "ASCII"),
        ([:], "ASCII"),
    ])
    func `a locale that is not installed has the encoding of its name`(
        environment: [String: String], codeset: String
    ) {
        #expect(TerminalProfile.codeset(named: environment) == codeset)
    }

    @Test(
        arguments: [
            ("15;0", .night), ("0;15", .day), ("0;default;7", .day), ("12;8", .night), ("0;default", nil),
            ("0;99", nil), ("", nil),
        ] as [(String, MapTheme?)])
    func `COLORFGBG names the theme for a terminal that doesn't report its background`(
        value: String, theme: MapTheme?
    ) {
        #expect(TerminalProfile(Self.facts(["TERM": "xterm", "COLORFGBG": value])).theme == theme)
    }

    static let depths: [(TerminalFacts, ColorDepth)] = [
        (facts(["TERM": "dumb", "NO_COLOR": "1"], colors: .truecolor), .truecolor),
        (facts(["TERM": "xterm-256color", "NO_COLOR": "1", "COLORTERM": "truecolor"]), .mono),
        (facts(["TERM": "xterm-256color", "NO_COLOR": ""]), .indexed256),
        (facts(["TERM": "dumb", "COLORTERM": "truecolor"]), .mono),
        (facts(["TERM": "xterm", "COLORTERM": "truecolor"]), .truecolor),
        (facts(["TERM": "xterm", "COLORTERM": "24bit"]), .truecolor),
        (facts(["TERM": "xterm-256color", "COLORTERM": "yes"]), .indexed256),
        (facts(["TERM": "tmux-256color", "COLORTERM": "truecolor"]), .truecolor),
        (facts(["TERM": "xterm-direct"], TerminfoSummary(colors: 1 << 24, hasDirectColor: true)), .truecolor),
        (facts(["TERM": "xterm-direct"], nil), .truecolor),
        (facts(["TERM": "xterm-256color"]), .indexed256),
        (facts(["TERM": "putty-256color"], nil), .indexed256),
        (facts(["TERM": "xterm-256color", "XTERM_VERSION": "XTerm(379)"]), .truecolor),
        (facts(["TERM": "xterm-256color", "XTERM_VERSION": "XTerm(300)"]), .indexed256),
        (facts(["TERM": "xterm-256color", "XTERM_VERSION": "XTerm"]), .indexed256),
        (facts(["TERM": "rxvt-256color", "XTERM_VERSION": "XTerm(379)"]), .indexed256),
        (facts(["TERM": "screen-256color", "XTERM_VERSION": "XTerm(379)"]), .indexed256),
        (facts(["TERM": "xterm-kitty"], nil), .truecolor),
        (facts(["TERM": "xterm-256color", "VTE_VERSION": "7006"]), .truecolor),
        (facts(["TERM": "xterm"], TerminfoSummary(colors: 8, hasDirectColor: false)), .indexed16),
        (facts(["TERM": "xterm-16color"], TerminfoSummary(colors: 16, hasDirectColor: false)), .indexed16),
        (facts(["TERM": "vt100"], TerminfoSummary(colors: -1, hasDirectColor: false)), .mono),
        (facts(["TERM": "mystery"], nil), .indexed16),
        (facts([:], nil), .mono),
    ]

    @Test(arguments: depths)
    func `the colour depth is decided in the order of the rules`(facts: TerminalFacts, depth: ColorDepth) {
        let profile = TerminalProfile(facts)
        #expect(profile.colors == depth)
        #expect(profile.colorReason.hasPrefix(depth.rawValue + ": "))
    }

    static let sextants: Symbols = [.sextant, .quadrant, .half]
    static let safe: Symbols = [.quadrant, .half]
    static let glyphs: [(TerminalFacts, Symbols)] = [
        (facts(["TERM": "xterm-kitty"]), sextants),
        (facts(["TERM": "foot"]), sextants),
        (facts(["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"]), sextants),
        (facts(["TERM": "xterm-ghostty"]), sextants),
        (facts(["TERM": "alacritty"]), sextants),
        (facts(["TERM": "xterm-256color", "VTE_VERSION": "7006"]), sextants),
        (facts(["TERM": "xterm-256color", "VTE_VERSION": "5202"]), safe),
        (facts(["TERM": "xterm-256color", "KONSOLE_VERSION": "230401"]), sextants),
        (facts(["TERM": "xterm-256color"]), safe),
        (facts(["TERM": "mystery"]), safe),
        (facts(["TERM": "xterm-256color", "XTERM_VERSION": "XTerm(379)"]), safe),
        (facts(["TERM": "vt220", "KITTY_WINDOW_ID": "1"]), safe),
        (facts(["TERM": "tmux-256color", "TMUX": "x", "KITTY_WINDOW_ID": "1"]), safe),
        (facts(["TERM": "screen", "STY": "1.pts", "VTE_VERSION": "7006"]), safe),
        (facts(["TERM": "linux"]), .half),
        (facts(["TERM": "xterm-kitty"], codeset: "ANSI_X3.4-1968"), .ascii),
        (facts(["TERM": "linux"], symbols: .octant), .octant),
    ]

    @Test(arguments: glyphs)
    func `only glyphs that the terminal draws well are used`(facts: TerminalFacts, symbols: Symbols) {
        let profile = TerminalProfile(facts)
        #expect(profile.symbols == symbols)
        #expect(profile.symbolReason.hasPrefix(symbols.text + ": "))
    }

    @Test(arguments: [("xterm-256color", true), ("linux", false), ("vt100", false), ("dumb", false)])
    func `only terminals that ignore unknown queries are queried`(term: String, isAsked: Bool) {
        #expect(TerminalProfile(Self.facts(["TERM": term])).answersQueries == isAsked)
    }
}
