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
        case stored(StoreMatch.Place)
    }

    /// The body, with the current secrets; nil if the resource is known to be absent.
    public let body: [UInt8]?
    /// The response in the form in which it is stored: without secrets.
    public let stored: StoredResponse
    /// The validity.
    public let validity: Validity
    /// The origin.
    public let origin: Origin
    /// The bytes that were transferred for the body; 0 if it was stored.
    package let wireBytes: Int
    /// The body of a vector tile as the server sent it, if that is gzip; nil otherwise.
    package var packedBody: [UInt8]?
    /// The reason why a stored response is used instead of the server's; nil if it isn't.
    public let failure: HTTPFailure?

    init(
        _ stored: StoredResponse, of resource: WebResource, _ validity: Validity, _ origin: Origin,
        failure: HTTPFailure? = nil, wireBytes: Int = 0
    ) {
        body = stored.body.map(resource.secretMask.shown)
        self.stored = stored
        self.validity = validity
        self.origin = origin
        self.failure = failure
        self.wireBytes = wireBytes
    }

    /// The header fields that are stored with the response.
    public var headers: HTTPHeaders { stored.headers }
    /// False if the server forbids storing the response.
    public var isStorable: Bool { validity != .unstorable }
}
