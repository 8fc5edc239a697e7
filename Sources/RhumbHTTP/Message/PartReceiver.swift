/// Receives the body of a range as it arrives.
final class PartReceiver: Sendable {
    let parts: AsyncThrowingStream<HTTPResponse, any Error>.Continuation

    init(_ parts: AsyncThrowingStream<HTTPResponse, any Error>.Continuation) { self.parts = parts }
}
