internal import RhumbCore

/// The check of a complete response against the request.
enum ResponseValidator: Equatable {
    case usable
    case failed(FailureClass, String)

    /// Checks a complete response.
    /// - Parameters:
    ///   - delivered: The bytes passed on as they arrived, before those of `body`.
    ///   - complaint: The beginning of an error's body.
    static func verdict(
        _ request: HTTPRequest, status: Int, headers: HTTPHeaders, body: [UInt8], delivered: Int = 0,
        complaint: [UInt8] = []
    ) -> ResponseValidator {
        let isRateLimit = status >= 400 && RetryHint.isRateLimit(headers, complaint)
        if let failure = FailureClass(status: status, isRateLimit: isRateLimit) {
            return .failed(failure, explanation(failure, status, request.expected))
        }
        if status == 304 && request.validators.isEmpty {
            return .failed(.badContent, "304 Not Modified without a conditional request")
        }
        if status == 200, request.acceptsWholeFile { return .usable }
        if let range = request.range { return verdict(range, status, headers, delivered + body.count) }
        if status == 206 { return .failed(.badContent, "206 Partial Content without a range request") }
        return misfit(request, status, headers, body)
    }

    private static func verdict(
        _ range: ByteRange, _ status: Int, _ headers: HTTPHeaders, _ count: Int
    ) -> ResponseValidator {
        switch status {
        case 200, 203:
            return .failed(.permanent, TransportFault.rangeIgnored.explanation)
        case 206 where !range.isAnswered(byContentRange: headers["Content-Range"], bodyCount: count):
            return .failed(.badContent, problem(of: range, headers["Content-Range"], count))
        default: return .usable
        }
    }

    /// Returns the difference of a part of a file from the requested range.
    /// - Parameter count: The length of the body in bytes.
    private static func problem(of range: ByteRange, _ contentRange: String?, _ count: Int) -> String {
        guard let contentRange, let (sent, _) = ByteRange.parse(contentRange: contentRange) else {
            return
                "the server answers range requests wrongly: it sent a part of the file without its position"
        }
        guard sent.offset == range.offset, UInt64(count) < range.count else {
            return TransportFault.wrongRange.explanation
        }
        return "the server answers range requests wrongly: it sent only "
            + "\(AmountText.count(count)) of \(AmountText.count(Int(clamping: range.count))) bytes"
    }

    private static func misfit(
        _ request: HTTPRequest, _ status: Int, _ headers: HTTPHeaders, _ body: [UInt8]
    ) -> ResponseValidator {
        guard status == 200 || status == 203 else { return .usable }
        let found =
            request.expected.misfit(body, contentType: headers["Content-Type"])
            ?? packedMisfit(request.expected, body)
        guard let found else { return .usable }
        return .failed(.badContent, ContentMisfit(found, body).sentence(expecting: request.expected))
    }

    /// Checks gzip data, because servers store vector tiles compressed.
    private static func packedMisfit(_ expected: ExpectedContent, _ body: [UInt8]) -> String? {
        guard expected == .vectorTile, ContentKind(of: body) == .gzip else { return nil }
        guard let tile = try? ContentCoding.decoded(body, coding: "gzip") else { return "damaged gzip data" }
        return expected.misfit(tile, contentType: nil)
    }

    private static func explanation(
        _ failure: FailureClass, _ status: Int, _ expected: ExpectedContent
    ) -> String {
        let meaning =
            switch failure {
            case .refused: "key refused or used up, or not allowed by the source"
            case .rate: FailureClass.rateLimit(of: "the server")
            case .transient: "server error; try again later"
            case .permanent where status == 416:
                "the file on the server is empty or shorter than the requested part; check the URL"
            case .permanent where status == 451: "not available for legal reasons"
            case .permanent where status > 417: "the server rejected the request for \(expected.noun)"
            case .permanent: "the server rejected the request for \(expected.noun); check the URL"
            case .badContent where 300...399 ~= status: "a redirect without a new address; check the URL"
            case .offline, .badContent: "invalid response"
            }
        return "HTTP \(status), \(meaning)"
    }
}

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
    /// The content in words, with its article.
    var noun: String {
        switch self {
        case .imageTile: "an image"
        case .vectorTile: "a vector tile"
        case .document: "a document"
        case .archiveStart, .archiveRange: "an archive"
        }
    }
}
