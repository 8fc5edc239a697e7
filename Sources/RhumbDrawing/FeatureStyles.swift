internal import RhumbCore

/// The appearance of features in a fill layer, or of an extrusion's features seen from above.
struct FillStyle: Equatable {
    static let properties: [StyleProperty] = [
        .fillColour, .fillPattern, .fillOpacity, .fillOutlineColour, .extrusionColour, .extrusionPattern,
        .extrusionOpacity,
    ]

    var colour: StyleColour
    /// Replaces the colour, if cells can show the pattern.
    var pattern: Pattern?
    /// The outline: that of the style, or that of an extrusion's roof, which separates it from its neighbours
    /// and is missing at low zooms. nil for none.
    var edge: StyleColour?

    /// The style's zoom from which roofs have outlines, which is 15 on the map.
    static let edgeZoom = 14.0

    init(_ layer: StyleLayer, _ context: inout StyleContext) {
        let isExtruded = layer.kind == .extrusion
        let plain =
            isExtruded
            ? layer.colour(.extrusionColour, orMeanOf: .extrusionPattern, &context)
            : layer.colour(.fillColour, orMeanOf: .fillPattern, &context)
        let opacity =
            isExtruded
            ? layer.number(.extrusionOpacity, &context)
            : layer.number(.fillOpacity, &context) * layer.number(.fillLayerOpacity, &context)
        colour = plain.faded(by: opacity)
        pattern = Pattern(layer, isExtruded ? .extrusionPattern : .fillPattern, opacity: opacity, &context)
        if isExtruded, context.zoom >= Self.edgeZoom { edge = colour.contrasting }
        let isAntialiased = !layer.has(.fillAntialias) || layer.flag(.fillAntialias, &context)
        if layer.has(.fillOutlineColour), isAntialiased {
            edge = layer.colour(.fillOutlineColour, &context).faded(by: opacity)
        }
    }
}

/// The appearance of features in a circle layer. Lengths are in the style's pixels.
struct CircleStyle: Equatable {
    static let properties: [StyleProperty] = [
        .circleColour, .circleOpacity, .circleRadius, .circleStrokeWidth, .circleStrokeColour,
        .circleStrokeOpacity,
    ]

    var colour: StyleColour
    var radius: Double
    var rim: StyleColour
    var rimWidth = 0.0

    init(_ layer: StyleLayer, _ context: inout StyleContext) {
        colour = layer.colour(.circleColour, &context).faded(by: layer.number(.circleOpacity, &context))
        radius = min(max(layer.number(.circleRadius, &context), 0), 256)
        rim = layer.colour(.circleStrokeColour, &context).faded(
            by: layer.number(.circleStrokeOpacity, &context))
        rimWidth = min(max(layer.number(.circleStrokeWidth, &context), 0), 64)
        if rim.alpha == 0 { rimWidth = 0 }
        if radius > 0 { radius = max(radius, CellWidth.least / 2) }
    }
}

extension CircleStyle {
    static let heatProperties: [StyleProperty] = [
        .heatmapColour, .heatmapRadius, .heatmapWeight, .heatmapIntensity, .heatmapOpacity,
    ]

    /// Creates one disc of the heat around a point.
    /// - Parameter share: Radius of the disc as a share of the heat's radius; the smaller, the hotter.
    init(heat layer: StyleLayer, share: Double, _ context: inout StyleContext) {
        let weight = layer.number(.heatmapWeight, &context) * layer.number(.heatmapIntensity, &context)
        context.progress = (1 - share) * min(max(weight, 0), 1)
        colour = layer.colour(.heatmapColour, &context).faded(by: layer.number(.heatmapOpacity, &context))
        radius = min(max(layer.number(.heatmapRadius, &context), 0), 256) * share
        rim = .clear
    }
}

/// The appearance of features in a line layer. Lengths are in the style's pixels.
struct LineStyle: Equatable {
    static let properties: [StyleProperty] = [
        .lineColour, .linePattern, .lineGradient, .lineOpacity, .lineLayerOpacity, .lineWidth, .lineGapWidth,
        .lineOffset,
        .lineDashes, .lineCap, .lineJoin, .lineMiterLimit,
    ]

    var stroke: Stroke
    /// Offsets to the right of the line, one for each stroke: two on either side of a gap.
    var offsets: [Double]

