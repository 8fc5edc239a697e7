internal import RhumbCore
internal import RhumbEngine

/// Draws the lines and areas of live layers, and routes, as dots over the map's cells, for terminals with too
/// few colours. When the map moves, the dots of the last frame are moved and reused.
struct OverlayDots: Sendable {
    private struct Frame: Sendable {
        let scene: PlacedScene
        /// The dots of each cell. The low byte of a glyph has a bit for each of the eight dots, and the ink
        /// is their colour. Cells without dots are blank.
        let dots: CellGrid
    }

    private var last: [TileLayer.ID: Frame] = [:]
    /// The minimum coverage of a dot's area, from 0 to 255.
    private static let cover: Float = 96
    private static let noDots: UInt32 = 0x2800

    mutating func draw(
        _ layers: [LayerScene], _ viewport: Viewport, _ settings: Settings, on grid: inout CellGrid
    ) {
        var frames: [TileLayer.ID: Frame] = [:]
        for layer in layers {
            let scene = PlacedScene(Scene(layers: [layer]), viewport, sharpness: 0) { picture, _ in
                picture.raster
            }
            let dots = Self.dots(of: scene, since: last[layer.layer.id])
            frames[layer.layer.id] = Frame(scene: scene, dots: dots)
            Self.put(dots, settings, layer.layer.opacity < 1 ? .dim : .bold, on: &grid)
        }
        last = frames
    }

    // MARK: Finding dots

    private static func dots(of scene: PlacedScene, since last: Frame?) -> CellGrid {
        var dots = CellGrid(columns: scene.view.columns.count, rows: scene.view.rows.count)
        var changes = [scene.view]
        if let last, let move = scene.move(since: last.scene) {
            changes = scene.changes(since: last.scene, movedBy: move)
            dots.place(last.dots, columns: -move.columns, rows: -move.rows)
        }
        for part in changes { draw(scene, part, on: &dots) }
        return dots
    }

    private static func draw(_ scene: PlacedScene, _ part: CellBox, on dots: inout CellGrid) {
        var picture = Picture(columns: part.columns.count, rows: part.rows.count, symbols: .braille)
        for tile in scene.layers.first?.pictures ?? [] {
            picture.draw(tile.raster, at: scene.box(of: tile, in: part), part: tile.part)
        }
        for (y, row) in part.rows.enumerated() {
            for (x, column) in part.columns.enumerated() { dots[row, column] = cell(picture, y, x) }
        }
    }

    private static func cell(_ picture: Picture, _ row: Int, _ column: Int) -> Cell {
        let across = picture.width / picture.columns, down = picture.height / picture.rows
        var bits: UInt32 = 0, sum = SIMD4<Float>.zero
        for y in 0..<min(down, 4) {
            for x in 0..<min(across, 2) {
                let pixel = picture[row * down + y, column * across + x]
                guard pixel.w >= cover else { continue }
                bits |= 1 << UInt32(y * 2 + x)
                sum += pixel
            }
        }
        guard bits != 0, let glyph = Unicode.Scalar(noDots + bits) else { return .blank }
        let colour = sum / max(sum.w, 1) * 255
        func byte(_ value: Float) -> UInt8 { UInt8(clamping: Double(value)) }
        let ink = Palette16.nearest(RGB(red: byte(colour.x), green: byte(colour.y), blue: byte(colour.z)))
        return Cell(glyph, ink: .indexed(ink), paper: .terminal)
    }

    // MARK: Drawing dots

    private static func put(
        _ dots: CellGrid, _ settings: Settings, _ style: Cell.Style, on grid: inout CellGrid
    ) {
        for row in 0..<dots.rows {
            for column in 0..<dots.columns where dots[row, column].glyph.value > noDots {
                let dots = dots[row, column]
                put(Int(dots.glyph.value - noDots), dots.ink, settings, style, on: &grid[row, column])
            }
        }
    }

    /// Draws dots over a cell of the map.
    /// - Parameter bits: The dots, as rows of two from the top.
    static func put(
        _ bits: Int, _ ink: CellColor, _ settings: Settings, _ style: Cell.Style = .bold, on cell: inout Cell
    ) {
        if !settings.depth.needsGlyphs { cell.paper = .rgb(cell.mean) }
        cell.glyph = settings.isUnicode ? braille(bits) : ascii(bits)
        cell.mark = nil
        cell.style = style
        if settings.depth == .mono {
            cell.ink = .terminal
            cell.paper = .terminal
        } else {
            cell.ink = ink
            if cell.paper == ink { cell.paper = .indexed(ink == .indexed(0) ? 7 : 0) }
        }
    }

    /// Returns the braille pattern of the dots. Braille numbers the left dots downwards, then the right ones,
    /// and the lowest row last.
    private static func braille(_ bits: Int) -> Unicode.Scalar {
        let braille = [0, 3, 1, 4, 2, 5, 6, 7]
        let pattern = braille.indices.reduce(0) { bits >> $1 & 1 != 0 ? $0 | 1 << braille[$1] : $0 }
        return Unicode.Scalar(UInt32(0x2800 + pattern)) ?? "*"
    }

    private static func ascii(_ bits: Int) -> Unicode.Scalar {
        let left = bits & 0b0101_0101 != 0, right = bits & 0b1010_1010 != 0
        let above = bits & 0b0000_1111 != 0, below = bits & 0b1111_0000 != 0
        if left && right && !(above && below) { return "-" }
        if above && below && left != right { return "|" }
        if left && right {
            let falls = bits & 0b0000_0101 != 0 && bits & 0b1010_0000 != 0,
                rises = bits & 0b0000_1010 != 0 && bits & 0b0101_0000 != 0
            return falls == rises ? "+" : falls ? "\\" : "/"
        }
        return "."
    }
}
