public import RhumbCore
public import RhumbEngine

/// The embedded map below the others, drawn only where they have gaps: outside their bounds, and where tiles
/// are absent, failed or loading from a server. It costs nothing while the others fill the view.
///
/// Below most maps it is pale. It keeps its own colours around maps drawn in the same style, and if it is the
/// base map that another layer refines.
public struct Backdrop: Sendable {
    /// The prefix of the backdrop's layer ids, before the theme and the colours.
    private static let prefix = "backdrop."
    /// The opacity of a pale backdrop.
    private static let strength = 0.6

    private let map: EmbeddedMap
    /// The most recently drawn layer, under the name of its map.
    private var layer: TileLayer?
    /// True if the map is drawn below the others.
    public private(set) var isShown = false
    /// The layer that refines the base map and fills the view; nil if none does.
    private var covering: TileLayer.ID?

    /// - Parameter map: A map that needs no network, such as an embedded one.
    public init(_ map: EmbeddedMap) { self.map = map }

    /// Returns the layers to load and draw, including the backdrop if it is needed, and without a base map
    /// that is covered. A pale backdrop is drawn with a quarter of the pixels.
    public func layers(under layers: [TileLayer]) -> [TileLayer] {
        if let covering, let index = layers.firstIndex(where: { $0.id == covering && $0.refinesBase }) {
            return layers.enumerated().filter { !map.makes($1) && !($1.refinesBase && $0 < index) }.map(
                \.element)
        }
        guard isShown, let layer else { return layers }
        var backdrop = layer.named(Self.prefix + layer.id)
        backdrop.role = .background
        let maps = layers.filter { $0.isVisible && !$0.isTransparent }
        if maps.isEmpty || !maps.allSatisfy(VectorStyles.drawsInOwnStyle) {
            backdrop.opacity = Self.strength
            backdrop.detail -= 1
        }
        return [backdrop] + layers
    }

    /// Returns true if a layer is a backdrop.
    public static func isBackdrop(_ layer: TileLayer) -> Bool { layer.id.hasPrefix(prefix) }

    /// Decides whether the backdrop is needed.
    /// - Parameters:
    ///   - scene: The last scene of `layers(under:)`.
    ///   - layers: The layers of the map, without the backdrop.
    /// - Returns: True if the result of `layers(under:)` has changed.
    public mutating func follow(
        _ scene: Scene, of layers: [TileLayer], _ viewport: Viewport, _ theme: MapTheme, _ depth: ColorDepth
    ) -> Bool {
        let maps = scene.withoutBackdrop.layers.filter { !$0.layer.isTransparent }
        let isBase = layers.contains { $0.isVisible && map.makes($0) }
        let before = (isShown, covering, layer?.id)
        let old = covering
        covering =
            isBase
            ? maps.last { map in
                map.layer.refinesBase && map.fills(viewport, countingLoading: map.layer.id != old)
            }?.layer.id : nil
        let isNeeded =
            !scene.layers.isEmpty && !isBase
            && !maps.contains { $0.fills(viewport, countingLoading: isShown) }
        if isNeeded { draw(theme, depth) }
        isShown = isNeeded && layer != nil
        return before != (isShown, covering, layer?.id)
    }

    /// True if the embedded map is visible where the others have gaps, as their base or as the pale map below
    /// them.
    /// - Parameter layers: The layers of the map, without the backdrop.
    public func isBelow(_ layers: [TileLayer]) -> Bool {
        isShown
            || covering == nil && layers.contains(where: \.refinesBase)
                && layers.contains { $0.isVisible && map.makes($0) }
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
    /// True if the layer covers the whole view.
    /// - Parameter countingLoading: True if tiles loading from a disk also count as missing.
    fileprivate func fills(_ viewport: Viewport, countingLoading: Bool) -> Bool {
        guard layer.isShown(at: viewport.camera.zoom) else { return false }
        let isSlow = countingLoading || layer.source.origin(of: layer) != nil
        let open = gaps.contains { !$0.isCovered && ($0.reason != .loading || isSlow) }
        return !open && !layer.isTooFarOut(at: viewport.camera.zoom) && layer.bounds(fill: viewport)
    }
}

extension TileLayer {
    fileprivate func bounds(fill viewport: Viewport) -> Bool {
        guard drawing?.hasGround != false else { return false }
        guard let boundingBox else { return true }
        // Drawings end at the map's bounds, even within a tile.
        if drawing != nil { return boundingBox.worldBoxes.contains { $0.holds(viewport.box) } }
        return TileCover.tiles(in: viewport, zoom: tileZoom(at: viewport.camera.zoom))
            .allSatisfy { boundingBox.intersects($0.tile) }
    }
}

extension WorldBox {
    /// The tolerance for the bounds of a world map, because 179.99° and 85.0511° stand for its edges.
    private static let rounding = 1e-4

    /// Returns true if this box contains everything that a view shows of the world, in any of its copies.
    fileprivate func holds(_ view: WorldBox) -> Bool {
        guard minY <= max(view.minY, WorldBox.rounding), maxY >= min(view.maxY, 1 - WorldBox.rounding) else {
            return false
        }
        let turns = ((view.minX + view.maxX - minX - maxX) / 2).rounded()
        return maxX - minX >= 1 - WorldBox.rounding || minX + turns <= view.minX && maxX + turns >= view.maxX
    }
}

extension Scene {
    /// True if an embedded map is drawn below the others, either as a backdrop or as the base that another
    /// layer refines.
    public var hasBackdrop: Bool {
        layers.contains { Backdrop.isBackdrop($0.layer) }
            || layers.contains { $0.layer.refinesBase } && layers.contains { !$0.layer.refinesBase }
    }

    /// The scene without the backdrop, for reports about the maps themselves.
    public var withoutBackdrop: Scene { Scene(layers: layers.filter { !Backdrop.isBackdrop($0.layer) }) }
}
