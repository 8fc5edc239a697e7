/// A renderer of pictures as cells. It gives each cell the glyph and the two colours that come nearest.
///
/// A cell depends on its own part of the picture only. A picture moved by whole cells therefore gives exactly
/// the moved cells, and equal pictures give equal cells on every machine.
public struct CellRenderer: Sendable {
    /// The trade-offs between quality, output size and taste.
    public struct Options: Sendable, Equatable {
        /// The colour shown where the picture is transparent.
        public var ground = RGB(0x000000)
        /// Bits of green that truecolor colours are rounded to, 1…8. Red and blue keep their difference from
        /// green more finely. Fewer bits let neighbouring cells share colours, which saves bytes.
        public var bits = 8
        /// The squared error per channel (of 255²) that a glyph must remove from a cell to be
        /// drawn instead of a space. Keeps flat areas flat and cheap.
        public var flatness: Float = 0.1
        /// With 256 colours, the weight of a cell's appearance from a distance relative to its appearance
        /// close up. 0 gives the sharpest picture; about 1 mixes colours that are not in the palette.
        public var mixing: Float = 0

        /// The default options, which suit maps.
        public init() {}
    }

    /// The glyphs to choose from.
    public let symbols: Symbols
    /// The colours to choose from.
    public let depth: ColorDepth
    /// The options.
    public let options: Options
    private let glyphs: [Unicode.Scalar]
    /// The share of the cell that each glyph's ink covers.
    private let inkShares: [Float]
    private let tones = MonoTones()
    /// True if only ASCII may be drawn.
    private let isText: Bool
    private let truecolor: TruecolorFit
    private let indexed: IndexedFit
    private let blend: SubcellBlend?

    /// A renderer for these glyphs and colours.
    public init(symbols: Symbols, depth: ColorDepth, options: Options = Options()) {
        self.symbols = symbols
        self.depth = depth
        self.options = options
        let families = FittedFamily.all(symbols)
        glyphs = families.flatMap(\.family.glyphs)
        inkShares = families.flatMap(\.family.inkShares)
        isText = symbols.isSubset(of: .ascii)
        truecolor = TruecolorFit(families: families, threshold: options.flatness)
        let eye = depth == .indexed256 && options.mixing > 0 ? VisualBlur(weight: options.mixing) : nil
        indexed = IndexedFit(
            families: eye.map { FittedFamily.all(symbols, seenBy: $0) } ?? families,
            threshold: options.flatness, mixes: eye != nil)
        blend = eye.map {
            SubcellBlend($0, across: GlyphFamily.across(symbols), down: GlyphFamily.down(symbols))
        }
    }

    /// Draws a picture into a grid. Cells that are fully transparent in the picture stay unchanged; parts
    /// outside the grid are clipped.
    /// - Parameters:
    ///   - picture: A picture made for the same symbols.
    ///   - top: The grid row of the picture's first row, at least 0.
    ///   - left: The grid column of the picture's first column, at least 0.
    public func render(
        _ picture: Picture, into grid: inout CellGrid, top: Int = 0, left: Int = 0
    ) {
        precondition(
            picture.down == GlyphFamily.down(symbols)
                && picture.across == GlyphFamily.across(symbols),
            "a picture is rendered with the symbols it was made for")
        let rows = min(picture.rows, grid.rows - top)
        let columns = min(picture.columns, grid.columns - left)
        guard top >= 0, left >= 0, rows > 0, columns > 0 else { return }
        let gridColumns = grid.columns
        let line = SubcellRow(
            columns: picture.columns, across: picture.across, down: picture.down)
        grid.cells.withUnsafeMutableBufferPointer { cells in
            for row in 0..<rows {
                line.load(picture, row: row, ground: options.ground)
                if let blend { line.blend(blend) }
                let start = (top + row) * gridColumns + left
                renderRow(line, into: UnsafeMutableBufferPointer(rebasing: cells[start..<(start + columns)]))
            }
        }
    }

