internal import RhumbWeb

/// Why a provider gave no traffic. Its text is one line and holds no key.
public struct TrafficFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why there is no traffic.
    public enum Reason: String, Sendable, CaseIterable {
        case badKey, notEntitled, overQuota, tooFast
        /// Refused, and the answer doesn't say which of these it is.
        case keyOrQuota
        /// The request is wrong: a style or model the service does not have, or no longer.
        case badRequest
        /// There is no such service, or not in this version.
        case unknownService
        case serverTrouble, unreachable, offline
        /// An answer came, but it is not what was asked for.
        case badAnswer
    }

    /// The provider who was asked.
    public let provider: TrafficProvider
    /// Why it can't be had.
    public let reason: Reason
    /// The server's status, if it came to one.
    public let status: Int?
    /// When the server may be asked again, if it said so.
    public let retryAfter: Duration?
    /// The provider's own words, harmless and without secrets; may be empty.
    public let detail: String

    /// A failure of a provider's, with the status of his answer if there was one.
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

    /// Whether nothing of this provider can be had for a while, whatever is asked for.
    public var pausesSource: Bool {
        switch reason {
        case .badKey, .notEntitled, .overQuota, .tooFast, .keyOrQuota: true
        case .badRequest, .unknownService, .serverTrouble, .unreachable, .offline, .badAnswer: false
        }
    }

    /// Whether the same request will fail again.
    public var isPermanent: Bool {
        reason == .badRequest || reason == .unknownService || reason == .badAnswer
    }

    /// How long the source is left alone after that many refusals in a row: a minute, doubling to
    /// ten; after one that is only too fast, half of it. At least what the server asked for.
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
        case .tooFast: "too many requests; paused for a while"
        case .keyOrQuota: "key refused or quota used up; check \(provider.keyVariable)"
        case .badRequest: "the service rejected the request"
        case .unknownService: "service not found\(number); its URL may have changed"
        case .serverTrouble: "server error\(number); retrying later"
        case .unreachable: "can't reach the server; retrying later"
        case .offline: "offline; showing the last known traffic"
        case .badAnswer: "invalid traffic response (captive portal?)"
        }
    }

    private var number: String { status.map { " (\($0))" } ?? "" }
}
