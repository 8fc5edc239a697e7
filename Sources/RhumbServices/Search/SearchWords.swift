/// The parts of a typed text: a name and a house number.
public struct SearchWords: Sendable, Equatable {
    /// All of it.
    public let text: String
    /// The words without the house number; the same as `text` where there is none.
    public let street: String
    /// The house number to find, such as "12" or "12a"; nil for none.
    public let number: String?

    /// Takes words apart. A number counts as a house's at the end or at the beginning, beside other words.
    public init(_ text: String) {
        self.text = text
        let words = text.split(whereSeparator: { $0 == " " || $0 == "," })
        if words.count > 1, let last = words.last, SearchWords.isNumber(last) {
            street = words.dropLast().joined(separator: " ")
            number = String(last)
        } else if words.count > 1, let first = words.first, SearchWords.isNumber(first) {
            street = words.dropFirst().joined(separator: " ")
            number = String(first)
        } else {
            street = text
            number = nil
        }
    }

    /// "12", "12a", "12/3", "12-14": up to four digits and little behind them.
    static func isNumber(_ word: Substring) -> Bool {
        let digits = word.prefix { $0.isASCII && $0.isNumber }
        return (1...4).contains(digits.count) && word.count - digits.count <= 4
            && word.dropFirst(digits.count).allSatisfy {
                $0.isLetter || $0.isNumber || $0 == "/" || $0 == "-"
            }
    }

    /// Returns true if a house number is the wanted one, or has it in a list joined by ";" or ",".
    package static func fits(_ number: String, _ wanted: String) -> Bool {
        number.split(whereSeparator: { $0 == ";" || $0 == "," }).contains {
            $0.filter { $0 != " " }.lowercased() == wanted.lowercased()
        }
    }
}
