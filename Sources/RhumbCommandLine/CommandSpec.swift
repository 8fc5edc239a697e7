/// An option as help, manual, completions and parser know it.
public struct OptionSpec: Sendable {
    /// Without the dashes.
    public let name: String
    public let short: Character?
    /// nil: a switch.
    public let value: ValueKind?
    public let help: String
    public let isRepeatable: Bool

    init(
        _ name: String, _ short: Character? = nil, _ value: ValueKind? = nil,
        isRepeatable: Bool = false, help: String
    ) {
        self.name = name
        self.short = short
        self.value = value
        self.help = help
        self.isRepeatable = isRepeatable
    }

    /// "-o, --output FILE"
    var label: String {
        let dashes = short.map { "-\($0), --\(name)" } ?? "    --\(name)"
        return value.map { "\(dashes) \($0.placeholder)" } ?? dashes
    }
}

/// A word on the command line that is no option.
public struct OperandSpec: Sendable {
    public let placeholder: String
    public let help: String
    public let isRequired: Bool
    /// The words it may be, or empty for files and free text.
    public var words: [String] = []
}

/// One command: `rhumb NAME`; the name of opening the map is empty.
public struct CommandSpec: Sendable {
    public let name: String
    public let summary: String
    public let operand: OperandSpec?
    public let options: [OptionSpec]
    /// More to say in help and manual: paragraphs.
    public var details: [String] = []
    /// Command lines worth showing, with what they do.
    public var examples: [(line: String, what: String)] = []
    /// Left out of help: for scripts of the installation.
    public var isHidden = false

    public func option(named name: String) -> OptionSpec? { options.first { $0.name == name } }
    public func option(short: Character) -> OptionSpec? { options.first { $0.short == short } }

    /// "rhumb render [OPTIONS] [SOURCE]"
    var usage: String {
        var words = ["rhumb"]
        if !name.isEmpty { words.append(name) }
        if !options.isEmpty { words.append("[OPTIONS]") }
        if let operand {
            words.append(operand.isRequired ? operand.placeholder : "[\(operand.placeholder)]")
        }
        return words.joined(separator: " ")
    }
}
