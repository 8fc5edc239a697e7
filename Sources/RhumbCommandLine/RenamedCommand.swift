/// A command that had another name in version 0.2. Such names work until version 0.4. No help, manual page or
/// completion lists them.
struct RenamedCommand {
    /// The words of the former name.
    let former: [String]
    /// The words of the command.
    let name: [String]
    /// Options that the former command implied. They are put before the given ones, which override them.
    var implied: [String] = []
    /// The former names of options, with their current ones.
    var options: [String: String] = [:]

    private init(
        _ former: String, _ name: String, _ implied: String = "", options: [String: String] = [:]
    ) {
        func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
        self.former = words(former)
        self.name = words(name)
        self.implied = words(implied)
        self.options = options
    }

    /// All former names. A name precedes those that it begins with.
    static let all = [
        RenamedCommand("inspect", "archive info"),
        RenamedCommand("verify", "archive info", "--check"),
        RenamedCommand("stats", "archive info", "--by zoom"),
        RenamedCommand("schema", "archive info", "--fields"),
        RenamedCommand("tile", "archive tile"),
        RenamedCommand("decode", "archive tile", "--decode"),
        RenamedCommand("convert", "archive convert"),
        RenamedCommand("merge", "archive merge"),
        RenamedCommand("extract", "archive extract"),
        RenamedCommand("diff", "archive diff"),
        RenamedCommand("patch", "archive patch"),
        RenamedCommand("ready", "area check"),
        RenamedCommand("reach", "route", "--within 15min", options: ["--minutes": "--within"]),
        RenamedCommand("track stats", "track"),
        RenamedCommand("features", "source features"),
        RenamedCommand("bookmarks", "bookmark"),
        RenamedCommand("region retry", "region check", "--repair"),
        RenamedCommand("region verify", "region check"),
        RenamedCommand("region repair", "region check", "--repair"),
        RenamedCommand("update size", "update check", "--sizes"),
        RenamedCommand("update cancel", "package cancel"),
        RenamedCommand("package status", "package list"),
        RenamedCommand("style pack", "style"),
        RenamedCommand("man", "help man"),
        RenamedCommand("completions", "help completions"),
    ]

    /// The sentence for the user: "`rhumb inspect` is now `rhumb archive info`".
    var sentence: String {
        let now = (["rhumb"] + name + implied).joined(separator: " ")
        return "`rhumb \(former.joined(separator: " "))` is now `\(now)`"
    }

    /// Returns the words of the command line with the current name, and the former one; nil if they have no
    /// former name.
    /// - Parameter start: The number of options, and their values, before the command's name.
    static func rewritten(
        _ arguments: [String], after start: Int
    ) -> (arguments: [String], renamed: RenamedCommand)? {
        let isHelp = arguments.dropFirst(start).first == "help"
        let index = isHelp ? start + 1 : start
        let found = all.first { arguments.dropFirst(index).starts(with: $0.former) }
        // "help man" is a command, and "man" alone is its former name.
        guard let renamed = found, !isHelp || renamed.name.first != "help" else { return nil }
        let rest = arguments.dropFirst(index + renamed.former.count).map { word in
            let name = String(word.prefix { $0 != "=" })
            return renamed.options[name].map { $0 + word.dropFirst(name.count) } ?? word
        }
        return (arguments.prefix(index) + renamed.name + (isHelp ? [] : renamed.implied) + rest, renamed)
    }
}
