public import RhumbCore

/// Sends requests. The program uses libcurl; tests use a script.
public protocol Transport: Sendable {
    /// True while no request may be sent, except for those that pass through.
    var isOffline: Bool { get }

    /// Sends a request, and repeats it after transient failures.
    /// - Parameter rule: The rule for retries; nil for the rule of the request's priority.
    /// - Throws: The last `HTTPFailure`.
    func load(_ request: HTTPRequest, retrying rule: RetryRule?) async throws(HTTPFailure) -> HTTPResponse
}

extension HTTPClient: Transport {}
