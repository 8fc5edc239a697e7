internal import CTurboJPEG
public import RhumbCore

/// Encodes rasters as JPEG (ITU-T T.81) with TurboJPEG. Transparency is lost: pixels keep their colours.
public enum JPEGEncoder {
    /// Maximum side of the format, in pixels.
    private static let longestSide = 65_500
    /// The quality from 1 to 100. At 90, names and thin lines have no visible halos.
    private static let quality: Int32 = 90

    /// Encodes a raster without subsampling of colours, which would blur names.
    /// - Throws: `ImageFailure.unwritable` if a side is too long or memory runs out.
    public static func encode(_ raster: Raster) throws(ImageFailure) -> [UInt8] {
        guard max(raster.width, raster.height) <= longestSide else {
            throw unwritable(
                "\(raster.width)×\(raster.height) pixels are too many; the limit is \(longestSide) per side")
        }
        guard let handle = tjInitCompress() else { throw unwritable("out of memory") }
        defer { tjDestroy(handle) }
        var start: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        let code = tjCompress2(
            handle, raster.pixels, Int32(raster.width), 0, Int32(raster.height), Int32(TJPF_RGBA.rawValue),
            &start, &count, Int32(TJSAMP_444.rawValue), quality, 0)
        // TurboJPEG leaves it to the caller to free the buffer.
        defer { tjFree(start) }
        guard code == 0, let start else { throw unwritable("out of memory") }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(count)))
    }

    private static func unwritable(_ reason: String) -> ImageFailure {
        .unwritable(kind: ImageKind.jpeg.rawValue, reason: reason)
    }
}
