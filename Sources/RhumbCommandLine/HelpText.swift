internal import RhumbCore
internal import RhumbManual

/// Help as plain text, 80 columns wide.
public enum HelpText {
    static let width = 80

    /// Returns the help of a command.
    public static func text(for command: CommandSpec) -> String {
        if command.text.isEmpty { return start }
        var parts = [wrap(command.summary, indent: 0), "usage: \(command.usage)"]
        if let operand = command.operand {
            parts.append(row(operand.placeholder, operand.help))
        }
        if !command.members.isEmpty { parts.append(section("commands", rows(of: command.members))) }
        parts.append(section("options", command.options.map { row($0.label, $0.help) }))
        parts += command.details.map { wrap($0, indent: 0) }
        if !command.examples.isEmpty {
            parts.append(section("examples", command.examples.map { row($0.line, $0.what) }))
        }
        if let topic = topic(of: command) { parts.append("manual: rhumb help \(topic)") }
        return joined(parts)
    }

    /// The first page of help. It fits on a screen of 40 lines.
    static var start: String {
        let open = CommandTable.open
        let groups = CommandGroup.allCases.map { group in
            let names = group.commands.filter { $0.family == nil }.map(\.text)
            return row(group.rawValue, names.joined(separator: ", "))
        }
        let further = [
            row("rhumb help COMMAND", "the options of a command, with examples"),
            row("rhumb help \(mapTopic)", "the options of the map"),
            row("rhumb help", "all commands and pages of the manual, with a line for each"),
        ]
        return joined([
            wrap(open.summary + " Press ? on the map for its keys, and q to leave it.", indent: 0),
            "usage: \(open.usage)\n       rhumb COMMAND [OPTIONS] ...",
            row(open.operand?.placeholder ?? "", sources),
            section("commands", groups), section("help", further),
            section("examples", open.examples.prefix(4).map { row($0.line, $0.what) }),
            wrap(ExitStatus.sentence, indent: 0),
        ])
    }

    private static let sources =
        "nothing for the built-in world, a place (Turku, or 60.45,22.26), a file or folder of tiles, a track or "
        + "other features, a web address, or a name from rhumb source list"

    /// The word after `rhumb help` that lists the options of the map.
    public static let mapTopic = "map"

    /// The options of the map, by their subjects.
    public static var mapOptions: String {
        let open = CommandTable.open
        var rest = open.options
        let sections = MapOptionGroup.allCases.map { group in
            let members = rest.filter { group.names.contains($0.name) }
            rest.removeAll { group.names.contains($0.name) }
            return section(group.rawValue, members.map { row($0.label, $0.help) })
        }
        return joined(
            [wrap(open.summary, indent: 0), "usage: \(open.usage)"]
                + [row(open.operand?.placeholder ?? "", open.operand?.help ?? "")] + sections + [
                    section("program", rest.map { row($0.label, $0.help) }),
                    section("examples", open.examples.map { row($0.line, $0.what) }),
                    "manual: rhumb help \(topics[""] ?? "")",
                ])
    }

    private static func joined(_ parts: [String]) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    /// Returns the manual page about a command.
    private static func topic(of command: CommandSpec) -> String? {
        topics[command.text] ?? command.family.flatMap { topics[$0] }
            ?? topics[String(command.text.prefix { $0 != " " })]
    }

    /// The manual page about each command, by its name or the beginning of its name.
    static let topics: [String: String] = [
        "": "start", "streets": "sources", "render": "start", "archive": "archives",
        "archive convert": "archive-tools", "archive merge": "archive-tools",
        "archive extract": "archive-tools", "archive diff": "archive-tools",
        "archive patch": "archive-tools", "search": "searching", "route": "routes", "pick": "sharing",
        "bookmark": "sharing", "source": "sources", "source features": "configuration", "cache": "caching",
        "region": "regions", "area": "areas", "package": "packages", "package key": "security",
        "update": "packages",
        "style": "styles", "track": "data", "doctor": "troubleshooting",
        "contours": "data",
    ]

