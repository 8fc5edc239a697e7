internal import CCairo
public import RhumbCore
internal import RhumbEngine
internal import Synchronization

/// Draws vector tiles in a style, as rasters suited to cells.
public struct VectorPainter: Sendable {
    /// The style.
    public var style: Style { content.value.style }
    /// The style's source that the tiles belong to. Layers of other sources aren't drawn.
    public let source: String
    /// True to draw the style's background; false for tiles on top of another map.
    public private(set) var drawsBackground: Bool
    /// True if Cairo, which draws, is available. The first access loads it in a few milliseconds.
    public static let canDraw = rhumb_cairo_load()
    /// The number of zooms by which tiles are finer than those of the map in cells.
    private var zoomsAhead = 0
    /// True if the style has labels.
    let writesLabels: Bool
    private let content: Lazy<(style: Style, casings: Casings)>
    private let uses = FeatureUses()

    /// Creates a painter for one source of a style.
    /// - Parameters:
    ///   - source: The style's source that the tiles belong to.
    ///   - drawsBackground: False for tiles on top of another map.
    public init(_ style: Style, source: String, drawsBackground: Bool = true) {
        let writesLabels = style.layers.contains {
            $0.kind == .symbol && $0.source == source && $0.has(.textField)
        }
        self.init(source: source, drawsBackground: drawsBackground, writesLabels: writesLabels) { style }
    }

    /// Creates a painter whose style is read when it is first used.
    package init(
        source: String, drawsBackground: Bool, writesLabels: Bool, style: @escaping @Sendable () -> Style
    ) {
        self.source = source
        self.drawsBackground = drawsBackground
        self.writesLabels = writesLabels
        content = Lazy {
            let style = style()
            return (style, Casings(style.layers))
        }
    }

    /// Reads the style, for a later use.
    package func prepare() { _ = content.value }

    /// The painter without a background, for layers on top of a map.
    var withoutBackground: VectorPainter {
        var painter = self
        painter.drawsBackground = false
        return painter
    }

    /// Returns the painter of a map in pixels, whose tiles are finer than those of cells by some zooms. In
    /// Rhumb's own style, land and water change their colours with the zoom, and the map in pixels has those
    /// of the map in cells. Other styles are made for pixels.
    func ahead(by zooms: Int) -> VectorPainter {
        guard style.name.hasPrefix(Self.ownPrefix) else { return self }
        var painter = self
        painter.zoomsAhead = zooms
        return painter
    }

    /// The beginning of the names of Rhumb's own styles.
    private static let ownPrefix = "Rhumb "

    /// Returns the parts of a layer's features that determine their appearance.
    public func use(ofLayer name: String) -> StyleDependencies {
        uses.cached.withLock { cached in
            if let use = cached[name] { return use }
            let use = style.featureUse(ofLayer: name, source: source)
            cached[name] = use
            return use
        }
    }

    /// Returns the tile's layers from which the style has labels at a tile's zoom.
    /// - Parameter names: The layers of the tile.
    func labelLayers(at zoom: Int, names: [String]) -> Set<String> {
        style.layers.reduce(into: []) { found, layer in
            guard layer.kind == .symbol, layer.source == source, layer.has(.textField),
                layer.isShown(at: VectorPainter.styleZoom(zoom)), let wanted = layer.sourceLayer
            else { return }
            found.formUnion(wanted == Style.anyLayer ? names : [wanted])
        }
    }

    /// Returns the style's zoom for a tile's zoom. In the style, the world is 512 pixels wide at zoom 0, and
    /// a tile is drawn 256 of these pixels wide.
    public static func styleZoom(_ zoom: Int) -> Double { Double(max(zoom - 1, 0)) }

    /// The side of a tile in the style's pixels.
    private static let styleSide = 256.0

    /// Draws a tile or a part of one. The raster is transparent where no background is drawn.
    /// - Parameters:
    ///   - layer: Returns a layer of the data's tile, with its features grouped by `use(ofLayer:)`; nil if it
    ///     is absent or damaged.
    ///   - names: The layers of the data's tile.
    ///   - side: Size in pixels, 1 or more. The width of lines on the map doesn't depend on it.
    ///   - ground: The pixels to draw; nil for all.
    ///   - seen: The visible pixels; features outside are skipped. nil for all.
    /// - Returns: The raster; nil if memory ran out, or Cairo is missing.
    public func draw(
        _ part: TilePart, side: Int, ground: PixelBox? = nil, seen: PixelBox? = nil, names: [String],
        layer: (String) -> FeatureClasses?
    ) -> Raster? {
        Canvas.raster(side: max(side, 1)) { canvas in
            if let ground { canvas.clip(to: ground) }
            draw(part, seen, on: canvas, names: names, layer: layer)
        }
    }

