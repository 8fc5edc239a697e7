/// A kind of thing that is asked for: a category, or one class of it.
public struct SearchKind: Sendable, Hashable {
    /// What such things are for.
    public let category: PlaceCategory
    /// The tile's own word for it, as "bakery"; nil: any of the category.
    public let kind: String?

    /// All things of a category.
    public init(_ category: PlaceCategory) { (self.category, kind) = (category, nil) }

    /// What a word names: a category or a class of it in any language that is known, else a class of OpenStreetMap,
    /// as "bakery".
    public init?(word: String) {
        let plain = word.split(separator: " ").joined(separator: " ")
        if let category = PlaceCategory(word: plain) {
            (self.category, kind) = (category, nil)
        } else if let known = PlaceCategory.named(plain) ?? PlaceCategory.of([plain.lowercased().replacing(" ", with: "_")]) {
            (category, kind) = (known.category, known.kind)
        } else {
            return nil
        }
    }

    /// A word for it in a language (a code of ISO 639-1), in English where none is known.
    public func word(in language: String) -> String {
        guard let kind else { return category.word(in: language) }
        return category.word(of: kind, in: language) ?? kind.replacing("_", with: " ")
    }

    /// The category whose word begins so; nil for fewer than four letters, and where several do.
    public init?(begun word: String) {
        let wanted = Transliteration.ascii(word).lowercased()
        guard wanted.count > 3 else { return nil }
        let fitting = PlaceCategory.allCases.filter { category in
            category.allWords.contains { Transliteration.ascii($0).lowercased().hasPrefix(wanted) }
        }
        guard fitting.count == 1, let category = fitting.first else { return nil }
        self.init(category)
    }

    /// Whether a thing is of the kind.
    public func includes(_ category: PlaceCategory, _ kind: String) -> Bool {
        self.category == category && (self.kind == nil || self.kind == kind)
    }
}
