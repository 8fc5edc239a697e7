public import RhumbCore
internal import RhumbDrawing
public import RhumbEngine

/// Routes as layers of the map.
extension MapOpener {
    /// What the ids of layers of routes begin with.
    public static let routePrefix = "route:"

    /// The layers that show an answer: the chosen route over the dimmed others. They are drawn as the style of the
    /// maps draws its active route.
    /// - Parameters:
    ///   - chosen: which of the routes.
    ///   - number: another each time, so that no picture of another route stays.
    public func layers(of answer: RouteAnswer, chosen: Int, number: Int, _ theme: MapTheme) -> [TileLayer] {
        guard let style = styles.ready(theme, of: styles.choice)?.style ?? (try? Style.standard(theme, styles.depth)) else { return [] }
        let order = answer.routes.indices.filter { $0 != chosen } + answer.routes.indices.filter { $0 == chosen }
        return order.enumerated().map { at, index in
            let isChosen = index == chosen, route = answer.routes[index]
            let painter = VectorPainter(
                style.drawing(.activeRoute), source: MandatoryLayerSet.activeRoute.rawValue, drawsBackground: false)
            let info = TileSourceInfo(
                name: isChosen ? "Route" : "Alternative \(index + 1)", attribution: isChosen ? answer.attribution : "",
                zooms: 0...RouteTiles.deepestZoom, bounds: nil)
            var layer = TileLayer(
                id: "\(Self.routePrefix)\(number)-\(index)", source: RouteTileSource(RouteTiles(route.line)), info: info)
            layer.role = .routes
            layer.zIndex = at
            layer.isTransparent = true
            layer.opacity = isChosen ? 1 : 0.45
            layer.feature = .offlineRouting
            // Small pictures, and none where the route is not: those of the map keep their room in memory.
            layer = layer.drawn(
                by: VectorDrawing(info, layerNames: [RouteTiles.layerName], painters: [.other: painter]), size: .pixels256)
            layer.detail = 1
            return layer
        }
    }
}

extension TileLayer {
    /// Whether it shows a route.
    public var isRoute: Bool { role == .routes && id.hasPrefix(MapOpener.routePrefix) }
}
