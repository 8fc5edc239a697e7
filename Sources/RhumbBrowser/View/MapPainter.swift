public import RhumbCore
public import RhumbEngine

/// Paints a scene as cells. The layers are drawn bottom to top into one picture at sub-cell resolution, and
/// each cell gets the closest glyph with two colours.
///
/// The cells depend only on the arguments. Unchanged cells of the last frame are moved with the map and
/// reused.
public struct MapPainter: Sendable {
    private var traffic = TrafficPaint()
    private var renderer: CellRenderer?
    private var pictures = LayerPictures()
    private var dots = OverlayDots()
    private var last: Frame?

    /// The last frame and its settings.
    private struct Frame: Sendable {
        let scene: PlacedScene
        let rendering: Rendering
        let cells: CellGrid
    }

    private struct Rendering: Equatable, Sendable {
        let symbols: Symbols
        let depth: ColorDepth
        let options: CellRenderer.Options
        let theme: Settings.Theme
        /// The daylight; nil if there are too few colours for shading.
        let daylight: Daylight?

        init(_ settings: Settings, _ theme: Settings.Theme) {
            daylight = settings.depth.needsGlyphs ? nil : settings.daylight
            symbols = settings.isUnicode ? settings.symbols : .ascii
            depth = settings.depth
            options = settings.rendering
            self.theme = theme
        }
    }

    /// Creates a painter without a last frame.
    public init() {}

    /// Returns the cells of the map: `viewport.rows` × `viewport.columns`.
    public mutating func paint(
        _ scene: Scene, viewport: Viewport, settings: Settings, theme: Settings.Theme
    ) -> CellGrid {
        let needsGlyphs = settings.depth.needsGlyphs
        let byGlyphs = needsGlyphs ? scene.layers.filter(\.layer.isDrawnInGlyphs) : []
        let inColour = needsGlyphs ? Scene(layers: scene.layers.filter { !$0.layer.isDrawnInGlyphs }) : scene
        var grid = cells(of: placed(inColour, viewport, settings), viewport, Rendering(settings, theme))
        DaylightMarks(viewport, settings)?.draw(on: &grid)
        let marks = TrafficMarks(viewport, settings)
        for layer in byGlyphs where layer.layer.feature.isTraffic { marks.draw(layer, on: &grid) }
        dots.draw(byGlyphs.filter { !$0.layer.feature.isTraffic }, viewport, settings, on: &grid)
        for layer in scene.layers { marks.drawSigns(layer, on: &grid) }
        for layer in scene.layers { Self.hatch(layer, viewport, settings, on: &grid) }
        return grid
    }

    /// Returns all layers as one opaque picture.
    mutating func picture(
        of scene: Scene, _ viewport: Viewport, _ settings: Settings, _ theme: Settings.Theme
    ) -> Picture {
        let scene = placed(scene, viewport, settings)
        var picture = pictures.ground(scene, scene.view, settings.symbols, theme)
        if let daylight = settings.daylight {
            picture.shade(by: daylight, over: .init(viewport), theme, glow: PixelView.glow)
        }
        return picture
    }

    private mutating func placed(_ scene: Scene, _ viewport: Viewport, _ settings: Settings) -> PlacedScene {
        PlacedScene(scene, viewport, sharpness: settings.sharpness) {
            traffic.raster(of: $0, in: $1, settings.trafficColours)
        }
    }

    private mutating func cells(
        of scene: PlacedScene, _ viewport: Viewport, _ rendering: Rendering
    ) -> CellGrid {
        var grid = CellGrid(columns: scene.view.columns.count, rows: scene.view.rows.count)
        var changes = [scene.view]
        if let last = last.take(), last.rendering == rendering, let move = scene.move(since: last.scene) {
            changes = scene.changes(since: last.scene, movedBy: move)
            grid.place(last.cells, columns: -move.columns, rows: -move.rows)
        }
        let renderer = renderer(rendering)
        for part in changes {
            var ground = pictures.ground(scene, part, rendering.symbols, rendering.theme)
            if let daylight = rendering.daylight {
                let corner = Picture.Ground(
                    viewport, column: part.columns.lowerBound, row: part.rows.lowerBound)
                ground.shade(by: daylight, over: corner, rendering.theme)
            }
            renderer.render(ground, into: &grid, top: part.rows.lowerBound, left: part.columns.lowerBound)
        }
        last = Frame(scene: scene, rendering: rendering, cells: grid)
        return grid
    }

    private mutating func renderer(_ rendering: Rendering) -> CellRenderer {
        if let renderer, renderer.symbols == rendering.symbols, renderer.depth == rendering.depth,
            renderer.options == rendering.options
        {
            return renderer
        }
        let made = CellRenderer(
            symbols: rendering.symbols, depth: rendering.depth, options: rendering.options)
        renderer = made
        return made
    }

