public import RhumbCore

extension ImageHeader {
    /// Reads the header of a file and makes sure that the file goes on to its end and keeps to the
    /// limits, without decoding its pixels: they may still be damaged.
    /// - Throws: `ImageFailure` for everything that `SniffingDecoder` would refuse, except damage
    ///   within the pixels.
    public init(ofWhole bytes: [UInt8], limits: ImageLimits) throws(ImageFailure) {
        guard bytes.count <= limits.bytes else { throw .tooManyBytes(count: bytes.count, limit: limits.bytes) }
        try self.init(reading: bytes)
        _ = try byteCount(within: limits)
        let isWhole =
            switch kind {
            case .png: PNGDecoder.isComplete(bytes)
            case .jpeg: JPEGMarkers(bytes).isWhole
            case .webp: WebPDecoder.isComplete(bytes)
            default: true
            }
        guard isWhole else { throw .corrupt(kind: kind.rawValue, reason: "it is cut short") }
    }
}
