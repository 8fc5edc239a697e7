internal import RhumbWeb

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