    /// Marks failed areas with a sparse hatch, over any substitute.
    private static func hatch(
        _ scene: LayerScene, _ viewport: Viewport, _ settings: Settings, on grid: inout CellGrid
    ) {
        let stroke: Unicode.Scalar = settings.isUnicode ? "╱" : "/"
        let ink: CellColor = settings.depth == .mono ? .terminal : .indexed(9)
        let placement = CellPlacement(viewport)
        for area in scene.failedAreas {
            let cells = placement.cells(of: area)
            for row in cells.rows {
                for column in cells.columns where (row + column) % 4 == 0 {
                    grid[row, column].glyph = stroke
                    grid[row, column].ink = ink
                }
            }
        }
    }
}

/// Draws layers into one picture, bottom to top. Reuses the memory of whole views in the next frame.
struct LayerPictures: Sendable {
    private var symbols = Symbols.half
    private var ground: Picture?
    private var layer: Picture?
    private var fine: Picture?

    /// Returns a part of a scene's view as an opaque picture.
    mutating func ground(
        _ scene: PlacedScene, _ part: CellBox, _ symbols: Symbols, _ theme: Settings.Theme
    ) -> Picture {
        guard part != scene.view else { return draw(scene, part, symbols, theme) }
        var others = LayerPictures()
        return others.draw(scene, part, symbols, theme)
    }

    private mutating func draw(
        _ scene: PlacedScene, _ part: CellBox, _ symbols: Symbols, _ theme: Settings.Theme
    ) -> Picture {
        if symbols != self.symbols { self = LayerPictures() }
        self.symbols = symbols
        var whole = Self.blank(ground.take(), part) { Picture(columns: $0, rows: $1, symbols: symbols) }
        for layer in scene.layers { add(layer, scene, part, to: &whole) }
        whole.fill(under: theme.unknown)
        ground = whole
        return whole
    }

    private mutating func add(
        _ layer: PlacedScene.Layer, _ scene: PlacedScene, _ part: CellBox, to whole: inout Picture
    ) {
        let symbols = symbols, blending = layer.blending
        // Thin layers such as routes cover only some cells; sharpening also reads the cells beside them.
        let touched = blending.sharpness > 0 ? part : scene.cells(of: layer, in: part)
        guard touched.count > 0 else { return }
        var own = Self.blank(touched == part ? self.layer.take() : nil, touched) {
            Picture(columns: $0, rows: $1, symbols: symbols)
        }
        if blending.sharpness > 0 {
            var fine = Self.blank(fine.take(), part) { Picture.fine(columns: $0, rows: $1, symbols: symbols) }
            Self.draw(layer, scene, part, on: &fine)
            own.condense(fine, sharpness: blending.sharpness)
            self.fine = fine
        } else {
            Self.draw(layer, scene, touched, on: &own)
        }
        own.adjust(blending.adjustment)
        whole.lay(
            own, opacity: blending.opacity, column: touched.columns.lowerBound - part.columns.lowerBound,
            row: touched.rows.lowerBound - part.rows.lowerBound)
        if touched == part { self.layer = own }
    }

    private static func draw(
        _ layer: PlacedScene.Layer, _ scene: PlacedScene, _ part: CellBox, on picture: inout Picture
    ) {
        for tile in layer.pictures {
            picture.draw(
                tile.raster, at: scene.box(of: tile, in: part), part: tile.part, strength: tile.strength)
        }
    }

    /// Returns a transparent picture of a part's size, in the last frame's memory if that fits.
    private static func blank(
        _ previous: consuming Picture?, _ part: CellBox, _ make: (Int, Int) -> Picture
    ) -> Picture {
        guard var old = previous, old.columns == part.columns.count, old.rows == part.rows.count else {
            return make(part.columns.count, part.rows.count)
        }
        old.clear()
        return old
    }
}

extension TileLayer {
    /// True if the layer is drawn with glyphs when there are few colours.
    fileprivate var isDrawnInGlyphs: Bool { feature.isTraffic || live != nil || isRouteLayer }
}

extension Settings.Theme {
    /// The background where no tile is known, less prominent than any map.
    var unknown: RGB {
        switch self {
        case .day: RGB(0xDCDCD8)
        case .night: RGB(0x1A1D21)
        }
    }
}

extension CellGrid {
    /// Copies the cells of another grid, clipped to this one.
    /// - Parameters:
    ///   - columns: The offset to the right.
    ///   - rows: The offset downwards.
    mutating func place(_ other: CellGrid, columns right: Int = 0, rows down: Int = 0) {
        let width = max(right, 0)..<max(min(columns, other.columns + right), max(right, 0))
        guard !width.isEmpty else { return }
        for row in max(down, 0)..<max(min(rows, other.rows + down), max(down, 0)) {
            let from = (row - down) * other.columns + width.lowerBound - right,
                to = row * columns + width.lowerBound
            cells.replaceSubrange(to..<(to + width.count), with: other.cells[from..<(from + width.count)])
        }
    }
}
