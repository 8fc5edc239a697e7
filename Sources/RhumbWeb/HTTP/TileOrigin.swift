internal import RhumbBase

/// The identity of a source's tiles in every store, without secrets.
public struct TileOrigin: Hashable, Sendable, CustomStringConvertible {
    /// The name in the list of sources, or the host.
    public let source: String
    /// The canonical address of the source: its document or archive, or else the template of its tiles.
    public let address: String
    /// The side of its tiles, in pixels.
    public let size: Int
    /// Which publication of the source it is of.
    public let edition: TileEdition
    /// The same for all editions of the source.
    public let key: String

    /// An origin by the source's id, its address without secrets, the tile's side in pixels, and
    /// its edition.
    public init(source: String, address: String, size: Int = 256, edition: TileEdition = .none) {
        self.source = source
        self.address = address
        self.size = size
        self.edition = edition
        key = "\(source) \(address) \(size)"
    }

    /// The same source in another edition.
    public func of(_ edition: TileEdition) -> TileOrigin {
        TileOrigin(source: source, address: address, size: size, edition: edition)
    }

    /// Returns true if both are the same source, in any editions.
    public func isSameSource(as other: TileOrigin) -> Bool { key == other.key }

    public static func == (a: TileOrigin, b: TileOrigin) -> Bool { a.key == b.key && a.edition == b.edition }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(edition)
    }

    public var description: String { edition == .none ? key : "\(key) edition \(edition)" }
}

/// One state of a source's data, as its publisher tells it from others. Tiles of several editions
/// are kept side by side.
public struct TileEdition: Hashable, Sendable, CustomStringConvertible {
    /// The publisher's name for it: a TileJSON's version, an archive's ETag; may be empty.
    public let version: String
    /// A digest of the addresses that its tiles have; empty where they don't depend on the edition.
    /// Only where it is the same do validators of one edition hold for another.
    public let addresses: String

    /// An edition by what its publisher calls it and by the addresses it is fetched from.
    public init(version: String, addresses: String = "") {
        self.version = version
        self.addresses = addresses
    }

    /// A digest of addresses: FNV-1a, 64 bits, in hexadecimal.
    public static func digest(_ addresses: [String]) -> String {
        String(FNV1a.hash(addresses.joined(separator: "\n").utf8), radix: 16)
    }

    /// Of a source that names no editions.
    public static let none = TileEdition(version: "")

    /// For people; not harmless to a terminal.
    public var description: String { version.isEmpty ? addresses : version }
}
