/// The kind of a tile's or image's data according to its first bytes. The raw value is the display name.
public enum ImageKind: String, Sendable, CaseIterable, CustomStringConvertible {
    case png = "PNG"
    case jpeg = "JPEG"
    case webp = "WebP"
    case gif = "GIF"
    case avif = "AVIF"
    case heic = "HEIC"
    case bmp = "BMP"
    case tiff = "TIFF"
    case jpegXL = "JPEG XL"
    case gzip = "gzip"
    case svg = "SVG"
    /// A page instead of an image, usually a server's error message or a login.
    case html = "HTML"
    /// XML other than SVG, usually a map server's error message.
    case xml = "XML"
    /// Usually a web service's error message.
    case json = "JSON"
    case unknown = "unknown"

    /// True if `SniffingDecoder` can decode it.
    public var isDecodable: Bool { self == .png || self == .jpeg || self == .webp }

    public var description: String { rawValue }
}