    private func renderRow(
        _ row: borrowing SubcellRow, into cells: UnsafeMutableBufferPointer<Cell>
    ) {
        if depth == .mono && (isText || symbols == .braille) {
            for column in cells.indices where row.isCovered(column) {
                let parts = row.colours(column: column)
                cells[column] = isText ? TextTones().cell(parts) : BrailleTones().cell(parts)
            }
            return
        }
        withUnsafeTemporaryAllocation(of: Colours.self, capacity: 16) { scratch in
            guard let changes = scratch.baseAddress else { return }
            for column in stride(from: 0, to: cells.count, by: 8) {
                if depth == .indexed16 || depth == .mono {
                    let fit = truecolor.fit(row, column: column, scratch: changes)
                    for lane in 0..<min(8, cells.count - column) where row.isCovered(column + lane) {
                        cells[column + lane] = plainCell(fit, lane)
                    }
                    continue
                }
                if depth == .indexed256 {
                    let fit = indexed.fit(row, column: column, scratch: changes)
                    let ink = Palette256.entries(Palette256.nearest(fit.ink))
                    let paper = Palette256.entries(Palette256.nearest(fit.paper))
                    for lane in 0..<min(8, cells.count - column) where row.isCovered(column + lane) {
                        cells[column + lane] = cell(
                            fit.code[lane], ink: .indexed(UInt8(truncatingIfNeeded: ink[lane])),
                            paper: .indexed(UInt8(truncatingIfNeeded: paper[lane])))
                    }
                    continue
                }
                let fit = truecolor.fit(row, column: column, scratch: changes)
                let ink = rounded(fit.ink), paper = rounded(fit.paper)
                for lane in 0..<min(8, cells.count - column) where row.isCovered(column + lane) {
                    cells[column + lane] = cell(
                        fit.code[lane], ink: colour(ink, lane), paper: colour(paper, lane))
                }
            }
        }
    }

    private func cell(_ code: Int32, ink: CellColor, paper: CellColor) -> Cell {
        guard code >= 0, ink != paper else { return Cell(" ", ink: paper, paper: paper) }
        return Cell(glyphs[Int(code)], ink: ink, paper: paper)
    }

    /// Returns a cell in sixteen colours or none.
    private func plainCell(_ fit: Fit, _ lane: Int) -> Cell {
        let ink = fit.ink.channels(lane), paper = fit.paper.channels(lane)
        let code = Int(fit.code[lane])
        if depth == .indexed16 {
            let tables = isText ? SixteenColours.text : SixteenColours.blocks
            return code < 0 ? tables.flat(paper) : tables.cell(glyphs[code], ink: ink, paper: paper)
        }
        guard code >= 0 else { return tones.flat(paper) }
        let glyph = glyphs[code]
        return tones.cell(
            glyph, complement: BlockComplement.of(glyph) ?? glyph, share: inkShares[code], ink: ink,
            paper: paper)
    }

    private func colour(_ colours: Colours, _ lane: Int) -> CellColor {
        .rgb(
            RGB(
                red: UInt8(colours.red[lane]), green: UInt8(colours.green[lane]),
                blue: UInt8(colours.blue[lane])))
    }

    /// Returns the nearest colours with `options.bits` bits of green. The differences of red and blue from
    /// green grow and shrink with it and have two bits more, so that light and dark shades of a colour keep
    /// its hue.
    private func rounded(_ colours: Colours) -> Colours {
        let bits = min(max(options.bits, 1), 8)
        func whole(_ value: SIMD8<Float>) -> SIMD8<Float> { value.limited(to: 0, 255).roundedToWhole }
        guard bits < 8 else {
            return Colours(red: whole(colours.red), green: whole(colours.green), blue: whole(colours.blue))
        }
        let step = 255 / Float((1 << bits) - 1)
        let green = (colours.green * (1 / step)).roundedToWhole * step
        let change = green - colours.green
        func beside(_ value: SIMD8<Float>) -> SIMD8<Float> {
            let difference = value - colours.green
            // Of colours with little green, such as pure red, the difference stays nearly the same.
            let size = difference.exchanged(for: -difference, where: difference .< 0)
            let least = colours.green.limited(to: 64, 255)
            let most = least.exchanged(for: size, where: size .> least)
            let scaled = difference * (1 + change / most)
            return whole(green + (scaled * (4 / step)).roundedToWhole * (step / 4))
        }
        return Colours(red: beside(colours.red), green: whole(green), blue: beside(colours.blue))
    }
}

