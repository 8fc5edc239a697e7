internal import RhumbCore
public import RhumbEngine

/// Requests traffic from providers without any cache. Responses are only in memory.
public struct HTTPTrafficFetcher: TrafficFetcher {
    private let client: HTTPClient

    /// Creates a fetcher that uses this client.
    public init(_ client: HTTPClient) { self.client = client }

    /// Requests traffic from a provider without storing it.
    public func fetch(_ request: TrafficRequest) async -> TrafficAnswer {
        do throws(HTTPFailure) {
            let response = try await client.send(HTTPRequest(request))
            if response.isNotModified { return .notModified(response.headers) }
            return response.isAbsent
                ? .absent(status: response.status) : .body(response.body, response.headers)
        } catch {
            return TrafficAnswer(error)
        }
    }
}

extension HTTPRequest {
    /// Creates a request with rules for traffic, so that a rejection doesn't affect the same provider's maps.
    fileprivate init(_ request: TrafficRequest) {
        self.init(
            request.address, expecting: request.content,
            rules: SourceRules(id: "\(request.provider.rawValue)-traffic"))
        rules.allowsSharedCache = false
        validators = request.validators
        passesThrough = request.passesThrough
    }
}

extension TrafficAnswer {
    /// Creates the traffic failure for a failure of a request. A request that was not sent because the source
    /// or the host is paused counts as refused.
    init(_ failure: HTTPFailure) {
        if let fault = failure.fault {
            self = .fault(fault)
            return
        }
        let status =
            switch failure.failureClass {
            case .refused: failure.status ?? 403
            case .rate: failure.status ?? 429
            default: failure.status
            }
        switch status {
        case let status? where status != 200:
            self = .refused(status: status, failure.headers, failure.body, retryAfter: failure.retryAfter)
        default: self = .fault(failure.failureClass == nil ? .connectionLost : .badAnswer)
        }
    }
}
