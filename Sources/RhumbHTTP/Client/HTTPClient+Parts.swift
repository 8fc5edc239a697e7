extension HTTPClient {
    /// Sends a request for a range once, and returns its bytes as they arrive.
    /// - Returns: Responses with a part of the body each, the last one usually with none. Throws
    ///   `HTTPFailure` if the response breaks off or is not for that range. The request is cancelled when the
    ///   iteration ends.
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
