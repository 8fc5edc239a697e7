internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// The report of `rhumb doctor --report`, for a bug report. It contains no keys, paths of addresses, places,
/// and names that the user chose; see `Redaction`.
struct BugReport {
    private let invocation: Invocation
    private let facts: [(name: String, value: String)]
    /// The number of lines of the log in a report.
    private static let logLines = 100

    init(_ invocation: Invocation, facts: [(name: String, value: String)]) {
        self.invocation = invocation
        self.facts = facts
    }

    /// Shows the report, and writes it. On a terminal, asks first.
    func write(to path: String) throws -> Int32 {
        let text = text
        try Output.print(text)
        if isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 {
            Output.say("Write this to \(path)? Type y and Enter:")
            guard readLine()?.lowercased().hasPrefix("y") == true else {
                Output.say("rhumb: nothing was written")
                return ExitStatus.done
            }
        }
        try Output.write(Array(text.utf8), to: path, isPrivate: true)
        Output.note("rhumb: wrote \(path)")
        return ExitStatus.done
    }

    private var text: String {
        let sections = [
            ("Program", facts.map { "\($0.name): \($0.value)" }),
            ("Configuration", configuration), ("Stores", stores), ("Log", log),
        ]
        let whole = sections.map { name, lines in "\(name)\n" + lines.map { "  \($0)\n" }.joined() }
        // The version of a system may look like a coordinate.
        let plain = "System\n" + system.map { "  \($0)\n" }.joined() + "\n"
        return SafeText.harmless(
            plain
                + Redaction.redacted(
                    Output.hidden(whole.joined(separator: "\n")), home: Environment.all["HOME"],
                    names: names))
    }

    /// The names of the user's sources, regions, packages, areas and bookmarks, and the lines that the user
    /// typed. The log may contain them.
    private var names: Set<String> {
        let folders = Folders(environment: Environment.all)
        let records = invocation.regionPath.flatMap { path in
            Files.exists(path) ? try? RegionStore(path).regions() : nil
        }
        let areas = (try? AreaFile(folders).read()) ?? []
        let sources = (settings?["sources"]?.array ?? []).compactMap(\.object)
        return Set((records ?? []).flatMap { [$0.id, $0.name, $0.package?.package ?? ""] })
            .union(areas.map(\.id))
            .union(
                sources.flatMap { source in
                    ["id", "name", "attribution"].compactMap { source[$0]?.string }
                }
            )
            .union(BookmarkFile(folders).load().bookmarks.map(\.name))
            .union(CommandHistoryFile(folders).load().lines.lines)
    }

    private var system: [String] {
        var names = utsname()
        uname(&names)
        let kernel = withUnsafeBytes(of: &names.release) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        let machine = withUnsafeBytes(of: &names.machine) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        let release = Files.read("/etc/os-release").map { String(decoding: $0, as: UTF8.self) } ?? ""
        let title = release.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst(12) ?? ""
        return ["\(title.filter { $0 != "\"" }), Linux \(kernel), \(machine)"]
    }

    /// The configuration file; nil if there is none that can be read.
    private var settings: JSONObject? {
        invocation.configurationPath(Environment.all).flatMap { Files.read($0.path) }
            .flatMap { try? JSON.parse($0) }?.object
    }

    /// The options in the configuration file. Texts and lists may be addresses, keys or places, and are left
    /// out.
    private var configuration: [String] {
        guard let members = settings else { return ["none"] }
        return members.names.map { name in
            guard name.count <= 30, name.utf8.allSatisfy({ (97...122).contains($0) || $0 == 45 }) else {
                return "an unknown option"
            }
            let value =
                switch members[name] {
                case .bool(let isOn)?: "\(isOn)"
                case .integer(let number)?: "\(number)"
                case .array(let items)?: "\(AmountText.count(items.count, "entry", plural: "entries"))"
                case .object(let items)?: "\(AmountText.count(items.count, "entry", plural: "entries"))"
                default: "set"
                }
            return "\(name): \(value)"
        }
    }

    private var stores: [String] {
        let paths = [("cache", invocation.cachePath), ("regions", invocation.regionPath)]
        return paths.map { name, path in
            let sizes = ["", "-wal"].compactMap { suffix in path.flatMap { Files.size($0 + suffix) } }
            return sizes.isEmpty ? "\(name): none" : "\(name): \(AmountText.bytes(sizes.reduce(0, +)))"
        }
    }

    private var log: [String] {
        guard let path = FailureLog.path else { return ["none; set RHUMB_LOG to a file to have one"] }
        guard let bytes = Files.read(path) else { return ["it can't be read"] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").suffix(BugReport.logLines)
            .map(String.init)
    }
}
