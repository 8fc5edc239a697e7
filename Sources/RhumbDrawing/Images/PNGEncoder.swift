internal import CSPNG
internal import Glibc
public import RhumbCore

/// Encodes rasters as PNG (ISO/IEC 15948): RGBA, 8 bits per channel, not interlaced.
public enum PNGEncoder {
    /// Encodes a raster losslessly.
    /// - Throws: `ImageFailure.unwritable` if libspng rejects the size or memory runs out.
    public static func encode(_ raster: Raster) throws(ImageFailure) -> [UInt8] {
        try file(of: raster.pixels) { context throws(PNGStatus) in try describe(raster, to: context) }
    }

    /// Encodes an image with a palette.
    /// - Throws: `ImageFailure.unwritable` if libspng rejects the size or memory runs out.
    public static func encode(_ image: IndexedImage) throws(ImageFailure) -> [UInt8] {
        try file(of: image.packed) { context throws(PNGStatus) in try describe(image, to: context) }
    }

    private static func file(
        of pixels: [UInt8], _ describe: (borrowing PNGContext) throws(PNGStatus) -> Void
    ) throws(ImageFailure) -> [UInt8] {
        do throws(PNGStatus) {
            let context = try PNGContext(flags: SPNG_CTX_ENCODER)
            try describe(context)
            try write(pixels, to: context)
            return try file(from: context)
        } catch {
            throw error.failure { .unwritable(kind: ImageKind.png.rawValue, reason: $0) }
        }
    }

    private static func describe(
        _ image: IndexedImage, to context: borrowing PNGContext
    ) throws(PNGStatus) {
        var header = spng_ihdr(
            width: UInt32(clamping: image.width), height: UInt32(clamping: image.height),
            bit_depth: UInt8(image.depth), color_type: UInt8(SPNG_COLOR_TYPE_INDEXED.rawValue),
            compression_method: 0, filter_method: 0, interlace_method: 0)
        var palette = spng_plte()
        palette.n_entries = UInt32(image.palette.count)
        withUnsafeMutableBytes(of: &palette.entries) { bytes in
            let entries = bytes.bindMemory(to: spng_plte_entry.self)
            for (at, colour) in image.palette.enumerated() {
                entries[at] = spng_plte_entry(
                    red: colour.red, green: colour.green, blue: colour.blue, alpha: 255)
            }
        }
        try PNGStatus.check(rhumb_spng_set_option(context.pointer, SPNG_ENCODE_TO_BUFFER, 1))
        try PNGStatus.check(
            rhumb_spng_set_option(context.pointer, SPNG_FILTER_CHOICE, Int32(SPNG_DISABLE_FILTERING.rawValue))
        )
        // Higher levels take much longer and save little.
        try PNGStatus.check(rhumb_spng_set_option(context.pointer, SPNG_IMG_COMPRESSION_LEVEL, 7))
        try PNGStatus.check(rhumb_spng_set_ihdr(context.pointer, &header))
        try PNGStatus.check(rhumb_spng_set_plte(context.pointer, &palette))
    }

    private static func describe(
        _ raster: Raster, to context: borrowing PNGContext
    ) throws(PNGStatus) {
        var header = spng_ihdr(
            width: UInt32(clamping: raster.width), height: UInt32(clamping: raster.height),
            bit_depth: 8, color_type: UInt8(SPNG_COLOR_TYPE_TRUECOLOR_ALPHA.rawValue),
            compression_method: 0, filter_method: 0, interlace_method: 0)
        try PNGStatus.check(rhumb_spng_set_option(context.pointer, SPNG_ENCODE_TO_BUFFER, 1))
        try PNGStatus.check(rhumb_spng_set_ihdr(context.pointer, &header))
    }

    private static func write(
        _ pixels: [UInt8], to context: borrowing PNGContext
    ) throws(PNGStatus) {
        let format = Int32(SPNG_FMT_PNG.rawValue)
        let flags = Int32(SPNG_ENCODE_FINALIZE.rawValue)
        try PNGStatus.check(
            rhumb_spng_encode_image(context.pointer, pixels, pixels.count, format, flags))
    }

    private static func file(from context: borrowing PNGContext) throws(PNGStatus) -> [UInt8] {
        var count = 0
        var code = SPNG_OK.rawValue
        let start = rhumb_spng_get_png_buffer(context.pointer, &count, &code)
        // libspng leaves it to the caller to free the buffer.
        defer { free(start) }
        try PNGStatus.check(code)
        return [UInt8](UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}

extension IndexedImage {
    /// The number of bits per pixel: 1, 2, 4 or 8.
    fileprivate var depth: Int { [1, 2, 4].first { palette.count <= 1 << $0 } ?? 8 }

    /// The pixels in rows of whole bytes, the first pixel in the highest bits.
    fileprivate var packed: [UInt8] {
        let depth = depth, perByte = 8 / depth, line = (width + perByte - 1) / perByte
        guard depth < 8 else { return pixels }
        var bytes = [UInt8](repeating: 0, count: line * height)
        for row in 0..<height {
            for column in 0..<width {
                bytes[row * line + column / perByte] |=
                    pixels[row * width + column] << (8 - depth * (column % perByte + 1))
            }
        }
        return bytes
    }
}
