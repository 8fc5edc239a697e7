internal import RhumbCore

/// The kind of a tile's body, judged by its first bytes.
public enum TileKind: String, Sendable, CaseIterable {
    case png = "PNG"
    case jpeg = "JPEG"
    case webp = "WebP"
    case gif = "GIF"
    case avif = "AVIF"
    case vector = "vector tile"
    case text = "text"
    case unknown = "unknown"

    /// True if Rhumb can draw this kind.
    public var isPicture: Bool { self == .png || self == .jpeg || self == .webp }

    /// Detects the kind of an unpacked body. Vector tiles have no signature, so a body whose first protobuf
    /// field is a layer counts as one.
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
        if bytes.first == 0x1A && bytes.count > 4 {
            self = .vector
        } else if let first = bytes.first, first == UInt8(ascii: "<") || first == UInt8(ascii: "{") {
            self = .text
        } else {
            self = .unknown
        }
    }
}
