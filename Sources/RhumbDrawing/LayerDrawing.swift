internal import RhumbCore

/// Draws one layer of a tile with one layer of a style. Consecutive features with the same appearance become
/// one path.
struct LayerDrawing {
    private let styleLayer: StyleLayer
    private let tile: FeatureClasses
    private let inner: StyleLayer?
    /// The number of raster pixels per pixel of the style.
    private var ratio: Double { grid.ratio }
    private let grid: PatternGrid
    private var path: PathBuilder
    private var reader = GeometryReader()

    /// Margin around the tile that is drawn as well, in the style's pixels. Lines wider than it lose their
    /// outer ends.
    private static let margin = 24.0

    init(
        _ styleLayer: StyleLayer, _ tile: FeatureClasses, _ part: TilePart, side: Int, _ grid: PatternGrid,
        seen: PixelBox?,
        inner: StyleLayer?, shift: SIMD2<Double>
    ) {
        self.styleLayer = styleLayer
        self.tile = tile
        self.inner = inner
        self.grid = grid
        path = PathBuilder(
            part, extent: tile.layer.extent, side: side, seen: seen, margin: LayerDrawing.margin * grid.ratio,
            shift: shift * grid.ratio)
    }

    mutating func draw(on canvas: borrowing Canvas, _ context: inout StyleContext) {
        switch styleLayer.kind {
        case .fill, .extrusion: drawFills(canvas, &context)
        case .line: drawLines(canvas, &context)
        case .circle: drawCircles(CircleStyle.properties, canvas, &context) { CircleStyle($0, &$1) }
        case .heatmap: drawHeat(canvas, &context)
        case .background, .symbol, .raster, .hillshade: break
        }
    }

    private var data: VectorLayer { tile.layer }

    private mutating func drawFills(_ canvas: borrowing Canvas, _ context: inout StyleContext) {
        let isEvenOdd = data.version == 1,
            hasEdges = styleLayer.kind == .extrusion && context.zoom >= FillStyle.edgeZoom
        eachRun(of: FillStyle.properties, canvas, &context, breaksAlways: isEvenOdd || hasEdges) {
            layer, context in
            FillStyle(layer, &context)
        } add: { drawing, feature, data, canvas, style in
            guard feature.kind == .polygon, drawing.reader.read(feature, of: data) else { return }
            drawing.path.addRings(
                drawing.reader.geometry, reach: style.edge == nil ? 0 : drawing.ratio, to: canvas)
        } paint: { [grid] style, canvas, ratio in
            if let pattern = style.pattern {
                canvas.fillPath(pattern, grid, isEvenOdd: isEvenOdd)
            } else {
                canvas.fillPath(style.colour, isEvenOdd: isEvenOdd)
            }
            if let edge = style.edge { canvas.strokePath(Stroke(colour: edge, width: ratio)) }
        }
    }

    private mutating func drawLines(_ canvas: borrowing Canvas, _ context: inout StyleContext) {
        let inner = inner
        eachRun(of: LineStyle.properties, canvas, &context) { layer, context in
            LineStyle(layer, &context, inner: inner.map { $0.number(.lineWidth, &context) })
        } add: { drawing, feature, data, canvas, style in
            guard feature.kind == .line || feature.kind == .polygon,
                drawing.reader.read(feature, of: data)
            else { return }
            let ratio = drawing.ratio
            for offset in style.offsets {
                drawing.path.addLines(
                    drawing.reader.geometry, areRings: feature.kind == .polygon,
                    reach: style.stroke.reach * ratio,
                    offset: offset * ratio, isDashed: !style.stroke.dashes.isEmpty, to: canvas
                ) { canvas in
                    style.strokePath(on: canvas, ratio: ratio)
                }
            }
        } paint: { style, canvas, ratio in
            style.strokePath(on: canvas, ratio: ratio)
        }
    }

    /// Draws discs from the faint outer areas of the points to their hot centres.
    private mutating func drawHeat(_ canvas: borrowing Canvas, _ context: inout StyleContext) {
        for share in [0.9, 0.7, 0.5, 0.3, 0.1] {
            drawCircles(CircleStyle.heatProperties, canvas, &context) {
                CircleStyle(heat: $0, share: share, &$1)
            }
        }
    }

