internal import RhumbCore

/// The content of a response that isn't the expected one.
struct ContentMisfit {
    private enum Kind {
        /// A web page, such as that of a captive portal.
        case page
        case image
        case other
    }

    private let kind: Kind
    /// The content, with its article.
    private let name: String

    /// - Parameters:
    ///   - found: The content, as returned by `ExpectedContent.misfit`.
    ///   - body: The body of the response.
    init(_ found: String, _ body: [UInt8]) {
        if found == ContentKind.html.rawValue {
            kind = .page
            name = "an HTML page"
        } else if let image = Self.image(body) {
            kind = .image
            name = "\(image) image"
        } else {
            kind = .other
            name = Self.names[found] ?? found
        }
    }

    /// A sentence with the content and the remedy.
    func sentence(expecting expected: ExpectedContent) -> String {
        switch kind {
        case .page: TransportFault.webPage.explanation
        case .image where expected == .imageTile:
            "got \(name), which is not drawn; request PNG, JPEG or WebP in the URL"
        case .image, .other: "got \(name) instead of \(expected.noun); check the URL"
        }
    }

    /// The names of contents that are not images.
    private static let names = [
        "xml": "an XML document", "json": "a JSON document", "gzip": "gzip data", "nothing": "nothing",
        "an unknown image format": "data of an unknown format",
    ]

    /// Returns the format of an image, with its article; nil for other contents.
    private static func image(_ body: [UInt8]) -> String? {
        switch FileSignature(body) {
        case .png: "a PNG"
        case .jpeg: "a JPEG"
        case .webp: "a WebP"
        case .gif: "a GIF"
        case .avif: "an AVIF"
        case .heic: "a HEIC"
        case .bmp: "a BMP"
        case .tiff, .bigTIFF: "a TIFF"
        case .jpegXL: "a JPEG XL"
        case nil: isSVG(body) ? "an SVG" : nil
        default: nil
        }
    }

    private static func isSVG(_ body: [UInt8]) -> Bool {
        let text = String(decoding: body.prefix(1024), as: UTF8.self).lowercased().drop { $0 != "<" }
        return text.hasPrefix("<svg") || text.hasPrefix("<?xml") && text.contains("<svg")
    }
}

extension ExpectedContent {
    /// The content in words.
    fileprivate var noun: String {
        switch self {
        case .imageTile: "an image"
        case .vectorTile: "a vector tile"
        case .document: "a document"
        case .archiveStart, .archiveRange: "an archive"
        }
    }
}
