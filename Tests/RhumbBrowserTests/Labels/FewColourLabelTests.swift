@testable import RhumbBrowser
import RhumbCore
import Testing

/// Tests names over maps in sixteen colours.
struct FewColourLabelTests {
    @Test(arguments: Array(0..<8) as [UInt8], [0x000000, 0xFFFFFF, 0x15476A, 0x6FB3DC, 0x7F7F7F] as [UInt32])
    func `a name is legible on every background`(paper: UInt8, wanted: UInt32) {
        let ground = Cell(" ", ink: .indexed(paper), paper: .indexed(paper))
        let pair = SixteenInk(.style(RGB(wanted)), over: [ground, ground], .night)
        #expect(Palette16.colour(pair.ink).contrast(with: Palette16.colour(pair.paper)) >= 4.5)
        if pair.mayBeBold {
            #expect(Palette16.colour(pair.ink | 8).contrast(with: Palette16.colour(pair.paper)) >= 4.5)
        }
        #expect(pair.paper == paper)
    }

    @Test func `a name over many backgrounds uses the most common one`() {
        let cells = [1, 4, 4, 4, 2].map { Cell(" ", ink: .indexed($0), paper: .indexed($0)) }
        #expect(SixteenInk(.plain, over: cells, .night).paper == 4)
    }

    @Test func `with sixteen colours a name on a border has the background of the surrounding land`() {
        var grid = CellGrid(columns: 20, rows: 7)
        for row in 0..<7 {
            for column in 0..<20 {
                grid[row, column] = Cell(" ", ink: .indexed(0), paper: .indexed(row == 3 ? 5 : 0))
            }
        }
        let view = CellBox(columns: 0..<20, rows: 0..<7)
        let label = LabelLayout.Placed(
            text: "Guinea", key: "guinea", ink: .country, isBold: true, row: 3, columns: 7..<13, sign: nil)
        LabelPainter(view: view, theme: .night, depth: .indexed16, isUnicode: true).draw([label], on: &grid)
        #expect((7..<13).allSatisfy { grid[3, $0].paper == .indexed(0) })
    }

    @Test
    func
        `a name over strokes and signs has the paper of the ground, and over blocks the colour they have from afar`()
    {
        func paper(over glyph: Unicode.Scalar) -> CellColor {
            var grid = CellGrid(columns: 9, rows: 1)
            for column in 0..<9 {
                grid[0, column] = Cell(glyph, ink: .rgb(RGB(0x801010)), paper: .rgb(RGB(0x303840)))
            }
            let label = LabelLayout.Placed(
                text: "Turku", key: "turku", ink: .plain, isBold: false, row: 0, columns: 2..<7, sign: nil)
            let view = CellBox(columns: 0..<9, rows: 0..<1)
            LabelPainter(view: view, theme: .night, depth: .truecolor, isUnicode: true).draw(
                [label], on: &grid)
            return grid[0, 3].paper
        }
        #expect(paper(over: "╱") == .rgb(RGB(0x303840)) && paper(over: "•") == .rgb(RGB(0x303840)))
        #expect(paper(over: "▀") == .rgb(RGB(0x303840).mixed(with: RGB(0x801010), 0.5)))
    }

    @Test(arguments: Array(0...32), [Settings.Theme.day, .night])
    func `a name on a background of a single colour has no box`(
        level: Int, theme: Settings.Theme
    ) throws {
        let grey = UInt8(min(level * 8, 255)), ground = RGB(red: grey, green: grey, blue: grey)
        for wanted in [MapLabel.Ink.plain, .country, .water, .landscape] {
            let ink = LabelInk(wanted, on: [ground], theme, .truecolor)
            let paper = try #require(ink.paper(over: ground).rgb)
            #expect(abs(Int(paper.red) - Int(grey)) <= 52, "\(wanted) on \(grey)")
        }
    }

    @Test(arguments: [RGB(0xA0A8B0), RGB(0xE3B58B)])
    func `on a medium background a style's colour is intensified instead of boxed, and keeps its hue`(
        own: RGB
    ) throws {
        for ground in [RGB(0x4A535C), RGB(0x56626C), RGB(0x69747E)] {
            let ink = LabelInk(.style(own), on: Array(repeating: ground, count: 6), .night, .truecolor)
            let shown = try #require(ink.ink.rgb), paper = try #require(ink.paper(over: ground).rgb)
            #expect(shown.luminance >= own.luminance && shown != RGB(0xFFFFFF))
            #expect(abs(Int(paper.red) - Int(ground.red)) <= 24)
        }
        #expect(LabelInk(.style(own), on: [RGB(0x101418)], .night, .truecolor).ink == .rgb(own))
    }

