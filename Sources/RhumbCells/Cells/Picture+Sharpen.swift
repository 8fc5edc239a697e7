extension Picture {
    /// Returns a transparent picture with sub-cells cut in two each way. It preserves lines that would be
    /// lost among their neighbours. Draw on it and pass it to `condense`.
    public static func fine(columns: Int, rows: Int, symbols: Symbols) -> Picture {
        Picture(
            columns: columns, rows: rows, across: GlyphFamily.across(symbols).halved,
            down: GlyphFamily.down(symbols).halved)
    }

    /// Transfers the details of a finer picture. Sub-cells that differ most from the rest of their cell count
    /// more than their area, so that thin roads, coasts and borders survive. A cell of one colour stays
    /// unchanged, and no cell depends on another.
    /// - Parameters:
    ///   - fine: A picture with the same numbers of columns and rows, made by `fine` for the same symbols.
    ///   - sharpness: 0 (plain areas) … 1.
    public mutating func condense(_ fine: borrowing Picture, sharpness: Float) {
        precondition(
            fine.columns == columns && fine.rows == rows && fine.across == across.halved
                && fine.down == down.halved, "a fine picture of the same shape is condensed")
        let sharpness = min(max(sharpness, 0), 1)
        for row in 0..<rows {
            for column in 0..<columns {
                let middle = areas(fine, row: row, column: column)
                for strip in 0..<down.count {
                    for side in 0..<across.count {
                        let y = row * down.count + strip, x = column * across.count + side
                        pixels[y * width + x] += fine.extra(y: y, x: x, middle: middle) * sharpness
                    }
                }
            }
        }
    }

    /// Sets each sub-cell of a cell to the mean of its fine ones. Returns the cell's mean.
    private mutating func areas(
        _ fine: borrowing Picture, row: Int, column: Int
    ) -> SIMD4<Float> {
        var middle = SIMD4<Float>.zero
        for strip in 0..<down.count {
            for side in 0..<across.count {
                let y = row * down.count + strip, x = column * across.count + side
                let mean = fine.mean(y: y, x: x)
                pixels[y * width + x] = mean
                middle += mean * (down.share(strip) * across.share(side))
            }
        }
        return middle
    }

    /// Returns the mean of the four fine sub-cells in a sub-cell.
    @inline(__always)
    private func mean(y: Int, x: Int) -> SIMD4<Float> {
        let at = 2 * y * width + 2 * x
        return ((pixels[at] + pixels[at + 1]) + (pixels[at + width] + pixels[at + width + 1])) * 0.25
    }

    /// Returns the change of the mean of four if each counts by its squared distance from `middle`.
    @inline(__always)
    private func extra(y: Int, x: Int, middle: SIMD4<Float>) -> SIMD4<Float> {
        let at = 2 * y * width + 2 * x
        let mean = mean(y: y, x: x)
        var sum = SIMD4<Float>.zero
        // The initial weight keeps invisible differences from being emphasised.
        var weights: Float = 4
        for corner in 0..<4 {
            let pixel = pixels[at + (corner & 1) + (corner >> 1) * width]
            let distance = pixel - middle
            let weight = (distance * distance).sum()
            sum += (pixel - mean) * weight
            weights += weight
        }
        return sum / weights
    }
}
