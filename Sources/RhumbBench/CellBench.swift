internal import RhumbCore

/// From a picture of 960 × 640 pixels to cells, beside libchafa with the same glyphs, one thread.
enum CellBench {
    static func rows() -> [BenchRow] {
        let chafa = Chafa()
        if chafa == nil { print("  libchafa is not installed: no anchor (apt-get install libchafa0)") }
        let picture = street
        return [(120, 40), (240, 67)].flatMap { columns, lines in
            sets.map { measure(picture, columns, lines, $0, chafa) }
        }
    }

    private static let sets: [(symbols: Symbols, tags: Int32?)] = [
        (.half, Chafa.Tags.half), ([.quadrant, .half], Chafa.Tags.quadrant),
        (.sextant, Chafa.Tags.sextant), ([.sextant, .quadrant, .half], nil), (.octant, nil),
    ]

    private static func measure(
        _ raster: Raster, _ columns: Int, _ rows: Int, _ set: (symbols: Symbols, tags: Int32?),
        _ chafa: Chafa?
    ) -> BenchRow {
        var picture = Picture(columns: columns, rows: rows, symbols: set.symbols)
        let renderer = CellRenderer(symbols: set.symbols, depth: .truecolor)
        var grid = CellGrid(columns: columns, rows: rows)
        let whole = FixedBox(x0: 0, y0: 0, x1: columns * FixedBox.one, y1: rows * FixedBox.one)
        let ours = Timing(runs: 50) {
            picture.clear()
            picture.draw(raster, at: whole)
            renderer.render(picture, into: &grid)
        }
        return BenchRow(
            name: "cells \(columns)x\(rows) \(set.symbols.text): best", value: ours.best, unit: "ms",
            anchor: set.tags.map { anchor(raster, columns, rows, $0, chafa, ours.best) } ?? "")
    }

    /// "libchafa work 9: 65.4 ms, 80 times; work 5: …"
    private static func anchor(
        _ raster: Raster, _ columns: Int, _ rows: Int, _ tags: Int32, _ chafa: Chafa?, _ ours: Double
    ) -> String {
        let parts = [(9, Float(1)), (5, Float(0.5))].compactMap { name, work -> String? in
            guard let draw = chafa?.drawing(
                raster.pixels, width: raster.width, height: raster.height, columns: columns,
                rows: rows, tags: tags, work: work)
            else { return nil }
            let best = Timing(runs: 12, draw).best
            return "work \(name): \((best * 10).rounded() / 10) ms, \(Int((best / ours).rounded()))x"
        }
        return parts.isEmpty ? "" : "libchafa " + parts.joined(separator: ", ")
    }

    /// Blocks, streets and speckles, as a street map has them.
    private static var street: Raster {
        let width = 960, height = 640
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 4)
        var state: UInt32 = 7
        for y in 0..<height {
            for x in 0..<width {
                state = state &* 1_664_525 &+ 1_013_904_223
                let isStreet = (x + y / 3) % 97 < 6 || (y + x / 5) % 71 < 5
                let isSpeckle = state >> 24 < 12
                let base: UInt32 = (x / 120 + y / 90) % 3 == 0 ? 0xCDE2B5 : 0xF3F0E7
                let colour = RGB(isStreet ? 0xEFC364 : isSpeckle ? 0x8E6FA0 : base)
                pixels += [colour.red, colour.green, colour.blue, 255]
            }
        }
        return Raster(width: width, height: height, pixels: pixels)
            ?? Raster(width: 1, height: 1, filledWith: RGB(0))
    }
}
