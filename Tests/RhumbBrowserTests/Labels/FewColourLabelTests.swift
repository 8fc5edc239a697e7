@testable import RhumbBrowser
import RhumbCore
import Testing

/// Names over maps of sixteen colours.
struct FewColourLabelTests {
    private func light(_ index: UInt8) -> Double {
        let colour = Palette16.colour(index)
        func linear(_ level: UInt8) -> Double { Double(level) * Double(level) / 65_025 }
        return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue)
    }

    @Test(arguments: Array(0..<8) as [UInt8], [0x000000, 0xFFFFFF, 0x15476A, 0x6FB3DC, 0x7F7F7F] as [UInt32])
    func `a name can be read on every ground`(paper: UInt8, wanted: UInt32) {
        let ground = Cell(" ", ink: .indexed(paper), paper: .indexed(paper))
        let ink = LabelInk(.style(RGB(wanted)), on: [Palette16.colour(paper)], .night)
        let indexed = ink.indexed(over: [ground, ground], .night)
        let lights = [light(indexed.ink), light(indexed.paper)].sorted()
        #expect((lights[1] + 0.05) / (lights[0] + 0.05) >= 4.5)
        #expect(indexed.paper == paper)
    }

    @Test func `a name over many grounds is written on the one that is under most of it`() {
        let cells = [1, 4, 4, 4, 2].map { Cell(" ", ink: .indexed($0), paper: .indexed($0)) }
        #expect(LabelInk(.plain, on: [], .night).indexed(over: cells, .night).paper == 4)
    }
}
