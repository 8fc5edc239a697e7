internal import RhumbBase

/// The kind of a body by its first bytes, whatever its headers say.
public enum ContentKind: String, Sendable {
    case png, jpeg, webp, gif, gzip, html, xml, json, unknown

    /// The kind that the first bytes show.
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
    /// A PNG, JPEG or WebP file, plain or in gzip.
    case imageTile
    /// Protocol buffers, which have no mark of their own.
    case vectorTile
    case document
    /// Part of an archive.
    case archiveRange

    /// The most bytes read, as sent.
    public var byteLimit: Int { self == .imageTile || self == .vectorTile ? 5 << 20 : 10 << 20 }

    /// The most bytes once unpacked.
    public static let unpackedLimit = 32 << 20
}
