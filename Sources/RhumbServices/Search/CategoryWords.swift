internal import RhumbBase

/// The names of categories in several languages.
extension PlaceCategory {
    /// The English name, as in JSON.
    public var word: String { word(in: "en") }

    /// Returns the name in a language, or else in English.
    /// - Parameter language: A code of ISO 639-1, such as "de".
    public func word(in language: String) -> String {
        let known = PlaceCategory.entries[self]
        return known?.word(in: language) ?? known?.word(in: "en") ?? "place"
    }

    /// Returns the name of one class in a language; nil for English, whose names are the classes, and for a
    /// class without a name, which uses that of its category.
    func word(of kind: String, in language: String) -> String? {
        guard language != "en", PlaceCategory.entries[self]?.word(in: language) != nil else { return nil }
        return PlaceCategory.classEntries[kind]?.word(in: language) ?? word(in: language)
    }

    /// All words for it, in all languages that are known.
    package var allWords: [String] { PlaceCategory.entries[self]?.words.values.flatMap(\.self) ?? [] }

    /// The category that a word names in any language, in its whole.
    public init?(word: String) {
        guard let found = PlaceCategory.byWord[PlaceCategory.plain(word)] else { return nil }
        self = found
    }

    /// The classes that a word names in any language, the usual one first.
    static func named(_ word: String) -> (category: PlaceCategory, classes: [String])? {
        classesByWord[plain(word)]
    }

    /// The classes that words for the category mean; empty for all of it.
    var mainClasses: [String] { PlaceCategory.entries[self]?.mainClasses ?? [] }

    private static func plain(_ word: String) -> String { Transliteration.ascii(word).lowercased() }

    private static let entries = Dictionary(KindWords.categories.map { ($0.category, $0) }) { first, _ in
        first
    }
    private static let classEntries = Dictionary(
        KindWords.classes.flatMap { entry in entry.classes.map { ($0, entry) } }
    ) { first, _ in first }

    private static let byWord: [String: PlaceCategory] = {
        let named = KindWords.categories.flatMap { entry in
            entry.words.values.flatMap(\.self).map { (plain($0), entry.category) }
        }
        return Dictionary(named) { first, _ in first }
    }()

    private static let classesByWord: [String: (category: PlaceCategory, classes: [String])] = {
        let named = KindWords.classes.flatMap { entry in
            entry.words.values.flatMap(\.self).map {
                (plain($0), (category: entry.category, classes: entry.classes))
            }
        }
        return Dictionary(named) { first, _ in first }
    }()
}
