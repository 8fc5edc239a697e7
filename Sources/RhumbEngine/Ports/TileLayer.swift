public import RhumbCore

/// A layer of tiles on the map: a data source and its presentation. It is a value: change a copy and pass it
/// to the engine again.
public struct TileLayer: Sendable, Identifiable {
    /// The id, unique among the layers of a map: letters, digits, "_", "-" and ".".
    public private(set) var id: String
    /// The source of its tiles.
    public private(set) var source: any TileLayerDataSource
    /// The drawing of the source's tiles; nil if they are pictures.
    public var drawing: (any TileDrawing)?
    /// The layer sets of the style in which the layer is drawn; nil if the style has none of its own.
    public var layerSets: LayerSetStyle?
    /// The description of the source: name, attribution, zooms, bounds.
    public var info: TileSourceInfo
    /// The role on the map, which decides the drawing order.
    public var role: LayerRole = .rasterBase
    /// The order within the role; higher is above. Layers with equal values are drawn in the order they were
    /// added.
    public var zIndex = 0
    /// True if layers below are visible through it. If false, alpha is composited over `background`.
    public var isTransparent = false
    /// The colour below transparent pixels of an opaque layer.
    public var background = RGB(0xFFFFFF)
    /// The opacity from 0 to 1.
    public var opacity = 1.0
    /// The adjustment of its colours.
    public var adjustment = ImageAdjustment()
    /// True if it is drawn.
    public var isVisible = true
    /// The bounds outside which no tile is requested; nil for no limit.
    public var boundingBox: Bounds?
    /// The map zooms (rounded down) at which the layer shows.
    public var visibleZooms = ZoomSet(0...30)
    /// True if enlarged ancestors and shrunken descendants replace a missing tile.
    public var hasFallback = true
    /// True if a loaded tile replaces its substitute gradually, when frames are drawn in a sequence.
    public var fadesIn = false
    /// The offset to a finer tile zoom, which is round(map zoom + detail + zoom offset). 1 is finer by one
    /// zoom.
    public var detail = 0.0
    /// True if tiles of the source's last zoom are drawn from one zoom earlier, for street maps: vector tiles
    /// have small streets and their details only at the last zoom.
    public var prefersLastZoom = false
    /// True if the layer continues the base map at deep zooms, such as streets over a map of the world. Where
    /// it fills the view, the base map below it is not drawn.
    public var refinesBase = false
    /// The time limit of the source for one tile.
    public var timeout = Duration.seconds(30)
    /// The feature it belongs to.
    public var feature = Feature.rendering
    /// The provider's policy.
    public var policy = SourcePolicy.unlimited
    /// The name under which the tiles of a program's own source are cached; nil to cache only tiles that the
    /// source has addresses for, by their addresses. It consists of ASCII letters, digits, "_" and "-"; any
    /// other name, or an empty one, becomes nil.
    public var cacheIdentifier: String? {
        didSet { if cacheIdentifier.map(TileLayer.isIdentifier) == false { cacheIdentifier = nil } }
    }
    /// The lifetime of a cached tile, regardless of the server's headers. Zero means no limit for a layer
    /// with a cache identifier, and the lifetime that the server states for others. Responses that must not
    /// be stored are not stored.
    public var cacheTimeToLive = Duration.zero
    /// The maximum size of its cached tiles in bytes; 0 for the cache's own limit only.
    public var cacheSizeLimit = 0

    /// The legend of its colours; nil for none.
    public var legend: OverlayLegend?
    /// The name or address by which the user opened the map, if the id doesn't contain it.
    public var openedBy: String?
    /// The web documents that it was made from: a style, a TileJSON document, the beginning of an archive.
    public var documents: [WebResource] = []

    /// Creates a layer of a source with the defaults: visible and with fallback, opaque unless it is an
    /// overlay.
    public init(id: String, source: any TileLayerDataSource, info: TileSourceInfo) {
        self.id = id
        self.source = source
        self.info = info
        boundingBox = info.bounds
        isTransparent = info.isOverlay
        role = info.isOverlay ? .hybridOverlay : .rasterBase
    }

    /// Creates a layer of a program's own source.
    /// - Parameters:
    ///   - id: The id, which is also the name of the source.
    ///   - source: The source; nil for one without tiles, until `dataSource` is set.
    ///   - tileSize: The size of the tiles, on which the deepest zoom depends.
    public init(
        id: String = "tiles", source: (any TileLayerDataSource)? = nil, tileSize: TileSize = .pixels256
    ) {
        self.init(
            id: id, source: source ?? NoTiles(), info: TileSourceInfo(name: id, tileSize: tileSize))
    }

