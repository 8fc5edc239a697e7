internal import RhumbBase

/// A kind of feature to search for: a category, or some classes of it.
public struct SearchKind: Sendable, Hashable {
    /// The category of the features.
    public let category: PlaceCategory
    /// The tile's class, such as "bakery"; nil if other features of the category match, too.
    public var kind: String? { isWide ? nil : classes.first }
    /// The tile's classes that are meant; empty for the whole category.
    private let classes: [String]
    /// True if the whole category is included.
    private let isWide: Bool
    /// True if related classes are included, too.
    package var hasRelated: Bool { isWide && !classes.isEmpty }

    /// Creates the kind of all features of a category. The classes that its name means rank first.
    public init(_ category: PlaceCategory) { self.init(category, category.mainClasses, isWide: true) }

    private init(_ category: PlaceCategory, _ classes: [String], isWide: Bool) {
        self.category = category
        self.classes = classes
        self.isWide = isWide
    }

    /// Finds the kind with a name in any language: some classes of a category, a category, or an
    /// OpenStreetMap class such as "bakery".
    public init?(word: String) {
        let plain = word.split(separator: " ").joined(separator: " "), named = PlaceCategory(word: plain)
        if let category = PlaceCategory.named(plain) {
            self.init(category.category, category.classes, isWide: named == category.category)
        } else if let named {
            self.init(named)
        } else if let category = PlaceCategory.of([plain.lowercased().replacing(" ", with: "_")]) {
            self.init(category.category, [category.kind], isWide: false)
        } else {
            return nil
        }
    }

    /// Returns the name in a language (an ISO 639-1 code), or in English if there is none.
    public func word(in language: String) -> String {
        guard let kind else { return category.word(in: language) }
        return category.word(of: kind, in: language) ?? kind.replacing("_", with: " ")
    }

    /// Finds the category by the beginning of its name; nil for fewer than four letters, or if several match.
    public init?(begun word: String) {
        let wanted = Transliteration.ascii(word).lowercased()
        guard wanted.count > 3 else { return nil }
        let fitting = PlaceCategory.allCases.filter { category in
            category.allWords.contains { Transliteration.ascii($0).lowercased().hasPrefix(wanted) }
        }
        guard fitting.count == 1, let category = fitting.first else { return nil }
        self.init(category)
    }

    /// True if a feature is of this kind or related to it.
    public func includes(_ category: PlaceCategory, _ kind: String) -> Bool {
        self.category == category && (isWide || isMeant(kind))
    }

    /// True if the kind means a class of the category; false for related classes.
    package func isMeant(_ kind: String) -> Bool { classes.isEmpty || classes.contains(kind) }
}
