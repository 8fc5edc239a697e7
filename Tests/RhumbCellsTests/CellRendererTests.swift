import RhumbCore
import RhumbTestSupport
import Testing

struct CellRendererTests {
    /// The sub-cells of each symbol set, in columns and rows.
    private static let lattices: [(symbols: Symbols, columns: Int, rows: Int)] = [
        (.half, 1, 2), (.quadrant, 2, 2), (.sextant, 2, 3), (.octant, 2, 4),
    ]

    private func render(
        _ raster: Raster, columns: Int, rows: Int, _ symbols: Symbols, _ depth: ColorDepth = .truecolor,
        bits: Int = 8
    ) -> CellGrid {
        var picture = Picture(columns: columns, rows: rows, symbols: symbols)
        picture.draw(
            raster,
            at: FixedPointRect(x0: 0, y0: 0, x1: columns * FixedPointRect.one, y1: rows * FixedPointRect.one))
        var grid = CellGrid(columns: columns, rows: rows)
        var options = CellRenderer.Options()
        options.bits = bits
        CellRenderer(symbols: symbols, depth: depth, options: options).render(picture, into: &grid)
        return grid
    }

    /// Returns a raster with one pixel for each sub-cell.
    private func raster(_ width: Int, _ height: Int, _ colour: (Int, Int) -> RGB) -> Raster {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let c = colour(x, y)
                pixels += [c.red, c.green, c.blue, 255]
            }
        }
        return Raster(width: width, height: height, pixels: pixels)
            ?? Raster(width: 1, height: 1, filledWith: RGB(0))
    }

    @Test(arguments: lattices.indices)
    func `two colours in any pattern are drawn exactly, by a glyph that shows the pattern`(at: Int) throws {
        let (symbols, columns, rows) = Self.lattices[at]
        let light = RGB(0xF0E0D0), dark = RGB(0x203040)
        let reader = GlyphReader(columns: columns, rows: rows)
        for pattern in 0..<(1 << (columns * rows)) {
            let picture = raster(columns, rows) { x, y in pattern >> (y * columns + x) & 1 == 1 ? light : dark
            }
            let cell = render(picture, columns: 1, rows: 1, symbols)[0, 0]
            #expect(
                try #require(reader.colours(of: cell))
                    == (0..<(columns * rows)).map { pattern >> $0 & 1 == 1 ? light : dark })
        }
    }

    @Test(arguments: [RGB(0xFF0000), RGB(0x0000FF), RGB(0xD00310)])
    func `with few bits, colours without green stay vivid`(colour: RGB) {
        let grid = render(raster(1, 2) { _, _ in colour }, columns: 1, rows: 1, .half, bits: 5)
        let found = grid[0, 0].paper.rgb ?? RGB(0)
        #expect(abs(Int(found.red) - Int(colour.red)) <= 8 && abs(Int(found.blue) - Int(colour.blue)) <= 8)
    }

    @Test(arguments: [4, 5])
    func `with few bits, light and dark shades keep the hue of their colour`(bits: Int) {
        let step = 255 / ((1 << bits) - 1)
        for colour in [RGB(0xF2EEE3), RGB(0x4A5A50), RGB(0x8CBADA), RGB(0x808080)] {
            var drawn: Set<RGB> = []
            let shades = (100...200).map { share in
                func shaded(_ channel: UInt8) -> UInt8 { UInt8(Int(channel) * share / 200) }
                return RGB(red: shaded(colour.red), green: shaded(colour.green), blue: shaded(colour.blue))
            }
            for shade in shades {
                let grid = render(raster(1, 2) { _, _ in shade }, columns: 1, rows: 1, .half, bits: bits)
                guard case .rgb(let found) = grid[0, 0].paper.kind else {
                    Issue.record("no colour")
                    continue
                }
                drawn.insert(found)
                #expect(abs(Int(found.green) - Int(shade.green)) <= step / 2 + 1)
                // Channels are whole numbers, so that a difference may be off by one more.
                let limit = Double(step) / 8 + 1.5, scale = Double(found.green) / Double(shade.green)
                for (own, drawn) in [(shade.red, found.red), (shade.blue, found.blue)] {
                    let wanted = (Double(own) - Double(shade.green)) * scale
                    #expect(abs(Double(drawn) - Double(found.green) - wanted) <= limit)
                }
            }
            #expect(drawn.count < shades.count / 2)
        }
    }

    @Test(arguments: lattices.indices)
    func `no other glyph and colours are nearer`(at: Int) throws {
        let (symbols, columns, rows) = Self.lattices[at]
        let count = columns * rows
        var random = SplitMix(seed: UInt64(at + 5))
        let reader = GlyphReader(columns: columns, rows: rows)
        for _ in 0..<40 {
            let colours = (0..<count).map { _ in RGB(UInt32.random(in: 0...0xFFFFFF, using: &random)) }
            let cell = render(
                raster(columns, rows) { colours[$1 * columns + $0] }, columns: 1, rows: 1, symbols)[0, 0]
            let drawn = try #require(reader.colours(of: cell))
            let error = zip(drawn, colours).reduce(0.0) { $0 + distance($1.0, $1.1) }
            // Colours are whole numbers, so that each channel is off by at most one half. Sextants are fitted
            // to thirds that end within a row of pixels, which this count ignores.
            let soft = rows == 3 ? 1.1 : 1
            #expect(error <= bestError(colours) * soft + Double(count) * 0.75)
        }
    }

    /// Sextants are fitted to thirds that end within a row of pixels, which this count ignores.
    @Test(arguments: [(0, 1.001), (1, 1.01), (2, 1.1), (3, 1.01)], [12, 60, 255] as [Int])
    func `in 256 colours, cells are as near as the best of all patterns`(
        lattice: (at: Int, limit: Double), contrast: Int
    ) throws {
        let (symbols, columns, rows) = Self.lattices[lattice.at]
        var random = SplitMix(seed: UInt64(lattice.at * 1000 + contrast))
        let reader = GlyphReader(columns: columns, rows: rows)
        var drawn = 0.0, best = 0.0
        for _ in 0..<20 {
            let base = (0..<3).map { _ in Int.random(in: 0...(255 - contrast), using: &random) }
            let colours = (0..<(columns * rows)).map { _ in
                let channels = base.map { UInt8($0 + Int.random(in: 0...contrast, using: &random)) }
                return RGB(red: channels[0], green: channels[1], blue: channels[2])
            }
            let cell = render(
                raster(columns, rows) { colours[$1 * columns + $0] }, columns: 1, rows: 1, symbols,
                .indexed256)[0, 0]
            let shown = try #require(reader.colours(of: cell))
            drawn += zip(shown, colours).reduce(0.0) { $0 + distance($1.0, $1.1) }
            best +=
                (0..<(1 << colours.count / 2)).map { pattern in
                    [0, 1].reduce(0.0) { sum, side in
                        sum
                            + paletteError(
                                colours.indices.filter { pattern >> $0 & 1 == side }.map { colours[$0] })
                    }
                }.min() ?? 0
        }
        #expect(drawn <= best * lattice.limit)
    }

    /// Returns the least squared error of some colours drawn in one colour of the palette.
    private func paletteError(_ colours: [RGB]) -> Double {
        guard !colours.isEmpty else { return 0 }
        let mean = colours.reduce(SIMD3<Double>.zero) { $0 + channels($1) } / Double(colours.count)
        let gaps = (16...255).map { index in
            let gap = channels(Palette256.colour(index)) - mean
            return (gap * gap).sum()
        }
        return spread(colours) + Double(colours.count) * (gaps.min() ?? 0)
    }

    private func channels(_ colour: RGB) -> SIMD3<Double> {
        SIMD3(Double(colour.red), Double(colour.green), Double(colour.blue))
    }

    @Test func `a flat area in a colour of the palette is drawn in its entry`() {
        for index in 16...255 {
            let grid = render(
                raster(2, 2) { _, _ in Palette256.colour(index) }, columns: 1, rows: 1, .quadrant, .indexed256
            )
            #expect(grid[0, 0].glyph == " " && grid[0, 0].paper == .indexed(UInt8(index)))
        }
    }

    @Test func `a mixed set is never worse than its parts`() throws {
        var random = SplitMix(seed: 77)
        for _ in 0..<60 {
            let picture = raster(2, 12) { _, _ in RGB(UInt32.random(in: 0...0xFFFFFF, using: &random)) }
            let mixed = error(
                of: render(picture, columns: 1, rows: 1, [.sextant, .quadrant, .half])[0, 0], picture)
            for part in [Symbols.sextant, .quadrant, .half] {
                #expect(
                    try #require(mixed)
                        <= (try #require(error(of: render(picture, columns: 1, rows: 1, part)[0, 0], picture)))
                        * 1.1 + 20)
            }
        }
    }

    @Test(
        arguments: ColorDepth.allCases,
        [Symbols.half, .quadrant, [.sextant, .quadrant, .half], .octant, .braille])
    func `moving a raster by whole cells moves its cells, and equal rasters give equal cells`(
        depth: ColorDepth, symbols: Symbols
    ) {
        var random = SplitMix(seed: 9)
        let noise = raster(64, 64) { _, _ in RGB(UInt32.random(in: 0...0xFFFFFF, using: &random)) }
        func cells(shift: Int) -> CellGrid {
            var picture = Picture(columns: 12, rows: 6, symbols: symbols)
            let x = 12_345 + shift * FixedPointRect.one
            picture.draw(
                noise,
                at: FixedPointRect(
                    x0: x, y0: -777, x1: x + 9 * FixedPointRect.one + 4321, y1: 7 * FixedPointRect.one))
            var grid = CellGrid(columns: 12, rows: 6)
            CellRenderer(symbols: symbols, depth: depth).render(picture, into: &grid)
            return grid
        }
        let before = cells(shift: 0), after = cells(shift: 2)
        #expect(before == cells(shift: 0))
        for row in 0..<6 { for column in 0..<10 { #expect(after[row, column + 2] == before[row, column]) } }
    }

    @Test(arguments: [Symbols.half, .quadrant, [.sextant, .quadrant, .half], .octant])
    func `mixed and sharpened rasters also move by whole cells`(symbols: Symbols) {
        var random = SplitMix(seed: 19)
        let noise = raster(64, 64) { _, _ in RGB(UInt32.random(in: 0...0xFFFFFF, using: &random)) }
        var options = CellRenderer.Options()
        options.mixing = 1.2
        let renderer = CellRenderer(symbols: symbols, depth: .indexed256, options: options)
        func cells(shift: Int) -> CellGrid {
            var fine = Picture.fine(columns: 12, rows: 6, symbols: symbols)
            let x = 12_345 + shift * FixedPointRect.one
            fine.draw(
                noise,
                at: FixedPointRect(
                    x0: x, y0: -777, x1: x + 9 * FixedPointRect.one + 4321, y1: 7 * FixedPointRect.one))
            var picture = Picture(columns: 12, rows: 6, symbols: symbols)
            picture.condense(fine, sharpness: 0.7)
            var grid = CellGrid(columns: 12, rows: 6)
            renderer.render(picture, into: &grid)
            return grid
        }
        let before = cells(shift: 0), after = cells(shift: 2)
        for row in 0..<6 { for column in 0..<10 { #expect(after[row, column + 2] == before[row, column]) } }
    }

    @Test func `drawing tile by tile gives the same result as drawing the whole raster`() throws {
        var random = SplitMix(seed: 21)
        let whole = raster(64, 64) { _, _ in RGB(UInt32.random(in: 0...0xFFFFFF, using: &random)) }
        var one = Picture(columns: 10, rows: 10, symbols: .sextant), many = one
        let size = 10 * FixedPointRect.one
        one.draw(whole, at: FixedPointRect(x0: 0, y0: 0, x1: size, y1: size))
        for y in 0..<4 {
            for x in 0..<4 {
                let part = FixedPointRect(
                    x0: x * 16 << 16, y0: y * 16 << 16, x1: (x + 1) * 16 << 16, y1: (y + 1) * 16 << 16)
                let box = FixedPointRect(
                    x0: x * size / 4, y0: y * size / 4, x1: (x + 1) * size / 4, y1: (y + 1) * size / 4)
                many.draw(whole, at: box, part: part)
            }
        }
        for row in 0..<one.height {
            for column in 0..<one.width {
                let difference = one[row, column] - many[row, column]
                #expect((difference * difference).max() < 2)
            }
        }
    }

    @Test func `transparent parts show the raster below`() throws {
        let half = try #require(Raster(width: 1, height: 1, pixels: [255, 255, 255, 128]))
        let box = FixedPointRect(x0: 0, y0: 0, x1: FixedPointRect.one, y1: FixedPointRect.one)
        var ground = Picture(columns: 1, rows: 1, symbols: .half), layer = ground
        ground.draw(Raster(width: 1, height: 1, filledWith: RGB(0)), at: box)
        layer.draw(half, at: box)
        ground.lay(layer)
        #expect(abs(ground[0, 0].x - 128) < 1.5 && ground[0, 0].w == 255)
    }

    private func distance(_ a: RGB, _ b: RGB) -> Double {
        let d = [
            Double(a.red) - Double(b.red), Double(a.green) - Double(b.green), Double(a.blue) - Double(b.blue),
        ]
        return d.reduce(0) { $0 + $1 * $1 }
    }

    /// Returns the least squared error of any two colours and any pattern, by trying all combinations.
    private func bestError(_ colours: [RGB]) -> Double {
        (0..<(1 << colours.count)).map { pattern in
            [0, 1].reduce(0.0) { sum, side in
                let group = colours.indices.filter { pattern >> $0 & 1 == side }.map { colours[$0] }
                return sum + spread(group)
            }
        }.min() ?? 0
    }

    private func spread(_ colours: [RGB]) -> Double {
        [\RGB.red, \.green, \.blue].reduce(0.0) { sum, channel in
            let values = colours.map { Double($0[keyPath: channel]) }
            let mean = values.reduce(0, +) / Double(max(values.count, 1))
            return sum + values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        }
    }

    /// Returns the squared error of a cell compared with a raster of 2 × 12 pixels.
    private func error(of cell: Cell, _ picture: Raster) -> Double? {
        for (_, columns, rows) in Self.lattices {
            guard let colours = GlyphReader(columns: columns, rows: rows).colours(of: cell) else { continue }
            return (0..<24).reduce(0.0) { sum, at in
                let x = at % 2, y = at / 2
                let pixel = RGB(
                    red: picture.pixels[at * 4], green: picture.pixels[at * 4 + 1],
                    blue: picture.pixels[at * 4 + 2])
                return sum + distance(colours[y * rows / 12 * columns + x * columns / 2], pixel)
            }
        }
        return nil
    }
}

/// Decodes the pattern of a block character by the names in the Unicode charts.
struct GlyphReader {
    let columns: Int
    let rows: Int

    /// Returns the colour of each sub-cell; nil if the glyph doesn't belong to this lattice.
    func colours(of cell: Cell) -> [RGB]? {
        guard let ink = cell.ink.rgb, let paper = cell.paper.rgb, let pattern = pattern(cell.glyph)
        else { return nil }
        return (0..<(columns * rows)).map { pattern >> $0 & 1 == 1 ? ink : paper }
    }

    private func pattern(_ glyph: Unicode.Scalar) -> Int? {
        if glyph == " " { return 0 }
        if glyph == "█" { return (1 << (columns * rows)) - 1 }
        switch (columns, rows) {
        case (1, 2): return ["▀": 1, "▄": 2][glyph]
        case (2, 2): return Array(" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█".unicodeScalars).firstIndex(of: glyph)
        case (2, 3): return sextant(glyph)
        default: return octant(glyph)
        }
    }

    /// Unicode omits the left and right half, which it already had.
    private func sextant(_ glyph: Unicode.Scalar) -> Int? {
        if glyph == "▌" { return 0b010101 }
        if glyph == "▐" { return 0b101010 }
        guard (0x1FB00...0x1FB3B).contains(glyph.value) else { return nil }
        let order = Int(glyph.value - 0x1FB00)
        return (1..<63).filter { $0 != 21 && $0 != 42 }[order]
    }

    /// The 230 octants are in the order of their bits. The other 26 patterns have characters elsewhere.
    private func octant(_ glyph: Unicode.Scalar) -> Int? {
        if let known = elsewhere[glyph] { return known }
        guard (0x1CD00...0x1CDE5).contains(glyph.value) else { return nil }
        let taken = Set(elsewhere.values)
        return (1..<255).filter { !taken.contains($0) }[Int(glyph.value - 0x1CD00)]
    }

    private var elsewhere: [Unicode.Scalar: Int] {
        var known: [Unicode.Scalar: Int] = [
            "\u{1CEA8}": 0x01, "\u{1CEAB}": 0x02, "\u{1CEA3}": 0x40, "\u{1CEA0}": 0x80,
            "\u{1FB82}": 0x03, "\u{2582}": 0xC0, "\u{1FB85}": 0x3F, "\u{2586}": 0xFC,
            "\u{1FBE6}": 0x14, "\u{1FBE7}": 0x28,
        ]
        for (bits, glyph) in " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█".unicodeScalars.enumerated() where glyph != " " && glyph != "█"
        {
            let upper = bits & 3, lower = bits >> 2
            known[glyph] = upper | upper << 2 | lower << 4 | lower << 6
        }
        return known
    }
}
