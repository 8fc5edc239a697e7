/// One edition of a package's data.
public struct PackageEdition: Hashable, Sendable {
    /// The most bytes: those of all packages that a catalogue may have can be added up.
    public static let largest = 1 << 45

    /// Which edition it is.
    public let version: PackageVersion
    /// The day it was published, "2026-11-22"; nil where the catalogue doesn't say.
    public let date: String?
    /// Size of all its tiles once they are stored; where several packages share tiles, an upper bound.
    public let bytes: Int
    /// Size of its archive, in which tiles are mostly compressed; nil if the catalogue doesn't give it.
    public let archiveBytes: Int?
    /// Of the layers of each feature in its vector tiles, as far as they can be told apart.
    public let featureBytes: [String: Int]
    /// The list of the hashes of its tiles, by which only those that changed are fetched.
    public let hashes: String?

    /// An edition; bytes are those of all its tiles.
    public init(
        _ version: PackageVersion, date: String? = nil, bytes: Int, archiveBytes: Int? = nil,
        featureBytes: [String: Int] = [:], hashes: String? = nil
    ) {
        self.version = version
        self.date = date
        self.bytes = bytes
        self.archiveBytes = archiveBytes
        self.featureBytes = featureBytes
        self.hashes = hashes
    }

    /// The bytes to fetch for these features. Of an archive, the tiles are fetched with all their layers.
    public func fetchedBytes(with features: Set<String>) -> Int { archiveBytes ?? bytes(with: features) }

    /// The bytes stored for these features. Layers that belong to no feature are always stored.
    public func bytes(with features: Set<String>) -> Int {
        featureBytes.reduce(bytes) { features.contains($1.key) ? $0 : $0 - $1.value }
    }
}

/// The source of a package's tiles.
public enum PackageContent: Hashable, Sendable {
    /// All of a PMTiles archive.
    case archive(String)
    /// The part of a PMTiles archive in the package's area.
    case part(ofArchive: String)
    /// The part of a source in the package's area: its name in the list of sources, or its address.
    case source(String)
}
