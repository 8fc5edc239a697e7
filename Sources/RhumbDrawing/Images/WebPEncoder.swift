internal import CWebP
public import RhumbCore

/// Writes pictures as WebP (RFC 9649), lossless.
public enum WebPEncoder {
    /// The longest side that the format has room for, in pixels.
    public static let longestSide = 16_383

    /// The whole file for a picture; its pixels come back exactly from decoding it, but for the colour of
    /// transparent ones.
    /// - Throws: `ImageFailure.unwritable` where a side is longer than `longestSide` or memory ends.
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
        // The buffer is the caller's to free, by libwebp's rule.
        defer { WebPFree(start) }
        guard count > 0, let start else {
            throw .unwritable(kind: ImageKind.webp.rawValue, reason: "out of memory")
        }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
}
