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

/// One edition of a package's data.
public struct PackageEdition: Hashable, Sendable {
    /// The maximum size in bytes. The sum over all packages of a catalogue doesn't overflow.
    public static let largest = 1 << 45

    /// The version of the edition.
    public let version: PackageVersion
    /// The day of publication, such as "2026-11-22"; nil if the catalogue has none.
    public let date: String?
    /// The size of all its tiles when stored; an upper limit if several packages share tiles.
    public let bytes: Int
    /// The size of its archive, in which most tiles are compressed; nil if the catalogue has none.
    public let archiveBytes: Int?
    /// The bytes of each feature's layers in the vector tiles, if they can be distinguished.
    public let featureBytes: [String: Int]
    /// The address of the list of tile hashes, with which only changed tiles are fetched; nil if there is
    /// none.
    public let hashes: String?
    /// The SHA-256 of that list in hexadecimal; nil unless the catalogue is signed. The list contains a hash
    /// of every tile, so that the signature covers them, too.
    public let sha256: String?
    /// The address of a copy of the archive that no later edition replaces, so that an update ends with the
    /// edition it began with; nil if there is none.
    public var archive: String?

    /// Creates an edition. `bytes` is the size of all its tiles.
    public init(
        _ version: PackageVersion, date: String? = nil, bytes: Int, archiveBytes: Int? = nil,
        featureBytes: [String: Int] = [:], hashes: String? = nil, sha256: String? = nil,
        archive: String? = nil
    ) {
        self.version = version
        self.date = date
        self.bytes = bytes
        self.archiveBytes = archiveBytes
        self.featureBytes = featureBytes
        self.hashes = hashes
        self.sha256 = sha256
        self.archive = archive
    }

    /// Returns the bytes to fetch for these features. The tiles of an archive are fetched with all their
    /// layers.
    public func fetchedBytes(with features: Set<String>) -> Int { archiveBytes ?? bytes(with: features) }

    /// Returns the bytes to store for these features. Layers that belong to no feature are always stored.
    public func bytes(with features: Set<String>) -> Int {
        featureBytes.reduce(bytes) { features.contains($1.key) ? $0 : $0 - $1.value }
    }
}

/// The source of a package's tiles.
public enum PackageContent: Hashable, Sendable {
    /// A whole PMTiles archive.
    case archive(String)
    /// The part of a PMTiles archive within the package's area.
    case part(ofArchive: String)
    /// The part of a source within the package's area. Contains its name in the list of sources, or its
    /// address.
    case source(String)
}

/// The version of a package's data: one to four whole numbers separated by dots, such as "2026.47". Missing
/// numbers count as 0.
public struct PackageVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    private let numbers: [Int]

    /// Creates a version from text. Returns nil if the text isn't a version, or a number is 2^31 or more.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...4).contains(parts.count) else { return nil }
        var numbers: [Int] = []
        for part in parts {
            guard part.utf8.allSatisfy({ (48...57).contains($0) }), let number = UInt32(part),
                number < 1 << 31
            else { return nil }
            numbers.append(Int(number))
        }
        while numbers.count > 1, numbers.last == 0 { numbers.removeLast() }
        self.numbers = numbers
    }

    public var description: String { numbers.map(String.init).joined(separator: ".") }

    public static func < (a: PackageVersion, b: PackageVersion) -> Bool {
        a.numbers.lexicographicallyPrecedes(b.numbers)
    }
}
