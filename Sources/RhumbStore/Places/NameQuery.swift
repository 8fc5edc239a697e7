/// Typed words, in the forms that the full-text index and the ranking use.
struct NameQuery {
    /// The words, folded; the last may be only begun.
    let words: [[UInt8]]
    /// The words joined by spaces.
    let text: [UInt8]
    /// The text with its abbreviations in their usual form; nil if it has none.
    private let canonical: [UInt8]?
    /// True if the text is written in the script of the usual names.
    var isLatin: Bool { text.first.map { $0 < 0x80 } ?? true }
    /// The most words and bytes of a word that count.
    private static let limits = (words: 8, bytes: 60)

    init(_ words: [[UInt8]]) {
        self.words = words.prefix(NameQuery.limits.words).map { Array($0.prefix(NameQuery.limits.bytes)) }
        text = self.words.joinedBySpaces
        canonical = NameAbbreviations.canonical(self.words)
    }

    /// The index expression: every word whole, the last perhaps begun, and abbreviations in any of their
    /// forms.
    func expression(isLastBegun: Bool) -> String {
        let readings = words.count > 1 ? words.map(NameAbbreviations.forms) : words.map { [$0] }
        return NameQuery.expression(readings, isLastBegun: isLastBegun)
    }

    /// For each word any of its readings.
    /// - Parameter isBeginning: True if words of the index continue a reading: only for those must it look.
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

    /// Folded words hold no quotation marks.
    private static func quoted(_ word: [UInt8]) -> String {
        "\"" + String(decoding: word.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self) + "\""
    }

    /// Returns how well a folded name matches; nil if it doesn't.
    func fit(_ name: [UInt8]) -> MatchQuality? {
        let plain = plainFit(name)
        guard let canonical, plain != .exact else { return plain }
        let other =
            NameAbbreviations.canonical(name.split(separator: UInt8(ascii: " ")).map(Array.init)) ?? name
        return NameQuery.beginning(of: other, is: canonical) ?? plain
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
    /// The words as one text.
    var joinedBySpaces: [UInt8] { Array<UInt8>(joined(separator: [UInt8(ascii: " ")])) }
}

extension [UInt8] {
    /// True if a word is one of these, which spaces separate, or the beginning of one. It makes no copies:
    /// each key compares thousands of names.
    fileprivate func hasWord(_ word: [UInt8], isBegun: Bool) -> Bool {
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

/// Words of names that are often abbreviated: "St" for "Saint".
enum NameAbbreviations {
    /// The usual form first.
    private static let groups = [
        "st saint sankt sint sainte ste", "mt mount mont monte", "ft fort", "n north", "s south", "e east",
        "w west",
    ]
    private static let byWord: [[UInt8]: [[UInt8]]] = {
        let forms = groups.map { $0.split(separator: " ").map { Array($0.utf8) } }
        return Dictionary(uniqueKeysWithValues: forms.flatMap { group in group.map { ($0, group) } })
    }()

    /// A word and the others that mean the same.
    static func forms(of word: [UInt8]) -> [[UInt8]] { byWord[word] ?? [word] }

    /// The words as one text, each in its usual form; nil if no word has another form.
    static func canonical(_ words: [[UInt8]]) -> [UInt8]? {
        guard words.contains(where: { byWord[$0] != nil }) else { return nil }
        return words.map { byWord[$0]?.first ?? $0 }.joinedBySpaces
    }
}
