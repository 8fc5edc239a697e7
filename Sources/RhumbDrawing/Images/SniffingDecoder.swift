public import RhumbCore

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
