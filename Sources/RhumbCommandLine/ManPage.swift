internal import RhumbManual

/// The manual page in man(7) macros, in plain ASCII, which every roff reads.
public enum ManPage {
    /// The page: the commands with their options, then the pages of the manual.
    public static var text: String {
        page("rhumb", purpose: "browse maps in a terminal", CommandTable.commands, about: [intro]) {
            Manual.pages.flatMap(\.blocks).flatMap(roff)
        }
    }

    /// Returns the page of the commands of a group.
    public static func text(of group: CommandGroup) -> String {
        page(
            "rhumb-\(group.rawValue)", purpose: group.purpose, group.commands,
            about: ["The commands of", ".BR rhumb (1)", escaped("to \(group.purpose).")]
        ) { [".SH SEE ALSO", ".BR rhumb (1)"] }
    }

    private static func page(
        _ name: String, purpose: String, _ commands: [CommandSpec], about: [String], rest: () -> [String]
    ) -> String {
        var lines = [
            ".TH \(name.uppercased()) 1 \"\" \"rhumb \(CommandTable.version)\" \"User Commands\"",
            ".SH NAME", "\(escaped(name)) \\- \(escaped(purpose))", ".SH SYNOPSIS",
        ]
        for command in commands { lines += [".B \(escaped(command.usage))", ".br"] }
        lines += [".SH DESCRIPTION"] + about
        for command in commands { lines += section(of: command) }
        lines += rest()
        lines += [".SH EXIT STATUS"] + ExitStatus.meanings.flatMap { item("\($0.status)", $0.meaning) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let intro =
        "Rhumb draws maps in the terminal: a built-in world map, any MBTiles, PMTiles or folder "
        + "of tiles, and raster and vector web maps, with a shared cache. Regions can be downloaded "
        + "for offline use. Rhumb itself needs no network."

    private static func section(of command: CommandSpec) -> [String] {
        var lines = [".SH \(command.words.isEmpty ? "OPTIONS" : command.words.uppercased())"]
        lines.append(escaped(command.summary))
        if let operand = command.operand { lines += item(operand.placeholder, operand.help) }
        for option in command.options { lines += item(option.label.trimmingSpaces, option.help) }
        for paragraph in command.details { lines += [".PP", escaped(paragraph)] }
        for example in command.examples {
            lines += [".PP", ".EX", escaped(example.line), ".EE", escaped(example.what)]
        }
        return lines
    }

    /// Returns a block of the manual as roff requests and text.
    static func roff(_ block: ManualBlock) -> [String] {
        switch block {
        case .heading(1, let text): [".SH \(escaped(text.plain.uppercased()))"]
        case .heading(_, let text): [".SS \(escaped(text.plain))"]
        case .paragraph(let text): [".PP", roff(text)]
        case .list(let items): items.flatMap { [".IP \\(bu 2", roff($0)] }
        case .code(let lines, _): [".PP", ".EX"] + lines.map(escaped) + [".EE"]
        case .table(let rows):
            rows.dropFirst().flatMap { row in
                [
                    ".TP", ".B \(escaped(row.first?.plain ?? ""))",
                    row.dropFirst().map(roff).joined(separator: "; "),
                ]
            }
        }
    }

    private static func roff(_ text: ManualText) -> String {
        let line = text.spans.map { span in
            span.style == .plain ? characters(span.text) : "\\fB\(characters(span.text))\\fR"
        }.joined()
        return line.hasPrefix(".") ? "\\&" + line : line
    }

    private static func item(_ term: String, _ meaning: String) -> [String] {
        [".TP", ".B \(escaped(term))", escaped(meaning)]
    }

    /// Returns a line of text with everything escaped that roff would interpret.
    private static func escaped(_ text: String) -> String {
        let line = characters(text)
        return line.hasPrefix(".") ? "\\&" + line : line
    }

    private static func characters(_ text: String) -> String { text.unicodeScalars.map(escaped).joined() }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\\": "\\e"
        case "-": "\\-"
        case "'": "\\(aq"
        case "\"": "\\(dq"
        case "^": "\\(ha"
        case "~": "\\(ti"
        case "`": "\\(ga"
        case _ where scalar.isASCII: String(scalar)
        default: "\\[u\(hexadecimal(scalar.value))]"
        }
    }

    /// Returns a number with at least four hexadecimal digits, as roff requires.
    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(4 - digits.count, 0)) + digits
    }
}

extension String {
    fileprivate var trimmingSpaces: String { String(drop { $0 == " " }) }
}
