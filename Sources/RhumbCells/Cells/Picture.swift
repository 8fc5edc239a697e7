/// A picture at sub-cell resolution, before glyphs are chosen for its cells.
///
/// Each pixel is red, green, blue (0…255, multiplied by the opacity) and opacity (0…255).
/// Colours are averaged in encoded sRGB, not in linear light. A terminal shows two colours per cell and the
/// eye compares encoded values, so this minimises the visible error.
///
/// Sums are exact. Every weight is a whole number of 1/65536 and every sum fits the 24 bits of a Float, so a
/// picture drawn tile by tile, in any order, equals the picture drawn whole.
public struct Picture: Sendable {
    /// The number of cells across.
    public let columns: Int
    /// The number of cells down.
    public let rows: Int
    let across: CellSubdivision
    let down: CellSubdivision
    /// The `height × width` pixels, row by row from the top left.
    var pixels: [SIMD4<Float>]

    /// The number of sub-cells across.
    public var width: Int { columns * across.count }
    /// The number of sub-cells down. Their heights differ if glyph sets are mixed.
    public var height: Int { rows * down.count }

    /// A transparent picture, divided into sub-cells as the glyphs require.
    public init(columns: Int, rows: Int, symbols: Symbols) {
        self.init(
            columns: columns, rows: rows, across: GlyphFamily.across(symbols),
            down: GlyphFamily.down(symbols))
    }

    init(columns: Int, rows: Int, across: CellSubdivision, down: CellSubdivision) {
        self.columns = max(columns, 0)
        self.rows = max(rows, 0)
        self.across = across
        self.down = down
        let count = self.columns * across.count * self.rows * down.count
        pixels = Array(repeating: .zero, count: count)
    }

    /// Red, green, blue (multiplied by the opacity) and opacity of a sub-cell, each 0…255.
    public subscript(row: Int, column: Int) -> SIMD4<Float> { pixels[row * width + column] }

    /// Makes every sub-cell transparent but keeps the allocated memory.
    public mutating func clear() {
        for at in pixels.indices { pixels[at] = .zero }
    }

    /// Draws another picture, divided in the same way, over this one or a part of it.
    /// - Parameters:
    ///   - opacity: The opacity of the layer as a whole, 0…1.
    ///   - column: The cell column of its left edge.
    ///   - row: The cell row of its upper edge.
    public mutating func lay(_ layer: Picture, opacity: Float = 1, column: Int = 0, row: Int = 0) {
        precondition(layer.down == down && layer.across == across, "layers of one view are cut alike")
        precondition(
            column >= 0 && row >= 0 && column + layer.columns <= columns && row + layer.rows <= rows,
            "a layer lies within its view")
        let width = width, start = row * down.count * width + column * across.count, length = layer.width
        layer.pixels.withUnsafeBufferPointer { over in
            pixels.withUnsafeMutableBufferPointer { under in
                for line in 0..<layer.height {
                    let first = start + line * width, from = line * length
                    for at in 0..<length where over[from + at].w != 0 {
                        let above = over[from + at] * opacity
                        under[first + at] = above + under[first + at] * (1 - above.w / 255)
                    }
                }
            }
        }
    }

    /// Fills the background with one colour, which makes the picture opaque.
    public mutating func fill(under colour: RGB) {
        let ground = SIMD4<Float>(Float(colour.red), Float(colour.green), Float(colour.blue), 255)
        for at in pixels.indices {
            pixels[at] += ground * (1 - pixels[at].w / 255)
        }
    }
}
