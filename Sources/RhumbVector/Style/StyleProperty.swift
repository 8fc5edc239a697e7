internal import RhumbCells

/// The supported paint and layout properties.
public enum StyleProperty: String, Sendable, CaseIterable {
    case backgroundColour = "background-color", backgroundOpacity = "background-opacity"
    case fillColour = "fill-color", fillOpacity = "fill-opacity"
    case extrusionColour = "fill-extrusion-color", extrusionOpacity = "fill-extrusion-opacity"
    case heatmapColour = "heatmap-color", heatmapRadius = "heatmap-radius", heatmapWeight = "heatmap-weight"
    case heatmapIntensity = "heatmap-intensity", heatmapOpacity = "heatmap-opacity"
    case lineGradient = "line-gradient"
    case backgroundPattern = "background-pattern", fillPattern = "fill-pattern", linePattern = "line-pattern"
    case extrusionPattern = "fill-extrusion-pattern"
    case fillOutlineColour = "fill-outline-color", fillAntialias = "fill-antialias"
    case fillLayerOpacity = "fill-layer-opacity", lineLayerOpacity = "line-layer-opacity"
    case fillTranslate = "fill-translate", lineTranslate = "line-translate"
    case circleTranslate = "circle-translate", extrusionTranslate = "fill-extrusion-translate"
    case lineColour = "line-color", lineWidth = "line-width", lineOpacity = "line-opacity"
    case lineGapWidth = "line-gap-width", lineDashes = "line-dasharray", lineCap = "line-cap"
    case lineOffset = "line-offset", lineJoin = "line-join", lineMiterLimit = "line-miter-limit"
    case circleRadius = "circle-radius", circleColour = "circle-color", circleOpacity = "circle-opacity"
    case circleStrokeWidth = "circle-stroke-width", circleStrokeColour = "circle-stroke-color"
    case circleStrokeOpacity = "circle-stroke-opacity"
    case rasterOpacity = "raster-opacity", rasterHueRotate = "raster-hue-rotate"
    case rasterBrightnessMin = "raster-brightness-min", rasterBrightnessMax = "raster-brightness-max"
    case rasterSaturation = "raster-saturation", rasterContrast = "raster-contrast"
    case hillshadeDirection = "hillshade-illumination-direction", hillshadeExaggeration =
        "hillshade-exaggeration"
    case hillshadeShadow = "hillshade-shadow-color", hillshadeHighlight = "hillshade-highlight-color"
    case hillshadeAccent = "hillshade-accent-color"
    case textField = "text-field", textSize = "text-size", textColour = "text-color"
    case textHaloColour = "text-halo-color", textHaloWidth = "text-halo-width", textOpacity = "text-opacity"
    case textTransform = "text-transform", textAnchor = "text-anchor", textMaxWidth = "text-max-width"
    case textAllowOverlap = "text-allow-overlap", textOverlap = "text-overlap", textPadding = "text-padding",
        symbolPlacement =
        "symbol-placement"
    case symbolSpacing = "symbol-spacing", symbolSortKey = "symbol-sort-key", iconImage = "icon-image"

    /// The kind of the property's values.
    var form: ExpressionParser.Form {
        ExpressionParser.Form(
            type: type, isInterpolated: type == .number || type == .colour,
            hasTokens: self == .textField || self == .iconImage, texts: texts)
    }

    /// The allowed texts; empty for any.
    private var texts: [String] {
        switch self {
        case .lineCap: ["butt", "round", "square"]
        case .lineJoin: ["bevel", "round", "miter"]
        case .textTransform: ["none", "uppercase", "lowercase"]
        case .textOverlap: ["never", "always", "cooperative"]
        case .symbolPlacement: ["point", "line", "line-center"]
        case .textAnchor:
            [
                "center", "left", "right", "top", "bottom", "top-left", "top-right", "bottom-left",
                "bottom-right",
            ]
        default: []
        }
    }