    /// An overview of the commands and the pages of the manual, with a line for each.
    public static var overview: String {
        [
            "usage: rhumb [OPTIONS] [SOURCE]\n       rhumb COMMAND [OPTIONS] ...",
            "rhumb help \(mapTopic) lists the options of the map; rhumb help COMMAND shows the help of a command.",
            section("commands", commandRows),
            section("manual", Manual.pages.map { row("rhumb help \($0.topic)", $0.summary) }),
        ].joined(separator: "\n\n") + "\n"
    }

    private static var commandRows: [String] {
        rows(of: CommandTable.commands.filter { !$0.text.isEmpty && $0.family == nil })
    }

    private static func rows(of commands: [CommandSpec]) -> [String] {
        commands.map { row($0.line, $0.summary) }
    }

    private static func section(_ title: String, _ rows: [String]) -> String {
        rows.isEmpty ? "" : "\(title):\n" + rows.joined(separator: "\n")
    }

    /// Returns a label, with its meaning in a second column.
    private static func row(_ label: String, _ meaning: String) -> String {
        let column = 30
        let left = "  " + label
        let text = wrap(meaning, indent: column)
        guard left.count + 2 <= column else { return left + "\n" + text }
        return left + String(text.dropFirst(left.count))
    }

    /// Returns a text broken into lines that all start at the column `indent`.
    public static func wrap(_ text: String, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        return text.split(separator: " ").map(String.init).lines(of: width - indent).map { margin + $0 }
            .joined(separator: "\n")
    }
}

/// The subjects of the map's options.
private enum MapOptionGroup: String, CaseIterable {
    case place, look, data, network, storage, terminal

    var names: [String] {
        switch self {
        case .place: ["center", "zoom", "width", "bbox"]
        case .look:
            [
                "style", "hills", "contours", "labels", "names", "grid", "at", "style-by", "detail",
                "sharpen", "mix", "units",
            ]
        case .data:
            [
                "streets", "over", "gpsd", "no-record", "ttl", "quilt", "traffic", "traffic-colors",
                "terrain", "catalog",
                "engine", "tile-size", "scale", "tms",
            ]
        case .network:
            [
                "offline", "pass-through", "metered", "rate", "prefetch", "ca-file", "endpoint",
                "cache-proxy",
                "cache-proxy-only", "user-agent",
            ]
        case .storage: ["cache-path", "cache-size", "data-path", "store", "region-quota", "features"]
        case .terminal:
            ["pixels", "symbols", "colors", "budget", "no-animation", "fade", "no-mouse", "plain"]
        }
    }
}

/// The meanings of the program's exit statuses.
public enum ExitStatus {
    /// The command succeeded.
    public static let done: Int32 = 0
    /// The command failed; a message gives the reason.
    public static let failed: Int32 = 1
    /// The command line is invalid.
    public static let wrongUsage: Int32 = 2
    /// The command succeeded with gaps, such as missing tiles or problems in an archive.
    public static let gaps: Int32 = 3

    /// A comparison found differences. The value is that of `failed`, as in diff(1).
    public static let different: Int32 = 1
    /// A comparison failed. The value is that of `wrongUsage`, as in diff(1).
    public static let notCompared: Int32 = 2

    /// No route exists between the places.
    public static let noRoute: Int32 = 4
    /// The routing engine has no roads there.
    public static let noRoads: Int32 = 5
    /// The routing provider refused the request.
    public static let refused: Int32 = 6
    /// Rhumb is offline, so the routing engine was not asked.
    public static let offline: Int32 = 7

    /// The statuses with their meanings, in ascending order.
    public static let meanings: [(status: Int32, meaning: String)] = [
        (done, "done"), (failed, "failed"), (wrongUsage, "wrong usage"), (gaps, "done, with gaps"),
        (noRoute, "no route"),
        (noRoads, "no roads there"), (refused, "refused by the routing provider"),
        (offline, "offline, no route"),
    ]

    static var sentence: String {
        "exit status: " + meanings.map { "\($0.status) \($0.meaning)" }.joined(separator: ", ")
    }
}