/// Braille pictures without colour. A cell with a line or an edge shows its brighter dots. Any other cell
/// shows as many dots as its brightness requires, spread evenly. A cell depends on itself alone, so a moved
/// picture keeps its dots.
struct BrailleTones: Sendable {
    /// The difference in lightness (0…1) at which a cell counts as having an edge.
    static let edge: Float = 0.22
    /// The luminance at which each dot is set in a cell of one tone, row by row.
    private static let thresholds: [Float] = [1, 5, 7, 3, 2, 6, 8, 4].map { $0 / 9 }
    /// The bit of each dot in the code point, row by row (Unicode, block U+2800).
    private static let bits: [UInt32] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

    /// - Parameter dots: The colours of the cell's dots, row by row, 0…255 per channel.
    func cell(_ dots: [SIMD3<Float>]) -> Cell {
        let lightness = dots.map { OKLab(red: $0.x, green: $0.y, blue: $0.z).lightness }
        guard let darkest = lightness.min(), let brightest = lightness.max() else { return Cell(" ") }
        let middle = (darkest + brightest) / 2
        let hasEdge = brightest - darkest >= BrailleTones.edge
        var pattern: UInt32 = 0
        for (dot, light) in lightness.enumerated() {
            let isSet = hasEdge ? light > middle : light * light * light >= BrailleTones.thresholds[dot]
            if isSet { pattern |= BrailleTones.bits[dot] }
        }
        return Cell(Unicode.Scalar(0x2800 + pattern).flatMap { pattern == 0 ? " " : $0 } ?? " ")
    }
}

/// The best glyph and two arbitrary colours, found by an exact search through all patterns.
struct TruecolorFit: Sendable {
    let families: [FittedFamily]
    /// The squared error, per channel, that a glyph must remove from a cell to be drawn.
    let threshold: Float

    func fit(
        _ row: borrowing SubcellRow, column: Int, scratch: UnsafeMutablePointer<Colours>
    ) -> Fit {
        let mean = row.mean(column: column)
        var fit = Fit(flat: mean, threshold: SIMD8(repeating: 3 * threshold))
        for family in families {
            family.loadChanges(scratch, row: row, column: column, mean: mean)
            let (gains, steps) = TruecolorFit.walk(family.family, changes: scratch)
            family.improve(&fit, gains: gains, steps: steps, mean: mean, changes: scratch)
        }
        return fit
    }

    /// Returns the step of the walk that gains most, and its gain.
    @inline(__always)
    static func walk(
        _ family: GlyphFamily, changes: UnsafePointer<Colours>
    ) -> (gains: SIMD8<Float>, steps: SIMD8<Int32>) {
        var best = SIMD8<Float>.zero
        var steps = SIMD8<Int32>.zero
        var sum = Colours()
        family.changes.withUnsafeBufferPointer { order in
            family.gains.withUnsafeBufferPointer { gains in
                for step in 0..<order.count {
                    sum = sum + changes[order[step]]
                    let gain = sum.squared * gains[step]
                    let better = gain .> best
                    best = best.exchanged(for: gain, where: better)
                    steps = steps.exchanged(
                        for: SIMD8(repeating: Int32(truncatingIfNeeded: step + 1)), where: better)
                }
            }
        }
        return (best, steps)
    }
}
