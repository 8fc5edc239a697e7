public import RhumbCore

/// Sends requests. The program uses libcurl; tests use a script.
public protocol Transport: Sendable {
    /// True while no request may be sent, except for those that pass through.
    var isOffline: Bool { get }

    /// Sends a request, and repeats it after transient failures.
    /// - Parameter rule: The rule for retries; nil for the rule of the request's priority.
    /// - Throws: The last `HTTPFailure`.
    func load(_ request: HTTPRequest, retrying rule: RetryRule?) async throws(HTTPFailure) -> HTTPResponse

    /// Sends a request for a range once, and returns its bytes as they arrive. By default they arrive
    /// together.
    /// - Returns: Responses with a part of the body each. Throws `HTTPFailure` if the response breaks off or
    ///   is not for that range.
    func parts(of request: HTTPRequest) -> AsyncThrowingStream<HTTPResponse, any Error>

    /// Notes a problem of a server. By default it is ignored.
    func note(_ problem: ServerProblem)
}

extension Transport {
    /// Ignores the problem.
    public func note(_ problem: ServerProblem) {}

    /// Loads the whole response first, and returns it as one part.
    public func parts(of request: HTTPRequest) -> AsyncThrowingStream<HTTPResponse, any Error> {
        parts(of: request) { request throws(HTTPFailure) in try await load(request, retrying: .once) }
    }

    /// Returns the parts that a request with a receiver passes on while it is sent, and its response last.
    /// - Parameter send: Sends the request.
    func parts(
        of request: HTTPRequest,
        sending send: @escaping @Sendable (HTTPRequest) async throws(HTTPFailure) -> HTTPResponse
    ) -> AsyncThrowingStream<HTTPResponse, any Error> {
        AsyncThrowingStream { parts in
            let task = Task {
                var request = request
                request.receiver = PartReceiver(parts)
                do throws(HTTPFailure) {
                    parts.yield(try await send(request))
                    parts.finish()
                } catch {
                    parts.finish(throwing: error)
                }
            }
            parts.onTermination = { _ in task.cancel() }
        }
    }
}

extension HTTPClient: Transport {}