    private var type: StyleType {
        switch self {
        case .extrusionColour, .heatmapColour, .lineGradient, .backgroundColour, .fillColour, .lineColour,
            .circleColour, .circleStrokeColour, .fillOutlineColour,
            .textColour, .textHaloColour, .hillshadeShadow, .hillshadeHighlight, .hillshadeAccent:
            .colour
        case .lineCap, .lineJoin, .textTransform, .textAnchor, .textOverlap, .symbolPlacement: .string
        case .textField: .formatted
        case .iconImage, .backgroundPattern, .fillPattern, .linePattern, .extrusionPattern: .image
        case .lineDashes: .array(.number, count: nil)
        case .fillTranslate, .lineTranslate, .circleTranslate, .extrusionTranslate: .array(.number, count: 2)
        case .textAllowOverlap, .fillAntialias: .bool
        default: .number
        }
    }

    /// The default of a number property, also used if the style's value is invalid.
    var defaultNumber: Double {
        switch self {
        case .extrusionOpacity, .heatmapWeight, .heatmapIntensity, .heatmapOpacity, .backgroundOpacity,
            .fillOpacity, .lineWidth, .lineOpacity, .circleOpacity, .circleStrokeOpacity,
            .textOpacity, .rasterOpacity, .rasterBrightnessMax, .fillLayerOpacity, .lineLayerOpacity:
            1
        case .hillshadeDirection: 335
        case .hillshadeExaggeration: 0.5
        case .lineMiterLimit, .textPadding: 2
        case .circleRadius: 5
        case .heatmapRadius: 30
        case .textSize: 16
        case .textMaxWidth: 10
        case .symbolSpacing: 250
        default: 0
        }
    }

    /// The default of a colour property, also used if the style's value is invalid.
    var defaultColour: StyleColour {
        switch self {
        case .textHaloColour: .clear
        case .hillshadeHighlight: StyleColour(red: 1, green: 1, blue: 1)
        case .heatmapColour: StyleColour(RGB(0x4169E1))
        default: .black
        }
    }

    /// The other properties of the style specification. They have no effect, because they make hardly any
    /// difference in cells. With the cases, these are all properties of the layer types that are drawn.
    static let withoutEffect: Set<String> = [
        "fill-extrusion-height", "fill-extrusion-base", "fill-extrusion-vertical-gradient",
        "fill-extrusion-translate-anchor", "fill-extrusion-rounded-corner-distance", "fill-translate-anchor",
        "fill-sort-key", "line-sort-key", "line-translate-anchor", "line-round-limit", "line-blur",
        "circle-sort-key", "circle-blur", "circle-translate-anchor", "circle-pitch-scale",
        "circle-pitch-alignment",
        "text-font", "text-line-height", "text-letter-spacing", "text-justify", "text-offset",
        "text-radial-offset", "text-variable-anchor", "text-max-angle", "text-rotate",
        "text-keep-upright", "text-ignore-placement", "text-optional", "text-rotation-alignment",
        "text-pitch-alignment", "text-halo-blur", "text-translate", "text-translate-anchor",
        "text-variable-anchor-offset", "text-writing-mode",
        "icon-allow-overlap", "icon-ignore-placement", "icon-optional", "icon-rotation-alignment",
        "icon-size",
        "icon-rotate", "icon-padding", "icon-keep-upright", "icon-offset", "icon-anchor", "icon-opacity",
        "icon-color", "icon-halo-color", "icon-halo-width", "icon-halo-blur", "icon-translate",
        "icon-translate-anchor", "icon-pitch-alignment", "icon-text-fit", "icon-text-fit-padding",
        "icon-overlap",
        "raster-resampling", "raster-fade-duration", "resampling", "hillshade-illumination-anchor",
        "hillshade-illumination-altitude", "hillshade-method", "symbol-avoid-edges", "symbol-z-order",
    ]

    /// Returns true if the style specification has a property of that name for layers of a type.
    static func isKnown(_ name: String, for kind: StyleLayer.Kind) -> Bool {
        guard StyleProperty(rawValue: name) != nil || withoutEffect.contains(name) else { return false }
        if name == "resampling" { return kind == .raster || kind == .hillshade }
        if kind == .symbol { return ["text-", "icon-", "symbol-"].contains(where: name.hasPrefix) }
        return name.hasPrefix(kind.rawValue + "-")
            && (kind != .fill || !name.hasPrefix(StyleLayer.Kind.extrusion.rawValue))
    }
}
