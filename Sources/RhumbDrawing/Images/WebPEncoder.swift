internal import CWebP
public import RhumbCore

/// Encodes rasters as lossless WebP (RFC 9649).
public enum WebPEncoder {
    /// Maximum side of the format, in pixels.
    public static let longestSide = 16_383

    /// Encodes a raster losslessly, except for the colour of transparent pixels.
    /// - Throws: `ImageFailure.unwritable` if a side is longer than `longestSide` or memory runs out.
    public static func encode(_ raster: Raster) throws(ImageFailure) -> [UInt8] {
        guard max(raster.width, raster.height) <= longestSide else {
            throw .unwritable(
                kind: ImageKind.webp.rawValue,
                reason:
                    "\(raster.width)×\(raster.height) pixels are too many; the limit is \(longestSide) per side"
            )
        }
        var start: UnsafeMutablePointer<UInt8>?
        let count = WebPEncodeLosslessRGBA(
            raster.pixels, Int32(raster.width), Int32(raster.height), Int32(raster.width * 4), &start)
        // libwebp leaves it to the caller to free the buffer.
        defer { WebPFree(start) }
        guard count > 0, let start else {
            throw .unwritable(kind: ImageKind.webp.rawValue, reason: "out of memory")
        }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
}
