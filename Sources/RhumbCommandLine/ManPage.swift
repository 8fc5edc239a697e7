internal import RhumbCore
internal import RhumbManual

/// The manual page in man(7) macros, in plain ASCII, which every roff reads.
public enum ManPage {
    /// The page of the program: the options of the map, the commands with a line for each, and the topics of
    /// the manual.
    public static var text: String {
        let groups = CommandGroup.allCases.flatMap { group in
            [".SS \(escaped(capitalised(group.purpose)))"]
                + group.commands.filter { $0.family == nil }.flatMap { item($0.line, $0.summary) }
                + [".PP", "Options: see", ".BR rhumb\\-\(group.rawValue) (1)."]
        }
        let topics = Manual.pages.flatMap { item("rhumb help \($0.topic)", $0.summary) }
        let body = section(of: CommandTable.open) + [".SH COMMANDS"] + groups + [".SH MANUAL"] + topics
        return page(
            "rhumb", purpose: "browse maps in a terminal",
            usages: [CommandTable.open.usage, "rhumb COMMAND [OPTIONS] ..."], about: [escaped(intro)], body)
    }

    /// Returns the page of the commands of a group, with their common options once.
    public static func text(of group: CommandGroup) -> String {
        let common = CommandTable.global
        let names = Set(common.map(\.name))
        let sections = group.commands.flatMap { section(of: $0, without: names) }
        return page(
            "rhumb-\(group.rawValue)", purpose: group.purpose, usages: group.commands.map(\.usage),
            about: ["The commands of", ".BR rhumb (1)", escaped("to \(group.purpose).")],
            sections + [".SH COMMON OPTIONS"] + common.flatMap(entry) + [".SH SEE ALSO", ".BR rhumb (1)"])
    }

    private static func page(
        _ name: String, purpose: String, usages: [String], about: [String], _ body: [String]
    ) -> String {
        var lines = [
            ".TH \(name.uppercased()) 1 \"\" \"rhumb \(CommandTable.version)\" \"User Commands\"",
            ".SH NAME", "\(escaped(name)) \\- \(escaped(purpose))", ".SH SYNOPSIS",
        ]
        for usage in usages { lines += [".B \(escaped(usage))", ".br"] }
        lines += [".SH DESCRIPTION"] + about + body
        lines += [".SH EXIT STATUS"] + ExitStatus.meanings.flatMap { item("\($0.status)", $0.meaning) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let intro =
        "Rhumb draws maps in the terminal: a built-in world map, any MBTiles, PMTiles or folder "
        + "of tiles, and raster and vector web maps, with a shared cache. Regions can be downloaded "
        + "for offline use. Rhumb itself needs no network."

    /// - Parameter common: The names of options that are left out.
    private static func section(of command: CommandSpec, without common: Set<String> = []) -> [String] {
        var lines = [".SH \(command.text.isEmpty ? "OPTIONS" : escaped(command.text.uppercased()))"]
        lines.append(escaped(command.summary))
        if let operand = command.operand { lines += item(operand.placeholder, operand.help) }
        lines += command.options.filter { !common.contains($0.name) }.flatMap(entry)
        for paragraph in command.details { lines += [".PP", escaped(paragraph)] }
        for example in command.examples {
            lines += [".PP", ".EX", escaped(example.line), ".EE", escaped(example.what)]
        }
        return lines
    }

    private static func entry(_ option: OptionSpec) -> [String] {
        item(option.label.trimmingSpaces, option.help)
    }

    private static func capitalised(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
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
        // roff requires at least four digits.
        default: "\\[u\(scalar.value.digits(4, radix: 16, uppercase: true))]"
        }
    }
}

extension String {
    fileprivate var trimmingSpaces: String { String(drop { $0 == " " }) }
}
