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
            return .failed(failure, explanation(failure, status))
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
            return .failed(.badContent, TransportFault.wrongRange.explanation)
        default: return .usable
        }
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

    private static func explanation(_ failure: FailureClass, _ status: Int) -> String {
        let meaning =
            switch failure {
            case .refused: "key refused or used up, or not allowed by the source"
            case .rate: "rate-limited by the server"
            case .transient: "server error; try again later"
            case .permanent where status == 416:
                "the file on the server is empty or shorter than the requested part; check the URL"
            case .permanent where status == 451: "not available for legal reasons"
            case .permanent where status > 417: "request rejected by the server"
            case .permanent: "request rejected; check the URL"
            case .offline, .badContent: "invalid response"
            }
        return "HTTP \(status), \(meaning)"
    }
}
