/// An option, as used by the help, the manual, the completions, the configuration file and the parser.
public struct OptionSpec: Sendable {
    /// The name without the dashes.
    public let name: String
    /// The letter of the short form; nil if the option has none.
    public let short: Character?
    /// The kind of its value; nil for a switch.
    public let value: ValueKind?
    /// The help text.
    public let help: String
    /// True if it may be repeated.
    let isRepeatable: Bool
    /// True if a configuration file may set it; options for a single action may not.
    public let isConfigurable: Bool
    private let metavar: String?
    private let rivals: [String]

    /// Creates an option with a value.
    /// - Parameters:
    ///   - metavar: The placeholder of the value in help texts; nil for that of its kind.
    ///   - rivals: Options that set the same thing, so that only one of them may be given.
    init<Value>(
        _ option: Option<Value>, _ value: Kind<Value>, _ short: Character? = nil, metavar: String? = nil,
        rivals: [String] = [], isRepeatable: Bool = false, isConfigurable: Bool = false, help: String
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

    /// Creates a switch.
    init(
        _ option: Option<Bool>, _ short: Character? = nil, rivals: [String] = [],
        isConfigurable: Bool = false,
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

    /// The label in help texts, such as "-o, --output FILE".
    var label: String {
        let dashes = short.map { "-\($0), --\(name)" } ?? "    --\(name)"
        return placeholder.map { "\(dashes) \($0)" } ?? dashes
    }

    /// The spellings of the option: "--output", "-o".
    var spellings: [String] { ["--\(name)"] + (short.map { ["-\($0)"] } ?? []) }
}

/// A positional argument of a command.
public struct OperandSpec: Sendable {
    /// The placeholder in usage lines.
    public let placeholder: String
    /// The help text.
    public let help: String
    /// True if the command requires it.
    public let isRequired: Bool
    /// The words it can be; empty for a file or the name of a source.
    public var choices: [String] = []
    /// False if it is neither a file nor a stored name, so that shells have nothing to offer.
    var hasCandidates = true
    /// Further words it can be, which are not listed.
    var unlistedChoices: [String] = []
    /// True if several words make one operand, joined by spaces.
    var isJoined = false
    /// The number of operands that the command takes, such as two files.
    var count = 1...1
    /// The names that shells complete it with; nil for none.
    var names: StoredNames?
    /// True if it can also be a file, although it has `names`.
    var takesFiles = false
}

/// One command: `rhumb WORDS`.
public struct CommandSpec: Sendable {
    /// The name on the command line.
    public let name: CommandName
    /// The summary, in a sentence.
    public let summary: String
    /// The positional argument; nil if the command takes none.
    public let operand: OperandSpec?
    /// The listed options, in the order of the help.
    public let options: [OptionSpec]
    /// Options of related commands that don't affect this one. They are accepted but not listed.
    var unlisted: [OptionSpec] = []
    /// The option whose value a second positional argument sets.
    var secondOperand: String?
    /// True if the command requires a value of `secondOperand`.
    var requiresSecondOperand = false
    /// The option that the command requires; nil if there is none.
    var requiredOption: String?
    /// Further paragraphs for the help and the manual.
    public var details: [String] = []
    /// Example command lines with their meanings.
    public var examples: [(line: String, what: String)] = []

    /// All options that the command takes, listed or not. Every command accepts the options of the whole
    /// program. If two have the same name, the first counts.
    var accepted: [OptionSpec] { options + unlisted + CommandTable.global }

    /// Returns the option of that name, if the command takes it.
    public func option(named name: String) -> OptionSpec? { accepted.first { $0.name == name } }
    /// Returns the option of that letter, if the command takes it.
    public func option(short: Character) -> OptionSpec? { accepted.first { $0.short == short } }

    /// The command's name, such as "cache stats"; empty for opening the map.
    public var text: String { name.text }

    /// All words of the name except the last; nil for a name of one word.
    var family: String? { text.lastIndex(of: " ").map { String(text[..<$0]) } }

    /// The command that a family's name alone means, such as `region list`; nil if there is none.
    var alone: CommandSpec? {
        ["list", "check"].lazy.compactMap { CommandTable.command("\(text) \($0)") }
            .first { !text.isEmpty && $0.operand?.isRequired != true }
    }

    /// The commands whose names begin with this command's name.
    var members: [CommandSpec] { CommandTable.commands.filter { !text.isEmpty && $0.family == text } }

    /// Returns a command that only groups others, whose names have one more word.
    static func family(_ name: CommandName, _ summary: String, of members: [CommandSpec]) -> CommandSpec {
        let words = members.map { String($0.text.dropFirst(name.text.count + 1)) }
        let alone = ["list", "check"].first(where: words.contains).map { " (default: \($0))" } ?? ""
        return CommandSpec(
            name: name, summary: summary,
            operand: OperandSpec(
                placeholder: "COMMAND", help: "one of: " + words.joined(separator: ", ") + alone,
                isRequired: alone.isEmpty, choices: words),
            options: [OptionSpec(.help, "h", help: "show this help and exit")])
    }

    /// The command's name in error messages.
    var subject: String { text.isEmpty ? "opening the map" : text }

    /// The start of the command line, such as "rhumb render".
    var line: String { text.isEmpty ? "rhumb" : "rhumb \(text)" }

    /// The usage line, such as "rhumb render [OPTIONS] [SOURCE]".
    var usage: String {
        let required = requiredOption.flatMap { self.option(named: $0) }.map {
            " --\($0.name) \($0.placeholder ?? "")"
        }
        let options = (options.isEmpty ? "" : " [OPTIONS]") + (required ?? "")
        guard let operand else { return line + options }
        let word = operand.isRequired ? operand.placeholder : "[\(operand.placeholder)]"
        let second = secondOperand.flatMap { self.option(named: $0)?.placeholder }.map {
            requiresSecondOperand ? " \($0)" : " [\($0)]"
        }
        return "\(line)\(options) \(word)\(second ?? "")"
    }
}
