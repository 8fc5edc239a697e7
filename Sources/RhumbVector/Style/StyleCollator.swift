internal import RhumbGeo

/// Compares texts by their letters, and optionally by accents and case, in the order of Unicode and of a few
/// languages that have letters of their own.
struct StyleCollator {
    /// The language whose rules are used, "en" for Unicode's.
    let locale: String
    private let isCaseSensitive: Bool
    private let isAccentSensitive: Bool

    /// Creates a collator from the value of a "collator" expression; nil for another value.
    init?(_ value: StyleValue) {
        guard let options = value.array, options.count == 3, let isCaseSensitive = options[0].bool,
            let isAccentSensitive = options[1].bool
        else { return nil }
        self.isCaseSensitive = isCaseSensitive
        self.isAccentSensitive = isAccentSensitive
        locale =
            options[2].string.map { Self.language(of: $0) }.flatMap { Self.letters[$0] == nil ? nil : $0 }
            ?? "en"
    }

    /// Returns true if the rules of a locale are known or those of Unicode.
    static func knows(_ locale: String) -> Bool {
        language(of: locale) == "en" || letters[language(of: locale)] != nil
    }

    private static func language(of locale: String) -> String {
        locale.prefix { $0 != "-" && $0 != "_" }.lowercased()
    }

    /// The replacements of letters for comparison, by language. Those with a brace follow "z".
    private static let letters: [String: [Character: String]] = {
        let german: [Character: String] = ["ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"]
        let swedish: [Character: String] = ["å": "{a", "ä": "{b", "æ": "{b", "ö": "{c", "ø": "{c"]
        let danish: [Character: String] = ["æ": "{a", "ä": "{a", "ø": "{b", "ö": "{b", "å": "{c"]
        return [
            "de": german, "sv": swedish, "fi": swedish, "da": danish, "nb": danish, "no": danish,
            "nn": danish,
        ]
    }()

    /// Returns the text without accents, except for letters of the language.
    private func folded(_ text: String) -> String {
        guard let letters = Self.letters[locale] else { return text.withoutAccents }
        return text.lowercased().map { letters[$0] ?? String($0).withoutAccents }.joined()
    }

    /// Returns a negative number if the first text comes first, 0 if the texts count as equal. Accents decide
    /// between equal letters, and case decides last, with lower case first.
    func compare(_ a: String, _ b: String) -> Int {
        let letters = Self.order(folded(a), folded(b))
        if letters != 0 { return letters }
        if isAccentSensitive {
            let accents = Self.order(a.lowercased(), b.lowercased())
            if accents != 0 { return accents }
        }
        guard isCaseSensitive else { return 0 }
        let first = a.map(\.isUppercase), second = b.map(\.isUppercase)
        for (isUpper, isOtherUpper) in zip(first, second) where isUpper != isOtherUpper {
            return isUpper ? 1 : -1
        }
        return 0
    }

    private static func order(_ a: String, _ b: String) -> Int { a == b ? 0 : a < b ? -1 : 1 }
}
