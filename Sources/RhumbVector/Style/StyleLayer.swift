internal import RhumbBase

/// One layer of a style: its features and their appearance.
public struct StyleLayer: Sendable, Identifiable {
    /// The layer types of the MapLibre style specification.
    public enum Kind: String, Sendable, CaseIterable {
        case background, fill, line, circle, symbol, raster, hillshade, heatmap
        case extrusion = "fill-extrusion"
    }

    /// The id in the style; not sanitised for terminals.
    public let id: String
    /// The type of the layer.
    public let kind: Kind
    /// The name of the style's source; nil for a background.
    public internal(set) var source: String?
    /// The name of the layer in the tiles; nil if the source has no layers.
    public internal(set) var sourceLayer: String?
    /// Minimum zoom by the style's convention, see `StyleContext.zoom`.
    public internal(set) var minZoom = 0.0
    /// Maximum zoom, exclusive.
    public internal(set) var maxZoom = 24.0
    /// True unless the layer's `visibility` is "none".
    public internal(set) var isVisible = true
    /// The filter; nil to draw all features.
    public internal(set) var filter: StyleExpression?
    var properties: [StyleProperty: StyleExpression] = [:]

    /// The features that the layer draws. Equal for layers that draw the same ones.
    package internal(set) var subject: Subject?

    package struct Subject: Equatable, Sendable {
        let source: String
        let sourceLayer: String?
        let filter: JSON?
    }

    init(id: String, kind: Kind) {
        self.id = id
        self.kind = kind
    }

    /// Returns true if the layer is drawn at a zoom.
    public func isShown(at zoom: Double) -> Bool { isVisible && minZoom <= zoom && zoom < maxZoom }

    /// Returns true if any of the properties may differ between features.
    public func usesFeature(_ properties: [StyleProperty]) -> Bool {
        properties.contains { self.properties[$0]?.usesFeature == true }
    }

    /// Returns true if the style sets a property.
    public func has(_ property: StyleProperty) -> Bool { properties[property] != nil }

    /// True if the style draws the layer with an image as a pattern.
    package var hasPattern: Bool {
        [.backgroundPattern, .fillPattern, .linePattern, .extrusionPattern].contains(where: has)
    }

    /// Evaluates a number; the property's default if the style has none.
    public func number(_ property: StyleProperty, _ context: inout StyleContext) -> Double {
        let isTone = property == .fillOpacity || property == .backgroundOpacity
        let value = isTone ? tone(property, &context) : properties[property]?.value(in: &context)
        return value?.number.flatMap { $0.isFinite ? $0 : nil } ?? property.defaultNumber
    }

    /// Evaluates a colour; the property's default if the style has none.
    public func colour(_ property: StyleProperty, _ context: inout StyleContext) -> StyleColour {
        tone(property, &context)?.colour ?? property.defaultColour
    }

    /// Evaluates a property at the zoom of colours.
    private func tone(_ property: StyleProperty, _ context: inout StyleContext) -> StyleValue? {
        let zoom = context.zoom
        context.zoom = max(zoom - context.zoomsAhead, 0)
        defer { context.zoom = zoom }
        return properties[property]?.value(in: &context)
    }

    /// Evaluates a pattern and returns its mean colour. Falls back to the colour property, or to clear if
    /// only the pattern is set.
    public func colour(
        _ property: StyleProperty, orMeanOf pattern: StyleProperty, _ context: inout StyleContext
    ) -> StyleColour {
        guard has(pattern) else { return colour(property, &context) }
        let mean = text(pattern, &context).flatMap { context.imageColours[$0] }
        return mean ?? (has(property) ? colour(property, &context) : .clear)
    }

    /// Evaluates a pattern; nil if there is none that cells can show.
    public func image(_ pattern: StyleProperty, _ context: inout StyleContext) -> StyleImage? {
        guard !context.patterns.isEmpty, has(pattern) else { return nil }
        return text(pattern, &context).flatMap { context.patterns[$0] }
    }

    /// Returns the mean of a colour that changes along a line; the property's default if the style has none.
    public func meanColour(_ property: StyleProperty, _ context: inout StyleContext) -> StyleColour {
        var mean: StyleColour?
        let before = context.progress, parts = 8
        for part in 0..<parts {
            context.progress = (Double(part) + 0.5) / Double(parts)
            let colour = colour(property, &context)
            mean = mean.map { $0.mixed(with: colour, 1 / Double(part + 1)) } ?? colour
        }
        context.progress = before
        return mean ?? property.defaultColour
    }

    /// Evaluates a text; nil if the style has none.
    public func text(_ property: StyleProperty, _ context: inout StyleContext) -> String? {
        properties[property]?.value(in: &context)?.text
    }

    /// Evaluates a flag; false if the style has none.
    public func flag(_ property: StyleProperty, _ context: inout StyleContext) -> Bool {
        properties[property]?.value(in: &context)?.bool ?? false
    }

    /// Evaluates a list of numbers; empty if the style has none.
    public func numbers(_ property: StyleProperty, _ context: inout StyleContext) -> [Double] {
        let values = properties[property]?.value(in: &context)?.array ?? []
        let numbers = values.compactMap(\.number).filter(\.isFinite)
        return numbers.count == values.count ? numbers : []
    }
}
