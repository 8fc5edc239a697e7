public import RhumbCore
public import RhumbEngine

/// The priority of a request, by its purpose.
public enum HTTPPriority: Sendable, Hashable, Comparable {
    /// Work in the background that the user started.
    case download
    /// A tile that may come into view.
    case prefetch
    /// A tile in the user's view. A higher number is a newer view.
    case visible(view: Int)

    public static func < (a: HTTPPriority, b: HTTPPriority) -> Bool { a.rank < b.rank }

    private var rank: (Int, Int) {
        switch self {
        case .download: (0, 0)
        case .prefetch: (1, 0)
        case .visible(let view): (2, view)
        }
    }
}

/// A request to a server, always a GET.
public struct HTTPRequest: Sendable {
    /// The address.
    public var address: HTTPAddress
    /// Further header fields. Secret ones are not sent to another host: `Authorization`, `Cookie` and those
    /// named in `secretHeaders`.
    public var headers: HTTPHeaders
    /// The names of the header fields that contain keys.
    public var secretHeaders: [String] = []
    /// The expected content of the body.
    public var expected: ExpectedContent
    /// The priority among waiting requests.
    public var priority: HTTPPriority
    /// The rules of the source it belongs to.
    public var rules: SourceRules
    /// The validators of a stored response, for revalidation.
    public var validators = Validators()
    /// The bytes to return; the response must be a 206 with them.
    public var range: ByteRange?
    /// If true, a server that ignores the range may return the whole file. Its length must not exceed the
    /// range.
    package var acceptsWholeFile = false
    /// True if it may use the network while Rhumb is offline.
    public var passesThrough = false
    /// The time limit of the whole request once it has begun; nil for the client's own limit.
    public var timeout: Duration?
    /// The receiver of a range's body as it arrives; the response then has no body.
    var receiver: PartReceiver?

    /// Creates a request for a body with the expected content.
    public init(
        _ address: HTTPAddress, expecting expected: ExpectedContent = .imageTile,
        priority: HTTPPriority = .visible(view: 0), rules: SourceRules? = nil,
        headers: HTTPHeaders = [:]
    ) {
        self.address = address
        self.expected = expected
        self.priority = priority
        self.headers = headers
        self.rules = rules ?? SourceRules(id: address.host)
    }

    /// Creates the request for a resource.
    public init(
        _ resource: WebResource, priority: HTTPPriority = .visible(view: .max),
        validators: Validators = Validators()
    ) {
        self.init(
            resource.address, expecting: resource.expected, priority: priority, rules: resource.rules,
            headers: resource.headers)
        secretHeaders = resource.headers.lines.map(\.name)
        range = resource.range
        passesThrough = resource.passesThrough()
        self.validators = validators
    }

    /// The header fields to send, including conditions and the range.
    var fields: HTTPHeaders {
        var fields = headers
        for line in validators.conditions.lines { fields.append(line.name, line.value) }
        if expected == .vectorTile, fields.first("Accept") == nil {
            fields.append("Accept", Self.vectorTypes)
        }
        if let range {
            fields.append("Range", range.header)
        } else {
            // Parts of a compressed body could not be decompressed, so ranges are requested uncompressed.
            fields.append("Accept-Encoding", ContentCoding.accepted)
        }
        return fields
    }

    /// The media types of vector tiles. Servers send MapLibre Tiles only if they are requested.
    private static let vectorTypes =
        "application/vnd.maplibre-tile, application/vnd.mapbox-vector-tile;q=0.9, */*;q=0.8"

    /// The requested bytes: the address, and the range if there is one.
    var part: String { range.map { "\(address.url) \($0.header)" } ?? address.url }

    /// The identity. Requests with the same identity get the same response.
    var identity: Identity {
        Identity(
            url: address.url, fields: fields.lines, expected: expected, source: rules.id,
            passesThrough: passesThrough, isReceivedInParts: receiver != nil)
    }

    struct Identity: Hashable {
        let url: String
        let fields: [HTTPHeaders.Line]
        let expected: ExpectedContent
        let source: String
        let passesThrough: Bool
        let isReceivedInParts: Bool
    }
}

/// Receives the body of a range as it arrives.
final class PartReceiver: Sendable {
    let parts: AsyncThrowingStream<HTTPResponse, any Error>.Continuation

    init(_ parts: AsyncThrowingStream<HTTPResponse, any Error>.Continuation) { self.parts = parts }
}
