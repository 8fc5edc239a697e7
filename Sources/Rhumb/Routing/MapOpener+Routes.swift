public import RhumbCore
internal import RhumbDrawing
public import RhumbEngine

/// Routes as layers of the map.
extension MapOpener {
    /// The prefix of the ids of route layers.
    static let routePrefix = "route:"

    /// Returns the layers that show a response, with the chosen route above the alternatives. They are drawn
    /// with the layer sets of the map's style. If there are few colours, each route is drawn as a single
    /// line, which appears as dots.
    ///   - chosen: The index of the chosen route.
    ///   - number: A number that differs for each call, so that no tiles of another route remain.
    ///   - maps: The layers of the map.
    public func layers(
        of answer: RouteAnswer, chosen: Int, number: Int, _ theme: MapTheme, over maps: [TileLayer]
    ) -> [TileLayer] {
        let order =
            answer.routes.indices.filter { $0 != chosen } + answer.routes.indices.filter { $0 == chosen }
        let active = routeStyle(.activeRoute, theme, maps) ?? usualRouteStyle(theme)
        let dimmed = routeStyle(.inactiveRoute, theme, maps)
        return order.enumerated().compactMap { at, index in
            let isChosen = index == chosen, isFaint = !isChosen && (dimmed == nil || styles.depth.needsGlyphs)
            guard let style = isChosen ? active : dimmed ?? active else { return nil }
            let info = TileSourceInfo(
                name: isChosen ? "Route" : "Alternative \(index + 1)",
                attribution: isChosen ? answer.attribution : "",
                zooms: 0...RouteTiles.deepestZoom, bounds: nil)
            var layer = TileLayer(
                id: "\(Self.routePrefix)\(number)-\(index)",
                source: RouteTileSource(RouteTiles(answer.routes[index].line)), info: info)
            layer.role = .routes
            layer.zIndex = at
            layer.isTransparent = true
            layer.opacity = isFaint ? 0.45 : 1
            layer.feature = .offlineRouting
            // Uses small tiles, and none outside the route, so that those of the map stay in memory.
            layer = layer.drawn(by: Self.drawing(of: answer, index, info, style), size: .pixels256)
            layer.detail = 1
            return layer
        }
    }

    private static func drawing(
        of answer: RouteAnswer, _ index: Int, _ info: TileSourceInfo, _ style: Style
    ) -> VectorDrawing {
        let painter = VectorPainter(style, source: style.layers.first?.source ?? "", drawsBackground: false)
        var drawing = VectorDrawing(info, layerNames: [RouteTiles.layerName], painters: [.other: painter])
        drawing.wording = { _ in
            answer.facts(of: answer.routes[index], now: .now).map { MapFeature.Attribute($0.name, $0.value) }
        }
        return drawing
    }

    /// Returns the layer sets of the style for a theme, which also apply to maps of image tiles; nil if it
    /// has none.
    public func layerSets(_ theme: MapTheme) -> LayerSetStyle? {
        // Rhumb's own style has none, and need not be read to know that.
        styles.choice[theme] == nil ? nil : styles.ready(theme, of: styles.choice)?.layerSets
    }

    /// Returns a style's own layers of a set, in the terminal's colours; nil if no style has any.
    private func routeStyle(_ set: MandatoryLayerSet, _ theme: MapTheme, _ maps: [TileLayer]) -> Style? {
        let chosen = layerSets(theme).flatMap { $0.has(set) ? $0 : nil }
        guard let own = maps.style(of: set) ?? chosen else { return nil }
        guard styles.depth.needsGlyphs else { return own.style(drawing: set) }
        return own.lineColour(of: set, zoom: StyleMap.usualZoom).flatMap { try? Style(Self.line($0)) }
    }

    private func usualRouteStyle(_ theme: MapTheme) -> Style? {
        if styles.depth.needsGlyphs {
            return try? Style(Self.line(theme == .day ? RGB(0x1A6FE8) : RGB(0xFFD84A)))
        }
        return (try? Style.standard(theme, styles.depth))?.drawing(.activeRoute)
    }

    /// Returns a style with a single line. Its source isn't one of the mandatory sets.
    private static func line(_ colour: RGB) -> JSON {
        [
            "version": 8, "sources": ["route": ["type": "geojson"]],
            "layers": [
                [
                    "id": "route", "type": "line", "source": "route", "layout": ["line-join": "round"],
                    "paint": ["line-color": .string("\(colour)"), "line-width": 1.4],
                ]
            ],
        ]
    }

    /// Returns a layer of reachable areas in the colours of its GeoJSON; nil if there is no drawable area.
    /// - Parameter number: A number that differs for each response, so that no earlier tiles are reused.
    public func layer(of reach: Isochrone, number: Int) -> TileLayer? {
        guard let features = try? FeatureCollection(reach.geoJSON), let style = try? Style(Self.style) else {
            return nil
        }
        let times = reach.areas.map(\.minutes).sorted().map { AmountText.seconds($0 * 60) }.joined(
            separator: ", ")
        let info = TileSourceInfo(
            name: "Within \(times)", attribution: reach.attribution, zooms: 0...FeatureCollection.deepestZoom,
            bounds: features.bounds)
        var layer = TileLayer(id: "reach:\(number)", source: FeatureTileSource(features), info: info)
        // The edge of an area is drawn on both sides of its line.
        layer.boundingBox = nil
        layer.role = .routes
        layer.zIndex = -1
        layer.isTransparent = true
        layer.feature = .offlineRouting
        let painter = VectorPainter(style, source: "reach", drawsBackground: false)
        layer = layer.drawn(
            by: VectorDrawing(info, layerNames: [FeatureCollection.layerName], painters: [.other: painter]))
        layer.detail = 1
        return layer
    }

    /// The style, which fills each area in its own colour and gives it a stronger edge.
    private static let style: JSON = {
        let layers = Isochrone.colours.reversed().flatMap { colour -> [JSON] in
            let filter: JSON = ["==", ["get", "fill"], .string(colour)]
            return [
                [
                    "id": .string("fill \(colour)"), "type": "fill", "source": "reach", "filter": filter,
                    "paint": ["fill-color": .string(colour), "fill-opacity": 0.35],
                ],
                [
                    "id": .string("edge \(colour)"), "type": "line", "source": "reach", "filter": filter,
                    "paint": ["line-color": .string(colour), "line-width": 2],
                ],
            ]
        }
        return ["version": 8, "sources": ["reach": ["type": "geojson"]], "layers": .array(layers)]
    }()
}
