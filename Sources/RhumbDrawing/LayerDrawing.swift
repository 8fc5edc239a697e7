internal import RhumbCore

/// Draws one layer of a tile as one layer of a style says. Features that follow each other and
/// look the same become one path.
struct LayerDrawing {
    private let look: StyleLayer
    private let tile: ClassedLayer
    private let inner: StyleLayer?
    /// Picture pixels in one of the style's.
    private var ratio: Double { grid.ratio }
    private let grid: PatternGrid
    private var path: PathBuilder
    private var reader = GeometryReader()

    /// Style pixels round the tile that are drawn as well; wider lines lose their outer ends.
    private static let margin = 24.0

    init(
        _ look: StyleLayer, _ tile: ClassedLayer, _ part: TilePart, side: Int, _ grid: PatternGrid,
        seen: PixelBox?,
        inner: StyleLayer?
    ) {
        self.look = look
        self.tile = tile
        self.inner = inner
        self.grid = grid
        path = PathBuilder(
            part, extent: tile.layer.extent, side: side, seen: seen, margin: LayerDrawing.margin * grid.ratio)
    }

    mutating func draw(on canvas: borrowing Canvas, _ context: inout StyleContext) {
        switch look.kind {
        case .fill, .extrusion: drawFills(canvas, &context)
        case .line: drawLines(canvas, &context)
        case .circle: drawCircles(CircleLook.properties, canvas, &context) { CircleLook($0, &$1) }
        case .heatmap: drawHeat(canvas, &context)
        case .background, .symbol, .raster, .hillshade: break
        }
    }

    private var data: VectorLayer { tile.layer }

    private mutating func drawFills(_ canvas: borrowing Canvas, _ context: inout StyleContext) {
        let isEvenOdd = data.version == 1,
            hasEdges = look.kind == .extrusion && context.zoom >= FillLook.edgeZoom
        eachRun(of: FillLook.properties, canvas, &context, breaksAlways: isEvenOdd || hasEdges) {
            look, context in
            FillLook(look, &context)
        } add: { drawing, feature, canvas, look in
            guard feature.kind == .polygon, drawing.reader.read(feature, of: drawing.data) else { return }
            drawing.path.addRings(
                drawing.reader.geometry, reach: look.edge == nil ? 0 : drawing.ratio, to: canvas)
        } paint: { [grid] look, canvas, ratio in
            if let pattern = look.pattern {
                canvas.fillPath(pattern, grid, isEvenOdd: isEvenOdd)
            } else {
                canvas.fillPath(look.colour, isEvenOdd: isEvenOdd)
            }
            if let edge = look.edge { canvas.strokePath(Stroke(colour: edge, width: ratio)) }
        }
    }

    private mutating func drawLines(_ canvas: borrowing Canvas, _ context: inout StyleContext) {
        let inner = inner
        eachRun(of: LineLook.properties, canvas, &context) { look, context in
            LineLook(look, &context, inner: inner.map { $0.number(.lineWidth, &context) })
        } add: { drawing, feature, canvas, look in
            guard feature.kind == .line || feature.kind == .polygon,
                drawing.reader.read(feature, of: drawing.data)
            else { return }
            let ratio = drawing.ratio
            drawing.path.addLines(
                drawing.reader.geometry, areRings: feature.kind == .polygon, reach: look.stroke.reach * ratio,
                offset: look.offset * ratio, isDashed: !look.stroke.dashes.isEmpty, to: canvas
            ) { canvas in
                look.strokePath(on: canvas, ratio: ratio)
            }
        } paint: { look, canvas, ratio in
            look.strokePath(on: canvas, ratio: ratio)
        }
    }

    /// From the faint surroundings of the points to their hot middles.
    private mutating func drawHeat(_ canvas: borrowing Canvas, _ context: inout StyleContext) {
        for share in [0.9, 0.7, 0.5, 0.3, 0.1] {
            drawCircles(CircleLook.heatProperties, canvas, &context) {
                CircleLook(heat: $0, share: share, &$1)
            }
        }
    }

