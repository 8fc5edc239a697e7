@testable import RhumbBrowser
import RhumbCore
import Testing

/// Names over maps of sixteen colours.
struct FewColourLabelTests {
    @Test(arguments: Array(0..<8) as [UInt8], [0x000000, 0xFFFFFF, 0x15476A, 0x6FB3DC, 0x7F7F7F] as [UInt32])
    func `a name can be read on every ground`(paper: UInt8, wanted: UInt32) {
        let ground = Cell(" ", ink: .indexed(paper), paper: .indexed(paper))
        let pair = SixteenInk(.style(RGB(wanted)), over: [ground, ground], .night)
        #expect(Palette16.colour(pair.ink).contrast(with: Palette16.colour(pair.paper)) >= 4.5)
        if pair.mayBeBold { #expect(Palette16.colour(pair.ink | 8).contrast(with: Palette16.colour(pair.paper)) >= 4.5) }
        #expect(pair.paper == paper)
    }

    @Test func `a name over many grounds is written on the one that is under most of it`() {
        let cells = [1, 4, 4, 4, 2].map { Cell(" ", ink: .indexed($0), paper: .indexed($0)) }
        #expect(SixteenInk(.plain, over: cells, .night).paper == 4)
    }

    @Test(arguments: [0x000000, 0xFFFFFF, 0x9CC4DE, 0x4A5157, 0x808080, 0xDE8A4C] as [UInt32], [ColorDepth.truecolor, .indexed256])
    func `what is written can be read in the colours that the terminal has`(ground: UInt32, depth: ColorDepth) throws {
        for wanted in [MapLabel.Ink.plain, .country, .water, .landscape, .style(RGB(0x88AA66))] {
            for theme in [Settings.Theme.day, .night] {
                let ink = LabelInk(wanted, on: [RGB(ground)], theme, depth)
                let pair = try (#require(ink.ink.rgb), #require(ink.paper(over: RGB(ground)).rgb))
                #expect(pair.0.contrast(with: pair.1) >= 4.5)
            }
        }
    }
}
