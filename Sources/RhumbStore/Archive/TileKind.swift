/// What a tile's body is, told from its first bytes.
public enum TileKind: String, Sendable, CaseIterable {
    case png = "PNG"
    case jpeg = "JPEG"
    case webp = "WebP"
    case gif = "GIF"
    case avif = "AVIF"
    case vector = "vector tile"
    case text = "text"
    case unknown = "unknown"

    /// Whether Rhumb draws it.
    public var isPicture: Bool { self == .png || self == .jpeg || self == .webp }

    /// The kind of an unpacked tile body. A vector tile has no signature: a protobuf whose first
    /// field is a layer counts as one.
    init(of bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webp
        } else if bytes.starts(with: "GIF8".utf8) {
            self = .gif
        } else if bytes.dropFirst(4).starts(with: "ftypavi".utf8) {
            self = .avif
        } else if bytes.first == 0x1A && bytes.count > 4 {
            self = .vector
        } else if let first = bytes.first, first == UInt8(ascii: "<") || first == UInt8(ascii: "{") {
            self = .text
        } else {
            self = .unknown
        }
    }
}
