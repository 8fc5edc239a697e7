/// What was typed, as the full-text index and the ranking use it.
struct NameQuery {
    /// The words, folded; the last may be only begun.
    let words: [[UInt8]]
    /// The words joined by spaces.
    let text: [UInt8]
    /// Whether it is written in the script of the usual names.
    var isLatin: Bool { text.first.map { $0 < 0x80 } ?? true }
    /// The most words and bytes of a word that count.
    private static let limits = (words: 8, bytes: 60)

    init(_ words: [[UInt8]]) {
        self.words = words.prefix(NameQuery.limits.words).map { Array($0.prefix(NameQuery.limits.bytes)) }
        text = Array(self.words.joined(separator: [UInt8(ascii: " ")]))
    }

    /// The index's words for it: every word whole, the last perhaps begun.
    func expression(isLastBegun: Bool) -> String {
        NameQuery.expression(words.map { [$0] }, isLastBegun: isLastBegun)
    }

    /// For each word any of its readings.
    /// - Parameter isBeginning: whether words of the index go on behind a reading: only for those must it look.
    static func expression(_ readings: [[[UInt8]]], isLastBegun: Bool, isBeginning: ([UInt8]) -> Bool = { _ in true }) -> String {
        readings.enumerated().map { index, those in
            let isBegun = isLastBegun && index == readings.count - 1
            return "(" + those.map { quoted($0) + (isBegun && isBeginning($0) ? "*" : "") }.joined(separator: " OR ") + ")"
        }
        .joined(separator: " AND ")
    }

    /// Folded words hold no quotation marks.
    private static func quoted(_ word: [UInt8]) -> String {
        "\"" + String(decoding: word.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self) + "\""
    }

    /// How well a folded name fits; nil if it doesn't.
    func fit(_ name: [UInt8]) -> NameFit? {
        if name == text { return .exact }
        if name.starts(with: text) { return .begins }
        guard let last = words.last, name.hasWord(last, isBegun: true) else { return nil }
        return words.dropLast().allSatisfy { name.hasWord($0, isBegun: false) } ? .words : nil
    }
}

extension [UInt8] {
    /// Whether a word is one of these, which spaces part, or the beginning of one. It makes no copies: thousands of names
    /// are looked at for a key.
    fileprivate func hasWord(_ word: [UInt8], isBegun: Bool) -> Bool {
        var start = startIndex
        while start + word.count <= endIndex {
            let end = start + word.count
            if self[start..<end].elementsEqual(word), isBegun || end == endIndex || self[end] == UInt8(ascii: " ") { return true }
            guard let space = self[start...].firstIndex(of: UInt8(ascii: " ")) else { return false }
            start = space + 1
        }
        return false
    }
}

/// How well a name fits what was typed.
enum NameFit: Equatable {
    case exact
    case begins
    /// All words occur in it.
    case words
    /// It would fit but for so many slips.
    case mistyped(Int)

    /// What it is worth beside a place's importance, when another than the usual name fits so.
    /// Long lists of other names begin with nearly anything, but in another script than that of the
    /// usual names there is no other way.
    func worthOfOther(isLatin: Bool) -> Double {
        switch self {
        case .exact: 2.6
        case .begins: isLatin ? -0.2 : 0.9
        case .words: -0.6
        case .mistyped: worth - 0.7
        }
    }

    /// What it is worth beside a place's importance, when the usual name fits so.
    var worth: Double {
        switch self {
        case .exact: 3.2
        case .begins: 1.2
        case .words: 0.4
        case .mistyped(let slips): 1 - 0.9 * Double(slips)
        }
    }
}