    private func draw(
        _ part: TilePart, _ seen: PixelBox?, on canvas: borrowing Canvas, names: [String],
        layer: (String) -> FeatureClasses?
    ) {
        let zoom = VectorPainter.styleZoom(part.tile.zoom), side = VectorPainter.styleSide
        let (style, casings) = content.value
        let grid = PatternGrid(
            corner: SIMD2(Double(part.tile.x), Double(part.tile.y)) * side, ratio: Double(canvas.side) / side)
        var context = StyleContext(style, zoom: zoom, tile: part.data)
        context.zoomsAhead = Double(zoomsAhead)
        for (index, styleLayer) in style.layers.enumerated()
        where styleLayer.isShown(at: zoom) || isTint(styleLayer, zoom) {
            if styleLayer.kind == .background {
                guard drawsBackground else { continue }
                let opacity = styleLayer.number(.backgroundOpacity, &context)
                if let pattern = Pattern(styleLayer, .backgroundPattern, opacity: opacity, &context) {
                    canvas.fill(pattern, grid)
                } else {
                    canvas.fill(
                        styleLayer.colour(.backgroundColour, orMeanOf: .backgroundPattern, &context).faded(
                            by: opacity))
                }
                continue
            }
            guard styleLayer.source == source, let wanted = styleLayer.sourceLayer else { continue }
            for name in wanted == Style.anyLayer ? names : [wanted] {
                guard let data = layer(name) else { continue }
                context.enter(data.layer)
                let inner = casings.inner[index].map { style.layers[$0] }
                var drawing = LayerDrawing(
                    styleLayer, data, part, side: canvas.side, grid, seen: seen, inner: inner,
                    shift: styleLayer.translation(&context))
                drawing.draw(on: canvas, &context)
            }
        }
    }

    /// Returns true if a layer tints the built-in map in cells, such as bands of heights.
    private func isTint(_ styleLayer: StyleLayer, _ zoom: Double) -> Bool {
        styleLayer.kind == .fill && styleLayer.source == TileSchema.world.rawValue
            && styleLayer.isShown(at: max(zoom - Double(zoomsAhead), 0))
    }
}

/// A cache of the parts of features that a style reads, by layer name.
private final class FeatureUses: Sendable {
    let cached = Mutex<[String: StyleDependencies]>([:])
}

/// Detects line layers that are only casings: wider lines of the same features, drawn below another layer.
struct Casings: Sendable {
    /// For the index of a casing's layer, the index of the layer on top of it.
    let inner: [Int: Int]

    private static let marks = ["casing", "outline", "case", "border"]

    init(_ layers: [StyleLayer]) {
        let lines = layers.indices.filter { layers[$0].kind == .line }
        var inner: [Int: Int] = [:]
        for index in lines {
            guard let stems = Casings.stems(of: layers[index].id) else { continue }
            let above = lines.filter { $0 > index && layers[$0].source == layers[index].source }
            inner[index] =
                above.first { stems.contains(layers[$0].id) }
                ?? above.first { layers[$0].subject == layers[index].subject }
        }
        self.inner = inner
    }

    /// Returns possible ids of the layer on top of a casing; nil if the id isn't that of a casing.
    private static func stems(of id: String) -> [String]? {
        let words = id.split { "-_ .".contains($0) }
        guard let at = words.firstIndex(where: { marks.contains($0.lowercased()) }) else { return nil }
        let before = words[..<at].joined(separator: "\u{0}"),
            after = words[(at + 1)...].joined(separator: "\u{0}")
        let joined = [before, after].filter { !$0.isEmpty }.joined(separator: "\u{0}")
        return ["-", "_", " ", "."].flatMap { separator in
            [joined, before].map { name in String(name.map { $0 == "\u{0}" ? separator : $0 }) }
        }
    }
}

extension StyleLayer {
    /// Returns the translation of the layer's shapes in the style's pixels, x to the right and y down. The
    /// map isn't rotated, so that its anchor has no effect.
    fileprivate func translation(_ context: inout StyleContext) -> SIMD2<Double> {
        let property: StyleProperty
        switch kind {
        case .fill: property = .fillTranslate
        case .extrusion: property = .extrusionTranslate
        case .line: property = .lineTranslate
        case .circle: property = .circleTranslate
        default: return .zero
        }
        let numbers = has(property) ? numbers(property, &context) : []
        guard numbers.count == 2 else { return .zero }
        return SIMD2(numbers[0], numbers[1]).clamped(
            lowerBound: SIMD2(repeating: -256), upperBound: SIMD2(repeating: 256))
    }
}
