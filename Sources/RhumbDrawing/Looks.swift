internal import RhumbCore

/// How the features of a fill layer look.
struct FillLook: Equatable {
    static let properties: [StyleProperty] = [.fillColour, .fillOpacity]

    var colour: StyleColour

    init(_ layer: StyleLayer, _ context: inout StyleContext) {
        colour = layer.colour(.fillColour, &context).faded(by: layer.number(.fillOpacity, &context))
    }
}

/// How the features of a circle layer look; lengths in the style's pixels.
struct CircleLook: Equatable {
    static let properties: [StyleProperty] = [
        .circleColour, .circleOpacity, .circleRadius, .circleStrokeWidth, .circleStrokeColour, .circleStrokeOpacity,
    ]

    var colour: StyleColour
    var radius: Double
    var rim: StyleColour
    var rimWidth: Double

    init(_ layer: StyleLayer, _ context: inout StyleContext) {
        colour = layer.colour(.circleColour, &context).faded(by: layer.number(.circleOpacity, &context))
        radius = min(max(layer.number(.circleRadius, &context), 0), 256)
        rim = layer.colour(.circleStrokeColour, &context).faded(by: layer.number(.circleStrokeOpacity, &context))
        rimWidth = min(max(layer.number(.circleStrokeWidth, &context), 0), 64)
        if rim.alpha == 0 { rimWidth = 0 }
        if radius > 0 { radius = max(radius, CellWidth.least / 2) }
    }
}

/// How the features of a line layer look; lengths in the style's pixels.
struct LineLook: Equatable {
    static let properties: [StyleProperty] = [
        .lineColour, .lineOpacity, .lineWidth, .lineGapWidth, .lineDashes, .lineCap, .lineJoin, .lineMiterLimit,
    ]

    var stroke: Stroke

    /// - Parameter inner: the width of the line that lies on this one, if this is its casing.
    /// - Returns: nil if nothing of it would be seen.
    init?(_ layer: StyleLayer, _ context: inout StyleContext, inner: Double?) {
        let given = min(max(layer.number(.lineWidth, &context), 0), 256)
        let gap = min(max(layer.number(.lineGapWidth, &context), 0), 256)
        let opacity = min(max(layer.number(.lineOpacity, &context), 0), 1)
        guard given > 0, opacity > 0 else { return nil }
        if gap > 0 {
            guard CellWidth.isSeen(rim: given) else { return nil }
        } else if let inner, !CellWidth.isSeen(rim: (given - inner) / 2) {
            return nil
        }
        let (width, share) = CellWidth.drawn(gap > 0 ? gap + 2 * given : given)
        let colour = layer.colour(.lineColour, &context).faded(by: opacity * share)
        stroke = Stroke(colour: colour, width: width)
        stroke.cap = layer.text(.lineCap, &context).flatMap(Stroke.Cap.init) ?? .butt
        stroke.join = layer.text(.lineJoin, &context).flatMap(Stroke.Join.init) ?? .miter
        stroke.miterLimit = min(max(layer.number(.lineMiterLimit, &context), 1), 10)
        setDashes(layer.numbers(.lineDashes, &context), given)
    }

    /// Dashes count in line widths. What is too short to be told apart is drawn unbroken, paler.
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
    /// The colour with less opacity.
    func faded(by share: Double) -> StyleColour {
        StyleColour(red: red, green: green, blue: blue, alpha: alpha * share)
    }
}
