public import RhumbCore
public import RhumbEngine

/// A web source ready to be asked: its definition with its keys in hand. The engine fetches the
/// addresses it gives.
public struct WebTileSource: TileLayerDataSource {
    public let definition: SourceDefinition
    private let templates: [URLTemplate]
    private let secrets: [String: String]
    /// What identifies its tiles in a cache, besides their numbers; no secret takes part.
    public let cacheKey: String

    /// - Parameters:
    ///   - definition: of kind `tiles`.
    ///   - environment: the process's variables.
    ///   - configuration: the keys of the configuration file.
    /// - Throws: `SourceFailure` when a template is wrong or a key is missing.
    public init(
        _ definition: SourceDefinition, environment: (String) -> String? = { _ in nil },
        configuration: (String) -> String? = { _ in nil }
    ) throws(SourceFailure) {
        guard definition.kind == .tiles, !definition.addresses.isEmpty else {
            throw .definition(source: definition.id, "its address is a document, not a template of tiles")
        }
        self.definition = definition
        templates = try definition.templates(environment: environment)
        secrets = try definition.secrets(environment: environment, configuration: configuration)
        let version = definition.dataVersion.map { " v" + ($0.split(separator: ".").first ?? "") } ?? ""
        cacheKey = "\(definition.id) \(templates[0].canonical) \(definition.tileSize.rawValue)\(version)"
    }

    public func hasTile(_ tile: TileID) -> Bool {
        definition.zooms.contains(tile.zoom) && (definition.bounds?.intersects(tile) ?? true)
    }

    public func url(for tile: TileID) -> String? { address(for: tile).url }

    /// Where a tile is; equivalent templates take turns, the same one each time for a tile.
    public func address(for tile: TileID) -> HTTPAddress {
        templates[(tile.x + tile.y) % templates.count].address(for: tile, secrets: secrets)
    }

    /// What its policy demands of requests.
    public var rules: SourceRules { definition.rules }

    /// How long its answers may be kept.
    public var storagePolicy: StoragePolicy {
        .tiles(minimumLife: definition.policy.minimumCacheSeconds)
    }

    /// A layer that shows it, with the feature and the policy of its definition.
    /// - Parameter id: unique among the layers of a map.
    public func layer(id: String) -> TileLayer {
        var layer = TileLayer(id: id, source: self, info: definition.info)
        layer.feature = definition.feature
        layer.policy = definition.policy
        return layer
    }

    /// The request for a tile.
    public func request(
        for tile: TileID, priority: HTTPPriority = .visible(view: 0), validators: Validators = Validators()
    ) -> HTTPRequest {
        var request = HTTPRequest(
            address(for: tile), expecting: definition.holdsVectorTiles ? .vectorTile : .imageTile,
            priority: priority, rules: rules, headers: definition.headers)
        request.secretHeaders = definition.headers.lines.map(\.name)
        request.validators = validators
        return request
    }
}

extension SourceDefinition {
    /// What its policy demands of requests.
    public var rules: SourceRules {
        SourceRules(id: id, connections: policy.connections, requestsPerSecond: policy.requestsPerSecond)
    }
}
