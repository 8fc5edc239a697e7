public import RhumbCore

/// The response of a source for a tile.
public enum TileAnswer: Sendable, Equatable {
    case bitmap(TileBitmap)
    /// The tile does not exist. This is not an error, and is remembered like a tile.
    case absent
}

/// A tile's picture as returned by a source.
public enum TileBitmap: Sendable, Equatable {
    /// A PNG, JPEG or WebP file of any size, unchanged, which is scaled to the tile; or data for the layer's
    /// `drawing`.
    case encoded([UInt8])
    /// Raw pixels: tileSize × tileSize pixels of a format, top row first, straight alpha. Any other length
    /// fails with `TileFailure.Reason.wrongSize`.
    case pixels([UInt8], format: PixelFormat)
    /// An already decoded picture of any size, which is scaled to the tile.
    case raster(Raster)
}

/// A source of map tiles: an archive, a web server, a program's own drawing. It is modelled on HERE's
/// `NMAMapTileLayerDataSource`.
///
/// A source answers in one of four ways, which the engine tries in this order: `tile(_:)` (bytes now),
/// `begin(_:)` (later, from any thread), `response(for:urgency:)` (parts of a file that the source locates
/// itself), `url(for:)` (an address that the engine fetches, caches and decodes). Once one of them answers
/// for a tile, later ones are not called. A source usually implements just one.
///
/// The engine calls a source from several threads at once, never from the one that draws, and never twice at
/// once for the same picture. A source needs no cache and no retries: the engine has both, so a new source is
/// one short file. A source that blocks longer than its layer's `timeout` has failed for that tile, and
/// delays no other layer.
///
/// A source that several layers show, or whose tiles depend on the layer, implements the methods with a
/// layer; the engine calls those, and by default they call the simple ones.
///
/// Tiles are XYZ, 0-based, y from the north; the zoom is the tile's own (for 512-px tiles one less than the
/// map's zoom, for 128-px tiles one more).
public protocol TileLayerDataSource: Sendable {
    /// Returns true if the source has this tile. Must be cheap, without reading from disk or network. A
    /// missing tile is absent, and no other method is called for it. Default: true.
    func hasTile(_ tile: TileID) -> Bool

    /// Returns the tile at once; may read from disk.
    /// - Returns: The answer; nil if this source does not answer this way (the default).
    /// - Throws: `TileFailure` if the source can't determine the answer. The engine retries only after its
    ///   `retryAfter`.
    func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer?

    /// Accepts a request and completes it later from any thread, or at once. The request contains the layer.
    /// - Returns: True if it accepts the request. Default: false.
    func begin(_ request: TileRequest) -> Bool

    /// Loads a tile that the source locates, requests and stores itself, such as a part of a file on a
    /// server. Only called if `url(for:of:)` returns an address.
    /// - Returns: The response, without a body if the tile doesn't exist; nil if this source does not answer
    ///   this way (the default).
    /// - Throws: `TileFailure`. A cancelled task ends soon.
    func response(
        for tile: TileID, urgency: WantedTile.Urgency
    ) async throws(TileFailure) -> StoredResponse?

    /// Returns the address of the tile, which must be PNG, JPEG or WebP, unless the layer's `drawing` draws
    /// something else. Default: nil.
    func url(for tile: TileID) -> String?

    /// The variant of `hasTile(_:)` for a layer.
    func hasTile(_ tile: TileID, of layer: TileLayer) -> Bool

    /// The variant of `tile(_:)` for a layer.
    func tile(_ tile: TileID, of layer: TileLayer) throws(TileFailure) -> TileAnswer?

    /// The variant of `url(for:)` for a layer.
    func url(for tile: TileID, of layer: TileLayer) -> String?

    /// Returns the resource to fetch for a tile: its address, and the rules for requesting and storing it.
    /// Default: the address of `url(for:of:)`, requested by the layer's policy.
    func resource(for tile: TileID, of layer: TileLayer) -> WebResource?

    /// Returns the origin under which tiles from the network are stored. Default: nil, for tiles that are
    /// local, drawn by the program, or stored under the layer's cache identifier.
    func origin(of layer: TileLayer) -> TileOrigin?

    /// The definition of a source on the web. Default: nil, for other sources.
    var webDefinition: SourceDefinition? { get }

    /// Returns the names of the archives that a drawn tile shows, the topmost first. Must be cheap. Default:
    /// none, for sources of a single archive.
    func archives(in tile: TileID) -> [String]

    /// The header fields of all requests. A stored tile is used only if it matches them. Default: none.
    var requestHeaders: HTTPHeaders { get }
}

extension TileLayerDataSource {
    /// True for every tile by default.
    public func hasTile(_ tile: TileID) -> Bool { true }
    /// Nil by default.
    public func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? { nil }
    /// False by default.
    public func begin(_ request: TileRequest) -> Bool { false }
    /// Nil by default.
    public func response(
        for tile: TileID, urgency: WantedTile.Urgency
    ) async throws(TileFailure) -> StoredResponse? { nil }
    /// Nil by default.
    public func url(for tile: TileID) -> String? { nil }

    /// Ignores the layer by default.
    public func hasTile(_ tile: TileID, of layer: TileLayer) -> Bool { hasTile(tile) }
    /// Ignores the layer by default.
    public func tile(_ tile: TileID, of layer: TileLayer) throws(TileFailure) -> TileAnswer? {
        try self.tile(tile)
    }
    /// Ignores the layer by default.
    public func url(for tile: TileID, of layer: TileLayer) -> String? { url(for: tile) }

    /// The address of `url(for:of:)` by default.
    public func resource(for tile: TileID, of layer: TileLayer) -> WebResource? {
        guard let url = url(for: tile, of: layer) else { return nil }
        let address = HTTPAddress(url), policy = layer.policy
        var resource = WebResource(
            tile: address, key: nil, storage: layer.storagePolicy,
            rules: SourceRules(
                id: address.host, connections: policy.connections, requestsPerSecond: policy.requestsPerSecond
            ))
        resource.expected = layer.drawing?.content ?? .imageTile
        return resource
    }

    /// Nil by default.
    public func origin(of layer: TileLayer) -> TileOrigin? { nil }
    /// None by default.
    public func archives(in tile: TileID) -> [String] { [] }
    /// Nil by default.
    public var webDefinition: SourceDefinition? { nil }
    /// None by default.
    public var requestHeaders: HTTPHeaders { [:] }
}

extension TileLayer {
    /// True if the source has an address for the tile, so that a fetcher loads it.
    public func hasAddress(for tile: TileID) -> Bool { source.url(for: tile, of: self) != nil }

    /// The storage policy of tiles that the source returns itself, or that have only an address. Servers
    /// decide for layers that set neither a cache identifier nor a lifetime.
    package var storagePolicy: StoragePolicy {
        cacheIdentifier == nil && cacheLife == 0
            ? .tiles(minimumLife: policy.minimumCacheSeconds) : .fixed(cacheLife)
    }
}

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
