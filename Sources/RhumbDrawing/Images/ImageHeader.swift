public import RhumbCore

/// An image's kind and size, read without decoding its pixels.
public struct ImageHeader: Hashable, Sendable {
    /// PNG, JPEG or WebP.
    public let kind: ImageKind
    /// Pixels across, at least 1.
    public let width: Int
    /// Pixels down, at least 1.
    public let height: Int

    /// Reads the header of a PNG, JPEG or WebP file. The pixels may be damaged or missing
    /// behind it; checksums and limits are left to decoding.
    /// - Parameter bytes: the file, or as much of it as holds the header.
    /// - Throws: `ImageFailure.empty`, `.unsupported` naming any other kind, `.corrupt` where
    ///   the header itself is damaged.
    public init(reading bytes: [UInt8]) throws(ImageFailure) {
        guard !bytes.isEmpty else { throw .empty }
        let kind = ImageKind(sniffing: bytes)
        switch kind {
        case .png: self = try PNGDecoder.header(of: bytes)
        case .jpeg: self = try JPEGDecoder.header(of: bytes)
        case .webp: self = try WebPDecoder.header(of: bytes)
        default: throw .unsupported(kind: kind.rawValue)
        }
    }

    init(kind: ImageKind, width: Int, height: Int) {
        self.kind = kind
        self.width = width
        self.height = height
    }

    /// The bytes the decoded pixels take.
    /// - Parameter decodingWeight: bytes that decoding keeps for a pixel, the pixel's four included.
    /// - Throws: `.tooLarge` where a side exceeds the limit, `.tooMuchMemory`.
    func byteCount(within limits: ImageLimits, decodingWeight: Int = 4) throws(ImageFailure) -> Int {
        let (area, isUncountable) = width.multipliedReportingOverflow(by: height)
        guard max(width, height) <= limits.side, !isUncountable, area <= Int.max / 16 else {
            throw .tooLarge(width: width, height: height, limit: limits.side)
        }
        guard area * decodingWeight <= limits.memory else {
            throw .tooMuchMemory(width: width, height: height, limit: limits.memory)
        }
        return area * 4
    }

    /// The picture made of decoded pixels.
    func raster(of pixels: [UInt8]) throws(ImageFailure) -> Raster {
        guard let raster = Raster(width: width, height: height, pixels: pixels) else {
            throw .corrupt(kind: kind.rawValue, reason: "the pixels do not fill the image")
        }
        return raster
    }
}
