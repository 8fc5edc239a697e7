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
    private var finePicture: Picture?
    private var symbols: Symbols?
    private var renderer: CellRenderer?
    private var traffic = TrafficPaint()

    /// A painter without pictures of its own yet.
    public init() {}

    /// The map's cells: `viewport.rows` × `viewport.columns`.
    public mutating func paint(
        _ scene: Scene, viewport: Viewport, settings: Settings, theme: Settings.Theme
    ) -> CellGrid {
        let symbols = settings.isUnicode ? settings.symbols : .ascii
        let byGlyphs = settings.depth.needsGlyphs ? scene.layers.filter(\.layer.feature.isTraffic) : []
        let inColour = byGlyphs.isEmpty ? scene : Scene(layers: scene.layers.filter { !$0.layer.feature.isTraffic })
        let ground = picture(
            of: inColour, viewport, symbols, theme, settings.trafficColours, sharpness: settings.sharpness)
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
        of scene: Scene, _ viewport: Viewport, _ symbols: Symbols, _ theme: Settings.Theme, _ colours: TrafficColours,
        sharpness: Double = 0
    ) -> Picture {
        if symbols != self.symbols {
            picture = nil
            layerPicture = nil
            finePicture = nil
            self.symbols = symbols
        }
        var ground = Self.blank(&picture, viewport) { Picture(columns: $0, rows: $1, symbols: symbols) }
        for layer in scene.layers {
            let asked = max(layer.layer.adjustment.sharpness, sharpness)
            paint(layer, viewport, symbols, colours, sharpness: Float(asked), on: &ground)
        }
        ground.fill(under: theme.unknown)
        return ground
    }

    /// A transparent picture of the view's shape, from the last frame's memory where it fits.
    private static func blank(
        _ kept: inout Picture?, _ viewport: Viewport, _ make: (_ columns: Int, _ rows: Int) -> Picture
    ) -> Picture {
        guard var old = kept.take(), old.columns == viewport.columns, old.rows == viewport.rows
        else { return make(viewport.columns, viewport.rows) }
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
        _ scene: LayerScene, _ viewport: Viewport, _ symbols: Symbols, _ colours: TrafficColours, sharpness: Float,
        on ground: inout Picture
    ) {
        guard !scene.pictures.isEmpty else { return }
        var own = Self.blank(&layerPicture, viewport) {
            Picture(columns: $0, rows: $1, symbols: symbols)
        }
        if sharpness > 0 {
            var fine = Self.blank(&finePicture, viewport) {
                Picture.fine(columns: $0, rows: $1, symbols: symbols)
            }
            draw(scene, viewport, colours, on: &fine)
            own.condense(fine, sharpness: sharpness)
            finePicture = fine
        } else {
            draw(scene, viewport, colours, on: &own)
        }
        own.adjust(scene.layer.adjustment)
        ground.lay(own, opacity: Float(scene.layer.opacity))
        layerPicture = own
    }

    private mutating func draw(
        _ scene: LayerScene, _ viewport: Viewport, _ colours: TrafficColours, on picture: inout Picture
    ) {
        let place = CellPlacement(viewport)
        for tile in scene.pictures {
            guard let (box, part) = place.boxes(of: tile) else { continue }
            picture.draw(
                traffic.raster(of: tile, in: scene.layer, colours), at: box, part: part,
                strength: Float(tile.strength))
        }
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
    /// The ground where no tile is known: quieter than any map.
    var unknown: RGB {
        switch self {
        case .day: RGB(0xDCDCD8)
        case .night: RGB(0x1A1D21)
        }
    }
}
