internal import RhumbCore

/// The folded words by which the features of a chunk are found.
struct SearchTerms {
    private let folding: Folding
    /// The maximum length of a word in bytes; the rest is ignored.
    private static let limit = 60
    /// The prefix of terms for whole names. Folded words never contain it.
    private static let mark: [UInt8] = Array("§".utf8)

    init(_ folding: Folding) { self.folding = folding }

    /// Returns all words of all names without duplicates, and the terms for names of several words.
    func text(_ features: some Sequence<IndexedFeature>) -> String {
        var terms: Set<[UInt8]> = []
        for feature in features {
            for name in [feature.name] + feature.otherNames where !name.isEmpty {
                let folded = folding.fold(name), words = folded.split(separator: UInt8(ascii: " "))
                for word in words { terms.insert(Array(word.prefix(SearchTerms.limit))) }
                if words.count > 1 { terms.insert(SearchTerms.whole(folded)) }
            }
        }
        let sorted = terms.sorted { $0.lexicographicallyPrecedes($1) }
        return String(decoding: Array(sorted.joined(separator: [UInt8(ascii: " ")])), as: UTF8.self)
    }

    /// Returns the term for a complete folded name of several words, which finds the name among many that
    /// contain the same words.
    static func whole(_ folded: [UInt8]) -> [UInt8] {
        let hash = ContentHash(folded).half
        return mark + String(UInt64(bitPattern: Int64(hash)) & 0x3FFF_FFFF, radix: 36).utf8
    }

    /// A separator: words sort before it, and terms for whole names after it.
    static let end = "§"
}
