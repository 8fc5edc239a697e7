internal import RhumbBase

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
