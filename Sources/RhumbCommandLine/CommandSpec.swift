/// An option as help, manual, completions, configuration file and parser know it.
public struct OptionSpec: Sendable {
    /// Without the dashes.
    public let name: String
    /// Its letter; nil: it has none.
    public let short: Character?
    /// nil: a switch.
    public let value: ValueKind?
    /// The help text.
    public let help: String
    /// True if it may be repeated.
    public let isRepeatable: Bool
    /// True if a configuration file may set it; options for a single action may not.
    public let isConfigurable: Bool
    private let metavar: String?
    private let rivals: [String]

    /// - Parameters:
    ///   - metavar: what help calls the value, where its kind has no better word.
    ///   - rivals: options that answer the same question, so that only one may be given.
    init<Value>(
        _ option: Option<Value>, _ short: Character?, _ value: Kind<Value>, metavar: String? = nil,
        rivals: [String] = [], isRepeatable: Bool = false, isConfigurable: Bool = true, help: String
    ) {
        name = option.name
        self.short = short
        self.value = value.kind
        self.help = help
        self.isRepeatable = isRepeatable
        self.isConfigurable = isConfigurable
        self.metavar = metavar
        self.rivals = rivals
    }

    /// A switch.
    init(
        _ option: Option<Bool>, _ short: Character? = nil, rivals: [String] = [], isConfigurable: Bool = true,
        help: String
    ) {
        name = option.name
        self.short = short
        value = nil
        self.help = help
        isRepeatable = false
        self.isConfigurable = isConfigurable
        metavar = nil
        self.rivals = rivals
    }

    /// The placeholder of the value in help texts; nil for a switch.
    public var placeholder: String? { value.map { metavar ?? $0.placeholder } }

    /// Returns true if the two exclude each other.
    func isRival(of other: OptionSpec) -> Bool {
        rivals.contains(other.name) || other.rivals.contains(name)
    }

    /// "-o, --output FILE"
    var label: String {
        let dashes = short.map { "-\($0), --\(name)" } ?? "    --\(name)"
        return placeholder.map { "\(dashes) \($0)" } ?? dashes
    }

    /// The ways to write it: "--output", "-o".
    var spellings: [String] { ["--\(name)"] + (short.map { ["-\($0)"] } ?? []) }
}

/// A word on the command line that is no option.
public struct OperandSpec: Sendable {
    /// Its placeholder in usage lines.
    public let placeholder: String
    /// The help text.
    public let help: String
    /// True if the command needs it.
    public let isRequired: Bool
    /// The words it may be, or empty for a file or the name of a source.
    public var words: [String] = []
    /// Words that it may be, too, without being listed.
    var unlistedWords: [String] = []
    /// True if several words make one operand, joined by spaces.
    public var isJoined = false
    /// The names that shells complete it with; nil for none.
    var names: StoredNames?
    /// True if it may also be a file, where it has `names`.
    var takesFiles = false
}

/// One command: `rhumb WORDS`.
public struct CommandSpec: Sendable {
    /// The name on the command line.
    public let name: CommandName
    /// The summary, in a sentence.
    public let summary: String
    /// The word it takes that is no option; nil: none.
    public let operand: OperandSpec?
    /// In the order of the help.
    public let options: [OptionSpec]
    /// Options that related commands have and that don't affect this one: they are accepted, and not listed.
    var unlisted: [OptionSpec] = []
    /// The option that a second bare word is the value of.
    var secondOperand: String?
    /// More to say in help and manual: paragraphs.
    public var details: [String] = []
    /// Example command lines with their meanings.
    public var examples: [(line: String, what: String)] = []

    /// All options that it takes, listed or not. Those of the whole program are accepted by every command.
    var accepted: [OptionSpec] {
        let own = options + unlisted
        return own + CommandTable.global.filter { option in !own.contains { $0.name == option.name } }
    }

    /// The option of that name, if the command takes it.
    public func option(named name: String) -> OptionSpec? { accepted.first { $0.name == name } }
    /// The option of that letter, if the command takes it.
    public func option(short: Character) -> OptionSpec? { accepted.first { $0.short == short } }

    /// The words that name it, such as "cache stats"; empty for opening the map.
    public var words: String { name.text }

    /// All words of its name but the last; nil for a name of one.
    var family: String? { words.lastIndex(of: " ").map { String(words[..<$0]) } }

    /// The commands that begin with this one's name; it does nothing by itself then.
    var members: [CommandSpec] { CommandTable.commands.filter { !words.isEmpty && $0.family == words } }

    /// A command that only groups others, which have a word more.
    static func family(_ name: CommandName, _ summary: String, of members: [CommandSpec]) -> CommandSpec {
        let words = members.map { String($0.words.dropFirst(name.text.count + 1)) }
        return CommandSpec(
            name: name, summary: summary,
            operand: OperandSpec(
                placeholder: "COMMAND", help: "one of: " + words.joined(separator: ", "), isRequired: true,
                words: words),
            options: [OptionSpec(.help, "h", isConfigurable: false, help: "show this help and exit")])
    }

    /// Its name in error messages.
    var subject: String { words.isEmpty ? "opening the map" : words }

    /// "rhumb render"
    var line: String { words.isEmpty ? "rhumb" : "rhumb \(words)" }

    /// "rhumb render [OPTIONS] [SOURCE]"
    var usage: String {
        let options = options.isEmpty ? "" : " [OPTIONS]"
        guard let operand else { return line + options }
        let word = operand.isRequired ? operand.placeholder : "[\(operand.placeholder)]"
        let second = secondOperand.flatMap { self.option(named: $0)?.placeholder }.map { " [\($0)]" }
        return "\(line)\(options) \(word)\(second ?? "")"
    }
}
