public import RhumbCore

/// A command line that was understood.
public struct Invocation: Equatable, Sendable {
    /// The command's name; empty for opening the map.
    public let command: String
    public let operand: String?
    private let values: [String: [OptionValue]]
    private let switches: Set<String>

    /// Whether a switch was given.
    public func has(_ name: String) -> Bool { switches.contains(name) }

    public func place(_ name: String) -> PlaceText? {
        if case .place(let place) = values[name]?.last { place } else { nil }
    }

    public func metres(_ name: String) -> Double? {
        if case .metres(let metres) = values[name]?.last { metres } else { nil }
    }

    public func bounds(_ name: String) -> Bounds? {
        if case .bounds(let bounds) = values[name]?.last { bounds } else { nil }
    }

    public func size(_ name: String) -> (columns: Int, rows: Int)? {
        if case .size(let columns, let rows) = values[name]?.last { (columns, rows) } else { nil }
    }

    public func number(_ name: String) -> Double? {
        if case .number(let number) = values[name]?.last { number } else { nil }
    }

    public func whole(_ name: String) -> Int? {
        if case .whole(let number) = values[name]?.last { number } else { nil }
    }

    public func zooms(_ name: String) -> ClosedRange<Int>? {
        if case .zooms(let zooms) = values[name]?.last { zooms } else { nil }
    }

    public func tile(_ name: String) -> TileID? {
        if case .tile(let tile) = values[name]?.last { tile } else { nil }
    }

    public func text(_ name: String) -> String? { texts(name).last }

    /// Every value of an option that may be given more than once, in order.
    public func texts(_ name: String) -> [String] {
        (values[name] ?? []).compactMap { if case .text(let text) = $0 { text } else { nil } }
    }

    /// The glyph sets asked for; nil for auto.
    public var symbols: Symbols? {
        if case .symbols(let symbols) = values["symbols"]?.last { symbols } else { nil }
    }

    /// The colours asked for; nil for auto.
    public var colors: ColorDepth? { text("colors").flatMap(ColorDepth.init) }

    /// Whether the words already answer what an option would say: by itself, by a rival, or, for
    /// how close to look, by the place.
    func settles(_ option: OptionSpec) -> Bool {
        let isCloseness = ["zoom", "width"].contains(option.name)
        if isCloseness, place("center")?.closeness != nil { return true }
        let given = CommandTable.command(command)?.options.filter { values[$0.name] != nil } ?? []
        return given.contains { $0.name == option.name || $0.isRival(of: option) }
    }

    /// Reads the words after the program's name.
    /// - Throws: a sentence about the first word that is wrong.
    public init(_ words: [String]) throws(UsageError) {
        var reader = WordReader(words)
        try reader.read()
        command = reader.command.name
        operand = reader.operand
        values = reader.values
        switches = reader.switches
    }
}

/// Goes through the words one by one.
private struct WordReader {
    private var words: [String]
    private(set) var command = CommandTable.open
    private(set) var operand: String?
    private(set) var values: [String: [OptionValue]] = [:]
    private(set) var switches: Set<String> = []
    private var isAfterDashes = false

    init(_ words: [String]) {
        self.words = words
        for count in [2, 1] where words.count >= count {
            let name = words.prefix(count).joined(separator: " ")
            guard !name.isEmpty, let named = CommandTable.command(name) else { continue }
            command = named
            self.words.removeFirst(count)
            return
        }
    }

    mutating func read() throws(UsageError) {
        while !words.isEmpty {
            let word = words.removeFirst()
            if isAfterDashes || word == "-" || !word.hasPrefix("-") {
                try take(operand: word)
            } else if word == "--" {
                isAfterDashes = true
            } else if word.hasPrefix("--") {
                try take(long: String(word.dropFirst(2)))
            } else {
                try take(shorts: word.dropFirst())
            }
        }
        let isExcused = switches.contains("help") || switches.contains("version")
        if operand == nil, !isExcused, let missing = command.operand, missing.isRequired {
            throw UsageError("\(command.subject) needs \(missing.placeholder): \(missing.help)")
        }
    }

    private mutating func take(operand word: String) throws(UsageError) {
        guard let spec = command.operand else {
            throw UsageError("\(command.subject) takes no \"\(word)\"; see \(command.words) --help")
        }
        if operand != nil, let second = command.secondOperand.flatMap({ command.option(named: $0) }), !isGiven(second) {
            return try take(second, word)
        }
        if spec.isJoined, let begun = operand {
            operand = begun + " " + word
            return
        }
        guard operand == nil else {
            throw UsageError("\(command.subject) takes one \(spec.placeholder), not \"\(word)\" as well")
        }
        guard spec.words.isEmpty || spec.words.contains(word) else {
            throw UsageError(
                "\(command.subject) takes one of \(spec.words.joined(separator: ", ")), not \"\(word)\""
                    + (spec.words.nearest(to: word).map { "; did you mean \($0)?" } ?? ""))
        }
        operand = word
    }

    private mutating func take(long word: String) throws(UsageError) {
        let name = String(word.prefix { $0 != "=" })
        let given = word.contains("=") ? String(word.dropFirst(name.count + 1)) : nil
        guard let option = command.option(named: name) else { throw unknown("--\(name)", name) }
        try take(option, given)
    }

    /// "-z7", "-z 7", or several switches in one: "-hV".
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
        if let rival = command.options.first(where: { $0.isRival(of: option) && isGiven($0) }) {
            throw UsageError("--\(rival.name) and --\(option.name) exclude each other; give one of them")
        }
        guard let kind = option.value else {
            if let given { throw UsageError("--\(option.name) is a switch and takes no \"\(given)\"") }
            switches.insert(option.name)
            return
        }
        guard let text = given ?? (words.isEmpty ? nil : words.removeFirst()) else {
            throw UsageError(
                "--\(option.name) wants a value: --\(option.name) \(option.placeholder ?? "")")
        }
        values[option.name, default: []].append(try kind.read(text, for: "--\(option.name)"))
    }

    private func isGiven(_ option: OptionSpec) -> Bool {
        values[option.name] != nil || switches.contains(option.name)
    }

    private func unknown(_ shown: String, _ name: String) -> UsageError {
        let guess = command.options.map(\.name).nearest(to: name).map { "; did you mean --\($0)?" }
        return UsageError("unknown option \(shown)\(guess ?? "; see \(command.words) --help")")
    }
}
