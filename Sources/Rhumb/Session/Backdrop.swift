public import RhumbCore
public import RhumbEngine

/// A quiet map that lies under the others where these have nothing to show: outside their bounds, where tiles
/// are absent, failed, or still to come from a server. It costs nothing while the others fill the view.
public struct Backdrop: Sendable {
    /// What its layers are called begins so; the theme and the colours follow.
    private static let prefix = "backdrop."
    /// How strongly it shows.
    private static let strength = 0.6

    private let map: OwnMap
    /// As it was drawn last, under its map's name.
    private var layer: TileLayer?
    /// Whether it shows.
    public private(set) var isShown = false

    /// - Parameter map: a map that is at hand without a network, such as an embedded one.
    public init(_ map: OwnMap) { self.map = map }

    /// The layers to show and to load, with the backdrop among them while it is needed: pale as it is, it is drawn
    /// with a quarter of the dots.
    public func layers(under layers: [TileLayer]) -> [TileLayer] {
        guard isShown, let layer else { return layers }
        var quiet = layer.named(Self.prefix + layer.id)
        quiet.role = .background
        quiet.opacity = Self.strength
        quiet.detail -= 1
        return [quiet] + layers
    }

    /// Whether a layer is a backdrop.
    public static func isBackdrop(_ layer: TileLayer) -> Bool { layer.id.hasPrefix(prefix) }

    /// Looks whether the backdrop is needed.
    /// - Parameter scene: the last one drawn, of the layers with the backdrop.
    /// - Returns: whether that has changed, or how it is drawn.
    public mutating func follow(_ scene: Scene, _ viewport: Viewport, _ theme: MapTheme, _ depth: ColorDepth) -> Bool {
        let maps = scene.withoutBackdrop.layers
        let isNeeded = !maps.isEmpty && !maps.contains {
            map.makes($0.layer) || !$0.layer.isTransparent && $0.fills(viewport, countingLoading: isShown)
        }
        let before = (isShown, layer?.id)
        if isNeeded { draw(theme, depth) }
        isShown = isNeeded && layer != nil
        return before != (isShown, layer?.id)
    }

    private mutating func draw(_ theme: MapTheme, _ depth: ColorDepth) {
        if let layer {
            self.layer = map.themed(layer, theme, depth) ?? layer
        } else {
            layer = try? map.layer(theme, depth)
        }
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
        guard drawing?.hasGround != false else { return false }
        guard let boundingBox else { return true }
        // Drawings end where the map does, also within a tile.
        if drawing != nil { return boundingBox.worldBoxes.contains { $0.holds(viewport.box) } }
        return TileCover.tiles(in: viewport, zoom: tileZoom(at: viewport.camera.zoom))
            .allSatisfy { boundingBox.intersects($0.tile) }
    }
}

extension WorldBox {
    /// How far the bounds of a map of all the world may be from its edges: 179.99° and 85.0511° are meant for them.
    private static let rounding = 1e-4

    /// Whether all that a view shows of the world lies in it, whichever copy of the world that is.
    fileprivate func holds(_ view: WorldBox) -> Bool {
        guard minY <= max(view.minY, WorldBox.rounding), maxY >= min(view.maxY, 1 - WorldBox.rounding) else { return false }
        let turns = ((view.minX + view.maxX - minX - maxX) / 2).rounded()
        return maxX - minX >= 1 - WorldBox.rounding || minX + turns <= view.minX && maxX + turns >= view.maxX
    }
}

extension Scene {
    /// The scene without the backdrop, for whoever tells of the maps.
    public var withoutBackdrop: Scene { Scene(layers: layers.filter { !Backdrop.isBackdrop($0.layer) }) }
}
