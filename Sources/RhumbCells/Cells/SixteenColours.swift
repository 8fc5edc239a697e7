/// Pictures in the sixteen ANSI colours with xterm's values. A cell of one colour gets the two colours and
/// the shade (░ ▒ ▓) that look nearest. A cell with a glyph gets the nearest colour for each side.
package struct SixteenColours: Sendable {
    /// The colours by index.
    package static let palette: [UInt32] = [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ]
    /// Some terminals don't have the bright colours as backgrounds.
    private static let papers = 0..<8
    /// The advantage that a mixture needs over a pure colour, so that flat areas stay even.
    private static let grain: Float = 0.004

    /// The weight of a difference in hue relative to one in lightness.
    private static let hue: Float = 2.5

    /// The nearest cell for each colour of 4 bits per channel.
    private let cells: [Cell]
    /// The nearest index for each colour of 4 bits per channel, as foreground and as background.
    private let inks: [UInt8]
    private let nearestPapers: [UInt8]

    /// The tables with shades ░ ▒ ▓, built when the first such picture is drawn.
    static let blocks = SixteenColours(shades: [("░", 0.25), ("▒", 0.5), ("▓", 0.75), ("█", 1)])
    /// The tables for ASCII, whose characters cover less.
    static let text = SixteenColours(shades: [(":", 0.12), ("#", 0.4)])

    private init(shades: [(glyph: Unicode.Scalar, ink: Float)]) {
        let colours = SixteenColours.palette.map(SixteenColours.channels)
        let labs = colours.map { OKLab(red: $0.x, green: $0.y, blue: $0.z) }
        var cells: [Cell] = [], inks: [UInt8] = [], papers: [UInt8] = []
        let mixes = SixteenColours.mixes(colours, shades)
        for key in 0..<4096 {
            let target = OKLab(
                red: Float(key >> 8) * 17, green: Float(key >> 4 & 15) * 17, blue: Float(key & 15) * 17)
            func nearest(_ range: Range<Int>) -> Int {
                range.min {
                    SixteenColours.distance(labs[$0], target) < SixteenColours.distance(labs[$1], target)
                } ?? 0
            }
            let paper = nearest(SixteenColours.papers)
            inks.append(UInt8(nearest(0..<16)))
            papers.append(UInt8(paper))
            cells.append(SixteenColours.flat(target, paper, labs[paper], mixes))
        }
        self.cells = cells
        self.inks = inks
        nearestPapers = papers
    }

    /// Returns the cell that is nearest to one colour.
    func flat(_ colour: SIMD3<Float>) -> Cell { cells[SixteenColours.key(colour)] }

    /// Returns the foreground index nearest to a colour.
    func ink(_ colour: SIMD3<Float>) -> UInt8 { inks[SixteenColours.key(colour)] }

    /// Returns the cell with a glyph, or a flat cell if both sides get the same colour.
    func cell(_ glyph: Unicode.Scalar, ink: SIMD3<Float>, paper: SIMD3<Float>) -> Cell {
        let front = inks[SixteenColours.key(ink)], back = nearestPapers[SixteenColours.key(paper)]
        let bright = inks[SixteenColours.key(paper)]
        if bright != back, bright != front, SixteenColours.papers.contains(Int(front)),
            let complement = BlockComplement.of(glyph)
        {
            return Cell(complement, ink: .indexed(bright), paper: .indexed(front))
        }
        if front == back { return flat((ink + paper) * 0.5) }
        return Cell(glyph, ink: .indexed(front), paper: .indexed(back))
    }

    private struct Mix {
        let cell: Cell
        let lab: OKLab
        /// True if neither of its colours has a hue.
        let isGrey: Bool
    }

    private static func mixes(
        _ colours: [SIMD3<Float>], _ shades: [(glyph: Unicode.Scalar, ink: Float)]
    ) -> [Mix] {
        papers.flatMap { paper in
            (0..<16).filter { $0 != paper }.flatMap { ink in
                shades.map { shade in
                    let mixed = colours[ink] * shade.ink + colours[paper] * (1 - shade.ink)
                    return Mix(
                        cell: Cell(
                            shade.glyph, ink: .indexed(UInt8(ink)), paper: .indexed(UInt8(paper))),
                        lab: OKLab(red: mixed.x, green: mixed.y, blue: mixed.z),
                        isGrey: grey(colours[ink]) && grey(colours[paper]))
                }
            }
        }
    }

    private static func distance(_ a: OKLab, _ b: OKLab) -> Float { a.squaredDistance(to: b, hue: hue) }

    private static func grey(_ colour: SIMD3<Float>) -> Bool { colour.x == colour.y && colour.y == colour.z }

    private static func flat(_ target: OKLab, _ paper: Int, _ lab: OKLab, _ mixes: [Mix]) -> Cell {
        let mixes = target.isGrey ? mixes.filter(\.isGrey) : mixes
        let pure = Cell(" ", ink: .indexed(UInt8(paper)), paper: .indexed(UInt8(paper)))
        let best = mixes.min { distance($0.lab, target) < distance($1.lab, target) }
        guard let best, distance(best.lab, target) + grain < distance(lab, target)
        else { return pure }
        return best.cell
    }

    private static func key(_ colour: SIMD3<Float>) -> Int {
        func level(_ value: Float) -> Int { Int(min(max(value / 17 + 0.5, 0), 15)) }
        return level(colour.x) << 8 | level(colour.y) << 4 | level(colour.z)
    }

    private static func channels(_ hex: UInt32) -> SIMD3<Float> {
        SIMD3(Float(hex >> 16), Float(hex >> 8 & 255), Float(hex & 255))
    }
}
