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
        guard let first = words.first, let named = CommandTable.command(first), !first.isEmpty else { return }
        command = named
        self.words.removeFirst()
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
            throw UsageError("\(usage) needs \(missing.placeholder): \(missing.help)")
        }
    }

    private var usage: String { command.name.isEmpty ? "rhumb" : "rhumb \(command.name)" }

    private mutating func take(operand word: String) throws(UsageError) {
        guard let spec = command.operand else {
            throw UsageError("\(usage) takes no \"\(word)\"; see \(usage) --help")
        }
        guard operand == nil else {
            throw UsageError("\(usage) takes one \(spec.placeholder), not \"\(word)\" as well")
        }
        guard spec.words.isEmpty || spec.words.contains(word) else {
            throw UsageError("\(usage) takes \(spec.help), not \"\(word)\"")
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
        guard let kind = option.value else {
            if let given { throw UsageError("--\(option.name) is a switch and takes no \"\(given)\"") }
            switches.insert(option.name)
            return
        }
        guard let text = given ?? (words.isEmpty ? nil : words.removeFirst()) else {
            throw UsageError("--\(option.name) wants a value: --\(option.name) \(kind.placeholder)")
        }
        values[option.name, default: []].append(try kind.read(text, for: option.name))
    }

    private func unknown(_ shown: String, _ name: String) -> UsageError {
        let near = command.options.map(\.name).min { distance($0, name) < distance($1, name) }
        let guess = near.flatMap { distance($0, name) <= 2 ? "; did you mean --\($0)?" : nil }
        return UsageError("unknown option \(shown)\(guess ?? "; see \(usage) --help")")
    }

    /// How many letters must change to make one word the other (Levenshtein).
    private func distance(_ one: String, _ other: String) -> Int {
        let a = Array(one), b = Array(other)
        var row = Array(0...b.count)
        for i in a.indices {
            var corner = row[0]
            row[0] = i + 1
            for j in b.indices {
                let change = corner + (a[i] == b[j] ? 0 : 1)
                corner = row[j + 1]
                row[j + 1] = min(change, row[j] + 1, corner + 1)
            }
        }
        return row[b.count]
    }
}
