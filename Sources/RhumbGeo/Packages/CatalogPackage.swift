/// A package in a catalogue.
public struct CatalogPackage: Hashable, Sendable, Identifiable {
    /// The level of an area.
    public enum Level: String, Sendable, CaseIterable, Comparable {
        case world, continent, country, province

        public static func < (a: Level, b: Level) -> Bool { a.rank < b.rank }

        private var rank: Int { Level.allCases.firstIndex(of: self) ?? 0 }
    }

    /// The id, unique in its catalogue.
    public let id: String
    /// The id of the parent; nil only for the root.
    public let parent: String?
    /// The level of its area.
    public let level: Level
    /// The sanitised titles by language; at least one.
    public let titles: [String: String]
    /// The area; nil if the catalogue has none.
    public let area: PackageArea?
    /// The content; nil for a package that consists of its child packages.
    public let content: PackageContent?
    /// The zooms of a source that is not an archive.
    public let zooms: ZoomRange?
    /// The editions, from the oldest to the newest.
    public var editions: [PackageEdition]

    /// Creates a package. The editions are in order, the oldest first.
    public init(
        id: String, parent: String?, level: Level, titles: [String: String], area: PackageArea?,
        content: PackageContent?,
        zooms: ZoomRange? = nil, editions: [PackageEdition] = []
    ) {
        self.id = id
        self.parent = parent
        self.level = level
        self.titles = titles
        self.area = area
        self.content = content
        self.zooms = zooms
        self.editions = editions
    }

    /// The newest edition; nil if there is none.
    public var edition: PackageEdition? { editions.last }
    /// The title in English.
    public var englishTitle: String { title("en") }

    /// Returns the title in a language, or else in English, or else in any language, or else the id.
    public func title(_ language: String) -> String {
        titles[language] ?? titles["en"] ?? titles.min { $0.key < $1.key }?.value ?? id
    }
}
