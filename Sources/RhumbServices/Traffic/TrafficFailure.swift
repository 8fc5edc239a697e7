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
        /// The response is invalid.
        case badAnswer
    }

    /// The provider who was asked.
    public let provider: TrafficProvider
    /// The reason.
    public let reason: Reason
    /// The server's status, if it came to one.
    public let status: Int?
    /// When the server may be asked again, if it said so.
    public let retryAfter: Duration?
    /// The provider's own words, harmless and without secrets; may be empty.
    public let detail: String

    /// A failure of a provider, with the status of the response if there was one.
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

    /// True if all requests to the provider must pause.
    public var pausesSource: Bool {
        switch reason {
        case .badKey, .notEntitled, .overQuota, .tooFast, .keyOrQuota: true
        case .badRequest, .unknownService, .serverTrouble, .unreachable, .offline, .badAnswer: false
        }
    }

    /// True if the same request will fail again.
    public var isPermanent: Bool {
        reason == .badRequest || reason == .unknownService || reason == .badAnswer
    }

    /// Returns the pause after a number of refusals in a row: a minute, doubling up to ten; half of it if
    /// requests were only too fast. It is never shorter than the server demands.
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