    @Test func `a border under a name doesn't change the colour of the name's kind`() {
        let land = RGB(0x2B343B), border = RGB(0x8A7A9C)
        let names = [[land, land, border, border, land, land], [land, land, land]].map {
            LabelInk(.country, on: $0, .night, .truecolor).ink
        }
        #expect(names[0] == names[1])
    }

    @Test(arguments: [Settings.Theme.day, .night])
    func `across the edge of day and night a name has the colour that least needs a box`(
        theme: Settings.Theme
    ) throws {
        let ground = (0..<12).map { step -> RGB in
            let level = UInt8(30 + step * 18)
            return RGB(red: level, green: level, blue: level)
        }
        func moved(_ ink: LabelInk) throws -> Int {
            var sum = 0
            for beneath in ground {
                sum += abs(Int(try #require(ink.paper(over: beneath).rgb).red) - Int(beneath.red))
            }
            return sum
        }
        let chosen = try moved(LabelInk(.country, on: ground, theme, .truecolor))
        for (other, own) in [
            (0x000000, 0xFFFFFF), (0xFFFFFF, 0x000000), (0x5A4864, 0xFFFFFF), (0xC9B8D6, 0x000000),
        ] as [(UInt32, UInt32)] {
            let ink = LabelInk(.style(RGB(other)), on: [RGB(own)], theme, .truecolor)
            #expect(try chosen <= moved(ink) + 12)
        }
    }

    /// The colours of the built-in world: land, heights, deserts, woods and ice, in light and shade.
    @Test(
        arguments: [
            0x52554F, 0x69635A, 0x7F776C, 0x675E4C, 0x45594A, 0x8496A4, 0x5F6C76, 0xA5B3BD, 0xF2EEE3,
            0xFFFFFF,
            0xB0B0B8, 0xD8BE9C,
        ] as [UInt32], [Settings.Theme.day, .night])
    func `a spaced name on even ground has no bar behind it`(ground: UInt32, theme: Settings.Theme) throws {
        for wanted in [MapLabel.Ink.plain, .quiet, .country, .landscape, .height] {
            let ink = LabelInk(
                wanted, on: Array(repeating: RGB(ground), count: 9), theme, .truecolor)
            let shown = try #require(ink.ink.rgb), paper = try #require(ink.paper(over: RGB(ground)).rgb)
            #expect(shown.contrast(with: paper) >= 4.5, "\(wanted)")
            #expect(abs(Int(paper.green) - Int(RGB(ground).green)) <= 16, "\(wanted)")
        }
    }

    @Test(
        arguments: [0x000000, 0xFFFFFF, 0x9CC4DE, 0x4A5157, 0x808080, 0xDE8A4C] as [UInt32],
        [ColorDepth.truecolor, .indexed256])
    func `text is legible in the terminal's colours`(
        ground: UInt32, depth: ColorDepth
    ) throws {
        for wanted in [MapLabel.Ink.plain, .country, .water, .landscape, .style(RGB(0x88AA66))] {
            for theme in [Settings.Theme.day, .night] {
                let ink = LabelInk(wanted, on: [RGB(ground)], theme, depth)
                let pair = try (#require(ink.ink.rgb), #require(ink.paper(over: RGB(ground)).rgb))
                #expect(pair.0.contrast(with: pair.1) >= 4.5)
            }
        }
    }

    @Test func `a colour in memory is the one that would be chosen again`() {
        let memory = LabelInk.Memory()
        let grounds = [0x101418, 0xF0F0F0, 0x5F87AF].map { Array(repeating: RGB($0), count: 5) }
        let wanted: [MapLabel.Ink] = [.plain, .water, .style(RGB(0x884422))]
        for _ in 0..<2 {
            for depth in [ColorDepth.truecolor, .indexed256] {
                for ground in grounds {
                    for wanted in wanted {
                        let kept = memory.ink(wanted, on: ground, .night, depth)
                        let chosen = LabelInk(wanted, on: ground, .night, depth)
                        #expect(kept.ink == chosen.ink)
                        #expect(kept.paper(over: ground[0]) == chosen.paper(over: ground[0]))
                    }
                }
            }
        }
    }
}
