public import RhumbGeo

/// Finds the layers of a style that draw a feature.
public struct DrawingLayers {
    /// The layers, topmost first.
    private let layers: [StyleLayer]
    private var context: StyleContext

    /// Selects the layers that draw a source at a zoom.
    /// - Parameters:
    ///   - zoom: The style's zoom, see `StyleContext.zoom`.
    ///   - tile: The tile of the features; nil if unknown.
    public init(_ style: Style, source: String, zoom: Double, tile: TileID? = nil) {
        layers = style.layers.reversed().filter { $0.source == source && $0.isShown(at: zoom) }
        context = StyleContext(style, zoom: zoom, tile: tile)
    }

    /// Returns the ids of the layers that draw a feature, topmost first.
    public mutating func ids(drawing feature: VectorFeature, of layer: VectorLayer) -> [StyleLayer.ID] {
        context.enter(layer)
        guard context.enter(feature) else { return [] }
        return layers.filter { styleLayer in
            [layer.name, Style.anyLayer].contains(styleLayer.sourceLayer)
                && styleLayer.kind.draws(feature.kind)
                && styleLayer.filter?.admits(&context) != false
        }.map(\.id)
    }
}

extension StyleLayer.Kind {
    /// Returns true if layers of this kind draw features of a kind.
    fileprivate func draws(_ kind: VectorFeature.Kind) -> Bool {
        switch self {
        case .fill, .extrusion: kind == .polygon
        case .line: kind == .line || kind == .polygon
        case .circle, .heatmap: kind != .unknown
        case .symbol: kind != .unknown
        case .background, .raster, .hillshade: false
        }
    }
}
