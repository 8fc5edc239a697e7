internal import CWebP
internal import RhumbCore

/// Decodes WebP (RFC 9649) with libwebp: lossy and lossless, with and without alpha, but not animated.
enum WebPDecoder {
    static func header(of bytes: [UInt8]) throws(ImageFailure) -> ImageHeader {
        var features = WebPBitstreamFeatures()
        try check(WebPGetFeatures(bytes, bytes.count, &features))
        guard features.has_animation == 0 else { throw .unsupported(kind: "animated WebP") }
        return ImageHeader(kind: .webp, width: Int(features.width), height: Int(features.height))
    }

    static func decode(_ bytes: [UInt8], limits: ImageLimits) throws(ImageFailure) -> Raster {
        let header = try header(of: bytes)
        let count = try byteCount(header, within: limits)
        var config = WebPDecoderConfig()
        // Only fails if libwebp differs from the version compiled against.
        guard WebPInitDecoderConfig(&config) != 0 else { throw damaged("incompatible libwebp") }
        var status = VP8_STATUS_OK
        let pixels = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            config.output.colorspace = MODE_RGBA
            config.output.is_external_memory = 1
            config.output.u.RGBA = WebPRGBABuffer(
                rgba: buffer.baseAddress, stride: Int32(clamping: header.width * 4), size: count)
            status = WebPDecode(bytes, bytes.count, &config)
            filled = status == VP8_STATUS_OK ? count : 0
        }
        try check(status)
        return try header.raster(of: pixels)
    }

    /// Returns the size of the decoded pixels in bytes. A lossless file is unpacked to additional memory.
    static func byteCount(_ header: ImageHeader, within limits: ImageLimits) throws(ImageFailure) -> Int {
        try header.byteCount(within: limits, decodingWeight: 8)
    }

    /// Returns true if the file is at least as long as its RIFF header says (RFC 9649, section 2.4).
    static func isComplete(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 12 else { return false }
        let length = Int(littleEndian: bytes[4..<8])
        return length <= bytes.count - 8
    }

    private static func check(_ status: VP8StatusCode) throws(ImageFailure) {
        switch status {
        case VP8_STATUS_OK: return
        case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED: throw damaged("truncated")
        case VP8_STATUS_BITSTREAM_ERROR: throw damaged("malformed data")
        case VP8_STATUS_UNSUPPORTED_FEATURE: throw damaged("unsupported feature")
        case VP8_STATUS_OUT_OF_MEMORY: throw damaged("out of memory")
        default: throw damaged("libwebp status \(status.rawValue)")
        }
    }

    private static func damaged(_ reason: String) -> ImageFailure {
        .corrupt(kind: ImageKind.webp.rawValue, reason: reason)
    }
}
