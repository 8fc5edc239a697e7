public import RhumbCore

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
