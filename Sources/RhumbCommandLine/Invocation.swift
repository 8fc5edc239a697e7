public import RhumbCore

/// A parsed command line.
public struct Invocation: Sendable {
    /// The command to run.
    public private(set) var command: CommandName
    /// The positional argument, or the first of several; nil if none was given.
    public private(set) var operand: String?
    /// The positional arguments of a command that takes several; empty for other commands.
    public private(set) var operands: [String]
    /// The values of each option, in the order given; empty for a switch.
    private var values: [String: [any Sendable]]

    /// The positions in the configuration file of the options that it sets, by name.
    public var locations: [String: String] = [:]

    /// Returns an option as the user wrote it, with its position in the configuration file, for errors.
    public func spelling<Value>(of option: Option<Value>) -> String {
        locations[option.name].map { "\($0): \"\(option.name)\"" } ?? "--\(option.name)"
    }

    /// True if a switch was given.
    public subscript(_ option: Option<Bool>) -> Bool { values[option.name] != nil }

    /// The value of an option, or the last one if it was given more than once; nil if it was not given.
    public subscript<Value>(_ option: Option<Value>) -> Value? { values[option.name]?.last as? Value }

    /// The names of the command's options that were given on the command line, not by the configuration file,
    /// in the order of the help.
    public var typedOptions: [String] {
        CommandTable.command(command).options.map(\.name).filter {
            values[$0] != nil && locations[$0] == nil
        }
    }

    /// All values of an option that may be given more than once, in order.
    public subscript<Value>(all option: Option<Value>) -> [Value] {
        values[option.name, default: []].compactMap { $0 as? Value }
    }

    /// Returns the name of a place that was given instead of coordinates; nil if none was.
    public func placeName(of option: Option<ParsedLocation>) -> String? {
        values[option.name]?.last as? String
    }

    /// Returns the invocation with coordinates instead of a place name.
    public func locating(_ option: Option<ParsedLocation>, at place: ParsedLocation) -> Invocation {
        var located = self
        located.values[option.name] = [place]
        return located
    }

    /// Returns the invocation with the default map at a place, instead of the map that was named.
    public func locatingMap(at place: ParsedLocation) -> Invocation {
        var located = self
        located.operand = nil
        if located.values[Option.center.name] == nil { located.values[Option.center.name] = [place] }
        return located
    }

    /// Returns the invocation with another command and operand. The options are kept.
    public func running(_ command: CommandName, _ operand: String?) -> Invocation {
        var other = self
        other.command = command
        other.operand = operand
        other.operands = []
        return other
    }

    /// Adds values of an option before the given ones.
    public mutating func add<Value>(_ option: Option<Value>, _ added: [Value]) {
        guard !added.isEmpty else { return }
        values[option.name] = added + values[option.name, default: []]
    }

    /// The requested glyph sets; nil for auto.
    public var symbols: Symbols? { self[.symbols] ?? nil }

    /// The requested colour depth; nil for auto.
    public var colors: ColorDepth? { self[.colors].flatMap(ColorDepth.init) }

    /// Returns true if the command line leaves a configured option no effect: it has the option or a rival,
    /// its centre implies the scale, or its output format has all colours.
    func settles(_ option: OptionSpec) -> Bool {
        if option.name == Option.colors.name, isPictureFile { return true }
        let isCloseness = [Option.zoom.name, Option.width.name].contains(option.name)
        if isCloseness, self[.center]?.closeness != nil || placeName(of: .center) != nil { return true }
        let given = CommandTable.command(command).accepted.filter { values[$0.name] != nil }
        return given.contains { $0.name == option.name || $0.isRival(of: option) }
    }

    /// True if the output format has all colours, regardless of the terminal.
    private var isPictureFile: Bool {
        let name = self[.format].map { "." + $0 } ?? self[.output]?.lowercased() ?? ""
        return [".png", ".jpg", ".jpeg", ".webp", ".svg"].contains(where: name.hasSuffix)
    }

    /// A sentence about the command's current name; nil unless it was called by a former one.
    public private(set) var renaming: String?

