internal import RhumbBase

/// A tree of packages that somebody offers, as a document:
///
///     {
///       "rhumb-catalog": 1,
///       "id": "osm",                               1-20 letters, digits, "_" and "-"
///       "title": {"en": "OpenStreetMap"},          or one text
///       "part-of": "planet.pmtiles",               for packages that don't say themselves
///       "zooms": [0, 14],                          likewise
///       "packages": [
///         {"id": "world"},
///         {"id": "europe", "parent": "world", "level": "continent"},
///         {"id": "finland", "parent": "europe", "level": "country",
///          "title": {"en": "Finland", "fi": "Suomi"},
///          "area": {"type": "Polygon", "coordinates": [[[20, 59], …]]},
///          "archive": "finland.pmtiles",
///          "editions": [{"version": "2026.47", "date": "2026-11-22", "bytes": 12345678, "archiveBytes": 7654321,
///                        "features": {"detailRendering": 4000000}, "hashes": "finland.hashes"}]}
///       ]
///     }
///
/// Ids of packages have 1–35 of the characters that regions' ids have. `level` is `world`,
/// `continent`, `country` or `province`; else it is one below the parent's, the root's `world`. The root
/// comes first, every other package after the one that it lies in. `area`
/// is a Polygon or MultiPolygon of GeoJSON (RFC 7946), or a box `[west, south, east, north]`. What a
/// package consists of is one of `archive`, `part-of` and `source`; a package with none is made of
/// those that lie in it. Addresses are web addresses, or relative to the catalogue's;
/// a catalogue in a file may name files, as paths or `file:` addresses.
public struct PackageCatalog: Hashable, Sendable {
    /// Of the format.
    public static let version = 1
    /// The most packages a catalogue may have.
    public static let packageLimit = 100_000

    /// The name of the catalogue, unique on a machine.
    public let id: String
    /// By language, each harmless to a terminal; may be empty.
    public let titles: [String: String]
    /// Whom the data is owed to; empty where the catalogue doesn't say.
    public let attribution: String
    /// Its packages.
    public let tree: PackageTree
    /// The packages: the root first, every other after the one that contains it.
    public var packages: [CatalogPackage] { tree.packages }

    /// - Throws: `PackageCatalogFailure` where they are no tree.
    public init(
        id: String, titles: [String: String] = [:], attribution: String = "", packages: [CatalogPackage]
    ) throws(PackageCatalogFailure) {
        self.id = id
        self.titles = titles
        self.attribution = attribution
        tree = try PackageTree(packages)
    }

    /// Reads the document.
    /// - Parameter address: where it was found: others in it are relative to that.
    /// - Throws: `PackageCatalogFailure`
    public init(_ bytes: [UInt8], at address: String) throws(PackageCatalogFailure) {
        let document: JSON
        do throws(JSONFailure) { document = try JSON.parse(bytes) } catch { throw .text(error.description) }
        let reader = try PackageCatalogReader(document, at: address)
        try self.init(
            id: reader.id, titles: reader.titles, attribution: reader.attribution,
            packages: try reader.packages())
    }
}
