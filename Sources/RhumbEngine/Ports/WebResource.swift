public import RhumbCore

/// A resource on the web: its address, the request for it, and the key of its cached responses.
public struct WebResource: Sendable {
    /// The address with its secrets, which are never part of a text or a key.
    public var address: HTTPAddress
    /// The requested bytes; nil for all.
    public var range: ByteRange?
    /// Further header fields of the request. They may contain secrets, and are sent to no other host.
    public var headers: HTTPHeaders
    /// The expected content of the body.
    public var expected: ExpectedContent
    /// The key that its responses are stored under; nil to store none.
    public var key: ResourceKey?
    /// The source's policy for responses without a lifetime.
    public var storage: StoragePolicy
    /// The limits of its source's policy; nil for those of unknown hosts.
    public var rules: SourceRules?

    /// Returns true if it may use the network while Rhumb is offline; called for each request.
    public var passesThrough: @Sendable () -> Bool = { false }

    /// A document, such as TileJSON or a style.
    public init(
        document address: HTTPAddress, range: ByteRange? = nil, rules: SourceRules? = nil,
        headers: HTTPHeaders = [:]
    ) {
        self.address = address
        self.range = range
        self.headers = headers
        self.rules = rules
        expected = range == nil ? .document : .archiveRange
        storage = .documents
        key = .document(address.canonical + (range.map { "#\($0.header)" } ?? ""))
    }

    /// A tile.
    /// - Parameter key: The key that it is stored under; nil to store nothing.
    public init(
        tile address: HTTPAddress, key: ResourceKey?, isVector: Bool = false,
        storage: StoragePolicy = .tiles(),
        rules: SourceRules? = nil, headers: HTTPHeaders = [:]
    ) {
        self.address = address
        self.key = key
        self.storage = storage
        self.rules = rules
        self.headers = headers
        expected = isVector ? .vectorTile : .imageTile
    }
}
