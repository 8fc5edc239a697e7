public import RhumbCore

/// The kind and size of an image, read without decoding its pixels.
public struct ImageHeader: Hashable, Sendable {
    /// PNG, JPEG or WebP.
    public let kind: ImageKind
    /// Width in pixels, at least 1.
    public let width: Int
    /// Height in pixels, at least 1.
    public let height: Int

    /// Reads the header of a PNG, JPEG or WebP file. Doesn't check pixels, checksums or limits.
    /// - Parameter bytes: The file, or at least the part with the header.
    /// - Throws: `ImageFailure.empty`, `.unsupported` for any other kind, or `.corrupt` if the header is
    ///   damaged.
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

    /// Returns the size of the decoded pixels in bytes.
    /// - Parameter decodingWeight: Memory per pixel during decoding in bytes, including the pixel's four.
    /// - Throws: `.tooLarge` if a side exceeds the limit, or `.tooMuchMemory`.
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

    /// Creates a raster from decoded pixels.
    func raster(of pixels: [UInt8]) throws(ImageFailure) -> Raster {
        guard let raster = Raster(width: width, height: height, pixels: pixels) else {
            throw .corrupt(kind: kind.rawValue, reason: "the pixels do not fill the image")
        }
        return raster
    }
}

extension ImageHeader {
    /// Reads the header of a file, and checks without decoding the pixels that the file is complete, within
    /// the limits, and has valid checksums. JPEG and WebP have no checksums, so their pixels may still be
    /// damaged.
    /// - Throws: `ImageFailure` for everything that `SniffingDecoder` would reject, except damage within the
    ///   pixels.
    public init(ofWhole bytes: [UInt8], limits: ImageLimits) throws(ImageFailure) {
        guard bytes.count <= limits.bytes else {
            throw .tooManyBytes(count: bytes.count, limit: limits.bytes)
        }
        try self.init(reading: bytes)
        let fault: ImageFailure?
        switch kind {
        case .jpeg:
            let markers = JPEGMarkers(bytes)
            _ = try JPEGDecoder.byteCount(self, markers, within: limits)
            fault = markers.isWhole ? nil : .cutShort(kind)
        case .webp:
            _ = try WebPDecoder.byteCount(self, within: limits)
            fault = WebPDecoder.isComplete(bytes) ? nil : .cutShort(kind)
        default:
            _ = try byteCount(within: limits)
            fault = PNGDecoder.chunkFault(in: bytes)
        }
        if let fault { throw fault }
    }
}

extension ImageFailure {
    fileprivate static func cutShort(_ kind: ImageKind) -> ImageFailure {
        .corrupt(kind: kind.rawValue, reason: "truncated")
    }
}
