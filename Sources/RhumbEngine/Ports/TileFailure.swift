public import RhumbCore

/// The failure of a tile: the reason, and the time of a retry.
///
/// A tile that does not exist is not a failure; see `TileAnswer.absent`.
public struct TileFailure: RecoverableError, Equatable, Sendable, CustomStringConvertible {
    /// The kind of a failure.
    public enum Reason: String, Sendable {
        /// The bytes are not a usable image.
        case badContent
        /// Raw pixels do not fill the layer's tile size.
        case wrongSize
        /// The source cannot convert the format to an image or to one of `PixelFormat`.
        case unsupportedFormat
        /// The source did not respond in time.
        case timedOut
        /// The source could not be read or reached.
        case unreadable
        /// The source itself reported a failure.
        case sourceFailed
        /// The network is needed but unavailable.
        case offline
        /// The source or its policy does not allow the request.
        case refused
    }

    /// The kind of the failure.
    public let reason: Reason
    /// A sentence with the problem, its location, and the next step.
    public let message: String
    /// The time for which the failure is remembered before a retry.
    public let retryAfter: Duration
    /// A suggested remedy; nil if there is none.
    public let remedy: RecoverySuggestion?

    /// Creates a failure, by default remembered for 30 seconds.
    public init(
        _ reason: Reason, _ message: String, retryAfter: Duration = .seconds(30),
        remedy: RecoverySuggestion? = nil
    ) {
        self.reason = reason
        self.message = message
        self.retryAfter = retryAfter
        self.remedy = remedy
    }

    public var description: String { message }
}
