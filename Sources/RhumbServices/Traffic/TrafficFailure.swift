internal import RhumbBase
public import RhumbWeb

/// The reason why a provider sent no traffic. Its description is one line without keys.
public struct TrafficFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason of a failure.
    public enum Reason: String, Sendable, CaseIterable {
        case badKey, notEntitled, overQuota, tooFast
        /// The request was refused, because of either the key or the quota.
        case keyOrQuota
        /// The request is invalid, for example because the service doesn't have the style or model (any
        /// more).
        case badRequest
        /// The service doesn't exist, at least in this version.
        case unknownService
        case serverTrouble, unreachable, offline
        /// The response isn't of the expected form.
        case badAnswer
    }

    /// The provider of the traffic.
    public let provider: TrafficProvider
    /// The reason of the failure.
    public let reason: Reason
    /// The HTTP status; nil without a response.
    public let status: Int?
    /// The delay that the server requested before the next request; nil if none.
    public let retryAfter: Duration?
    /// The provider's own message, sanitised and without secrets; may be empty.
    public let detail: String

    /// Creates a failure of a provider.
    public init(
        _ provider: TrafficProvider, _ reason: Reason, status: Int? = nil, retryAfter: Duration? = nil,
        detail: String = ""
    ) {
        self.provider = provider
        self.reason = reason
        self.status = status
        self.retryAfter = retryAfter
        self.detail = detail
    }

    /// True if all requests to the provider must pause for a while.
    public var pausesSource: Bool {
        switch reason {
        case .badKey, .notEntitled, .overQuota, .tooFast, .keyOrQuota: true
        case .badRequest, .unknownService, .serverTrouble, .unreachable, .offline, .badAnswer: false
        }
    }

    /// True if the same request would fail again.
    public var isPermanent: Bool {
        reason == .badRequest || reason == .unknownService || reason == .badAnswer
    }

    /// Returns the pause after a number of consecutive refusals. It is one minute and doubles up to ten
    /// minutes; for `tooFast`, it starts at half a minute. It is at least the delay that the server
    /// requested, up to an hour.
    public func coolDown(refusals: Int) -> Duration {
        let first = reason == .tooFast ? 30.0 : 60.0
        let own = Duration.seconds(Backoff(base: first, cap: 600).ceiling(failures: refusals))
        return max(own, min(retryAfter ?? .zero, .seconds(3600)))
    }

    public var description: String {
        let own = detail.isEmpty ? "" : " (\(detail))"
        return "\(provider.name) traffic: \(explanation)\(own)"
    }

    private var explanation: String {
        switch reason {
        case .badKey: "key refused; check \(provider.keyVariable)"
        case .notEntitled: "the key does not include traffic; request it from \(provider.name)"
        case .overQuota: "the key's quota is used up; paused"
        case .tooFast: "\(FailureClass.rateLimit(of: "the server")); paused for a while"
        case .keyOrQuota: "key refused or quota used up; check \(provider.keyVariable)"
        case .badRequest: "the service rejected the request"
        case .unknownService: "service not found\(number); its URL may have changed"
        case .serverTrouble: "server error\(number); retrying later"
        case .unreachable: "can't reach the server; retrying later"
        case .offline: "offline; showing the last known traffic"
        case .badAnswer: "invalid traffic response (captive portal?); log in to the network with a browser"
        }
    }

    private var number: String { status.map { " (\($0))" } ?? "" }
}

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
        let members = [
            json["detailedError"]?["message"], json["errorResponse"]?["@description"],
            json["error_description"], json["cause"], json["title"], json["error"], json["errorText"],
        ]
        return members.lazy.compactMap { $0?.string }.first { !$0.isEmpty }
    }
}
