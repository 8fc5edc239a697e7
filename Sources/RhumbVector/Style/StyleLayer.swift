internal import RhumbBase

/// One layer of a style: which features, and how they look.
public struct StyleLayer: Sendable, Identifiable {
    /// The kinds of layers that MapLibre's style specification has.
    public enum Kind: String, Sendable, CaseIterable {
        case background, fill, line, circle, symbol, raster, hillshade, heatmap
        case extrusion = "fill-extrusion"
    }

    /// As the style gives it; not for a terminal.
    public let id: String
    /// The kind of layer.
    public let kind: Kind
    /// The style's source it draws; nil for a background.
    public internal(set) var source: String?
    /// The layer of the tiles it draws.
    public internal(set) var sourceLayer: String?
    /// By the style's convention, see `StyleContext.zoom`.
    public internal(set) var minZoom = 0.0
    /// Not included.
    public internal(set) var maxZoom = 24.0
    /// True if its `visibility` is visible.
    public internal(set) var isVisible = true
    /// nil: every feature.
    public internal(set) var filter: StyleExpression?
    var properties: [StyleProperty: StyleExpression] = [:]

    /// The same for layers that draw the same features.
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

    /// Returns true if it is drawn at a zoom.
    public func isShown(at zoom: Double) -> Bool { isVisible && minZoom <= zoom && zoom < maxZoom }

    /// Returns true if any of the properties may differ between features.
    public func usesFeature(_ properties: [StyleProperty]) -> Bool {
        properties.contains { self.properties[$0]?.usesFeature == true }
    }

    /// Returns true if the style sets a property.
    public func has(_ property: StyleProperty) -> Bool { properties[property] != nil }

    /// A number; the property's default where the style gives none.
    public func number(_ property: StyleProperty, _ context: inout StyleContext) -> Double {
        let value = properties[property]?.value(in: &context)?.number
        return value.flatMap { $0.isFinite ? $0 : nil } ?? property.defaultNumber
    }

    /// A colour; the property's default where the style gives none.
    public func colour(_ property: StyleProperty, _ context: inout StyleContext) -> StyleColour {
        properties[property]?.value(in: &context)?.colour ?? property.defaultColour
    }

    /// The mean colour of a pattern where that is known; else a colour, which is clear where only the pattern
    /// is given.
    public func colour(
        _ property: StyleProperty, orMeanOf pattern: StyleProperty, _ context: inout StyleContext
    ) -> StyleColour {
        guard has(pattern) else { return colour(property, &context) }
        let mean = text(pattern, &context).flatMap { context.imageColours[$0] }
        return mean ?? (has(property) ? colour(property, &context) : .clear)
    }

    /// The picture of a pattern that cells can show; nil where there is none.
    public func image(_ pattern: StyleProperty, _ context: inout StyleContext) -> StyleImage? {
        guard !context.patterns.isEmpty, has(pattern) else { return nil }
        return text(pattern, &context).flatMap { context.patterns[$0] }
    }

    /// The mean of a colour that changes along a line; the property's default where the style gives none.
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

    /// A text; nil where the style gives none.
    public func text(_ property: StyleProperty, _ context: inout StyleContext) -> String? {
        properties[property]?.value(in: &context)?.text
    }

    /// A flag; false where the style gives none.
    public func flag(_ property: StyleProperty, _ context: inout StyleContext) -> Bool {
        properties[property]?.value(in: &context)?.bool ?? false
    }

    /// A list of numbers; empty where the style gives none.
    public func numbers(_ property: StyleProperty, _ context: inout StyleContext) -> [Double] {
        let values = properties[property]?.value(in: &context)?.array ?? []
        let numbers = values.compactMap(\.number).filter(\.isFinite)
        return numbers.count == values.count ? numbers : []
    }
}
