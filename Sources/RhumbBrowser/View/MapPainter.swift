public import RhumbCore
public import RhumbEngine

/// Paints a scene as cells: layers bottom to top into one picture at sub-cell resolution, then
/// for each cell the glyph and the two colours that come nearest.
///
/// Keeps its pictures' memory from one frame to the next; the cells depend on nothing but what
/// is given.
public struct MapPainter: Sendable {
    private var picture: Picture?
    private var layerPicture: Picture?
    private var symbols: Symbols?
    private var renderer: CellRenderer?
    private var traffic = TrafficPaint()

    public init() {}

    /// The map's cells: `viewport.rows` × `viewport.columns`.
    public mutating func paint(
        _ scene: Scene, viewport: Viewport, settings: Settings, theme: Settings.Theme
    ) -> CellGrid {
        let symbols = settings.isUnicode ? settings.symbols : .ascii
        let byGlyphs = settings.depth.needsGlyphs ? scene.layers.filter(\.layer.feature.isTraffic) : []
        let inColour = byGlyphs.isEmpty ? scene : Scene(layers: scene.layers.filter { !$0.layer.feature.isTraffic })
        let ground = picture(of: inColour, viewport, symbols, theme, settings.trafficColours)
        var grid = CellGrid(columns: viewport.columns, rows: viewport.rows)
        renderer(symbols, settings).render(ground, into: &grid)
        picture = ground
        let marks = TrafficMarks(viewport, settings)
        for layer in byGlyphs { marks.draw(layer, on: &grid) }
        for layer in scene.layers { hatch(layer, viewport, settings, on: &grid) }
        return grid
    }

    /// All layers as one opaque picture.
    mutating func picture(
        of scene: Scene, _ viewport: Viewport, _ symbols: Symbols, _ theme: Settings.Theme, _ colours: TrafficColours
    ) -> Picture {
        if symbols != self.symbols {
            picture = nil
            layerPicture = nil
            self.symbols = symbols
        }
        var ground = Self.blank(&picture, viewport, symbols)
        for layer in scene.layers { paint(layer, viewport, symbols, colours, on: &ground) }
        ground.fill(under: theme.unknown)
        return ground
    }

    /// A transparent picture of the view's shape, from the last frame's memory where it fits.
    private static func blank(
        _ kept: inout Picture?, _ viewport: Viewport, _ symbols: Symbols
    ) -> Picture {
        guard var old = kept.take(), old.columns == viewport.columns, old.rows == viewport.rows
        else { return Picture(columns: viewport.columns, rows: viewport.rows, symbols: symbols) }
        old.clear()
        return old
    }

    private mutating func renderer(_ symbols: Symbols, _ settings: Settings) -> CellRenderer {
        let options = settings.rendering
        if let renderer, renderer.symbols == symbols, renderer.depth == settings.depth,
            renderer.options == options
        {
            return renderer
        }
        let made = CellRenderer(symbols: symbols, depth: settings.depth, options: options)
        renderer = made
        return made
    }

    private mutating func paint(
        _ scene: LayerScene, _ viewport: Viewport, _ symbols: Symbols, _ colours: TrafficColours,
        on ground: inout Picture
    ) {
        guard !scene.pictures.isEmpty else { return }
        let place = CellPlacement(viewport)
        var own = Self.blank(&layerPicture, viewport, symbols)
        for picture in scene.pictures {
            guard let (box, part) = place.boxes(of: picture) else { continue }
            own.draw(traffic.raster(of: picture, in: scene.layer, colours), at: box, part: part)
        }
        own.adjust(scene.layer.adjustment)
        ground.lay(own, opacity: Float(scene.layer.opacity))
        layerPicture = own
    }

    /// Marks what failed with a sparse hatch, over whatever stands in for it.
    private func hatch(
        _ scene: LayerScene, _ viewport: Viewport, _ settings: Settings, on grid: inout CellGrid
    ) {
        let stroke: Unicode.Scalar = settings.isUnicode ? "╱" : "/"
        let ink: CellColor = settings.depth == .mono ? .terminal : .indexed(9)
        let place = CellPlacement(viewport)
        for gap in scene.gaps where gap.isFailed {
            let cells = place.cells(of: gap.area)
            for row in cells.rows {
                for column in cells.columns where (row + column) % 4 == 0 {
                    grid[row, column].glyph = stroke
                    grid[row, column].ink = ink
                }
            }
        }
    }
}

extension Settings.Theme {
    /// What is shown where nothing is known: quieter than any map.
    var unknown: RGB {
        switch self {
        case .day: RGB(0xDCDCD8)
        case .night: RGB(0x1A1D21)
        }
    }
}
