public import RhumbCore
internal import RhumbEngine

/// A response from a server or a store.
public struct CachedResponse: Equatable, Sendable {
    /// The origin of a response.
    public enum Origin: Hashable, Sendable {
        /// Sent by the server just now.
        case server
        /// Stored, and confirmed by the server just now.
        case revalidated
        /// Stored for another edition, and confirmed by the server for this one.
        case carriedOver
        /// Stored, and not confirmed.
        case stored(StoreMatch.Location)
    }

    /// The body, with the current secrets; nil if the resource is known to be absent.
    public let body: [UInt8]?
    /// The response in the form in which it is stored: without secrets.
    public let stored: StoredResponse
    /// The validity.
    public let validity: Validity
    /// The origin.
    public let origin: Origin
    /// The server's response with the body; nil if the body was stored.
    package let received: HTTPResponse?
    /// The reason why a stored response is used instead of the server's; nil if it isn't.
    public let failure: HTTPFailure?

    init(
        _ stored: StoredResponse, of resource: WebResource, _ validity: Validity, _ origin: Origin,
        failure: HTTPFailure? = nil, received: HTTPResponse? = nil
    ) {
        body = stored.body.map(resource.secretMask.shown)
        self.stored = stored
        self.validity = validity
        self.origin = origin
        self.failure = failure
        self.received = received
    }

    /// The header fields that are stored with the response.
    public var headers: HTTPHeaders { stored.headers }
    /// False if the server forbids storing the response.
    public var isStorable: Bool { validity != .unstorable }
}
