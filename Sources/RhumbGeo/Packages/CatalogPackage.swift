/// A package as a catalogue describes it.
public struct CatalogPackage: Hashable, Sendable, Identifiable {
    /// The level of an area.
    public enum Level: String, Sendable, CaseIterable, Comparable {
        case world, continent, country, province

        public static func < (a: Level, b: Level) -> Bool { a.rank < b.rank }

        private var rank: Int { Level.allCases.firstIndex(of: self) ?? 0 }
    }

    /// Unique in its catalogue.
    public let id: String
    /// Nil for the root alone.
    public let parent: String?
    /// The level of its area.
    public let level: Level
    /// By language, each harmless to a terminal; at least one.
    public let titles: [String: String]
    /// The area; nil if the catalogue has none.
    public let area: PackageArea?
    /// The content; nil for a package that consists of those in it.
    public let content: PackageContent?
    /// Of a source that is not an archive.
    public let zooms: ZoomRange?
    /// From the oldest to the newest.
    public let editions: [PackageEdition]

    /// A package; editions come from the oldest to the newest.
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

    /// The newest edition; nil where there is none.
    public var edition: PackageEdition? { editions.last }
    /// The title in English.
    public var englishTitle: String { title("en") }

    /// The title in a language, else in English, else in any, else the id.
    public func title(_ language: String) -> String {
        titles[language] ?? titles["en"] ?? titles.min { $0.key < $1.key }?.value ?? id
    }
}
