public import RhumbCore
public import RhumbEngine
public import RhumbHTTP

/// A source as regions need it: its layer, where its tiles come from, and its definition.
public struct RegionSource: Sendable {
    /// What the person calls it.
    public let words: String
    public let layer: TileLayer
    public let supply: any RegionSupply
    /// Without secrets; enough to show it again.
    public let definition: JSON

    /// - Parameters:
    ///   - words: a name or an address.
    ///   - layer: that shows it.
    /// - Throws: `RegionSourceFailure` where no region can be made of it.
    public init(_ words: String, _ layer: TileLayer, client: HTTPClient) throws(RegionSourceFailure) {
        guard layer.feature != .trafficFlow, layer.feature != .trafficIncidents else {
            throw .traffic(layer.info.name)
        }
        switch layer.source {
        case let source as WebTileSource:
            supply = WebTileSupply(source, client: client)
            definition = source.definition.json
        case let archive as RemotePMTiles:
            guard let described = archive.described else { throw .here(layer.info.name) }
            supply = RemoteArchiveSupply(archive, policy: described.policy)
            definition = described.json
        default: throw .here(layer.info.name)
        }
        self.words = words
        self.layer = layer
    }

    /// A source whose tiles come from elsewhere.
    package init(_ words: String, _ layer: TileLayer, _ supply: any RegionSupply, definition: JSON) {
        (self.words, self.layer, self.supply, self.definition) = (words, layer, supply, definition)
    }

    /// The cache key of the source.
    public var origin: String { supply.origin }

    /// Tells which of its tiles can be shown.
    var judge: TileBodyJudge { TileBodyJudge(layer.tileBodyKind) }

    /// What is worth knowing of the features that a region leaves out.
    func notes(on definition: RegionDefinition) -> [String] {
        let detail = Feature.detailRendering.name
        guard layer.vectorLayerNames != nil, !definition.features.contains(detail) else { return [] }
        return ["\(layer.info.name): buildings lie in the same tiles as the map; leaving \(detail) out saves nothing"]
    }

    func cover(_ definition: RegionDefinition) -> RegionCover {
        definition.cover(available: layer.dataZooms, bounds: layer.info.bounds)
    }

    func packs(_ definition: RegionDefinition) -> PackCover {
        definition.packs(available: layer.dataZooms, bounds: layer.info.bounds)
    }
}

/// Why no region can be made of a source.
public enum RegionSourceFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// It is on this machine: an archive, the embedded world, a program's own drawing.
    case here(String)
    /// Traffic is never stored.
    case traffic(String)

    public var description: String {
        switch self {
        case .here(let name):
            "\(SafeText.sanitised(name, limit: 60)) is on this machine already: there is nothing to download; "
                + "rhumb source list names sources that may be"
        case .traffic(let name):
            "\(SafeText.sanitised(name, limit: 60)) is traffic, which its provider does not let anybody store; "
                + "leave it out"
        }
    }
}
