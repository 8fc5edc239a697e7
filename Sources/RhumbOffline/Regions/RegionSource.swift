public import RhumbCore
internal import RhumbDrawing
public import RhumbEngine
public import RhumbHTTP
internal import RhumbOpening
public import RhumbStore

/// A source as regions need it: its layer, where its tiles come from, and its definition.
public struct RegionSource: Sendable {
    /// The user's name for the source.
    public let words: String
    /// The layer that shows the source.
    public let layer: TileLayer
    /// The supply of the region's tiles.
    public let supply: any RegionSupply
    /// Enough to show it again.
    public let definition: SourceDefinition
    /// The scale at which it was opened for a tileset; 1 for a region without tilesets.
    var scale = 1

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
            definition = source.definition
        case let archive as RemotePMTiles:
            guard let described = archive.described else { throw .here(layer.info.name) }
            supply = RemoteArchiveSupply(archive, policy: described.policy)
            definition = described
        default: throw .here(layer.info.name)
        }
        self.words = words
        self.layer = layer
    }

    /// A source whose tiles come from elsewhere.
    package init(
        _ words: String, _ layer: TileLayer, _ supply: any RegionSupply, definition: SourceDefinition
    ) {
        self.words = words
        self.layer = layer
        self.supply = supply
        self.definition = definition
    }

    /// The same source with its tiles from elsewhere.
    func supplied(by supply: any RegionSupply) -> RegionSource {
        RegionSource(words, layer, supply, definition: definition)
    }

    /// The sources of a map, each once: of most maps there is one, a style may have several. What a
    /// style draws of documents alone, as GeoJSON, needs no tiles.
    /// - Throws: `RegionSourceFailure` where no region can be made of one.
    public static func all(
        _ words: String, _ layers: [TileLayer], client: HTTPClient
    ) throws(RegionSourceFailure) -> [RegionSource] {
        var sources: [RegionSource] = []
        for layer in layers where layers.count == 1 || !(layer.source is FeatureTileSource) {
            let source = try RegionSource(words, layer, client: client)
            if !sources.contains(where: { $0.origin == source.origin }) { sources.append(source) }
        }
        guard let first = sources.first else { throw .here(layers.first?.info.name ?? words) }
        sources[0] = RegionSource(
            first.words, first.layer.made(of: layers.flatMap(\.documents)), first.supply,
            definition: first.definition)
        return sources
    }

    /// The same source with what an archive of its tiles says where its own definition says nothing.
    public func described(by archive: any TileArchive) -> RegionSource {
        var described = definition
        if described.attribution.isEmpty { described.attribution = archive.info.attribution }
        if described.vectorLayers.isEmpty {
            described.vectorLayers = TileSchema.layerNames(in: archive.metadata)
        }
        described.isVector = described.isVector || archive.refusal?.reason == .vectorTiles
        return RegionSource(words, layer, supply, definition: described)
    }

    /// The origin that its tiles are stored under.
    public var origin: TileOrigin { supply.origin }

    /// A part of a region before anything of it is there.
    func part(of definition: RegionDefinition) -> RegionPart {
        RegionPart(origin, self.definition, planned: cover(definition).counts().total)
    }

    /// Tells which of its tiles can be shown.
    var judge: TileBodyJudge { TileBodyJudge(layer.tileBodyKind) }

    func cover(_ definition: RegionDefinition) -> RegionCover {
        definition.cover(of: origin.key, available: layer.dataZooms, bounds: layer.info.bounds)
    }

    func packs(_ definition: RegionDefinition) -> PackCover {
        definition.packs(of: origin.key, available: layer.dataZooms, bounds: layer.info.bounds)
    }
}

extension [RegionSource] {
    /// The same sources, each origin once.
    var unique: [RegionSource] {
        enumerated().filter { at, source in !self[..<at].contains { $0.origin == source.origin } }.map(
            \.element)
    }

    /// The keys of the origins that a tileset has among these sources.
    func origins(of tileset: RegionTileset) -> Set<String> {
        Set(filter { $0.words == tileset.source && $0.scale == tileset.scale }.map(\.origin.key))
    }

    /// Those whose feature is among the features of a region: the others it does not contain.
    public func contained(in features: [String]) -> [RegionSource] {
        filter { features.contains($0.layer.feature.name) }
    }
}

/// Why no region can be made of a source.
public enum RegionSourceFailure: Remediable, Sendable, Equatable, CustomStringConvertible {
    /// It is on this machine: an archive, the embedded world, a program's own drawing.
    case here(String)
    /// Traffic is never stored.
    case traffic(String)

    public var description: String {
        switch self {
        case .here(let name):
            "\(SafeText.sanitised(name, limit: 60)) is a local map and needs no download"
        case .traffic(let name):
            "\(SafeText.sanitised(name, limit: 60)) is traffic, which its provider does not allow storing; omit it"
        }
    }

    /// Other sources may be downloaded.
    public var remedy: Remedy? { if case .here = self { .listDownloadableSources } else { nil } }
}
