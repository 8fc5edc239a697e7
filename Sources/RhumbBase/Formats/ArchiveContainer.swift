/// The files that contain a whole map: the suffixes, names and abilities of each container.
///
/// A new container needs a case here, its index or archive in `RhumbStore`, and a line in `Archive.open`.
public enum ArchiveContainer: CaseIterable, Sendable {
    case pmTiles, versaTiles, mbTiles, geoPackage, geoTIFF

    /// The container that the suffix of a file name, path or URL path states; nil for other files.
    public init?(path: String) {
        let path = path.lowercased()
        guard let match = Self.allCases.first(where: { $0.suffixes.contains { path.hasSuffix($0) } }) else {
            return nil
        }
        self = match
    }

    /// The name of the format.
    public var name: String {
        switch self {
        case .pmTiles: "PMTiles"
        case .versaTiles: "VersaTiles"
        case .mbTiles: "MBTiles"
        case .geoPackage: "GeoPackage"
        case .geoTIFF: "GeoTIFF"
        }
    }

    /// The suffixes of its files in lowercase letters, with the full stop. The usual one is the first.
    public var suffixes: [String] {
        switch self {
        case .pmTiles: [".pmtiles"]
        case .versaTiles: [".versatiles"]
        case .mbTiles: [".mbtiles"]
        case .geoPackage: [".gpkg"]
        case .geoTIFF: [".tif", ".tiff"]
        }
    }

    /// True if the file can stay on a server, and only the necessary parts are read. SQLite needs the file.
    public var isReadInParts: Bool {
        switch self {
        case .pmTiles, .versaTiles, .geoTIFF: true
        case .mbTiles, .geoPackage: false
        }
    }

    /// Removes the scheme that MapLibre puts before the address or path of an archive, such as
    /// `pmtiles://`, ignoring case.
    /// - Returns: The scheme with its slashes, empty if there is none, and the rest.
    public static func splitScheme(_ address: String) -> (scheme: String, rest: String) {
        let lowercase = address.lowercased()
        for scheme in [Self.pmTiles, .mbTiles].map({ $0.suffixes[0].dropFirst() + "://" })
        where lowercase.hasPrefix(scheme) {
            return (String(address.prefix(scheme.count)), String(address.dropFirst(scheme.count)))
        }
        return ("", address)
    }
}