    /// - Parameter inner: Width of the line on top of this one, if this is its casing.
    /// - Returns: nil if the line would be invisible.
    init?(_ layer: StyleLayer, _ context: inout StyleContext, inner: Double?) {
        let given = min(max(layer.number(.lineWidth, &context), 0), 256)
        let gap = min(max(layer.number(.lineGapWidth, &context), 0), 256)
        let opacities = [StyleProperty.lineOpacity, .lineLayerOpacity].map {
            min(max(layer.number($0, &context), 0), 1)
        }
        let opacity = opacities[0] * opacities[1]
        guard given > 0, opacity > 0 else { return nil }
        let offset = min(max(layer.number(.lineOffset, &context), -256), 256), aside = (gap + given) / 2
        offsets = gap > 0 ? [offset - aside, offset + aside] : [offset]
        if gap > 0 {
            guard CellWidth.isSeen(rim: given) else { return nil }
        } else if let inner, !CellWidth.isSeen(rim: (given - inner) / 2) {
            return nil
        }
        let (width, share) = CellWidth.drawn(given)
        let plain =
            layer.has(.lineGradient)
            ? layer.meanColour(.lineGradient, &context)
            : layer.colour(.lineColour, orMeanOf: .linePattern, &context)
        let colour = plain.faded(by: opacity * share)
        stroke = Stroke(colour: colour, width: width)
        stroke.cap = layer.text(.lineCap, &context).flatMap(Stroke.Cap.init) ?? .butt
        stroke.join = layer.text(.lineJoin, &context).flatMap(Stroke.Join.init) ?? .miter
        stroke.miterLimit = min(max(layer.number(.lineMiterLimit, &context), 1), 10)
        setDashes(layer.numbers(.lineDashes, &context), given)
    }

    /// Sets the dashes, which are in line widths. Dashes that are too short are replaced by a paler solid
    /// line.
    private mutating func setDashes(_ pattern: [Double], _ given: Double) {
        guard pattern.count > 1, pattern.count <= 16, pattern.allSatisfy({ $0 >= 0 }) else { return }
        let whole = pattern.count.isMultiple(of: 2) ? pattern : pattern + pattern
        let drawn = stride(from: 0, to: whole.count, by: 2).reduce(0) { $0 + whole[$1] }
        let period = whole.reduce(0, +)
        guard period > 0, drawn > 0 else { return }
        if period * given < CellWidth.leastPeriod {
            stroke.colour = stroke.colour.faded(by: min(1, 0.4 + 0.6 * drawn / period))
        } else {
            stroke.dashes = whole.map { $0 * given }
            stroke.cap = .butt
        }
    }
}

extension StyleColour {
    /// A darker shade of a light colour, or a lighter one of a dark colour.
    var contrasting: StyleColour {
        let isLight = 0.3 * red + 0.6 * green + 0.1 * blue > 0.4
        let other = StyleColour(
            red: isLight ? 0 : 1, green: isLight ? 0 : 1, blue: isLight ? 0 : 1, alpha: alpha)
        func mixed(_ a: Double, _ b: Double) -> Double { 0.75 * a + 0.25 * b }
        return StyleColour(
            red: mixed(red, other.red), green: mixed(green, other.green), blue: mixed(blue, other.blue),
            alpha: alpha)
    }

    /// Returns the colour with its opacity multiplied.
    func faded(by share: Double) -> StyleColour {
        StyleColour(red: red, green: green, blue: blue, alpha: alpha * share)
    }
}

/// Minimum widths for visibility in cells. A cell is about two by four of the style's pixels, and shows at
/// most two by three dots.
enum CellWidth {
    /// Minimum width of a line, in the style's pixels.
    static let least = 1.2
    /// Minimum width of a visible rim of a line, in the style's pixels.
    static let leastRim = 0.4
    /// Minimum length of a dash with its gap, in the style's pixels.
    static let leastPeriod = 4.0

    /// Returns the drawn width of a line and a factor for its opacity. Thin lines are widened and made
    /// fainter.
    static func drawn(_ width: Double) -> (width: Double, share: Double) {
        width >= least ? (width, 1) : (least, min(1, 0.4 + 1.2 * width))
    }

    /// Returns true if a rim of that width is visible.
    static func isSeen(rim: Double) -> Bool { rim >= leastRim }
}
