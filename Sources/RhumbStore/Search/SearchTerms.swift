internal import RhumbCore

/// The words by which the things of a chunk are found, folded.
struct SearchTerms {
    private let folding: Folding
    /// The most bytes of a word that count.
    private static let limit = 60
    /// Begins what stands for a whole name; folded words never do.
    private static let mark: [UInt8] = Array("§".utf8)

    init(_ folding: Folding) { self.folding = folding }

    /// All words of all names, each once, and what stands for names of several words.
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

    /// What stands for a whole folded name of several words, so that it is found among many that have the
    /// same words.
    static func whole(_ folded: [UInt8]) -> [UInt8] {
        let hash = ContentHash(folded).half
        return mark + String(UInt64(bitPattern: Int64(hash)) & 0x3FFF_FFFF, radix: 36).utf8
    }

    /// Words come before this, names behind it.
    static let end = "§"
}
