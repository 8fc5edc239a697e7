public import RhumbCore

/// A layer of tiles on the map: a data source, and all that the source does not know of how it
/// is shown. A value: change a copy and hand it to the engine again.
public struct TileLayer: Sendable, Identifiable {
    /// Unique among the layers of a map; letters, digits, "_", "-" and ".".
    public private(set) var id: String
    /// Where its tiles come from.
    public let source: any TileLayerDataSource
    /// Makes pictures of the source's tiles; nil: they are pictures.
    public var drawing: (any TileDrawing)?
    /// The layer sets of the style that the layer is drawn in; nil if that has none of its own.
    public var layerSets: LayerSetStyle?
    /// What is known of the source: name, attribution, zooms, bounds.
    public var info: TileSourceInfo
    /// What it is on the map; that decides what lies over what.
    public var role: LayerRole = .rasterBase
    /// Order within the role; higher lies above. Equal ones lie in the order they were added.
    public var zIndex = 0
    /// False: alpha is composited over `background`, so that nothing below shows through.
    public var isTransparent = false
    /// What an opaque layer's transparent pixels show.
    public var background = RGB(0xFFFFFF)
    /// 0…1, over what lies below.
    public var opacity = 1.0
    /// How its colours are changed before they are drawn.
    public var adjustment = ImageAdjustment()
    /// Whether it is drawn at all.
    public var isVisible = true
    /// Tiles wholly outside are not asked for; nil for no limit.
    public var boundingBox: Bounds?
    /// The map zooms (rounded down) at which the layer shows.
    public var visibleZooms = ZoomSet(0...30)
    /// Whether ancestors (enlarged) and descendants (shrunk) stand in for a missing tile.
    public var hasFallback = true
    /// Whether a tile that comes while another stands in for it takes its place by degrees, where
    /// frames are drawn one after the other.
    public var fadesIn = false
    /// The tile zoom is round(map zoom + detail + zoom offset); 1 is finer by one zoom.
    public var detail = 0.0
    /// Whether tiles of the source's last zoom are drawn from one zoom before on, where that is one of
    /// streets: makers of vector tiles leave small streets and what stands in them to the last.
    public var prefersLastZoom = false
    /// True if the layer continues the base map at deep zooms, such as streets over a map of the world. Where
    /// it fills the view, the base map below it is not drawn.
    public var refinesBase = false
    /// How long a source may take for one tile.
    public var timeout = Duration.seconds(30)
    /// The feature it belongs to.
    public var feature = Feature.rendering
    /// What its provider allows.
    public var policy = SourcePolicy.unlimited
    /// The name under which tiles may be kept in a cache; nil: they may not. Letters, digits,
    /// "_" and "-" of ASCII; a name with anything else, or with nothing, counts as none.
    public var cacheIdentifier: String? {
        didSet { if cacheIdentifier.map(TileLayer.isIdentifier) == false { cacheIdentifier = nil } }
    }
    /// How long a cached tile stays fresh, whatever a server says of it; zero: for ever. What
    /// servers forbid to keep is not kept.
    public var cacheTimeToLive = Duration.zero
    /// The bytes its cached tiles may take; 0: as many as the cache has.
    public var cacheSizeLimit = 0

    /// The name or address that a person opened its map by, where the id doesn't tell.
    public var openedBy: String?
    /// The documents on the web that it was made of: a style, a TileJSON, the beginning of an archive.
    public var documents: [WebResource] = []

    /// A layer that shows a source with the defaults: opaque, wholly visible, with fallback.
    public init(id: String, source: any TileLayerDataSource, info: TileSourceInfo) {
        self.id = id
        self.source = source
        self.info = info
        boundingBox = info.bounds
        isTransparent = info.isOverlay
        role = info.isOverlay ? .hybridOverlay : .rasterBase
    }

    private static func isIdentifier(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// The same layer under another name.
    public func named(_ id: String) -> TileLayer {
        var layer = self
        layer.id = id
        return layer
    }

    /// The time to live in whole seconds, at least one; 0: for ever.
    public var cacheLife: Int64 { cacheTimeToLive > .zero ? max(cacheTimeToLive.components.seconds, 1) : 0 }

    /// The size of its tiles, in pixels.
    public var tileSize: TileSize { info.tileSize }

    /// The zooms asked of the source: its own, within what the tile size allows.
    public var sourceZooms: ClosedRange<Int> {
        let deepest = min(info.zooms.upperBound, tileSize.maximumZoom)
        return min(info.zooms.lowerBound, deepest)...deepest
    }

    /// The tile zoom that draws the map at this zoom, within the source's.
    public func tileZoom(at zoom: Double) -> Int {
        let last = Double(dataZooms.upperBound), ideal = idealZoom(at: zoom)
        let isNearLast = prefersLastZoom && last >= Self.streetZoom && (last - 1..<last).contains(ideal)
        return isNearLast ? Int(last) : nearestTileZoom(at: zoom)
    }

    /// The tile zoom whose pictures are nearest in size, within the source's.
    public func nearestTileZoom(at zoom: Double) -> Int {
        let range = sourceZooms
        return Int(
            min(max(idealZoom(at: zoom).rounded(), Double(range.lowerBound)), Double(range.upperBound)))
    }

    /// The zoom from which tiles hold small streets.
    private static let streetZoom = 13.0

    private func idealZoom(at zoom: Double) -> Double { zoom + detail + Double(tileSize.zoomOffset) }

    /// Whether the layer shows at a map zoom.
    public func isShown(at zoom: Double) -> Bool {
        isVisible && opacity > 0 && visibleZooms.contains(Int(min(max(zoom, 0), 30)))
    }
}

/// A set of zooms, as bits; 0…63.
public struct ZoomSet: Hashable, Sendable {
    private var bits: UInt64

    /// All zooms of a range.
    public init(_ range: ClosedRange<Int>) {
        bits = 0
        insert(range)
    }

    /// Whether the zoom is one of them.
    public func contains(_ zoom: Int) -> Bool { (0...63).contains(zoom) && bits & (1 << UInt64(zoom)) != 0 }

    /// Adds the zooms of a range.
    public mutating func insert(_ range: ClosedRange<Int>) {
        for zoom in range.clamped(to: 0...63) { bits |= 1 << UInt64(zoom) }
    }

    /// Takes out the zooms of a range.
    public mutating func remove(_ range: ClosedRange<Int>) {
        for zoom in range.clamped(to: 0...63) { bits &= ~(1 << UInt64(zoom)) }
    }
}