    private mutating func drawCircles(
        _ properties: [StyleProperty], _ canvas: borrowing Canvas, _ context: inout StyleContext,
        evaluate: (StyleLayer, inout StyleContext) -> CircleLook
    ) {
        eachRun(of: properties, canvas, &context) {
            evaluate($0, &$1)
        } add: { drawing, feature, canvas, look in
            guard feature.kind == .point, drawing.reader.read(feature, of: drawing.data) else { return }
            drawing.path.addCircles(
                drawing.reader.geometry, radius: look.radius * drawing.ratio,
                rim: look.rimWidth * drawing.ratio, to: canvas)
        } paint: { look, canvas, ratio in
            canvas.fillPath(look.colour, isEvenOdd: false)
            guard look.rimWidth > 0 else { return }
            canvas.strokePath(Stroke(colour: look.rim, width: look.rimWidth * ratio))
        }
    }

    /// Goes through the features that the filter lets through, adding each to the path and
    /// painting it whenever the look changes.
    /// - Parameters:
    ///   - properties: those that make up the look.
    ///   - evaluate: the look; nil for one that is not seen.
    private mutating func eachRun<Look: Equatable>(
        of properties: [StyleProperty], _ canvas: borrowing Canvas, _ context: inout StyleContext,
        breaksAlways: Bool = false, evaluate: (StyleLayer, inout StyleContext) -> Look?,
        add: (inout LayerDrawing, VectorFeature, borrowing Canvas, Look) -> Void,
        paint: (Look, borrowing Canvas, Double) -> Void
    ) {
        let looks = ClassLooks(look, tile, differs: differs(properties), &context, evaluate)
        guard !looks.all.isEmpty else { return }
        var current = -1
        path.clear(canvas)
        for (index, feature) in data.features.enumerated() {
            let next = looks.number(ofClass: Int(tile.classes[index]))
            guard next >= 0 else { continue }
            if current >= 0, current != next || breaksAlways {
                if !path.isEmpty { paint(looks.all[current], canvas, ratio) }
                path.clear(canvas)
            }
            current = next
            add(&self, feature, canvas, looks.all[next])
        }
        if current >= 0, !path.isEmpty { paint(looks.all[current], canvas, ratio) }
        path.clear(canvas)
    }

    /// Whether features may differ in some of the properties.
    private func differs(_ properties: [StyleProperty]) -> Bool {
        look.usesFeature(properties) || inner?.usesFeature([.lineWidth]) == true
    }
}

/// How the classes of a tile's features look.
private struct ClassLooks<Look: Equatable> {
    /// The different ones.
    private(set) var all: [Look] = []
    /// For each class its look's index; -1 for what isn't drawn. Empty where all features look alike.
    private var numbers: [Int] = []

    init(
        _ layer: StyleLayer, _ tile: ClassedLayer, differs: Bool, _ context: inout StyleContext,
        _ evaluate: (StyleLayer, inout StyleContext) -> Look?
    ) {
        let usual = differs ? nil : evaluate(layer, &context)
        if !differs && layer.filter == nil || !differs && usual == nil {
            all = usual.map { [$0] } ?? []
            return
        }
        let looks = tile.map(&context) { context in
            guard layer.filter?.admits(&context) != false else { return Look?.none }
            return differs ? evaluate(layer, &context) : usual
        }
        numbers = looks.map { look in
            guard let look = look.flatMap(\.self) else { return -1 }
            if let known = all.firstIndex(of: look) { return known }
            all.append(look)
            return all.count - 1
        }
    }

    /// - Parameter number: -1 for features whose attributes are damaged.
    func number(ofClass number: Int) -> Int { numbers.isEmpty ? 0 : number >= 0 ? numbers[number] : -1 }
}

extension LineLook {
    fileprivate func strokePath(on canvas: borrowing Canvas, ratio: Double) {
        var stroke = stroke
        stroke.width *= ratio
        stroke.dashes = stroke.dashes.map { $0 * ratio }
        canvas.strokePath(stroke)
    }
}
