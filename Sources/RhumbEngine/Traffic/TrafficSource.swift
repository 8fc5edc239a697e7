public import RhumbCore

/// The source of one kind of traffic tiles: a definition with its keys.
public struct TrafficSource: Sendable {
    /// The kind of traffic: flow or incidents.
    public let kind: TrafficKind
    /// The provider.
    public let provider: TrafficProvider
    /// The definition of the source.
    public let definition: SourceDefinition
    /// The meaning of the flow colours; nil for incidents, and if the provider has none.
    public let mode: FlowMode?
    let template: URLTemplate
    private let addresses: TileAddresses

    /// - Parameters:
    ///   - values: The values of the template's tokens, besides those of the definition.
    ///   - environment: Returns variables of the environment.
    ///   - configuration: Returns keys of the configuration file.
    /// - Throws: `SourceFailure` if the template is invalid or a key is missing.
    init(
        _ kind: TrafficKind, _ provider: TrafficProvider, _ definition: SourceDefinition,
        mode: FlowMode? = nil, values: [String: String] = [:], environment: (String) -> String?,
        configuration: (String) -> String?
    ) throws(SourceFailure) {
        var definition = definition
        definition.values.merge(values) { _, new in new }
        guard let template = try definition.templates(environment: environment).first else {
            throw .definition(source: definition.id, "it has no URL")
        }
        self.kind = kind
        self.provider = provider
        self.definition = definition
        self.mode = mode
        self.template = template
        addresses = TileAddresses(
            template, secrets: try definition.secrets(environment: environment, configuration: configuration))
    }

    /// Returns the address of a tile.
    /// - Parameter model: The traffic model; nil for the newest.
    public func address(for tile: TileID, model: TrafficModel? = nil) -> HTTPAddress {
        let address = addresses.address(for: tile)
        guard let model else { return address }
        let mark = address.url.contains("?") ? "&" : "?"
        return HTTPAddress("\(address.url)\(mark)t=\(model.encoded)", secrets: address.secrets)
    }

    /// True for vector tiles, which Rhumb draws.
    public var isVector: Bool { definition.holdsVectorTiles }

    /// Returns true if its tiles look like another source's.
    func isDrawn(like other: TrafficSource) -> Bool { template == other.template && mode == other.mode }

    /// The meaning of its tiles' colours.
    public var colours: FlowColours { mode.map { FlowColours($0) } ?? .usual }

    /// The legend of the colours.
    public var legend: FlowLegend { mode.map { FlowLegend($0) } ?? .usual }

    /// Returns a layer that so far has only a source.
    /// - Parameter drawing: The drawing of its tiles; nil if they are pictures.
    func layer(id: String, source: any TileLayerDataSource, _ drawing: (any TileDrawing)?) -> TileLayer {
        var layer = TileLayer(id: id, source: source, info: definition.info)
        layer.role = kind == .flow ? .trafficFlow : .trafficIncidents
        layer.feature = kind.feature
        layer.policy = definition.policy
        layer.isTransparent = true
        return drawing.map { layer.drawn(by: $0, size: .pixels256) } ?? layer
    }
}

extension TrafficKind {
    /// The feature its layers belong to.
    public var feature: Feature { self == .flow ? .trafficFlow : .trafficIncidents }
}
