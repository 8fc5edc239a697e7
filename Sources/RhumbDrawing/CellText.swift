internal import CCairo
public import RhumbCore

/// Draws the text of cells on top of a raster, in the system's monospaced font. Skips characters that the
/// font lacks.
public enum CellText {
    /// The separation of letters from the map: outlines or boxes in the cell's background colour.
    public enum Style: Sendable { case rimmed, boxed }

    /// Draws cells on top of a raster.
    /// - Parameters:
    ///   - cells: The cells to draw. Blank cells in the terminal's own colours leave the raster unchanged.
    ///   - style: The use of the cells' background colours.
    ///   - shifts: The rows by which letters are moved down, by the index of their cell.
    ///   - raster: An opaque raster, divided evenly into the columns and rows.
    /// - Returns: The unchanged raster if memory ran out, or if Cairo is missing.
    public static func draw(
        _ cells: CellGrid, as style: Style, shifted shifts: [Int: Double] = [:], over raster: Raster
    ) -> Raster {
        guard cells.columns > 0, cells.rows > 0, VectorPainter.canDraw else { return raster }
        var pixels = swapped(raster.pixels)
        let isDrawn = pixels.withUnsafeMutableBytes { bytes in
            let surface = rhumb_cairo_image_surface_create_for_data(
                bytes.bindMemory(to: UInt8.self).baseAddress, CAIRO_FORMAT_ARGB32, Int32(raster.width),
                Int32(raster.height),
                Int32(raster.width * 4))
            let cairo = rhumb_cairo_create(surface)
            defer {
                rhumb_cairo_destroy(cairo)
                rhumb_cairo_surface_destroy(surface)
            }
            guard let cairo, rhumb_cairo_status(cairo) == CAIRO_STATUS_SUCCESS else { return false }
            write(cells, style, shifts, CellSize(raster, cells), cairo)
            rhumb_cairo_surface_flush(surface)
            return rhumb_cairo_status(cairo) == CAIRO_STATUS_SUCCESS
        }
        guard isDrawn else { return raster }
        return Raster(width: raster.width, height: raster.height, pixels: swapped(pixels)) ?? raster
    }

    private struct CellSize {
        let width, height: Double

        init(_ raster: Raster, _ cells: CellGrid) {
            width = Double(raster.width) / Double(cells.columns)
            height = Double(raster.height) / Double(cells.rows)
        }
    }

    /// Exchanges red and blue, because Cairo's pixels begin with blue.
    private static func swapped(_ pixels: [UInt8]) -> [UInt8] {
        var pixels = pixels
        for at in stride(from: 0, to: pixels.count - 3, by: 4) { pixels.swapAt(at, at + 2) }
        return pixels
    }

    private static func write(
        _ cells: CellGrid, _ style: Style, _ shifts: [Int: Double], _ size: CellSize, _ cairo: OpaquePointer
    ) {
        // A monospaced letter is about three fifths as wide as the font size.
        rhumb_cairo_set_font_size(cairo, size.width / 0.6)
        rhumb_cairo_set_line_width(cairo, size.width / 3)
        rhumb_cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
        for row in 0..<cells.rows {
            for column in 0..<cells.columns where !cells[row, column].isContinuation {
                let x = Double(column) * size.width, y = Double(row) * size.height
                let cell = cells[row, column]
                if style == .boxed, let paper = cell.paper.rgb {
                    use(paper, cairo)
                    rhumb_cairo_rectangle(
                        cairo, x, y, size.width * Double(TextWidth.columns(of: cell.glyph)), size.height)
                    rhumb_cairo_fill(cairo)
                }
                guard cell.glyph != " " else { continue }
                let shift = shifts[row * cells.columns + column] ?? 0
                write(cell, style, x, y + size.height * (0.75 + shift), cairo)
            }
        }
    }

    private static func write(_ cell: Cell, _ style: Style, _ x: Double, _ y: Double, _ cairo: OpaquePointer)
    {
        let weight = cell.style.contains(.bold) ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL
        rhumb_cairo_select_font_face(cairo, "monospace", CAIRO_FONT_SLANT_NORMAL, weight)
        let text = String(cell.glyph)
        guard isInFont(text, cairo) else { return }
        rhumb_cairo_move_to(cairo, x, y)
        rhumb_cairo_text_path(cairo, text)
        if style == .rimmed, let paper = cell.paper.rgb {
            use(paper, cairo)
            rhumb_cairo_stroke_preserve(cairo)
        }
        use(cell.ink.rgb ?? RGB(0), cairo)
        rhumb_cairo_fill(cairo)
    }

    /// Returns true if the font has the character. Glyph 0 is the replacement for missing ones.
    private static func isInFont(_ text: String, _ cairo: OpaquePointer) -> Bool {
        var glyphs: UnsafeMutablePointer<cairo_glyph_t>?
        var count: Int32 = 0
        let status = rhumb_cairo_scaled_font_text_to_glyphs(
            rhumb_cairo_get_scaled_font(cairo), 0, 0, text, -1, &glyphs, &count, nil, nil, nil)
        defer { rhumb_cairo_glyph_free(glyphs) }
        return status == CAIRO_STATUS_SUCCESS && count == 1 && glyphs?.pointee.index != 0
    }

    private static func use(_ colour: RGB, _ cairo: OpaquePointer) {
        rhumb_cairo_set_source_rgb(
            cairo, Double(colour.red) / 255, Double(colour.green) / 255, Double(colour.blue) / 255)
    }
}
