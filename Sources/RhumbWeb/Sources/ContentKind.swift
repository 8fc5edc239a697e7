internal import RhumbBase

/// The kind of a body, detected by its first bytes and not by its header fields.
public enum ContentKind: String, Sendable {
    case png, jpeg, webp, gif, gzip, html, xml, json, unknown

    /// Detects the kind of a body.
    public init(of body: [UInt8]) {
        self = ContentKind.magic(body) ?? ContentKind.text(body)
    }

    private static func magic(_ body: [UInt8]) -> ContentKind? {
        switch FileSignature(body) {
        case .png: .png
        case .jpeg: .jpeg
        case .gzip: .gzip
        case .gif: .gif
        case .webp: .webp
        default: nil
        }
    }

    private static func text(_ body: [UInt8]) -> ContentKind {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let plain = body.starts(with: mark) ? body.dropFirst(3) : body[...]
        let start = plain.drop { [9, 10, 13, 32].contains($0) }.prefix(16).map(\.lowercasedASCII)
        if start.starts(with: Array("<?xml".utf8)) { return .xml }
        if let first = start.first, first == 0x7B || first == 0x5B { return .json }
        let openings = ["<!doctype", "<html", "<head", "<body", "<!--", "<meta", "<script", "<title"]
        return openings.contains { start.starts(with: Array($0.utf8)) } ? .html : .unknown
    }
}

/// The expected content of a response, and its size limit.
public enum ExpectedContent: String, Sendable {
    /// A PNG, JPEG or WebP file, possibly compressed with gzip.
    case imageTile
    /// A vector tile in Protocol Buffers, which have no signature.
    case vectorTile
    case document
    /// The first bytes of a PMTiles or VersaTiles archive or a GeoTIFF.
    case archiveStart
    /// Another part of an archive.
    case archiveRange

    /// The maximum number of transferred bytes.
    public var byteLimit: Int { self == .imageTile || self == .vectorTile ? 5 << 20 : 10 << 20 }

    /// The maximum number of bytes after decompression.
    public static let unpackedLimit = 32 << 20
}
