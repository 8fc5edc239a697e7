internal import RhumbCore

extension ImageKind {
    /// Detects the kind from the first 1024 bytes of a file; `.unknown` if they match none.
    public init(sniffing bytes: [UInt8]) {
        let head = bytes.prefix(1024)
        self = Self.ofSignature(head) ?? Self.ofText(head) ?? .unknown
    }

    private static func ofSignature(_ head: ArraySlice<UInt8>) -> ImageKind? {
        switch FileSignature(head) {
        case .png: .png
        case .jpeg: .jpeg
        case .gif: .gif
        case .webp: .webp
        case .avif: .avif
        case .heic: .heic
        case .bmp: .bmp
        case .tiff, .bigTIFF: .tiff
        case .jpegXL: .jpegXL
        case .gzip: .gzip
        default: nil
        }
    }

    private static func ofText(_ head: ArraySlice<UInt8>) -> ImageKind? {
        let text = String(decoding: head, as: UTF8.self).lowercased()
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if start.hasPrefix("{") || start.hasPrefix("[") { return .json }
        guard start.hasPrefix("<") else { return nil }
        if start.hasPrefix("<svg") { return .svg }
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") { return .html }
        guard start.hasPrefix("<?xml") || start.hasPrefix("<!") else { return nil }
        if start.contains("<svg") { return .svg }
        return start.contains("<html") ? .html : .xml
    }
}
