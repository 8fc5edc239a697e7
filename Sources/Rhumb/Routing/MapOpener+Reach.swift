public import RhumbCore
internal import RhumbDrawing
public import RhumbEngine

extension MapOpener {
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
