public import RhumbCore

/// Requests traffic from a provider; implemented by the HTTP client. Responses never reach a disk.
public protocol TrafficFetcher: Sendable {
    /// Sends a request once, without retries. A cancelled task ends soon, with an arbitrary answer.
    func fetch(_ request: TrafficRequest) async -> TrafficAnswer
}

/// A request to a traffic provider, always a GET.
public struct TrafficRequest: Sendable, Hashable {
    /// The subject of a traffic request.
    public enum Subject: Sendable, Hashable {
        /// The image of a tile.
        case tile(TileID)
        case vectorTile(TileID)
        /// A JSON document.
        case document
    }

    /// The expected content of the response.
    public var content: ExpectedContent {
        switch subject {
        case .tile: .imageTile
        case .vectorTile: .vectorTile
        case .document: .document
        }
    }

    /// The address.
    public let address: HTTPAddress
    /// The provider.
    public let provider: TrafficProvider
    /// The kind of traffic: flow or incidents.
    public let kind: TrafficKind
    /// The subject.
    public let subject: Subject
    /// The validators of a response that is still in memory.
    public var validators = Validators()
    /// True if it may use the network while Rhumb is offline.
    public let passesThrough: Bool

    /// Creates a request for traffic.
    public init(
        _ address: HTTPAddress, provider: TrafficProvider, kind: TrafficKind, subject: Subject,
        passesThrough: Bool = false
    ) {
        self.address = address
        self.provider = provider
        self.kind = kind
        self.subject = subject
        self.passesThrough = passesThrough
    }
}

/// The outcome of a request.
public enum TrafficAnswer: Sendable, Equatable {
    /// A body with status 200.
    case body([UInt8], HTTPHeaders)
    /// Status 304: the response in memory is still valid.
    case notModified(HTTPHeaders)
    /// Status 204, 404 or 410.
    case absent(status: Int)
    /// Any other status, with the beginning of the body if there is one.
    case refused(status: Int, HTTPHeaders, [UInt8], retryAfter: Duration?)
    /// No response was received.
    case fault(TransportFault)
}
