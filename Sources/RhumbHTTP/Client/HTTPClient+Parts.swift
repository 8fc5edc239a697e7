extension HTTPClient {
    /// Sends a request for a range once, and returns its bytes as they arrive.
    /// - Returns: Responses with a part of the body each, the last one mostly with none. Throws `HTTPFailure`
    ///   if the response breaks off or is not for that range. When its iteration ends, the request is
    ///   cancelled.
    public func parts(of request: HTTPRequest) -> AsyncThrowingStream<HTTPResponse, any Error> {
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
