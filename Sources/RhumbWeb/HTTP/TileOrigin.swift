internal import RhumbBase

/// The identity of a source's tiles in every store, without secrets.
public struct TileOrigin: Hashable, Sendable, CustomStringConvertible {
    /// The name in the list of sources, or the host.
    public let source: String
    /// The canonical address of the source: its document or archive, or else the template of its tiles.
    public let address: String
    /// The side of its tiles, in pixels.
    public let size: Int
    /// The edition of the source.
    public let edition: TileEdition
    /// The key of the source, the same for all editions.
    public let key: String

    /// Creates an origin from the source's id, its address without secrets, the tile's side in pixels, and
    /// its edition.
    public init(source: String, address: String, size: Int = 256, edition: TileEdition = .none) {
        self.source = source
        self.address = address
        self.size = size
        self.edition = edition
        key = "\(source) \(address) \(size)"
    }

    /// Returns the same source in another edition.
    public func of(_ edition: TileEdition) -> TileOrigin {
        TileOrigin(source: source, address: address, size: size, edition: edition)
    }

    /// Returns true if both are the same source in any edition.
    public func isSameSource(as other: TileOrigin) -> Bool { key == other.key }

    public static func == (a: TileOrigin, b: TileOrigin) -> Bool { a.key == b.key && a.edition == b.edition }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(edition)
    }

    public var description: String { edition == .none ? key : "\(key) edition \(edition)" }
}

/// A version of a source's data, as identified by its publisher. Tiles of different editions are stored
/// separately.
public struct TileEdition: Hashable, Sendable, CustomStringConvertible {
    /// The publisher's name of the edition: a TileJSON's version, an archive's ETag; may be empty.
    public let version: String
    /// A digest of the addresses of its tiles; empty if they don't depend on the edition. Validators of one
    /// edition apply to another only if it is the same.
    public let addresses: String

    /// Creates an edition from its publisher's name and the addresses of its tiles.
    public init(version: String, addresses: String = "") {
        self.version = version
        self.addresses = addresses
    }

    /// Returns a digest of addresses: FNV-1a, 64 bits, in hexadecimal.
    public static func digest(_ addresses: [String]) -> String {
        String(FNV1a.hash(addresses.joined(separator: "\n").utf8), radix: 16)
    }

    /// The edition of a source without editions.
    public static let none = TileEdition(version: "")

    /// A text for users; not sanitised.
    public var description: String { version.isEmpty ? addresses : version }
}
