public import RhumbCore
public import RhumbEngine

/// A web source that is ready for requests: its definition with its keys. The engine fetches the addresses
/// that it returns.
public struct WebTileSource: TileLayerDataSource {
    /// The definition of the source.
    public let definition: SourceDefinition
    private let addresses: [TileAddresses]
    private let isVector: Bool
    /// The origin that its tiles are stored under.
    public let origin: TileOrigin

    /// Creates a source from its definition.
    /// - Parameters:
    ///   - definition: A definition of kind `tiles`.
    ///   - environment: Returns variables of the environment.
    ///   - configuration: Returns keys of the configuration file.
    /// - Throws: `SourceFailure` if a template is invalid or a key is missing.
    public init(
        _ definition: SourceDefinition, environment: (String) -> String? = { _ in nil },
        configuration: (String) -> String? = { _ in nil }
    ) throws(SourceFailure) {
        guard definition.kind == .tiles, !definition.addresses.isEmpty else {
            throw .definition(source: definition.id, "its URL is a document, not a tile template")
        }
        self.definition = definition
        let templates = try definition.templates(environment: environment)
        let secrets = try definition.secrets(environment: environment, configuration: configuration)
        addresses = templates.map { TileAddresses($0, secrets: secrets) }
        isVector = definition.holdsVectorTiles
        origin = WebTileSource.origin(definition, templates.map(\.canonical))
    }

    /// Returns the origin of a document by its own address, because its next edition may have other tile
    /// addresses.
    private static func origin(_ definition: SourceDefinition, _ addresses: [String]) -> TileOrigin {
        TileOrigin(
            source: definition.id, address: definition.document ?? addresses[0],
            size: definition.tileSize.rawValue,
            edition: TileEdition(
                version: definition.dataVersion ?? "",
                addresses: definition.document == nil ? "" : TileEdition.digest(addresses)))
    }

    /// Returns true if the source has tiles at that zoom and position.
    public func hasTile(_ tile: TileID) -> Bool {
        definition.zooms.contains(tile.zoom) && (definition.bounds?.intersects(tile) ?? true)
    }

    /// Returns the address of a tile.
    public func url(for tile: TileID) -> String? { address(for: tile).url }

    /// Returns the address of a tile. Equivalent templates are used in turn, always the same one for a tile.
    public func address(for tile: TileID) -> HTTPAddress {
        addresses[(tile.x + tile.y) % addresses.count].address(for: tile)
    }

    /// The limits of its policy.
    public var rules: SourceRules { definition.rules }

    /// The storage policy of its responses.
    public var storagePolicy: StoragePolicy {
        .tiles(minimumLife: definition.policy.minimumCacheSeconds)
    }

    /// Returns a layer that shows the source, with the feature and the policy of its definition.
    /// - Parameter id: The id, unique among the layers of a map.
    public func layer(id: String) -> TileLayer {
        var layer = TileLayer(id: id, source: self, info: definition.info)
        layer.feature = definition.feature
        layer.policy = definition.policy
        return layer
    }

    /// Returns the request for a tile.
    public func request(for tile: TileID) -> HTTPRequest {
        HTTPRequest(resource(for: tile), priority: .visible(view: 0))
    }

    /// Returns the resource to fetch for a tile.
    public func resource(for tile: TileID, of layer: TileLayer) -> WebResource? { resource(for: tile) }

    /// Returns the same origin for every layer.
    public func origin(of layer: TileLayer) -> TileOrigin? { origin }

    /// The definition.
    public var webDefinition: SourceDefinition? { definition }

    /// The header fields in its definition.
    public var requestHeaders: HTTPHeaders { definition.headers }

    /// Returns the resource to fetch for a tile.
    public func resource(for tile: TileID) -> WebResource {
        WebResource(
            tile: address(for: tile), key: .tile(origin: origin, tile), isVector: isVector,
            storage: storagePolicy, rules: rules, headers: definition.headers)
    }
}

extension SourceDefinition {
    /// The limits of its policy.
    public var rules: SourceRules {
        var rules = SourceRules(
            id: id, connections: policy.connections, requestsPerSecond: policy.requestsPerSecond)
        rules.allowsSharedCache = policy.sharedCache && keys.isEmpty
        rules.cacheProxy = cacheProxy
        return rules
    }
}
