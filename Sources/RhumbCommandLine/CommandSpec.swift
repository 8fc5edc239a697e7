/// An option as help, manual, completions, configuration file and parser know it.
public struct OptionSpec: Sendable {
    /// Without the dashes.
    public let name: String
    public let short: Character?
    /// nil: a switch.
    public let value: ValueKind?
    public let help: String
    public let isRepeatable: Bool
    /// Whether a configuration file may say it; what acts once makes sense by hand only.
    public let isConfigurable: Bool
    private let metavar: String?
    private let rivals: [String]

    /// - Parameters:
    ///   - metavar: what help calls the value, where its kind has no better word.
    ///   - rivals: options that answer the same question, so that only one may be given.
    init(
        _ name: String, _ short: Character? = nil, _ value: ValueKind? = nil, metavar: String? = nil,
        rivals: [String] = [], isRepeatable: Bool = false, isConfigurable: Bool = true, help: String
    ) {
        self.name = name
        self.short = short
        self.value = value
        self.help = help
        self.isRepeatable = isRepeatable
        self.isConfigurable = isConfigurable
        self.metavar = metavar
        self.rivals = rivals
    }

    /// What stands for the value in help texts; nil for a switch.
    public var placeholder: String? { value.map { metavar ?? $0.placeholder } }

    /// Whether the two can't both be meant.
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
    public let placeholder: String
    public let help: String
    public let isRequired: Bool
    /// The words it may be, or empty for a file or the name of a source.
    public var words: [String] = []
    /// Whether several words make one operand, joined by spaces.
    public var isJoined = false
}

/// One command: `rhumb NAME`; the name of opening the map is empty.
public struct CommandSpec: Sendable {
    public let name: String
    public let summary: String
    public let operand: OperandSpec?
    public let options: [OptionSpec]
    /// The option that a second bare word is the value of.
    var secondOperand: String?
    /// More to say in help and manual: paragraphs.
    public var details: [String] = []
    /// Command lines worth showing, with what they do.
    public var examples: [(line: String, what: String)] = []
    /// Left out of help: for scripts of the installation.
    public var isHidden = false

    public func option(named name: String) -> OptionSpec? { options.first { $0.name == name } }
    public func option(short: Character) -> OptionSpec? { options.first { $0.short == short } }

    /// The first word of a name of two, such as "cache stats"; nil for a name of one.
    var family: String? {
        let words = name.split(separator: " ")
        return words.count == 2 ? String(words[0]) : nil
    }

    /// The commands that begin with this one's name; it does nothing by itself then.
    var members: [CommandSpec] { CommandTable.commands.filter { !name.isEmpty && $0.family == name } }

    /// A command that only stands for others, told apart by a second word.
    static func family(_ name: String, _ summary: String, of members: [CommandSpec]) -> CommandSpec {
        let words = members.map { String($0.name.dropFirst(name.count + 1)) }
        return CommandSpec(
            name: name, summary: summary,
            operand: OperandSpec(
                placeholder: "COMMAND", help: "one of " + words.joined(separator: ", "), isRequired: true,
                words: words),
            options: [OptionSpec("help", "h", isConfigurable: false, help: "show this help and exit")])
    }

    /// What errors call it.
    var subject: String { name.isEmpty ? "opening the map" : name }

    /// "rhumb render"
    var words: String { name.isEmpty ? "rhumb" : "rhumb \(name)" }

    /// "rhumb render [OPTIONS] [SOURCE]"
    var usage: String {
        let options = options.isEmpty ? "" : " [OPTIONS]"
        guard let operand else { return words + options }
        let word = operand.isRequired ? operand.placeholder : "[\(operand.placeholder)]"
        let second = secondOperand.flatMap { self.option(named: $0)?.placeholder }.map { " [\($0)]" }
        return "\(words)\(options) \(word)\(second ?? "")"
    }
}
