internal import RhumbCore

/// Converts a picture of 960 × 640 pixels to cells on one thread, compared with libchafa using the same
/// glyphs.
enum CellBench {
    static func rows() -> [BenchRow] {
        let chafa = Chafa()
        if chafa == nil { print("  libchafa is not installed: no anchor (apt-get install libchafa0)") }
        let picture = street
        return [(120, 40), (240, 67)].flatMap { columns, lines in
            sets.map { measure(picture, columns, lines, $0, chafa) }
                + [mixed(picture, columns, lines), sharpened(picture, columns, lines)]
        }
    }

    private static let sets: [(symbols: Symbols, tags: Int32?)] = [
        (.half, Chafa.Tags.half), ([.quadrant, .half], Chafa.Tags.quadrant),
        (.sextant, Chafa.Tags.sextant), ([.sextant, .quadrant, .half], nil), (.octant, nil),
    ]

    /// Measures 256 colours, without and with mixing.
    private static func mixed(_ raster: Raster, _ columns: Int, _ rows: Int) -> BenchRow {
        let times = [0, Float(1.2)].map { mixing in
            var options = CellRenderer.Options()
            options.mixing = mixing
            let renderer = CellRenderer(symbols: .sextant, depth: .indexed256, options: options)
            return time(columns, rows, renderer) { $0.draw(raster, at: $1) }.best
        }
        return BenchRow(
            name: "cells \(columns)x\(rows) sextant, 256 colours mixed: best", value: times[1],
            unit: "ms", anchor: "unmixed \((times[0] * 100).rounded() / 100) ms")
    }

    private static func sharpened(_ raster: Raster, _ columns: Int, _ rows: Int) -> BenchRow {
        let renderer = CellRenderer(symbols: .sextant, depth: .truecolor)
        var fine = Picture.fine(columns: columns, rows: rows, symbols: .sextant)
        let timing = time(columns, rows, renderer) { picture, whole in
            fine.clear()
            fine.draw(raster, at: whole)
            picture.condense(fine, sharpness: 0.7)
        }
        return BenchRow(
            name: "cells \(columns)x\(rows) sextant, lines brought out: best", value: timing.best,
            unit: "ms", anchor: "")
    }

    private static func time(
        _ columns: Int, _ rows: Int, _ renderer: CellRenderer,
        _ draw: (inout Picture, FixedPointRect) -> Void
    ) -> Timing {
        var picture = Picture(columns: columns, rows: rows, symbols: renderer.symbols)
        var grid = CellGrid(columns: columns, rows: rows)
        let whole = FixedPointRect(
            x0: 0, y0: 0, x1: columns * FixedPointRect.one, y1: rows * FixedPointRect.one)
        return Timing(runs: 50) {
            picture.clear()
            draw(&picture, whole)
            renderer.render(picture, into: &grid)
        }
    }

    private static func measure(
        _ raster: Raster, _ columns: Int, _ rows: Int, _ set: (symbols: Symbols, tags: Int32?),
        _ chafa: Chafa?
    ) -> BenchRow {
        let renderer = CellRenderer(symbols: set.symbols, depth: .truecolor)
        let ours = time(columns, rows, renderer) { $0.draw(raster, at: $1) }
        return BenchRow(
            name: "cells \(columns)x\(rows) \(set.symbols.text): best", value: ours.best, unit: "ms",
            anchor: set.tags.map { anchor(raster, columns, rows, $0, chafa, ours.best) } ?? "")
    }

    /// Returns a comparison such as "libchafa work 9: 65.4 ms, 80 times; work 5: …".
    private static func anchor(
        _ raster: Raster, _ columns: Int, _ rows: Int, _ tags: Int32, _ chafa: Chafa?, _ ours: Double
    ) -> String {
        let parts = [(9, Float(1)), (5, Float(0.5))].compactMap { name, work -> String? in
            guard
                let draw = chafa?.drawing(
                    raster.pixels, width: raster.width, height: raster.height, columns: columns,
                    rows: rows, tags: tags, work: work)
            else { return nil }
            let best = Timing(runs: 12, draw).best
            return "work \(name): \((best * 10).rounded() / 10) ms, \(Int((best / ours).rounded()))x"
        }
        return parts.isEmpty ? "" : "libchafa " + parts.joined(separator: ", ")
    }

    private static var street: Raster { StreetMap.raster(width: 960, height: 640) }
}

/// Generates blocks, streets and speckles, as on a street map.
enum StreetMap {
    /// Returns the part of the map at an offset in pixels to the east and south.
    static func raster(east: Int = 0, south: Int = 0, width: Int, height: Int) -> Raster {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 4)
        for y in south..<(south + height) {
            for x in east..<(east + width) {
                var state = UInt32(truncatingIfNeeded: y &* 4099 &+ x) &* 0x9E37_79B9
                state = (state ^ state >> 15) &* 0x85EB_CA6B
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
