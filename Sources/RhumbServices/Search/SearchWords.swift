/// A query text, split into a name and a house number.
public struct SearchWords: Sendable, Equatable {
    /// The whole text.
    public let text: String
    /// The text without the house number; equal to `text` if there is none.
    public let street: String
    /// The house number, such as "12" or "12a"; nil if there is none.
    public let number: String?

    /// Parses a text. A house number is its first or last word, if there are others.
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

    /// True for "12", "12a", "12/3" and "12-14": up to four digits, followed by at most four characters.
    static func isNumber(_ word: Substring) -> Bool {
        let digits = word.prefix { $0.isASCII && $0.isNumber }
        return (1...4).contains(digits.count) && word.count - digits.count <= 4
            && word.dropFirst(digits.count).allSatisfy {
                $0.isLetter || $0.isNumber || $0 == "/" || $0 == "-"
            }
    }

    /// Returns true if a house number equals the wanted one, or contains it in a list joined by ";" or ",".
    package static func fits(_ number: String, _ wanted: String) -> Bool {
        number.split(whereSeparator: { $0 == ";" || $0 == "," }).contains {
            $0.filter { $0 != " " }.lowercased() == wanted.lowercased()
        }
    }
}
