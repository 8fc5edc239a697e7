public import RhumbCore
internal import RhumbDrawing
public import RhumbEngine

/// Routes as layers of the map.
extension MapOpener {
    /// What the ids of layers of routes begin with.
    public static let routePrefix = "route:"

    /// The layers that show an answer: the chosen route over the dimmed others. They are drawn as the style of the
    /// maps draws its active route; where colours are few as a line alone, which becomes dots.
    /// - Parameters:
    ///   - chosen: which of the routes.
    ///   - number: another each time, so that no picture of another route stays.
    public func layers(of answer: RouteAnswer, chosen: Int, number: Int, _ theme: MapTheme) -> [TileLayer] {
        guard let style = routeStyle(theme) else { return [] }
        let order = answer.routes.indices.filter { $0 != chosen } + answer.routes.indices.filter { $0 == chosen }
        return order.enumerated().map { at, index in
            let isChosen = index == chosen
            let info = TileSourceInfo(
                name: isChosen ? "Route" : "Alternative \(index + 1)", attribution: isChosen ? answer.attribution : "",
                zooms: 0...RouteTiles.deepestZoom, bounds: nil)
            var layer = TileLayer(
                id: "\(Self.routePrefix)\(number)-\(index)", source: RouteTileSource(RouteTiles(answer.routes[index].line)), info: info)
            (layer.role, layer.zIndex, layer.isTransparent) = (.routes, at, true)
            layer.opacity = isChosen ? 1 : 0.45
            layer.feature = .offlineRouting
            // Small pictures, and none where the route is not: those of the map keep their room in memory.
            layer = layer.drawn(by: Self.drawing(of: answer, index, info, style), size: .pixels256)
            layer.detail = 1
            return layer
        }
    }

    private static func drawing(of answer: RouteAnswer, _ index: Int, _ info: TileSourceInfo, _ style: Style) -> VectorDrawing {
        let painter = VectorPainter(style, source: MandatoryLayerSet.activeRoute.rawValue, drawsBackground: false)
        var drawing = VectorDrawing(info, layerNames: [RouteTiles.layerName], painters: [.other: painter])
        drawing.wording = { _ in
            answer.facts(of: answer.routes[index], now: .now).map { MapFeature.Attribute($0.name, $0.value) }
        }
        return drawing
    }

    private func routeStyle(_ theme: MapTheme) -> Style? {
        if styles.depth.needsGlyphs { return try? Style(theme == .day ? Self.line("#1A6FE8") : Self.line("#FFD84A")) }
        return (styles.ready(theme, of: styles.choice)?.style ?? (try? Style.standard(theme, styles.depth)))?.drawing(.activeRoute)
    }

    private static func line(_ colour: JSON) -> JSON {
        let source = MandatoryLayerSet.activeRoute.rawValue
        return [
            "version": 8, "sources": [source: ["type": "geojson"]],
            "layers": [
                [
                    "id": .string(source), "type": "line", "source": .string(source), "layout": ["line-join": "round"],
                    "paint": ["line-color": colour, "line-width": 1.4],
                ]
            ],
        ]
    }
}