    private mutating func drawCircles(
        _ properties: [StyleProperty], _ canvas: borrowing Canvas, _ context: inout StyleContext,
        evaluate: (StyleLayer, inout StyleContext) -> CircleStyle
    ) {
        eachRun(of: properties, canvas, &context) {
            evaluate($0, &$1)
        } add: { drawing, feature, data, canvas, style in
            guard feature.kind != .unknown, drawing.reader.read(feature, of: data) else { return }
            drawing.path.addCircles(
                drawing.reader.geometry, areCorners: feature.kind != .point,
                radius: style.radius * drawing.ratio, rim: style.rimWidth * drawing.ratio, to: canvas)
        } paint: { style, canvas, ratio in
            canvas.fillPath(style.colour, isEvenOdd: false)
            guard style.rimWidth > 0 else { return }
            canvas.strokePath(Stroke(colour: style.rim, width: style.rimWidth * ratio))
        }
    }

    /// Adds the features that pass the filter to the path, and paints it whenever the appearance changes.
    /// - Parameters:
    ///   - properties: The properties that determine the appearance.
    ///   - evaluate: Returns the appearance; nil if it is invisible.
    private mutating func eachRun<Style: Equatable>(
        of properties: [StyleProperty], _ canvas: borrowing Canvas, _ context: inout StyleContext,
        breaksAlways: Bool = false, evaluate: (StyleLayer, inout StyleContext) -> Style?,
        add: (inout LayerDrawing, VectorFeature, VectorLayer, borrowing Canvas, Style) -> Void,
        paint: (Style, borrowing Canvas, Double) -> Void
    ) {
        let styles = ClassStyles(styleLayer, tile, differs: differs(properties), &context, evaluate)
        guard !styles.all.isEmpty else { return }
        // A property read while the drawing is changed would be copied for each feature, with all its parts.
        let data = data
        var current = -1
        path.clear(canvas)
        for (index, feature) in data.features.enumerated() {
            let next = styles.number(ofClass: Int(tile.classes[index]))
            guard next >= 0 else { continue }
            if current >= 0, current != next || breaksAlways {
                if !path.isEmpty { paint(styles.all[current], canvas, ratio) }
                path.clear(canvas)
            }
            current = next
            add(&self, feature, data, canvas, styles.all[next])
        }
        if current >= 0, !path.isEmpty { paint(styles.all[current], canvas, ratio) }
        path.clear(canvas)
    }

    /// Returns true if features may differ in any of the properties.
    private func differs(_ properties: [StyleProperty]) -> Bool {
        styleLayer.usesFeature(properties) || inner?.usesFeature([.lineWidth]) == true
    }
}

/// The appearances of a tile's feature groups.
private struct ClassStyles<Style: Equatable> {
    /// The distinct appearances.
    private(set) var all: [Style] = []
    /// For each group, the index of its appearance; -1 if it isn't drawn. Empty if all features look the
    /// same.
    private var numbers: [Int] = []

    init(
        _ layer: StyleLayer, _ tile: FeatureClasses, differs: Bool, _ context: inout StyleContext,
        _ evaluate: (StyleLayer, inout StyleContext) -> Style?
    ) {
        let usual = differs ? nil : evaluate(layer, &context)
        if !differs && layer.filter == nil || !differs && usual == nil {
            all = usual.map { [$0] } ?? []
            return
        }
        let styles = tile.map(&context) { context in
            guard layer.filter?.admits(&context) != false else { return Style?.none }
            return differs ? evaluate(layer, &context) : usual
        }
        numbers = styles.map { style in
            guard let style = style.flatMap(\.self) else { return -1 }
            if let index = all.firstIndex(of: style) { return index }
            all.append(style)
            return all.count - 1
        }
    }

    /// Returns the index of a group's appearance; -1 if it isn't drawn.
    /// - Parameter number: The group; -1 for features whose attributes are damaged.
    func number(ofClass number: Int) -> Int { numbers.isEmpty ? 0 : number >= 0 ? numbers[number] : -1 }
}

extension LineStyle {
    fileprivate func strokePath(on canvas: borrowing Canvas, ratio: Double) {
        var stroke = stroke
        stroke.width *= ratio
        stroke.dashes = stroke.dashes.map { $0 * ratio }
        canvas.strokePath(stroke)
    }
}
