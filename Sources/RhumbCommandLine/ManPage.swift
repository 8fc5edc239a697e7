/// The manual page in man(7) macros.
public enum ManPage {
    /// - Parameter keys: rows of section, keys and what they do, from the program's key table.
    public static func text(keys: [(section: String, keys: String, help: String)]) -> String {
        var lines = [
            ".TH RHUMB 1 \"\" \"rhumb \(CommandTable.version)\" \"User Commands\"",
            ".SH NAME", "rhumb \\- browse maps in a terminal", ".SH SYNOPSIS",
        ]
        let commands = CommandTable.commands.filter { !$0.isHidden }
        for command in commands { lines += [".B \(escaped(command.usage))", ".br"] }
        lines += [".SH DESCRIPTION", intro]
        for command in commands { lines += section(of: command) }
        lines += [".SH KEYS"] + keyLines(keys)
        lines += [".SH EXIT STATUS", escaped(ExitStatus.text), ".SH ENVIRONMENT"] + environment
        return lines.joined(separator: "\n") + "\n"
    }

    private static let intro =
        "Rhumb draws raster maps as character cells: the world out of the box, and any MBTiles, "
        + "PMTiles or folder of tiles. It needs no network."

    private static let environment = [
        ".TP", ".B RHUMB_CONFIG", "The configuration file to read.",
        ".TP", ".B NO_COLOR", "When set and not empty, no colours are used.",
        ".TP", ".B COLORTERM", "truecolor or 24bit: the terminal shows 16 million colours.",
    ]

    private static func section(of command: CommandSpec) -> [String] {
        var lines = [".SH \(command.name.isEmpty ? "OPTIONS" : command.name.uppercased())"]
        lines.append(escaped(command.summary))
        for option in command.options {
            lines += [".TP", ".B " + escaped(option.label.trimmingSpaces), escaped(option.help)]
        }
        for paragraph in command.details { lines += [".PP", escaped(paragraph)] }
        for example in command.examples {
            lines += [".PP", ".EX", escaped(example.line), ".EE", escaped(example.what)]
        }
        return lines
    }

    private static func keyLines(
        _ keys: [(section: String, keys: String, help: String)]
    ) -> [String] {
        var lines: [String] = []
        var section = ""
        for key in keys where !key.keys.isEmpty {
            if key.section != section { lines.append(".SS \(escaped(key.section))") }
            section = key.section
            lines += [".TP", ".B \(escaped(key.keys))", escaped(key.help)]
        }
        return lines
    }

    /// Text that roff takes for text.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            default: result.append(character)
            }
        }
        return result.hasPrefix(".") || result.hasPrefix("'") ? "\\&" + result : result
    }
}

extension String {
    fileprivate var trimmingSpaces: String { String(drop { $0 == " " }) }
}
