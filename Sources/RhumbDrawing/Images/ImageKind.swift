/// The kind of an image or tile by its first bytes. The raw value is the common name.
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
    /// A page instead of a picture: most often a server's error or a login.
    case html = "HTML"
    /// XML other than SVG: most often a map server's error report.
    case xml = "XML"
    /// Most often a web service's error report.
    case json = "JSON"
    case unknown = "unknown"

    /// True if `SniffingDecoder` decodes it.
    public var isDecodable: Bool { self == .png || self == .jpeg || self == .webp }

    public var description: String { rawValue }
}
