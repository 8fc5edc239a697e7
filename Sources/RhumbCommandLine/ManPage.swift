/// The manual page in man(7) macros, in plain ASCII, so that every roff reads it.
public enum ManPage {
    /// - Parameter keys: rows of section, keys and what they do, from the program's key table.
    public static func text(keys: [(section: String, keys: String, help: String)]) -> String {
        var lines = [
            ".TH RHUMB 1 \"\" \"rhumb \(CommandTable.version)\" \"User Commands\"",
            ".SH NAME", "rhumb \\- browse maps in a terminal", ".SH SYNOPSIS",
        ]
        for command in CommandTable.commands { lines += [".B \(escaped(command.usage))", ".br"] }
        lines += [".SH DESCRIPTION", intro]
        for command in CommandTable.commands { lines += section(of: command) }
        lines += [".SH KEYS"] + keyLines(keys)
        lines += [".SH \(Promises.title.uppercased())"] + promises
        lines += [".SH \(CatalogFormat.title.uppercased())", escaped(CatalogFormat.introduction), ".PP", ".EX"]
        lines += CatalogFormat.example.split(separator: "\n").map { escaped(String($0)) } + [".EE"]
        lines += CatalogFormat.members.flatMap { item($0, $1) } + [".PP", escaped(CatalogFormat.note)]
        lines += [".SH EXIT STATUS"] + ExitStatus.meanings.flatMap { item("\($0.status)", $0.meaning) }
        lines += [".SH ENVIRONMENT"] + environment.flatMap { item($0, $1) }
        lines += [".SH FILES"] + files.flatMap { item($0, $1) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let intro =
        "Rhumb draws maps as character cells: the world out of the box, any MBTiles, PMTiles or folder "
        + "of tiles, and web maps, of pictures or of vector tiles in a style, through a cache that can be looked into. Regions can be downloaded "
        + "and are there without a network; Rhumb itself needs none."

    private static let environment = [
        ("RHUMB_CONFIG", "The configuration file to read, unless --config names one."),
        ("TOMTOM_API_KEY, HERE_API_KEY, MAPBOX_ACCESS_TOKEN", "Keys of the services that ask for one."),
        ("RHUMB_KEY_TILES_EXAMPLE", "The key for https://tiles.example, and likewise for every other host."),
        ("RHUMB_TOMTOM_URL, RHUMB_HERE_URL, RHUMB_NOMINATIM_URL, RHUMB_PHOTON_URL", "Another server in place of the service's."),
        ("NO_COLOR", "When set and not empty, no colours are used."),
        ("COLORTERM", "truecolor or 24bit: the terminal shows 16 million colours."),
        ("XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME, XDG_DATA_HOME", "Where the files below are, if not in their usual places."),
    ]

    private static let files = [
        ("~/.config/rhumb/config.json", "The configuration; rhumb --print-config shows what it may say."),
        ("~/.local/state/rhumb", "The view the map was left with, the sources opened last, and the last routes that may be kept."),
        ("~/.cache/rhumb/tiles.db", "What was fetched, shared by all Rhumb processes; it may be deleted."),
        ("~/.local/share/rhumb/regions.db", "The offline regions, and the packages of catalogues."),
        ("~/.local/share/rhumb/bookmarks.json", "The views marked with letters."),
        ("~/.local/share/rhumb/style", "Styles by name; style.json is for all vector maps, if it is there."),
    ]

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

    private static func keyLines(
        _ keys: [(section: String, keys: String, help: String)]
    ) -> [String] {
        var lines: [String] = []
        var section = ""
        for key in keys where !key.keys.isEmpty {
            if key.section != section { lines.append(".SS \(escaped(key.section))") }
            section = key.section
            lines += item(key.keys, key.help)
        }
        return lines
    }

    private static var promises: [String] {
        Promises.sections.flatMap { subject, sentences in
            [".SS \(escaped(subject))"] + sentences.flatMap { [".PP", escaped(Promises.printed($0))] }
        }
    }

    private static func item(_ term: String, _ meaning: String) -> [String] {
        [".TP", ".B \(escaped(term))", escaped(meaning)]
    }

    /// Text that roff takes for text.
    private static func escaped(_ text: String) -> String {
        let line = text.unicodeScalars.map(escaped).joined()
        return line.hasPrefix(".") ? "\\&" + line : line
    }

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

    /// At least four digits, as roff wants them.
    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(4 - digits.count, 0)) + digits
    }
}

extension String {
    fileprivate var trimmingSpaces: String { String(drop { $0 == " " }) }
}
