public import RhumbCore

/// Something on the web that a map needs, as a data source names it: where it is, how it is asked
/// for, and what its answers are kept under.
public struct WebResource: Sendable {
    /// With its secrets, which no text and no key shows.
    public var address: HTTPAddress
    /// Only these bytes of it.
    public var range: ByteRange?
    /// Further fields of the request. They may hold secrets, and go to no other host.
    public var headers: HTTPHeaders
    /// What the body ought to be.
    public var expected: ExpectedContent
    /// What its answers are kept under; nil: they may not be kept.
    public var key: ResourceKey?
    /// What its source lends to answers whose headers leave something open.
    public var storage: StoragePolicy
    /// What the policy of its source demands of requests; nil: what holds for hosts that state none.
    public var rules: SourceRules?

    /// Whether it may be asked for while Rhumb is switched offline; told at each request.
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
    /// - Parameter key: what it is kept under; nil: nothing is.
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