    /// Parses the words after the program's name.
    /// - Throws: An error about the first invalid word.
    public init(_ arguments: [String]) throws(UsageError) {
        let gathered = WordReader.gathered(arguments)
        let current = RenamedCommand.rewritten(gathered, after: WordReader.optionCount(gathered))
        let arguments = current?.arguments ?? gathered
        var reader = WordReader(arguments == ["version"] ? ["--version"] : WordReader.gathered(arguments))
        try reader.read()
        renaming = current?.renamed.sentence
        command = reader.command.name
        operand = reader.operand
        operands = reader.operands
        values = reader.values
    }
}

/// Parses the words one by one.
private struct WordReader {
    private var arguments: [String]
    private(set) var command = CommandTable.open
    private(set) var operand: String?
    private(set) var operands: [String] = []
    private(set) var values: [String: [any Sendable]] = [:]
    private var isAfterDashes = false

    /// Creates a reader and removes the command's name from the words. Options may precede the name:
    /// "--offline render" is "render --offline".
    init(_ arguments: [String]) {
        self.arguments = arguments
        let start = WordReader.optionCount(arguments)
        for count in [3, 2, 1] where arguments.count - start >= count {
            let name = arguments[start..<start + count].joined(separator: " ")
            guard !name.isEmpty, !WordReader.isFile(name), let named = CommandTable.command(name) else {
                continue
            }
            command = named
            self.arguments.removeSubrange(start..<start + count)
            let rest = self.arguments.dropFirst(start)
            if rest.first?.hasPrefix("-") ?? true, !rest.contains("--help"), !rest.contains("-h"),
                let alone = named.alone
            {
                command = alone
            }
            return
        }
    }

    /// Returns true for a name with a dot or a slash, which doesn't need the whole table.
    private static func isFile(_ name: String) -> Bool {
        name.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") }
    }

    /// Returns the number of leading words that are options or their values; all words if `--` ends the
    /// options.
    static func optionCount(_ arguments: [String]) -> Int {
        var count = 0
        while count < arguments.count, case let word = arguments[count], word.hasPrefix("-"), word != "-" {
            if word == "--" { return arguments.count }
            count += CommandTable.takesNextWord(word) ? 2 : 1
        }
        return min(count, arguments.count)
    }

    /// Returns the words with those of the command's name together. Options may be between them:
    /// "archive --json info" is "archive info --json".
    static func gathered(_ arguments: [String]) -> [String] {
        var arguments = arguments
        let start = optionCount(arguments)
        var end = start + 1
        while end < arguments.count, !isFile(arguments[start]) {
            let next = end + optionCount(Array(arguments[end...]))
            guard next < arguments.count, isName(arguments[start..<end] + [arguments[next]]) else { break }
            arguments.insert(arguments.remove(at: next), at: end)
            end += 1
        }
        return arguments
    }

    /// Returns true if words begin the name of a command, or its former name.
    private static func isName(_ words: ArraySlice<String>) -> Bool {
        CommandTable.command(words.joined(separator: " ")) != nil
            || RenamedCommand.all.contains { $0.former.starts(with: words) }
    }

    mutating func read() throws(UsageError) {
        while !arguments.isEmpty {
            let word = arguments.removeFirst()
            if isAfterDashes || word == "-" || !word.hasPrefix("-") || isNumber(word) {
                try take(operand: word)
            } else if word == "--" {
                isAfterDashes = true
            } else if word.hasPrefix("--") {
                try take(long: String(word.dropFirst(2)))
            } else {
                try take(shorts: word.dropFirst())
            }
        }
        let isExcused = values[Option.help.name] != nil || values[Option.version.name] != nil
        if operand == nil, !isExcused, let missing = command.operand, missing.isRequired {
            throw UsageError("\(command.subject): missing \(missing.placeholder) (\(missing.help))")
        }
        if let spec = command.operand, !isExcused, operands.count < spec.count.lowerBound, spec.count != 1...1
        {
            throw UsageError(
                "\(command.subject): expected \(spec.placeholder), but got only \"\(operands.joined())\"; "
                    + "see \(command.line) --help")
        }
        if !isExcused, command.requiresSecondOperand,
            let second = command.secondOperand.flatMap(command.option(named:)), !isGiven(second)
        {
            throw UsageError(
                "\(command.subject): missing \(second.placeholder ?? "") (\(second.help))")
        }
    }

    /// Returns true if a word is a negative number, such as a southern latitude. No option begins with a
    /// digit.
    private func isNumber(_ word: String) -> Bool { word.dropFirst().first?.isNumber == true }

