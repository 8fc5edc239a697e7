internal import RhumbBase
public import RhumbWeb

extension TrafficFailure {
    /// Creates a failure from the status and the body of an error response.
    /// - Parameters:
    ///   - status: The HTTP status, including unusual ones such as 596.
    ///   - body: JSON, XML or HTML; may be empty.
    ///   - address: The requested address, whose secrets are removed from the text.
    public init(
        _ provider: TrafficProvider, status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [],
        retryAfter: Duration? = nil, address: HTTPAddress
    ) {
        let said = ErrorBody(body, headers)
        self.init(
            provider, TrafficFailure.reason(status, said), status: status, retryAfter: retryAfter,
            detail: SafeText.sanitised(address.cleaned(said.message), limit: 80))
    }

    /// Creates a failure from an error below HTTP.
    public init(_ provider: TrafficProvider, fault: TransportFault) {
        switch fault.failureClass {
        case .offline: self.init(provider, .offline)
        case .badContent: self.init(provider, .badAnswer)
        case .permanent, .refused, .rate, .transient: self.init(provider, .unreachable)
        }
    }

    private static func reason(_ status: Int, _ said: ErrorBody) -> Reason {
        switch status {
        case 401: .badKey
        case 403: said.refusal ?? .keyOrQuota
        case 429: said.refusal == .overQuota ? .overQuota : .tooFast
        case 400 where said.refusal == .badKey: .badKey
        case 404, 405, 410, 501, 505, 596: .unknownService
        case 400...499: .badRequest
        case 500...: .serverTrouble
        default: .badAnswer
        }
    }
}

/// The text of an error response, in any of the forms that providers use.
private struct ErrorBody {
    let message: String
    private let words: String

    init(_ body: [UInt8], _ headers: HTTPHeaders) {
        let text = String(decoding: body.prefix(4000), as: UTF8.self)
        let gateway = [headers.first("X-Mashery-Error-Code"), headers.first("X-Error-Detail-Header")]
            .compactMap(\.self)
        message = ErrorBody.message(of: body, text) ?? gateway.last ?? ""
        words = ([text] + gateway).joined(separator: " ").lowercased()
            .replacing("_", with: " ")
    }

    /// The reason according to the text; nil if it names none.
    var refusal: TrafficFailure.Reason? {
        ErrorBody.signs.first { sign in sign.words.contains { words.contains($0) } }?.reason
    }

    private static let signs: [(words: [String], reason: TrafficFailure.Reason)] = [
        (["over qps", "queries per second", "too many requests", "rate limit"], .tooFast),
        (["over rate", "quota", "over queries per", "limit exceeded", "limit reached"], .overQuota),
        (["inactive", "invalid key", "invalid api key", "key invalid", "key not found", "no key"], .badKey),
        (
            ["not authorized", "not entitled", "not permitted", "do not authorize", "permission"],
            .notEntitled
        ),
    ]

    private static func message(of body: [UInt8], _ text: String) -> String? {
        guard let json = try? JSON.parse(body) else {
            let plain = SafeText.plain(html: text, limit: 200)
            return plain.isEmpty ? nil : plain
        }
        let places = [
            json["detailedError"]?["message"], json["errorResponse"]?["@description"],
            json["error_description"], json["cause"], json["title"], json["error"], json["errorText"],
        ]
        return places.lazy.compactMap { $0?.string }.first { !$0.isEmpty }
    }
}
