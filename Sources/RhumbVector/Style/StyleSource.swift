public import RhumbBase
public import RhumbGeo

/// A source of a style.
public struct StyleSource: Sendable, Equatable {
    /// The source types of the MapLibre style specification.
    public enum Kind: String, Sendable {
        case vector, raster, geojson
        case rasterDEM = "raster-dem"
    }

    /// The type of the source.
    public let kind: Kind
    /// The address of a TileJSON document; nil if there is none.
    public let url: String?
    /// The URL templates of the tiles.
    public let tiles: [String]
    /// The zooms of the tiles.
    public let zooms: ClosedRange<Int>
    /// True if the style sets the maximum zoom.
    public let hasDeepestZoom: Bool
    /// The box that contains all data; nil if the style sets none.
    public let bounds: Bounds?
    /// The size of raster tiles in pixels, by default 512 as specified.
    public let tileSize: Int
    /// True if tile rows count from the south.
    public let isTMS: Bool
    /// The attribution, sanitised for terminals; may be empty.
    public let attribution: String
    /// The encoding of heights in a `raster-dem` source.
    public let encoding: ElevationEncoding
    /// A GeoJSON document or the address of one; nil for other types.
    public let data: JSON?

    /// Parses a source; nil for an unknown type.
    init?(_ json: JSON) {
        guard let kind = json["type"]?.string.flatMap(Kind.init) else { return nil }
        self.kind = kind
        url = json["url"]?.string
        tiles = (json["tiles"]?.array ?? []).compactMap(\.string)
        let low = min(max(json["minzoom"]?.int ?? 0, 0), TileID.maximumZoom)
        zooms = low...max(low, min(json["maxzoom"]?.int ?? 22, TileID.maximumZoom))
        hasDeepestZoom = json["maxzoom"]?.int != nil
        bounds = Bounds(json: json["bounds"])
        tileSize = json["tileSize"]?.int ?? 512
        isTMS = json["scheme"]?.string?.lowercased() == "tms"
        attribution = SafeText.plain(html: json["attribution"]?.string ?? "")
        encoding = StyleSource.encoding(json)
        data = json["data"]
    }

    private static func encoding(_ json: JSON) -> ElevationEncoding {
        switch json["encoding"]?.string {
        case "terrarium": .terrarium
        case "custom":
            .custom(
                red: json["redFactor"]?.double ?? 1, green: json["greenFactor"]?.double ?? 1,
                blue: json["blueFactor"]?.double ?? 1, base: json["baseShift"]?.double ?? 0)
        default: .mapbox
        }
    }

    /// The reason why the source is unusable; nil if none is known.
    public var problem: String? {
        if kind == .geojson { return data == nil ? "it has no \"data\"" : nil }
        guard url != nil || !tiles.isEmpty else { return nil }
        guard let scheme = (url ?? tiles.first)?.prefix(while: { $0 != ":" }).lowercased() else { return nil }
        return ["mapbox", "maptiler", "asset", "local"].contains(scheme)
            ? "\(scheme): URLs are not supported" : nil
    }
}
