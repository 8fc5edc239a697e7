public import RhumbCore

/// Decodes PNG, JPEG and WebP, told apart by their first bytes; every other kind is refused by
/// name. Holds no state: one value serves all threads at once.
///
/// Read as they are, without colour management: embedded profiles, gamma and EXIF orientation
/// are not applied. Of an animated PNG the still image is taken; animated WebP is refused.
public struct SniffingDecoder: ImageDecoder {
    /// A decoder of PNG, JPEG and WebP.
    public init() {}

    /// Decodes a file by the kind its first bytes show.
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
