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
        "Rhumb draws maps in the terminal: a built-in world map, any MBTiles, PMTiles or folder "
        + "of tiles, and raster and vector web maps, with a shared cache. Regions can be downloaded "
        + "for offline use. Rhumb itself needs no network."

    private static let environment = [
        ("RHUMB_CONFIG", "The configuration file, unless --config is given."),
        ("TOMTOM_API_KEY, HERE_API_KEY, MAPBOX_ACCESS_TOKEN", "Keys of services that need one."),
        ("RHUMB_KEY_TILES_EXAMPLE", "The key for https://tiles.example; other hosts follow the same pattern."),
        ("RHUMB_TOMTOM_URL, RHUMB_HERE_URL, RHUMB_NOMINATIM_URL, RHUMB_PHOTON_URL", "A server to use instead of the service's own."),
        ("NO_COLOR", "If set and not empty, colours are off."),
        ("COLORTERM", "truecolor or 24bit: the terminal supports 16 million colours."),
        ("XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME, XDG_DATA_HOME", "Base folders of the files below, if not the defaults."),
    ]

    private static let files = [
        ("~/.config/rhumb/config.json", "The configuration file. rhumb --print-config prints an example."),
        ("~/.local/state/rhumb", "The last view, recent sources and recent routes (if storing them is allowed)."),
        ("~/.cache/rhumb/tiles.db", "The shared cache of all Rhumb processes. It can be deleted."),
        ("~/.local/share/rhumb/regions.db", "Offline regions and packages."),
        ("~/.local/share/rhumb/bookmarks.json", "Bookmarks."),
        ("~/.local/share/rhumb/style", "Styles by name. style.json, if present, applies to all vector maps."),
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
