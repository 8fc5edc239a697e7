internal import RhumbCore

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