    /// The source of its tiles, for a program that sets it after creating the layer.
    public var dataSource: any TileLayerDataSource {
        get { source }
        set { source = newValue }
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

    /// Returns the layer under another id.
    public func named(_ id: String) -> TileLayer {
        var layer = self
        layer.id = id
        return layer
    }

    /// The lifetime of cached tiles in whole seconds, at least one; 0 for no limit.
    var cacheLife: Int64 { cacheTimeToLive > .zero ? max(cacheTimeToLive.components.seconds, 1) : 0 }

    /// The size of its tiles, in pixels.
    public var tileSize: TileSize { info.tileSize }

    /// The zooms requested from the source: its own, limited by the tile size.
    public var sourceZooms: ClosedRange<Int> {
        let deepest = min(info.zooms.upperBound, tileSize.maximumZoom)
        return min(info.zooms.lowerBound, deepest)...deepest
    }

    /// Returns the tile zoom that draws the map at a zoom, within the source's zooms.
    public func tileZoom(at zoom: Double) -> Int {
        let last = Double(dataZooms.upperBound), ideal = idealZoom(at: zoom)
        let isNearLast = prefersLastZoom && last >= Self.streetZoom && (last - 1..<last).contains(ideal)
        return isNearLast ? Int(last) : nearestTileZoom(at: zoom)
    }

    /// Returns the tile zoom whose pictures are nearest in size, within the source's zooms.
    public func nearestTileZoom(at zoom: Double) -> Int {
        let range = sourceZooms
        return Int(
            min(max(idealZoom(at: zoom).rounded(), Double(range.lowerBound)), Double(range.upperBound)))
    }

    /// The zoom from which tiles contain small streets.
    private static let streetZoom = 13.0

    private func idealZoom(at zoom: Double) -> Double { zoom + detail + Double(tileSize.zoomOffset) }

    /// Returns true if the layer is visible at a map zoom.
    public func isShown(at zoom: Double) -> Bool {
        isVisible && opacity > 0 && visibleZooms.contains(Int(min(max(zoom, 0), 30)))
    }
}

/// A source without tiles.
private struct NoTiles: TileLayerDataSource {
    func hasTile(_ tile: TileID) -> Bool { false }
}

/// A set of zooms from 0 to 63, as bits.
public struct ZoomSet: Hashable, Sendable {
    private var bits: UInt64

    /// Creates a set of all zooms of a range.
    public init(_ range: ClosedRange<Int>) {
        bits = 0
        insert(range)
    }

    /// Returns true if the zoom is in the set.
    public func contains(_ zoom: Int) -> Bool { (0...63).contains(zoom) && bits & (1 << UInt64(zoom)) != 0 }

    /// Adds the zooms of a range.
    public mutating func insert(_ range: ClosedRange<Int>) {
        for zoom in range.clamped(to: 0...63) { bits |= 1 << UInt64(zoom) }
    }

    /// Removes the zooms of a range.
    public mutating func remove(_ range: ClosedRange<Int>) {
        for zoom in range.clamped(to: 0...63) { bits &= ~(1 << UInt64(zoom)) }
    }
}

/// The order of layers from background to foreground. Layers of one role are ordered by `zIndex`.
public enum LayerRole: Int, CaseIterable, Comparable, Sendable {
    case background, vectorBase, rasterBase, hybridOverlay, trafficFlow, trafficIncidents
    case overlays, routes, labels, positionAccuracy, position, direction

    public static func < (a: LayerRole, b: LayerRole) -> Bool { a.rawValue < b.rawValue }
}

extension MandatoryLayerSet {
    /// The role of its layers on the map.
    public var role: LayerRole {
        switch self {
        case .activeRoute, .inactiveRoute, .routeStart, .routeEnd: .routes
        case .positionAccuracy: .positionAccuracy
        case .position: .position
        case .chevron: .direction
        }
    }
}

extension [TileLayer] {
    /// Returns the style of the lowest layer that has its own style for a set; nil if none has.
    public func style(of set: MandatoryLayerSet) -> LayerSetStyle? {
        lazy.compactMap(\.layerSets).first { $0.has(set) }
    }

    /// The layers from bottom to top: by role, then by `zIndex`. Equal ones keep their order.
    public var stacked: [TileLayer] { sorted { ($0.role, $0.zIndex) < ($1.role, $1.zIndex) } }
}

extension TileLayer {
    /// Exchanges the positions of two layers in the drawing order.
    public static func exchange(_ a: inout TileLayer, _ b: inout TileLayer) {
        swap(&a.role, &b.role)
        swap(&a.zIndex, &b.zIndex)
        swap(&a, &b)
    }

    /// The text that opens its source again, whatever theme it is drawn in.
    public var specifier: String {
        if let openedBy { return openedBy }
        let plain = plainID
        for prefix in ["source:", "web:", "file:", "terrain:", "region:"] where plain.hasPrefix(prefix) {
            return String(plain.dropFirst(prefix.count))
        }
        return String(plain)
    }

    /// True if it was opened by the address or the name of a web source.
    public var isNamedOnWeb: Bool { ["web:", "source:", "region:"].contains { plainID.hasPrefix($0) } }

    private var plainID: Substring {
        id.hasPrefix("vector.") ? id.drop { $0 != ":" }.dropFirst() : id[...]
    }
}
