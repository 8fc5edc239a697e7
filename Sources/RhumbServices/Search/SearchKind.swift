internal import RhumbBase

/// A kind of thing that is searched for: a category, or some classes of it.
public struct SearchKind: Sendable, Hashable {
    /// The category of such things.
    public let category: PlaceCategory
    /// The tile's word for them, as "bakery"; nil if other things of the category are found, too.
    public var kind: String? { isWide ? nil : classes.first }
    /// The tile's words for the meant classes; empty for all of the category.
    private let classes: [String]
    /// True if all of the category is included.
    private let isWide: Bool
    /// True if related classes are included, too.
    package var hasRelated: Bool { isWide && !classes.isEmpty }

    /// All things of a category; the classes that its name means come first.
    public init(_ category: PlaceCategory) { self.init(category, category.mainClasses, isWide: true) }

    private init(_ category: PlaceCategory, _ classes: [String], isWide: Bool) {
        self.category = category
        self.classes = classes
        self.isWide = isWide
    }

    /// The kind that a word names in any known language: some classes of a category, a category, or a class
    /// of OpenStreetMap, as "bakery".
    public init?(word: String) {
        let plain = word.split(separator: " ").joined(separator: " "), named = PlaceCategory(word: plain)
        if let known = PlaceCategory.named(plain) {
            self.init(known.category, known.classes, isWide: named == known.category)
        } else if let named {
            self.init(named)
        } else if let known = PlaceCategory.of([plain.lowercased().replacing(" ", with: "_")]) {
            self.init(known.category, [known.kind], isWide: false)
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

    /// True if a thing is of the kind, or related to it.
    public func includes(_ category: PlaceCategory, _ kind: String) -> Bool {
        self.category == category && (isWide || isMeant(kind))
    }

    /// True if the kind means a class of the category; false for related classes.
    package func isMeant(_ kind: String) -> Bool { classes.isEmpty || classes.contains(kind) }
}
