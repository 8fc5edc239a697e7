public import RhumbBase

/// A tree of packages, as a document:
///
///     {
///       "rhumb-catalog": 1,
///       "id": "osm",                               1-20 letters, digits, "_" and "-"
///       "title": {"en": "OpenStreetMap"},          or one text
///       "part-of": "planet.pmtiles",               default for packages
///       "zooms": [0, 14],                          likewise
///       "signed": true, "expires": "2026-12-31",   a signature is beside the catalogue
///       "packages": [
///         {"id": "world"},
///         {"id": "europe", "parent": "world", "level": "continent"},
///         {"id": "finland", "parent": "europe", "level": "country",
///          "title": {"en": "Finland", "fi": "Suomi"},
///          "area": {"type": "Polygon", "coordinates": [[[20, 59], …]]},
///          "archive": "finland.pmtiles",
///          "editions": [{"version": "2026.47", "date": "2026-11-22",
///                        "bytes": 12345678, "archiveBytes": 7654321,
///                        "features": {"detailRendering": 4000000}, "hashes": "finland.hashes",
///                        "sha256": "9f86…", "archive": "finland~2026.47.pmtiles"}]}
///       ]
///     }
///
/// Package ids have 1–35 characters, the same as region ids. `level` is `world`, `continent`, `country` or
/// `province`. Without it, the root has the level `world` and each other package the level below its
/// parent's. The root comes first, and every other package after its parent. `area` is a GeoJSON Polygon or
/// MultiPolygon (RFC 7946), or a box `[west, south, east, north]`. A package has one of `archive`, `part-of`
/// and `source`; a package without any contains its child packages. Addresses are web addresses, or relative
/// to the catalogue's. A catalogue in a file may contain paths and `file:` addresses.
public struct PackageCatalog: Hashable, Sendable {
    /// The version of the format.
    public static let version = 1
    /// The maximum number of packages in a catalogue.
    public static let packageLimit = 100_000

    /// The name of the catalogue, unique on a machine.
    public let id: String
    /// The sanitised titles by language; may be empty.
    public let titles: [String: String]
    /// The attribution of the data; empty if the catalogue has none.
    public let attribution: String
    /// True if the catalogue announces a signature in the file beside it. Its name ends with ".minisig".
    public let isSigned: Bool
    /// The last day on which the catalogue is valid, such as "2026-12-31"; nil for no limit.
    public let expires: String?
    /// The tree of its packages.
    public let tree: PackageTree
    /// The packages: the root first, every other after its parent.
    public var packages: [CatalogPackage] { tree.packages }

    /// - Throws: `PackageCatalogFailure` if the packages are not a tree.
    public init(
        id: String, titles: [String: String] = [:], attribution: String = "", isSigned: Bool = false,
        expires: String? = nil, packages: [CatalogPackage]
    ) throws(PackageCatalogFailure) {
        self.id = id
        self.titles = titles
        self.attribution = attribution
        self.isSigned = isSigned
        self.expires = expires
        tree = try PackageTree(packages)
    }

    /// Reads a catalogue.
    /// - Parameter address: The address of the document, to which relative addresses refer.
    /// - Throws: `PackageCatalogFailure`
    public init(_ bytes: [UInt8], at address: String) throws(PackageCatalogFailure) {
        let document: JSON
        do throws(JSONFailure) { document = try JSON.parse(bytes) } catch { throw .text(error.description) }
        let reader = try PackageCatalogReader(document, at: address)
        try self.init(
            id: reader.id, titles: reader.titles, attribution: reader.attribution,
            isSigned: reader.isSigned, expires: reader.expires, packages: try reader.packages())
    }
}

/// The document of a catalogue; see `PackageCatalog`.
extension PackageCatalog {
    /// The document. Reading it returns an equal catalogue.
    public var json: JSON {
        var members = JSONObject()
        members["rhumb-catalog"] = .integer(PackageCatalog.version)
        members["id"] = .string(id)
        if !titles.isEmpty { members["title"] = PackageCatalog.json(titles) }
        if !attribution.isEmpty { members["attribution"] = .string(attribution) }
        if isSigned { members["signed"] = .bool(true) }
        members["expires"] = expires.map { .string($0) }
        members["packages"] = .array(packages.map(\.json))
        return .object(members)
    }

