public import RhumbCore
public import RhumbEngine

/// A quiet map that lies under the others where these have nothing to show: outside their bounds, where tiles
/// are absent, failed, or still to come from a server. It costs nothing while the others fill the view.
public struct Backdrop: Sendable {
    /// What its layer is called.
    public static let id = "backdrop"
    /// How strongly it shows.
    private static let strength = 0.6

    private let map: OwnMap
    private var layer: TileLayer?
    /// The theme and the colours that the layer is drawn for.
    private var mark: String?
    /// Whether it shows.
    public private(set) var isShown = false

    /// - Parameter map: a map that is at hand without a network, such as an embedded one.
    public init(_ map: OwnMap) { self.map = map }

    /// The layers to show and to load, with the backdrop among them while it is needed.
    public func layers(under layers: [TileLayer]) -> [TileLayer] {
        guard isShown, let layer else { return layers }
        return [layer] + layers
    }

    /// Looks whether the backdrop is needed.
    /// - Parameter scene: the last one drawn, of the layers with the backdrop.
    /// - Returns: whether that has changed, or how it is drawn.
    public mutating func follow(_ scene: Scene, _ viewport: Viewport, _ theme: MapTheme, _ depth: ColorDepth) -> Bool {
        let others = scene.layers.filter { $0.layer.id != Self.id && !$0.layer.isTransparent }
        let isNeeded = !others.isEmpty
            && !others.contains { map.makes($0.layer) || $0.fills(viewport, countingLoading: isShown) }
        let before = (isShown, mark)
        if isNeeded { draw(theme, depth) }
        isShown = isNeeded && layer != nil
        return before != (isShown, mark)
    }

    private mutating func draw(_ theme: MapTheme, _ depth: ColorDepth) {
        guard mark != theme.mark(depth) else { return }
        mark = theme.mark(depth)
        layer = (try? map.layer(theme, depth))?.named(Self.id)
        layer?.role = .background
        layer?.opacity = Self.strength
    }
}

extension LayerScene {
    /// Whether the layer has something to show all over the view.
    /// - Parameter countingLoading: whether also tiles that come at once, from a disk, count as missing.
    fileprivate func fills(_ viewport: Viewport, countingLoading: Bool) -> Bool {
        let isSlow = countingLoading || layer.source is any NetworkTileSource
        let open = gaps.contains { !$0.isCovered && ($0.reason != .loading || isSlow) }
        return !open && !layer.isTooFarOut(at: viewport.camera.zoom) && layer.bounds(fill: viewport)
    }
}

extension TileLayer {
    fileprivate func bounds(fill viewport: Viewport) -> Bool {
        guard let boundingBox else { return true }
        let zoom = tileZoom(at: viewport.camera.zoom)
        let within = TileCover.tiles(in: viewport, zoom: zoom, bounds: boundingBox).count
        return within == TileCover.tiles(in: viewport, zoom: zoom, bounds: nil).count
    }
}

extension Scene {
    /// The scene without the backdrop, for whoever tells of the maps.
    public var withoutBackdrop: Scene { Scene(layers: layers.filter { $0.layer.id != Backdrop.id }) }
}
