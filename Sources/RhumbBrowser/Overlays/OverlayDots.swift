internal import RhumbCore
internal import RhumbEngine

/// The lines and areas of a live layer, or a route, as dots over the map's cells, for terminals with too few colours.
struct OverlayDots {
    private let viewport: Viewport
    private let settings: Settings
    private let place: CellPlacement
    /// A dot is there from this much of its place covered, of 255.
    private static let cover: Float = 96

    init(_ viewport: Viewport, _ settings: Settings) {
        (self.viewport, self.settings) = (viewport, settings)
        place = CellPlacement(viewport)
    }

    func draw(_ scene: LayerScene, on grid: inout CellGrid) {
        guard scene.pictures.contains(where: { !$0.raster.isClear }) else { return }
        var dots = Picture(columns: viewport.columns, rows: viewport.rows, symbols: .braille)
        for picture in scene.pictures where !picture.raster.isClear {
            if let (box, part) = place.boxes(of: picture) { dots.draw(picture.raster, at: box, part: part) }
        }
        for row in 0..<viewport.rows {
            for column in 0..<viewport.columns { mark(row, column, dots, scene.layer, &grid) }
        }
    }

    private func mark(_ row: Int, _ column: Int, _ dots: Picture, _ layer: TileLayer, _ grid: inout CellGrid) {
        let across = dots.width / viewport.columns, down = dots.height / viewport.rows
        var bits = 0, sum = SIMD4<Float>.zero
        for y in 0..<min(down, 4) {
            for x in 0..<min(across, 2) {
                let pixel = dots[row * down + y, column * across + x]
                guard pixel.w >= Self.cover else { continue }
                bits |= 1 << (y * 2 + x)
                sum += pixel
            }
        }
        guard bits != 0 else { return }
        var cell = grid[row, column]
        cell.glyph = settings.isUnicode ? Self.braille(bits) : Self.ascii(bits)
        cell.mark = nil
        cell.style = layer.opacity < 1 ? .dim : .bold
        if settings.depth == .mono {
            (cell.ink, cell.paper) = (.terminal, .terminal)
        } else {
            let colour = sum / max(sum.w, 1) * 255
            func byte(_ value: Float) -> UInt8 { UInt8(min(max(value, 0), 255)) }
            let ink = Palette16.nearest(RGB(red: byte(colour.x), green: byte(colour.y), blue: byte(colour.z)))
            cell.ink = .indexed(ink)
            if cell.paper == cell.ink { cell.paper = .indexed(ink == 0 ? 7 : 0) }
        }
        grid[row, column] = cell
    }

    /// The bits are rows of two dots from above; braille counts its left dots down, then its right ones, the lowest row last.
    private static func braille(_ bits: Int) -> Unicode.Scalar {
        let places = [0, 3, 1, 4, 2, 5, 6, 7]
        let pattern = places.indices.reduce(0) { bits >> $1 & 1 != 0 ? $0 | 1 << places[$1] : $0 }
        return Unicode.Scalar(UInt32(0x2800 + pattern)) ?? "*"
    }

    private static func ascii(_ bits: Int) -> Unicode.Scalar {
        let left = bits & 0b0101_0101 != 0, right = bits & 0b1010_1010 != 0
        let above = bits & 0b0000_1111 != 0, below = bits & 0b1111_0000 != 0
        if left && right && !(above && below) { return "-" }
        if above && below && left != right { return "|" }
        if left && right {
            let falls = bits & 0b0000_0101 != 0 && bits & 0b1010_0000 != 0, rises = bits & 0b0000_1010 != 0 && bits & 0b0101_0000 != 0
            return falls == rises ? "+" : falls ? "\\" : "/"
        }
        return "."
    }
}