    fileprivate static func json(_ titles: [String: String]) -> JSON {
        var members = JSONObject()
        for (language, title) in titles.sorted(by: { $0.key < $1.key }) { members[language] = .string(title) }
        return .object(members)
    }
}

extension CatalogPackage {
    fileprivate var json: JSON {
        var members = JSONObject()
        members["id"] = .string(id)
        members["parent"] = parent.map { .string($0) }
        members["level"] = .string(level.rawValue)
        if !titles.isEmpty { members["title"] = PackageCatalog.json(titles) }
        members["area"] = area?.json
        if let (name, address) = content?.member { members[name] = .string(address) }
        members["zooms"] = zooms.map { [.integer($0.lowest), .integer($0.highest)] }
        if !editions.isEmpty { members["editions"] = .array(editions.map(\.json)) }
        return .object(members)
    }
}

extension PackageContent {
    fileprivate var member: (name: String, address: String) {
        switch self {
        case .archive(let address): ("archive", address)
        case .part(let address): ("part-of", address)
        case .source(let specifier): ("source", specifier)
        }
    }
}

extension PackageEdition {
    fileprivate var json: JSON {
        var members = JSONObject()
        members["version"] = .string(version.description)
        members["date"] = date.map { .string($0) }
        members["bytes"] = .integer(bytes)
        members["archiveBytes"] = archiveBytes.map { .integer($0) }
        if !featureBytes.isEmpty {
            var groups = JSONObject()
            for (name, bytes) in featureBytes.sorted(by: { $0.key < $1.key }) {
                groups[name] = .integer(bytes)
            }
            members["features"] = .object(groups)
        }
        members["hashes"] = hashes.map { .string($0) }
        members["sha256"] = sha256.map { .string($0) }
        members["archive"] = archive.map { .string($0) }
        return .object(members)
    }
}

extension PackageArea {
    /// The area as GeoJSON.
    fileprivate var json: JSON {
        let polygons = polygons.map { polygon in
            JSON.array(polygon.map { .array(($0 + $0.prefix(1)).map(PackageArea.json)) })
        }
        return polygons.count == 1
            ? ["type": "Polygon", "coordinates": polygons[0]]
            : ["type": "MultiPolygon", "coordinates": .array(polygons)]
    }

    private static func json(_ corner: Position) -> JSON {
        [.number(corner.longitude), .number(corner.latitude)]
    }
}

/// The reason why a document is not a catalogue of packages.
public enum PackageCatalogFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is not valid JSON; it may be truncated.
    case text(String)
    /// The JSON is not a catalogue.
    case other
    /// The catalogue needs a newer version of Rhumb.
    case version(Int)
    case tooMany(Int, limit: Int)
    /// A member is missing, or has a wrong type or value.
    case member(package: String?, String, String)
    case duplicate(String)
    /// The parent of a package is missing, or comes after it.
    case unknownParent(package: String, parent: String)
    /// A package has too many ancestors.
    case tooDeep(package: String, limit: Int)
    /// The number of packages without a parent is not one.
    case roots([String])

    public var description: String { "invalid catalogue: \(problem); report this to its publisher" }

    private var problem: String {
        switch self {
        case .text(let problem): problem
        case .other: "it has no \"rhumb-catalog\", so it is another kind of document"
        case .version(let version):
            "it has version \(version), but this Rhumb reads version \(PackageCatalog.version)"
        case .tooMany(let count, let limit): "it has \(count) packages, over the limit of \(limit)"
        case .member(let package, let name, let problem):
            (package.map { "package \(safe($0)): " } ?? "") + "\"\(name)\" \(problem)"
        case .duplicate(let id): "there are two packages \(safe(id))"
        case .unknownParent(let package, let parent):
            "the parent of package \(safe(package)), \(safe(parent)), must come before it"
        case .tooDeep(let package, let limit): "package \(safe(package)) is more than \(limit) levels deep"
        case .roots(let ids):
            ids.isEmpty
                ? "it has no package"
                : "\(safe(ids.prefix(3).joined(separator: ", "))) have no parent, but only one package may have none"
        }
    }

    private func safe(_ text: String) -> String { SafeText.sanitised(text, limit: 80) }
}

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