    private mutating func take(operand word: String) throws(UsageError) {
        guard let spec = command.operand else {
            throw UsageError(
                "\(command.subject): unexpected argument \"\(word)\"; see \(command.line) --help")
        }
        if operand != nil, let second = command.secondOperand.flatMap({ command.option(named: $0) }),
            !isGiven(second)
        {
            return try take(second, word)
        }
        if spec.count.upperBound > 1 {
            guard operands.count < spec.count.upperBound else {
                throw UsageError(
                    "\(command.subject): unexpected argument \"\(word)\"; give \(spec.placeholder)")
            }
            operands.append(word)
            return operand = operands.first
        }
        if spec.isJoined, let begun = operand {
            operand = begun + " " + word
            return try spec.choices.isEmpty ? () : checkCommand(begun, word)
        }
        guard operand == nil else {
            if command.text.isEmpty,
                let guess = operand.flatMap({ CommandTable.probable($0, before: word) })
            {
                throw UsageError("unknown command \(operand ?? ""); did you mean rhumb \(guess) \(word)?")
            }
            throw UsageError(
                "\(command.subject): unexpected argument \"\(word)\"; give one \(spec.placeholder)")
        }
        guard spec.choices.isEmpty || (spec.choices + spec.unlistedChoices).contains(word) else {
            let guess = spec.choices.nearest(to: word).map { "; did you mean \($0)?" }
            guard command.name != .help else {
                throw UsageError("help: no command or page \"\(word)\"\(guess ?? "; see rhumb help")")
            }
            throw UsageError(
                "\(command.subject): unknown \(spec.placeholder) \"\(word)\"; expected one of "
                    + "\(spec.choices.joined(separator: ", "))\(guess ?? "")")
        }
        operand = word
    }

    /// Throws an error if two words don't name a command.
    private func checkCommand(_ family: String, _ member: String) throws(UsageError) {
        guard CommandTable.command("\(family) \(member)") == nil else { return }
        let members =
            CommandTable.command(family)?.members.map { String($0.text.dropFirst(family.count + 1)) } ?? []
        let guess = members.nearest(to: member).map { "did you mean rhumb help \(family) \($0)?" }
        throw UsageError("unknown command \(family) \(member); \(guess ?? "see rhumb help \(family)")")
    }

    private mutating func take(long word: String) throws(UsageError) {
        let name = String(word.prefix { $0 != "=" })
        let given = word.contains("=") ? String(word.dropFirst(name.count + 1)) : nil
        guard let option = command.option(named: name) else { throw unknown("--\(name)", name) }
        try take(option, given)
    }

    /// Parses "-z7", "-z 7", or several switches in one word: "-hV".
    private mutating func take(shorts letters: Substring) throws(UsageError) {
        guard let letter = letters.first else { return }
        guard let option = command.option(short: letter) else {
            throw unknown("-\(letter)", String(letters))
        }
        let rest = letters.dropFirst()
        if option.value == nil {
            try take(option, nil)
            try take(shorts: rest)
        } else {
            try take(option, rest.isEmpty ? nil : String(rest.first == "=" ? rest.dropFirst() : rest))
        }
    }

    private mutating func take(_ option: OptionSpec, _ given: String?) throws(UsageError) {
        if let rival = command.accepted.first(where: { $0.isRival(of: option) && isGiven($0) }) {
            throw UsageError("--\(rival.name) and --\(option.name) are mutually exclusive; give one of them")
        }
        guard let kind = option.value else {
            if let given { throw UsageError("--\(option.name) takes no value, but got \"\(given)\"") }
            values[option.name] = []
            return
        }
        guard let text = given ?? (arguments.isEmpty ? nil : arguments.removeFirst()) else {
            throw UsageError(
                "--\(option.name) needs a value: --\(option.name) \(option.placeholder ?? "")")
        }
        values[option.name, default: []].append(try kind.read(text, for: "--\(option.name)"))
    }

    private func isGiven(_ option: OptionSpec) -> Bool { values[option.name] != nil }

    private func unknown(_ shown: String, _ name: String) -> UsageError {
        let guess = command.options.map(\.name).nearest(to: name).map { "; did you mean --\($0)?" }
        return UsageError("unknown option \(shown)\(guess ?? "; see \(command.line) --help")")
    }
}
