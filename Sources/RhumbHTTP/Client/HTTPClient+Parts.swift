extension HTTPClient {
    /// Sends a request for a range once, and returns its bytes as they arrive.
    /// - Returns: Responses with a part of the body each, the last one usually with none. Throws
    ///   `HTTPFailure` if the response breaks off or is not for that range. The request is cancelled when the
    ///   iteration ends.
    public func parts(of request: HTTPRequest) -> AsyncThrowingStream<HTTPResponse, any Error> {
        parts(of: request, sending: send)
    }
}
