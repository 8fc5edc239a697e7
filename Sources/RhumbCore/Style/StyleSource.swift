/// A source that a style names: where its data would come from.
public struct StyleSource: Sendable, Equatable {
    public enum Kind: String, Sendable {
        case vector, raster, geojson
        case rasterDEM = "raster-dem"
    }

    public let kind: Kind
    /// The address of a TileJSON document; nil if it is given otherwise.
    public let url: String?
    /// Templates of tile addresses.
    public let tiles: [String]
    public let zooms: ClosedRange<Int>

    /// nil for a kind that is not known.
    init?(_ json: JSON) {
        guard let kind = json["type"]?.string.flatMap(Kind.init) else { return nil }
        self.kind = kind
        url = json["url"]?.string
        tiles = (json["tiles"]?.array ?? []).compactMap(\.string)
        let low = min(max(json["minzoom"]?.int ?? 0, 0), TileID.maximumZoom)
        zooms = low...max(low, min(json["maxzoom"]?.int ?? 22, TileID.maximumZoom))
    }
}
