public import RhumbCore
internal import RhumbDrawing
internal import RhumbEngine

/// A style as a map of its own. Each part is a run of layers that draw one source of the style.
public struct StyleMap: Sendable {
    /// A source of the style, with the layers drawn from it.
    public struct Part: Sendable {
        /// The source's name in the style.
        public let name: String
        /// The source.
        public let source: StyleSource
        /// The style with only the layers that the part draws.
        public let style: Style
        /// True for the lowest part, which draws the style's background.
        public let isLowest: Bool
    }

    /// The parts, bottom to top.
    public let parts: [Part]
    /// The colour where the style draws nothing.
    public let background: RGB?
    /// The unsupported parts, one sentence each.
    public let remarks: [String]

    /// The maximum number of parts. Beyond it, layers join an earlier part of their source or are skipped.
    private static let limit = 12

    /// Creates the parts of a style, one for each run of layers with the same source.
    public init(_ style: Style) {
        var runs: [(name: String, kind: StyleSource.Kind, ids: Set<String>)] = []
        let traffic = style.trafficSources
        var remarks = traffic.sorted().map {
            "\(SafeText.sanitised($0, limit: 80)): live traffic is shown in this style when you turn traffic on"
        }
        for layer in style.layers where layer.isVisible && layer.kind != .background && layer.kind != .symbol
        {
            guard let name = layer.source, let source = style.sources[name], !traffic.contains(name) else {
                continue
            }
            let isPixels = source.kind == .raster || source.kind == .rasterDEM
            let index = runs.lastIndex { $0.name == name }
            if let index, !isPixels, index == runs.count - 1 || runs.count >= Self.limit {
                runs[index].ids.insert(layer.id)
            } else if runs.count < Self.limit {
                runs.append((name, source.kind, [layer.id]))
            } else {
                remarks.append(Self.skipped(layer))
            }
        }
        // Sources that only have labels are drawn, too; labels are above all shapes.
        for layer in style.layers where layer.isVisible && layer.kind == .symbol {
            guard let name = layer.source, let source = style.sources[name], !traffic.contains(name),
                !runs.contains(where: { $0.name == name })
            else { continue }
            guard runs.count < Self.limit else {
                remarks.append(Self.skipped(layer))
                continue
            }
            runs.append((name, source.kind, []))
        }
        let grounds = Set(style.layers.filter { $0.kind == .background && $0.isVisible }.map(\.id))
        parts = runs.enumerated().compactMap { at, run in
            guard let source = style.sources[run.name] else { return nil }
            let isLast = !runs[(at + 1)...].contains { $0.name == run.name }
            let own = style.keeping { layer in
                run.ids.contains(layer.id) || at == 0 && grounds.contains(layer.id)
                    || isLast && layer.kind == .symbol && layer.source == run.name
            }
            return Part(name: run.name, source: source, style: own, isLowest: at == 0)
        }
        var context = StyleContext(style, zoom: StyleMap.usualZoom)
        background = style.layers.first { grounds.contains($0.id) }.map {
            $0.colour(.backgroundColour, orMeanOf: .backgroundPattern, &context).rgb
        }
        self.remarks = remarks
    }

    private static func skipped(_ layer: StyleLayer) -> String {
        "layer \(SafeText.sanitised(layer.id, limit: 80)): skipped, as the style has too many sources"
    }

    /// The style's zoom at which Rhumb evaluates the properties that it holds constant.
    package static let usualZoom = 10.0
}

extension StyleMap.Part {
    /// The zooms of the map at which the part's layer of pixels is visible; all zooms if it has none.
    var mapZooms: ClosedRange<Int> {
        guard let layer = pixels else { return 0...30 }
        let low = layer.minZoom > 0 ? Int(min(layer.minZoom.rounded(.up), 29)) + 1 : 0
        let high = layer.maxZoom < 24 ? Int(max(layer.maxZoom.rounded(.up), 0)) : 30
        return low...max(low, high)
    }

    /// The part's layer of pixels or heights; nil if the part draws shapes.
    private var pixels: StyleLayer? { style.layers.first { $0.kind == .raster || $0.kind == .hillshade } }

    /// Returns the layer of pixels if it is of a kind, with the context for evaluating its properties.
    private func pixels(of kind: StyleLayer.Kind) -> (layer: StyleLayer, context: StyleContext)? {
        guard let layer = pixels, layer.kind == kind else { return nil }
        return (layer, StyleContext(style, zoom: StyleMap.usualZoom))
    }

    /// The style's adjustment of image colours.
    var adjustment: ImageAdjustment {
        var adjustment = ImageAdjustment()
        guard let (layer, reading) = pixels(of: .raster) else { return adjustment }
        var context = reading
        adjustment.hueRotate = layer.number(.rasterHueRotate, &context)
        adjustment.saturation = layer.number(.rasterSaturation, &context)
        adjustment.contrast = layer.number(.rasterContrast, &context)
        adjustment.brightnessMin = layer.number(.rasterBrightnessMin, &context)
        adjustment.brightnessMax = layer.number(.rasterBrightnessMax, &context)
        return adjustment
    }

    /// The opacity, 0…1.
    var opacity: Double {
        guard let (layer, reading) = pixels(of: .raster) else { return 1 }
        var context = reading
        return min(max(layer.number(.rasterOpacity, &context), 0), 1)
    }

    /// The light of its hillshade layer.
    var hillshade: Hillshade {
        var shade = Hillshade()
        guard let (layer, reading) = pixels(of: .hillshade) else { return shade }
        var context = reading
        shade.direction = layer.number(.hillshadeDirection, &context)
        shade.exaggeration = layer.number(.hillshadeExaggeration, &context)
        shade.shadow = layer.colour(.hillshadeShadow, &context)
        shade.highlight = layer.colour(.hillshadeHighlight, &context)
        shade.accent = layer.colour(.hillshadeAccent, &context)
        return shade
    }
}

extension Style {
    /// Returns the reason that the style draws little or nothing of some tiles, as a sentence; nil if it fits
    /// or that is unknown.
    /// - Parameters:
    ///   - source: The style's source that the tiles are drawn for.
    ///   - names: The layers of the tiles.
    func misfit(of source: String, to names: [String]) -> String? {
        guard !names.isEmpty else { return nil }
        let drawn = Set(layers.filter { $0.source == source }.compactMap(\.sourceLayer)).subtracting([
            Style.anyLayer
        ])
        let theirs = TileSchema(layerNames: names), its = TileSchema(layerNames: Array(drawn))
        let isOther = theirs != its && theirs != .other && its != .other
        guard isOther || drawn.isDisjoint(with: names) else { return nil }
        let schemas = isOther ? " (\(its.rawValue), not \(theirs.rawValue))" : ""
        let lacking = drawn.subtracting(names)
        let reason =
            lacking.isEmpty
            ? "" : ": it needs the layers \(Self.some(lacking)), but the map has \(Self.some(Set(names)))"
        return "the style is made for other tiles\(schemas)\(reason)"
    }

    /// Returns some of the names, such as "boundaries, buildings, earth and 6 more".
    private static func some(_ names: Set<String>) -> String {
        let first = names.sorted().prefix(3).map { SafeText.sanitised($0, limit: 30) }.joined(separator: ", ")
        return names.count > 3 ? "\(first) and \(names.count - 3) more" : first
    }
}
