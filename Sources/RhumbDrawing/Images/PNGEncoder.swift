internal import CSPNG
internal import Glibc
public import RhumbCore

/// Encodes rasters as PNG (ISO/IEC 15948): RGBA, 8 bits per channel, not interlaced.
public enum PNGEncoder {
    /// Encodes a raster losslessly.
    /// - Throws: `ImageFailure.unwritable` if libspng rejects the size or memory runs out.
    public static func encode(_ raster: Raster) throws(ImageFailure) -> [UInt8] {
        do throws(PNGStatus) {
            let context = try PNGContext(flags: SPNG_CTX_ENCODER)
            try describe(raster, to: context)
            try write(raster.pixels, to: context)
            return try file(from: context)
        } catch {
            throw .unwritable(kind: ImageKind.png.rawValue, reason: error.reason)
        }
    }

    private static func describe(
        _ raster: Raster, to context: borrowing PNGContext
    ) throws(PNGStatus) {
        var header = spng_ihdr(
            width: UInt32(clamping: raster.width), height: UInt32(clamping: raster.height),
            bit_depth: 8, color_type: UInt8(SPNG_COLOR_TYPE_TRUECOLOR_ALPHA.rawValue),
            compression_method: 0, filter_method: 0, interlace_method: 0)
        try PNGStatus.check(spng_set_option(context.pointer, SPNG_ENCODE_TO_BUFFER, 1))
        try PNGStatus.check(spng_set_ihdr(context.pointer, &header))
    }

    private static func write(
        _ pixels: [UInt8], to context: borrowing PNGContext
    ) throws(PNGStatus) {
        let format = Int32(SPNG_FMT_PNG.rawValue)
        let flags = Int32(SPNG_ENCODE_FINALIZE.rawValue)
        try PNGStatus.check(
            spng_encode_image(context.pointer, pixels, pixels.count, format, flags))
    }

    private static func file(from context: borrowing PNGContext) throws(PNGStatus) -> [UInt8] {
        var count = 0
        var code = SPNG_OK.rawValue
        let start = spng_get_png_buffer(context.pointer, &count, &code)
        // libspng leaves it to the caller to free the buffer.
        defer { free(start) }
        try PNGStatus.check(code)
        return [UInt8](UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}
