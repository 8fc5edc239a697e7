internal import RhumbCore

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
