public import RhumbBase

/// A range of zooms of one of a region's sources, at its own scale.
public struct ZoomTileset: Hashable, Sendable {
    /// The source, one of the region's.
    public let source: String
    /// The zooms of its tiles.
    public let zooms: ZoomRange
    /// The scale: 1…4 for tiles of 256…1,024 pixels.
    public let scale: Int
    /// Arbitrary JSON, stored with the region.
    public var metadata: JSON
    /// True if a download accepts stored tiles regardless of their age.
    public var acceptsExpired: Bool
    /// The keys of the source's origins at this scale; empty until the source was opened.
    public var origins: Set<String> = []

    /// - Throws: `RegionDefinitionFailure.noSource`, `.scale`
    public init(
        source: String, zooms: ZoomRange, scale: Int = 1, metadata: JSON = .null, acceptsExpired: Bool = false
    ) throws(RegionDefinitionFailure) {
        guard !source.isEmpty else { throw .noSource }
        guard (1...4).contains(scale) else { throw .scale(scale) }
        self.source = source
        self.zooms = zooms
        self.scale = scale
        self.metadata = metadata
        self.acceptsExpired = acceptsExpired
    }

    /// Returns the range from the lowest to the highest zoom of tilesets; nil without tilesets.
    static func span(of tilesets: [ZoomTileset]) -> ZoomRange? {
        guard let lowest = tilesets.map(\.zooms.lowest).min(),
            let highest = tilesets.map(\.zooms.highest).max()
        else { return nil }
        return try? ZoomRange(lowest, highest)
    }

    /// Returns true if both have the same source and scale. The zooms may differ.
    public func isSameSource(as other: ZoomTileset) -> Bool {
        source == other.source && scale == other.scale
    }
}

extension RegionDefinition {
    /// Combines several ranges of zooms and scales in one region. Its `zooms`, `sources` and `scale` span all
    /// of them.
    /// - Throws: `RegionDefinitionFailure.noSource` without a tileset
    public init(
        id: RegionID, name: String = "", metadata: JSON = .null, geometry: RegionGeometry,
        tilesets: [ZoomTileset], features: [String], packing: RegionTileSet.Packing = .exact
    ) throws(RegionDefinitionFailure) {
        guard let zooms = ZoomTileset.span(of: tilesets) else { throw .noSource }
        try self.init(
            id: id, name: name, metadata: metadata, geometry: geometry, zooms: zooms,
            sources: tilesets.map(\.source),
            features: features, scale: tilesets.map(\.scale).max() ?? 1, packing: packing)
        self.tilesets = tilesets
    }

    /// The zooms of the heights that hills need: contours and shading of the map's zooms use tiles of one
    /// zoom less, and the few tiles of lower zooms show the surroundings.
    private static let heightZooms = 7...12

    /// Returns the region with the heights of a source, for hills.
    /// - Parameter source: The name of the source, whose feature is "terrain".
    /// - Throws: `RegionDefinitionFailure`
    public func withHeights(of source: String) throws(RegionDefinitionFailure) -> RegionDefinition {
        guard !sources.contains(source) || !features.contains("terrain") else { return self }
        var all = tilesets.filter { $0.source != source }
        if all.isEmpty {
            for other in sources where other != source {
                all.append(try ZoomTileset(source: other, zooms: zooms, scale: scale))
            }
        }
        let lowest = min(zooms.lowest, Self.heightZooms.lowerBound)
        let highest = min(max(zooms.highest, Self.heightZooms.lowerBound), Self.heightZooms.upperBound)
        let range: ZoomRange
        do throws(ZoomRangeFailure) { range = try ZoomRange(lowest, highest) } catch { throw .zooms(error) }
        all.append(try ZoomTileset(source: source, zooms: range))
        var region = try RegionDefinition(
            id: id, name: name, metadata: metadata, geometry: geometry, tilesets: all,
            features: features.contains("terrain") ? features : features + ["terrain"], packing: packing)
        region.style = style
        return region
    }

    /// Returns the zooms of an origin in the region, ascending.
    /// - Parameter origin: The origin's key.
    func zoomLevels(of origin: String) -> [Int] {
        tilesets.isEmpty ? Array(zooms.zooms) : Set(tilesets(of: origin).flatMap(\.zooms.zooms)).sorted()
    }

    /// Returns the range of zooms of an origin in the region.
    /// - Parameter origin: The origin's key.
    package func zooms(of origin: String) -> ClosedRange<Int> {
        let levels = zoomLevels(of: origin)
        guard let lowest = levels.first, let highest = levels.last else { return zooms.zooms }
        return lowest...highest
    }

    /// Returns the zooms of the region without those of some origins, such as its heights. Returns all zooms
    /// if no others remain.
    /// - Parameter origins: The keys of the origins.
    package func zooms(without origins: Set<String>) -> ZoomRange {
        ZoomTileset.span(of: tilesets.filter { $0.origins.isDisjoint(with: origins) }) ?? zooms
    }

    /// Returns true if a download accepts stored tiles of an origin regardless of their age.
    /// - Parameter origin: The origin's key.
    public func acceptsExpired(of origin: String) -> Bool {
        let tilesets = tilesets(of: origin)
        return !tilesets.isEmpty && tilesets.allSatisfy(\.acceptsExpired)
    }

    private func tilesets(of origin: String) -> [ZoomTileset] {
        tilesets.filter { $0.origins.contains(origin) }
    }

    /// Returns true if both have the same sources at the same scales.
    public func hasSameSources(as other: RegionDefinition) -> Bool {
        sources == other.sources && scale == other.scale && tilesets.count == other.tilesets.count
            && zip(tilesets, other.tilesets).allSatisfy { $0.isSameSource(as: $1) }
    }

    /// The zooms as text: "7-9", or with several tilesets "0-2, 5-6 at scale 2".
    public var zoomText: String {
        guard !tilesets.isEmpty else { return zooms.description }
        var ranges: [String] = []
        for tileset in tilesets {
            let text = "\(tileset.zooms)" + (tileset.scale == 1 ? "" : " at scale \(tileset.scale)")
            if !ranges.contains(text) { ranges.append(text) }
        }
        return ranges.joined(separator: ", ")
    }
}

extension ZoomTileset {
    /// The tileset as JSON.
    var json: JSON {
        [
            "source": .string(source), "zooms": [.integer(zooms.lowest), .integer(zooms.highest)],
            "scale": .integer(scale), "metadata": metadata, "acceptExpired": .bool(acceptsExpired),
            "origins": .array(origins.sorted().map { .string($0) }),
        ]
    }

    /// Parses the output of `json`.
    init(json: JSON) throws(RegionDefinitionFailure) {
        let zooms = json["zooms"]?.array?.compactMap(\.int) ?? []
        guard zooms.count == 2, let range = try? ZoomRange(zooms[0], zooms[1]),
            let source = json["source"]?.string,
            let scale = json["scale"]?.int
        else { throw .member("tilesets") }
        try self.init(
            source: source, zooms: range, scale: scale, metadata: json["metadata"] ?? .null,
            acceptsExpired: json["acceptExpired"]?.bool ?? false)
        origins = Set(json["origins"]?.array?.compactMap(\.string) ?? [])
    }
}
