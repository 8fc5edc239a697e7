public import RhumbCore
internal import RhumbDrawing
public import RhumbEngine
public import RhumbHTTP
internal import RhumbOpening
public import RhumbStore

/// A source of a region: its layer, its tile supply and its definition.
public struct RegionSource: Sendable {
    /// The name or address that the user entered.
    public let specifier: String
    /// The layer that shows the source.
    public private(set) var layer: TileLayer
    /// The supply of the region's tiles.
    package internal(set) var supply: any RegionSupply
    /// The definition, sufficient to open the source again.
    public private(set) var definition: SourceDefinition
    /// The scale at which the source was opened for a tileset; 1 for a region without tilesets.
    var scale = 1

    /// Creates the source of a layer.
    /// - Parameters:
    ///   - specifier: The name or address that the user entered.
    ///   - layer: The layer that shows the source.
    /// - Throws: `RegionSourceFailure` if the source can't be stored in a region.
    public init(_ specifier: String, _ layer: TileLayer, client: any Transport) throws(RegionSourceFailure) {
        guard layer.feature != .trafficFlow, layer.feature != .trafficIncidents else {
            throw .traffic(layer.info.name)
        }
        var layer = layer, definition: SourceDefinition
        switch layer.source {
        case let source as WebTileSource:
            supply = WebTileSupply(source, client: client)
            definition = source.definition
        case let archive as RemoteArchive:
            guard let described = archive.described else { throw .here(layer.info.name) }
            supply = RemoteArchiveSupply(archive, policy: described.policy)
            definition = described
        default: throw .here(layer.info.name)
        }
        if let unreadable = supply.unreadableZooms {
            let deepest = layer.info.zooms.upperBound
            layer.info.zooms = min(unreadable.upperBound + 1, deepest)...deepest
            definition.zooms = layer.info.zooms
        }
        self.specifier = specifier
        self.layer = layer
        self.definition = definition
    }

    /// Returns the source with other bounds than its archive declares.
    func extended(to bounds: Bounds) -> RegionSource {
        var source = self
        source.layer.info.bounds = bounds
        source.definition.bounds = bounds
        return source
    }

    /// Creates a source with another tile supply.
    package init(
        _ specifier: String, _ layer: TileLayer, _ supply: any RegionSupply, definition: SourceDefinition
    ) {
        self.specifier = specifier
        self.layer = layer
        self.supply = supply
        self.definition = definition
    }

    /// Returns the sources of a map without duplicates. Most maps have one; a style may have several. Layers
    /// that a style draws only from documents, such as GeoJSON, are skipped.
    /// - Throws: `RegionSourceFailure` if a source can't be stored in a region.
    public static func all(
        _ specifier: String, _ layers: [TileLayer], client: any Transport
    ) throws(RegionSourceFailure) -> [RegionSource] {
        var sources: [RegionSource] = []
        for layer in layers where layers.count == 1 || !(layer.source is FeatureTileSource) {
            let source = try RegionSource(specifier, layer, client: client)
            if !sources.contains(where: { $0.origin == source.origin }) { sources.append(source) }
        }
        guard let first = sources.first else { throw .here(layers.first?.info.name ?? specifier) }
        sources[0].layer = first.layer.made(of: layers.flatMap(\.documents))
        return sources
    }

    /// Returns the same source, with missing parts of its definition taken from an archive of its tiles.
    public func described(by archive: any TileArchive) -> RegionSource {
        var source = self
        if definition.attribution.isEmpty { source.definition.attribution = archive.info.attribution }
        if definition.vectorLayers.isEmpty {
            source.definition.vectorLayers = TileSchema.layerNames(in: archive.metadata)
        }
        source.definition.isOverlay = definition.isOverlay || archive.info.isOverlay
        source.definition.isVector = definition.isVector || archive.refusal?.reason == .vectorTiles
        if definition.elevation == nil, !source.definition.isVector {
            source.definition.elevation =
                archive.metadata["encoding"]?.string.flatMap(ElevationEncoding.init(name:))
        }
        return source
    }

    /// The origin under which the tiles are stored.
    public var origin: TileOrigin { supply.origin }

    /// Returns a part without progress for a region.
    func part(of definition: RegionDefinition) -> RegionSourceRecord {
        RegionSourceRecord(origin, self.definition, planned: cover(definition).counts().total)
    }

    /// The validator for its tiles.
    var tileValidator: TileValidator { TileValidator(layer.tileBodyKind) }

    func cover(_ definition: RegionDefinition) -> RegionTileSet {
        definition.cover(of: origin.key, available: layer.dataZooms, bounds: layer.info.bounds)
    }

    /// Returns true if the source has tiles of a region, and covers a part of its area. A tile of a low zoom
    /// may contain both areas.
    func reaches(_ definition: RegionDefinition) -> Bool {
        layer.info.bounds?.overlaps(definition.geometry.bounds) != false
            && cover(definition).counts().total > 0
    }

    func packs(_ definition: RegionDefinition) -> PackSet {
        definition.packs(of: origin.key, available: layer.dataZooms, bounds: layer.info.bounds)
    }
}

extension [RegionSource] {
    /// The sources without duplicate origins.
    var unique: [RegionSource] {
        enumerated().filter { at, source in !self[..<at].contains { $0.origin == source.origin } }.map(
            \.element)
    }

    /// Returns the keys of the origins of a tileset among these sources.
    func origins(of tileset: ZoomTileset) -> Set<String> {
        Set(filter { $0.specifier == tileset.source && $0.scale == tileset.scale }.map(\.origin.key))
    }

    /// Returns the sources whose feature is one of a region's features.
    public func contained(in features: [String]) -> [RegionSource] {
        filter { features.contains($0.layer.feature.name) }
    }
}

/// The reason why a source can't be stored in a region.
public enum RegionSourceFailure: RecoverableError, Sendable, Equatable, CustomStringConvertible {
    /// The source is on this computer: an archive, the embedded world, or a layer of the program itself.
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

    /// The remedy that a program can offer; nil if there is none.
    public var remedy: RecoverySuggestion? {
        switch self {
        case .here: .listDownloadableSources
        case .traffic: nil
        }
    }
}
