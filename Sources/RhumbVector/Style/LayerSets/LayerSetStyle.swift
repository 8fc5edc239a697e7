internal import RhumbBase
public import RhumbCells

/// A style's own layer sets, which style routes and the position on any map.
public final class LayerSetStyle: Sendable {
    private let style: Style

    /// Takes the sets of a style.
    /// - Returns: nil if the style has no complete set of its own.
    public init?(_ style: Style) {
        guard style.mandatoryLayers.values.contains(where: { $0.problem == nil }) else { return nil }
        self.style = style
    }

    /// Returns true if the set is the style's own.
    public func has(_ set: MandatoryLayerSet) -> Bool { style.mandatoryLayers[set]?.problem == nil }

    /// Returns the style with only the layers of a set.
    public func style(drawing set: MandatoryLayerSet) -> Style { style.drawing(set) }

    /// Returns the colour of a route drawn as a single line, for terminals with few colours: that of the
    /// set's topmost line.
    /// - Parameter zoom: Zoom of the map.
    /// - Returns: nil if the style draws no line at the zoom.
    public func lineColour(of set: MandatoryLayerSet, zoom: Double) -> RGB? {
        guard let (layer, reading) = top(of: set, isDimmed: false, zoom) else { return nil }
        var context = reading
        return layer.colour(.lineColour, orMeanOf: .linePattern, &context).rgb
    }

    /// Returns the appearance of a marker.
    /// - Parameters:
    ///   - isDimmed: True for a lost position: the style's dimmed layer, or a greyed one.
    ///   - zoom: Zoom of the map.
    /// - Returns: nil if the set isn't the style's own, or if it has neither text nor icon at the zoom.
    public func mark(_ set: MandatoryLayerSet, isDimmed: Bool = false, zoom: Double) -> MarkStyle? {
        guard let (layer, reading) = top(of: set, isDimmed: isDimmed, zoom) else { return nil }
        var context = reading
        let text = SafeText.sanitised(layer.text(.textField, &context) ?? "", limit: MarkStyle.longest)
        let icon = layer.text(.iconImage, &context).map { SafeText.sanitised($0, limit: 80) } ?? ""
        guard !text.isEmpty || !icon.isEmpty else { return nil }
        let ofIcon = text.isEmpty ? context.colour(ofIcon: icon) : nil
        var colour = ofIcon ?? layer.colour(.textColour, &context).rgb
        if isDimmed, !hasDimmed(set) { colour = colour.greyed }
        let halo = layer.colour(.textHaloColour, &context)
        let hasHalo = layer.number(.textHaloWidth, &context) > 0 && halo.alpha > 0.5
        return MarkStyle(text: text, icon: icon, colour: colour, halo: hasHalo ? halo.rgb : nil)
    }

    /// Returns the appearance of the accuracy circle.
    /// - Parameters:
    ///   - isDimmed: True for a lost position.
    ///   - zoom: Zoom of the map.
    /// - Returns: nil if the set isn't the style's own, if it isn't drawn at the zoom, or if `isDimmed` is
    ///   true and the style has no dimmed circle.
    public func accuracyCircle(isDimmed: Bool = false, zoom: Double) -> CircleMarkStyle? {
        let set = MandatoryLayerSet.positionAccuracy
        guard !isDimmed || hasDimmed(set), let (layer, reading) = top(of: set, isDimmed: isDimmed, zoom)
        else { return nil }
        var context = reading
        let fill = layer.colour(.circleColour, &context), rim = layer.colour(.circleStrokeColour, &context)
        let opacity = fill.alpha * layer.number(.circleOpacity, &context)
        let hasRim =
            layer.number(.circleStrokeWidth, &context) > 0
            && rim.alpha * layer.number(.circleStrokeOpacity, &context) > 0
        return CircleMarkStyle(fill: fill.rgb, opacity: min(max(opacity, 0), 1), rim: hasRim ? rim.rgb : nil)
    }

    private func hasDimmed(_ set: MandatoryLayerSet) -> Bool { style.mandatoryLayers[set]?.hasDimmed == true }

    /// Returns the set's topmost layer at a zoom of the map, with a context to evaluate it.
    private func top(
        of set: MandatoryLayerSet, isDimmed: Bool, _ zoom: Double
    ) -> (layer: StyleLayer, context: StyleContext)? {
        let styleZoom = max(zoom - 1, 0)
        guard let layers = style.mandatoryLayers[set], layers.problem == nil,
            let layer = layers.layers(isDimmed: isDimmed).last(where: { $0.isShown(at: styleZoom) })
        else { return nil }
        return (layer, StyleContext(style, zoom: styleZoom))
    }
}

/// The appearance of a marker on the map.
public struct MarkStyle: Sendable, Equatable {
    /// The text, sanitised for terminals; empty for an icon without text.
    public let text: String
    /// The name of the icon; empty for none.
    public let icon: String
    /// The colour of the text or of the icon.
    public let colour: RGB
    /// The colour of the halo; nil for none.
    public let halo: RGB?

    /// Maximum length of the text in characters.
    static let longest = 12

    /// Creates the appearance of a marker.
    public init(text: String, icon: String = "", colour: RGB, halo: RGB? = nil) {
        self.text = text
        self.icon = icon
        self.colour = colour
        self.halo = halo
    }
}

/// The appearance of a circle on the map.
public struct CircleMarkStyle: Sendable, Equatable {
    /// The colour of the fill.
    public let fill: RGB
    /// Opacity of the fill, 0…1.
    public let opacity: Double
    /// The colour of the outline; nil for none.
    public let rim: RGB?
}

extension RGB {
    /// The colour mixed half with grey.
    fileprivate var greyed: RGB {
        func half(_ channel: UInt8) -> UInt8 { UInt8((Int(channel) + 0x80) / 2) }
        return RGB(red: half(red), green: half(green), blue: half(blue))
    }
}
