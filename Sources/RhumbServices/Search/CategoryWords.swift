internal import RhumbBase

/// Names of categories and classes in several languages.
extension PlaceCategory {
    /// The English name, also used in JSON.
    public var word: String { word(in: "en") }

    /// Returns the name in a language, or in English if there is none.
    /// - Parameter language: An ISO 639-1 code, such as "de".
    public func word(in language: String) -> String {
        let entry = PlaceCategory.entries[self]
        return entry?.name(in: language) ?? entry?.name(in: "en") ?? "place"
    }

    /// Returns the name of a class in a language, or the category's name if the class has none. nil for
    /// English, where the class itself serves as its name.
    func word(of kind: String, in language: String) -> String? {
        guard language != "en", PlaceCategory.entries[self]?.name(in: language) != nil else { return nil }
        return PlaceCategory.classEntries[kind]?.name(in: language) ?? word(in: language)
    }

    /// Returns the name of a feature's class in few words, such as "pharmacy", "gift shop" or "street".
    /// - Parameter language: An ISO 639-1 code. English is used if there are no words in that language.
    func word(ofKind kind: String, in language: String = "en") -> String {
        // OpenStreetMap separates several classes by semicolons.
        let kind = String(kind.prefix { $0 != ";" }), plain = kind.replacing("_", with: " ")
        let isVague = plain.isEmpty || PlaceCategory.vagueKinds.contains(kind)
        switch self {
        case .street, .address, .river, .building: return word(in: language)
        case _ where isVague: return word(in: language)
        case .other: return plain
        case .shop where language == "en": return PlaceCategory.shopWord(plain)
        default: return word(of: kind, in: language) ?? plain
        }
    }

    /// Classes without information about the feature's purpose.
    private static let vagueKinds: Set<String> = [
        "other", "yes", "amenity", "tourism", "leisure", "place", "building",
    ]

    /// The English words for shops with a class that does not name its goods.
    private static let shopWords = [
        "bakery": "bakery", "books": "bookshop", "butcher": "butcher", "car": "car dealer",
        "car repair": "car repair", "chemist": "chemist", "convenience": "convenience store", "deli": "deli",
        "department store": "department store", "doityourself": "do-it-yourself shop",
        "dry cleaning": "dry cleaner", "estate agent": "estate agent", "florist": "florist",
        "frame": "picture framer", "general": "general store", "greengrocer": "greengrocer",
        "hairdresser": "hairdresser", "jewelry": "jewellery shop", "kiosk": "kiosk", "laundry": "laundry",
        "locksmith": "locksmith", "mall": "shopping centre", "marketplace": "market",
        "motorcycle": "motorcycle dealer", "newsagent": "newsagent", "optician": "optician",
        "seafood": "fishmonger", "shoes": "shoe shop", "shop": "shop", "tailor": "tailor",
        "travel agency": "travel agency",
    ]

    private static func shopWord(_ kind: String) -> String {
        if let category = shopWords[kind] { return category }
        return ["shop", "store", "market", "rental", "agency"].contains(where: kind.hasSuffix)
            ? kind : kind + " shop"
    }

    /// The names of the category in all languages.
    package var allWords: [String] { PlaceCategory.entries[self]?.names.values.flatMap(\.self) ?? [] }

    /// Finds the category with a name in any language. Only whole names match.
    public init?(word: String) {
        guard let found = PlaceCategory.byWord[PlaceCategory.plain(word)] else { return nil }
        self = found
    }

    /// Finds the category and the classes with a name in any language, the usual class first.
    static func named(_ word: String) -> (category: PlaceCategory, classes: [String])? {
        classesByWord[plain(word)]
    }

    /// The classes that the category's names mean; empty for all classes.
    var mainClasses: [String] { PlaceCategory.entries[self]?.mainClasses ?? [] }

    private static func plain(_ word: String) -> String { Transliteration.ascii(word).lowercased() }

    private static let entries = Dictionary(CategoryNames.categories.map { ($0.category, $0) }) { first, _ in
        first
    }
    private static let classEntries = Dictionary(
        CategoryNames.classes.flatMap { entry in entry.classes.map { ($0, entry) } }
    ) { first, _ in first }

    private static let byWord: [String: PlaceCategory] = {
        let named = CategoryNames.categories.flatMap { entry in
            entry.names.values.flatMap(\.self).map { (plain($0), entry.category) }
        }
        return Dictionary(named) { first, _ in first }
    }()

    private static let classesByWord: [String: (category: PlaceCategory, classes: [String])] = {
        let named = CategoryNames.classes.flatMap { entry in
            entry.names.values.flatMap(\.self).map {
                (plain($0), (category: entry.category, classes: entry.classes))
            }
        }
        return Dictionary(named) { first, _ in first }
    }()
}
