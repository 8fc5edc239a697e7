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
