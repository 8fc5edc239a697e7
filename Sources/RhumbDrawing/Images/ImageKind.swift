public import RhumbCore

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

extension ImageKind {
    /// Detects the kind from the first 1024 bytes of a file; `.unknown` if they match none.
    public init(sniffing bytes: [UInt8]) {
        let head = bytes.prefix(1024)
        self = Self.ofSignature(head) ?? Self.ofText(head) ?? .unknown
    }

    private static func ofSignature(_ head: ArraySlice<UInt8>) -> ImageKind? {
        switch FileSignature(head) {
        case .png: .png
        case .jpeg: .jpeg
        case .gif: .gif
        case .webp: .webp
        case .avif: .avif
        case .heic: .heic
        case .bmp: .bmp
        case .tiff, .bigTIFF: .tiff
        case .jpegXL: .jpegXL
        case .gzip: .gzip
        default: nil
        }
    }

    private static func ofText(_ head: ArraySlice<UInt8>) -> ImageKind? {
        let text = String(decoding: head, as: UTF8.self).lowercased()
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if start.hasPrefix("{") || start.hasPrefix("[") { return .json }
        guard start.hasPrefix("<") else { return nil }
        if start.hasPrefix("<svg") { return .svg }
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") { return .html }
        guard start.hasPrefix("<?xml") || start.hasPrefix("<!") else { return nil }
        if start.contains("<svg") { return .svg }
        return start.contains("<html") ? .html : .xml
    }
}

/// Decodes PNG, JPEG and WebP, detected by their first bytes, and rejects other kinds by name. It is
/// stateless, so all threads can share one value.
///
/// Embedded profiles, gamma and EXIF orientation are ignored. An animated PNG is decoded to its still image;
/// animated WebP is rejected.
public struct SniffingDecoder: ImageDecoder {
    /// True if libspng, which decodes PNG, is available. The first access loads it.
    public static var canDecodePNG: Bool { PNGContext.isAvailable }

    /// Creates a decoder.
    public init() {}

    /// Checks that a file can be decoded, in less time than decoding takes where possible.
    /// - Throws: `ImageFailure` of `decode(_:limits:)`.
    public func check(_ bytes: [UInt8], limits: ImageLimits) throws(ImageFailure) {
        guard bytes.count <= limits.bytes, ImageKind(sniffing: bytes) == .png else {
            _ = try decode(bytes, limits: limits)
            return
        }
        try PNGDecoder.check(bytes, limits: limits)
    }

    /// Decodes a file according to its first bytes.
    public func decode(_ bytes: [UInt8], limits: ImageLimits) throws(ImageFailure) -> Raster {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= limits.bytes else {
            throw .tooManyBytes(count: bytes.count, limit: limits.bytes)
        }
        let kind = ImageKind(sniffing: bytes)
        switch kind {
        case .png: return try PNGDecoder.decode(bytes, limits: limits)
        case .jpeg: return try JPEGDecoder.decode(bytes, limits: limits)
        case .webp: return try WebPDecoder.decode(bytes, limits: limits)
        default: throw .unsupported(kind: kind.rawValue)
        }
    }
}
