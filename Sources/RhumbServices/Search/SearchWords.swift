/// A query text, with its readings as a street and a house number.
public struct SearchWords: Sendable, Equatable {
    /// The whole text.
    public let text: String
    /// The readings as a street and a house number, the most likely first; empty if there are none.
    package let addresses: [Address]

    /// A street and a house number.
    package struct Address: Sendable, Equatable {
        package let street: String
        /// The house number as typed, such as "12", "25 bis" or "7;9".
        package let number: String
    }

    /// The text without the house number; equal to `text` if there is none.
    public var street: String { addresses.first?.street ?? text }
    /// The house number, such as "12" or "12a"; nil if there is none.
    public var number: String? { addresses.first?.number }

    /// The maximum number of words of a house number, as in "16 - 18 b".
    private static let longest = 4

    /// Parses a text. A house number is its last or first words, if there are others. After Chinese,
    /// Japanese and Korean characters, it needs no space.
    public init(_ text: String) {
        self.text = text
        let words = SearchWords.separated(text, by: " ").split(separator: " ")
        var found: [Address] = []
        func add(_ street: some Collection<Substring>, _ number: some Collection<Substring>) {
            guard !street.isEmpty, HouseNumberText.isNumber(number) else { return }
            found.append(
                Address(street: street.joined(separator: " "), number: number.joined(separator: " ")))
        }
        for count in stride(from: min(Self.longest, words.count), through: 1, by: -1) {
            add(words.dropLast(count), words.suffix(count))
        }
        if let last = words.last, let start = HouseNumberText.start(inUnspaced: last) {
            add(words.dropLast() + [last[..<start]], [last[start...]])
        }
        for count in stride(from: min(Self.longest, words.count), through: 1, by: -1) {
            add(words.dropFirst(count), words.prefix(count))
        }
        addresses = found
    }

    /// Returns a text with another separator in place of its commas, except for those in lists of numbers
    /// such as "39,41".
    static func separated(_ text: String, by separator: Character) -> String {
        let letters = Array(text)
        return String(
            letters.indices.map { at in
                guard letters[at] == "," || letters[at] == "，" else { return letters[at] }
                let isInList =
                    at > 0 && at + 1 < letters.count && letters[at - 1].isNumber && letters[at + 1].isNumber
                return isInList ? letters[at] : separator
            })
    }
}

/// House numbers as texts, such as "12", "25 bis", "7;9" and "16-18".
package enum HouseNumberText {
    /// The quality of a match.
    package enum Match: Sendable { case exact, inRange }

    private static let separators: Set<Character> = [";", ",", "&", "+", "/", "-"]
    private static let listSeparators: Set<Character> = [";", ",", "&", "+"]
    /// The words that may follow a number after a space, besides single letters.
    private static let additions: Set<String> = [
        "bis", "ter", "quater", "quinquies", "rosso", "rossa", "nero", "nera",
    ]
    /// The words for "number" that follow it in East Asian addresses.
    private static let endings = ["号", "號", "番地", "번지"]

    /// Returns true if a house number is the wanted one, or is a list or range that contains it.
    package static func fits(_ number: String, _ wanted: String) -> Bool { match(number, wanted) != nil }

    /// Returns the quality of the match between a house number and the wanted one; nil if it doesn't match. A
    /// range whose ends are both even or both odd contains only such numbers.
    package static func match(_ number: String, _ wanted: String) -> Match? {
        let number = plain(number), wanted = plain(wanted)
        if number == wanted { return .exact }
        let numbers = parts(number), all = parts(wanted)
        guard !all.isEmpty else { return nil }
        if all.allSatisfy(numbers.contains) { return .exact }
        return all.allSatisfy { part in numbers.contains { $0 == part || contains($0, part) } }
            ? .inRange : nil
    }

    private static func parts(_ number: String) -> [Substring] {
        number.split(whereSeparator: listSeparators.contains)
    }

    /// Returns true if a range such as "16-18" contains a number.
    private static func contains(_ range: Substring, _ number: Substring) -> Bool {
        let ends = range.split(separator: "-").map { Int($0) }
        guard ends.count == 2, let low = ends[0], let high = ends[1], let number = Int(number),
            low < high, (low...high).contains(number)
        else { return false }
        return low % 2 != high % 2 || number % 2 == low % 2
    }

    /// Returns a number in lower case without spaces and words for "number".
    private static func plain(_ number: some StringProtocol) -> String {
        var plain = String(
            number.lowercased().unicodeScalars.lazy.filter { !$0.properties.isWhitespace }.map { scalar in
                // Full-width characters, as Japanese and Chinese keyboards type them.
                (0xFF01...0xFF5E).contains(scalar.value)
                    ? Character(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)))
                    : ["–", "‐", "‑"].contains(scalar) ? "-" : Character(scalar)
            })
        for ending in endings where plain.hasSuffix(ending) { plain.removeLast(ending.count) }
        return plain
    }

    /// Returns true for the words of a house number: up to four digits, followed by up to four letters or
    /// digits, and a list or range of such numbers.
    static func isNumber(_ words: some Collection<Substring>) -> Bool {
        guard words.allSatisfy({ $0.count <= 40 }) else { return false }
        let isJoined = zip(words, words.dropFirst()).allSatisfy { before, word in
            let addition = word.lowercased()
            let isAddition =
                addition.count == 1 && word.allSatisfy(\.isLetter) || additions.contains(addition)
            return isAddition && before.last?.isNumber == true
                || before.last.map(separators.contains) == true
                || word.first.map(separators.contains) == true
        }
        guard isJoined else { return false }
        let pieces = plain(words.joined()).split(
            omittingEmptySubsequences: false, whereSeparator: separators.contains)
        guard let first = pieces.first, isSingle(first) else { return false }
        return pieces.dropFirst().allSatisfy { piece in
            isSingle(piece) || (1...4).contains(piece.count) && piece.allSatisfy(\.isLetter)
        }
    }

    private static func isSingle(_ piece: Substring) -> Bool {
        let digits = piece.prefix { $0.isASCII && $0.isNumber }, rest = piece.dropFirst(digits.count)
        guard (1...4).contains(digits.count) else { return false }
        return additions.contains(String(rest))
            || rest.count <= 4 && rest.allSatisfy { $0.isLetter || $0.isNumber }
    }

    /// Returns the start of the number at the end of a word such as "中山路2"; nil if there is none.
    static func start(inUnspaced word: Substring) -> Substring.Index? {
        guard
            let start = word.indices.first(where: {
                plain(word[$0...].prefix(1)).first?.isWholeNumber == true
            }),
            start > word.startIndex, let before = word[..<start].unicodeScalars.last
        else { return nil }
        let isEastAsian =
            (0x2E80...0x9FFF).contains(before.value) || (0xAC00...0xD7A3).contains(before.value)
        return isEastAsian ? start : nil
    }
}
