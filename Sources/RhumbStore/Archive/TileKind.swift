internal import RhumbCore

/// The kind of a tile's body, judged by its first bytes.
public enum TileKind: String, Sendable, CaseIterable {
    case png = "PNG"
    case jpeg = "JPEG"
    case webp = "WebP"
    case gif = "GIF"
    case avif = "AVIF"
    case vector = "vector tile"
    /// A vector tile in the format MapLibre Tile (MLT).
    case mapLibre = "MapLibre tile"
    case text = "text"
    case unknown = "unknown"

    /// True if Rhumb can draw this kind.
    var isPicture: Bool { self == .png || self == .jpeg || self == .webp }

    /// True for vector tiles in either format.
    public var isVector: Bool { self == .vector || self == .mapLibre }

    /// Detects the kind of an unpacked body. Vector tiles have no signature, so a body whose first protobuf
    /// field is a layer counts as one, and a body of frames as a MapLibre Tile.
    package init(of bytes: [UInt8]) {
        switch FileSignature(bytes) {
        case .png: self = .png
        case .jpeg: self = .jpeg
        case .webp: self = .webp
        case .gif: self = .gif
        case .avif: self = .avif
        default: self = TileKind(unmarked: bytes)
        }
    }

    private init(unmarked bytes: [UInt8]) {
        if VectorTile.isMapLibre(bytes) {
            self = .mapLibre
        } else if bytes.first == 0x1A && bytes.count > 4 {
            self = .vector
        } else if let first = bytes.first, first == UInt8(ascii: "<") || first == UInt8(ascii: "{") {
            self = .text
        } else {
            self = .unknown
        }
    }
}

/// Reads the kind (such as "PNG") and the size in pixels of a picture from its first bytes; nil if the format
/// is unknown. Provided by the image decoders.
public typealias TileProbe = @Sendable ([UInt8]) -> (kind: String, width: Int, height: Int)?
