public import RhumbCore

extension ImageHeader {
    /// Reads the header of a file and makes sure that the file goes on to its end and keeps to the
    /// limits, without decoding its pixels: they may still be damaged.
    /// - Throws: `ImageFailure` for everything that `SniffingDecoder` would refuse, except damage
    ///   within the pixels.
    public init(ofWhole bytes: [UInt8], limits: ImageLimits) throws(ImageFailure) {
        guard bytes.count <= limits.bytes else { throw .tooManyBytes(count: bytes.count, limit: limits.bytes) }
        try self.init(reading: bytes)
        let isWhole: Bool
        switch kind {
        case .jpeg:
            let markers = JPEGMarkers(bytes)
            _ = try JPEGDecoder.byteCount(self, markers, within: limits)
            isWhole = markers.isWhole
        case .webp:
            _ = try WebPDecoder.byteCount(self, within: limits)
            isWhole = WebPDecoder.isComplete(bytes)
        default:
            _ = try byteCount(within: limits)
            isWhole = PNGDecoder.isComplete(bytes)
        }
        guard isWhole else { throw .corrupt(kind: kind.rawValue, reason: "it is cut short") }
    }
}
