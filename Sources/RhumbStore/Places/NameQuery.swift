/// Typed words, in the forms that the full-text index and the ranking use.
struct NameQuery {
    /// The folded words. The last one may be incomplete.
    let words: [[UInt8]]
    /// The words joined by spaces.
    let text: [UInt8]
    /// The text with abbreviations in their usual form; nil if it contains none.
    private let canonical: [UInt8]?
    /// The words of that text.
    private let canonicalWords: [[UInt8]]
    /// True if the text is written in the script of the usual names.
    var isLatin: Bool { text.first.map { $0 < 0x80 } ?? true }
    /// The maximum number of words, and of bytes per word.
    private static let limits = (words: 8, bytes: 60)

    init(_ words: [[UInt8]]) {
        self.words = words.prefix(NameQuery.limits.words).map { Array($0.prefix(NameQuery.limits.bytes)) }
        text = self.words.joinedBySpaces
        canonical = NameAbbreviations.canonical(text)
        canonicalWords = canonical?.split(separator: UInt8(ascii: " ")).map(Array.init) ?? []
    }

    /// Returns the full-text query for names with all words. The last word may be incomplete, and
    /// abbreviations match in any form.
    func expression(isLastBegun: Bool) -> String {
        let readings = words.count > 1 ? words.map(NameAbbreviations.forms) : words.map { [$0] }
        return NameQuery.expression(readings, isLastBegun: isLastBegun)
    }

    /// Returns the full-text query for names that contain a reading of each word.
    /// - Parameter isBeginning: Returns true if longer words in the index begin with a reading. Only those
    ///   readings are searched as prefixes.
    static func expression(
        _ readings: [[[UInt8]]], isLastBegun: Bool, isBeginning: ([UInt8]) -> Bool = { _ in true }
    ) -> String {
        readings.enumerated().map { index, those in
            let isBegun = isLastBegun && index == readings.count - 1
            return "("
                + those.map { quoted($0) + (isBegun && isBeginning($0) ? "*" : "") }.joined(separator: " OR ")
                + ")"
        }
        .joined(separator: " AND ")
    }

    /// Returns a word in quotation marks. Folded words contain none.
    private static func quoted(_ word: [UInt8]) -> String {
        "\"" + String(decoding: word.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self) + "\""
    }

    /// Returns the quality of the match with a folded name; nil if it doesn't match.
    func fit(_ name: [UInt8]) -> MatchQuality? {
        let plain = plainFit(name)
        guard let canonical, plain != .exact else { return plain }
        let other = NameAbbreviations.canonical(name) ?? name
        if let fit = NameQuery.beginning(of: other, is: canonical) ?? plain { return fit }
        let isFound = canonicalWords.allSatisfy { word in
            other.hasWord(word, isBegun: word == canonicalWords.last)
        }
        return isFound ? .words : nil
    }

    private func plainFit(_ name: [UInt8]) -> MatchQuality? {
        if let fit = NameQuery.beginning(of: name, is: text) { return fit }
        guard let last = words.last, name.hasWord(last, isBegun: true) else { return nil }
        return words.dropLast().allSatisfy { name.hasWord($0, isBegun: false) } ? .words : nil
    }

    private static func beginning(of name: [UInt8], is text: [UInt8]) -> MatchQuality? {
        guard name.starts(with: text) else { return nil }
        return name.count == text.count
            ? .exact : name[text.count] == UInt8(ascii: " ") ? .firstWords : .begins
    }
}

extension [[UInt8]] {
    /// The words joined by spaces.
    var joinedBySpaces: [UInt8] { Array<UInt8>(joined(separator: [UInt8(ascii: " ")])) }
}

extension [UInt8] {
    /// Returns true if these space-separated words include a word, or a word that begins with it. Copies
    /// nothing, because each keystroke compares thousands of names.
    func hasWord(_ word: [UInt8], isBegun: Bool) -> Bool {
        var start = startIndex
        while start + word.count <= endIndex {
            let end = start + word.count
            if self[start..<end].elementsEqual(word),
                isBegun || end == endIndex || self[end] == UInt8(ascii: " ")
            {
                return true
            }
            guard let space = self[start...].firstIndex(of: UInt8(ascii: " ")) else { return false }
            start = space + 1
        }
        return false
    }
}

/// Words that are often abbreviated in names, such as "St" for "Saint".
enum NameAbbreviations {
    /// Groups of equivalent words, the usual form first.
    private static let groups = [
        "st saint sankt sint sainte ste", "santa sta", "mt mount mont monte", "ft fort", "pto puerto",
        "cd ciudad", "gt great", "pt point", "n north", "s south", "e east",
        "w west",
    ]
    private static let byWord: [ArraySlice<UInt8>: [[UInt8]]] = {
        let forms = groups.map { $0.split(separator: " ").map { Array($0.utf8) } }
        return Dictionary(uniqueKeysWithValues: forms.flatMap { group in group.map { ($0[...], group) } })
    }()
    /// The number of bytes of the longest form.
    private static let longest = byWord.keys.map(\.count).max() ?? 0
    /// The first bytes of all forms.
    private static let beginnings = Set(byWord.keys.compactMap(\.first)).sorted()

    /// Returns all forms of a word, including itself.
    static func forms(of word: [UInt8]) -> [[UInt8]] { byWord[word[...]] ?? [word] }

    /// Returns a text with each word in its usual form; nil if no word has another form. Such texts are
    /// recognised without copies, because each keystroke compares thousands of names.
    static func canonical(_ text: [UInt8]) -> [UInt8]? {
        guard hasForms(text) else { return nil }
        return text.split(separator: UInt8(ascii: " ")).map { byWord[$0]?.first ?? Array($0) }.joinedBySpaces
    }

    /// Returns true if a word of a text has several forms.
    private static func hasForms(_ text: [UInt8]) -> Bool {
        let longest = longest, beginnings = beginnings
        var start = text.startIndex
        while start < text.endIndex {
            let end = text[start...].firstIndex(of: UInt8(ascii: " ")) ?? text.endIndex
            if end - start <= longest, beginnings.contains(text[start]), byWord[text[start..<end]] != nil {
                return true
            }
            start = end + 1
        }
        return false
    }
}
