import RhumbCore
import Testing

struct TrafficLookTests {
    @Test(
        arguments: [
            (FlowMode.absolute, 0x2BC82B, TrafficLevel.free), (.absolute, 0xFFFF37, .slow),
            (.relative, 0xFF2323, .jam), (.relative, 0x801212, .jam), (.relativeDelay, 0x777777, .closed),
            (.reducedSensitivity, 0x2BC82B, .free), (.relative0, 0x2EAB30, .free),
            (.relative0, 0xF1BF40, .slow),
            (.relative0, 0xF18237, .heavy), (.relative0, 0xE70704, .jam), (.relative0, 0xC1272D, .closed),
            (.relative0Dark, 0x149F67, .free), (.relative, 0xF02A20, .jam), (.relative, 0x30C430, .free),
        ] as [(FlowMode, UInt32, TrafficLevel)])
    func `a tile's colour, or a similar one, gives the level`(
        mode: FlowMode, hex: UInt32, level: TrafficLevel
    ) {
        #expect(FlowColours(mode).level(of: RGB(hex)) == level)
    }

    @Test func `a faint pixel gives no level`() {
        #expect(FlowColours(.relative).level(of: RGB(0xFF2323), alpha: 63) == nil)
        #expect(FlowColours(.relative).level(of: RGB(0xFF2323), alpha: 64) == .jam)
    }

    @Test func `a tile is recoloured with the ramp, and keeps its opacity`() throws {
        let pixels: [UInt8] = [
            0xFF, 0x23, 0x23, 255, 0x16, 0x64, 0x16, 200, 9, 9, 9, 0, 0xFF, 0xFF, 0x37, 20,
        ]
        let raster = try #require(Raster(width: 2, height: 2, pixels: pixels))
        let drawn = FlowColours(.relative).recoloured(raster, with: .standard)
        #expect(
            drawn.pixels == [0xE7, 0x07, 0x04, 255, 0x2E, 0xAB, 0x30, 200, 9, 9, 9, 0, 0xFF, 0xFF, 0x37, 0])
    }

    @Test func `a cell gets the worst level that covers more than a speck`() throws {
        let ramp = TrafficRamp.standard
        var pixels = (0..<64).flatMap { _ in bytes(ramp.colour(of: .free)) }
        pixels.replaceSubrange(0..<4, with: bytes(ramp.colour(of: .jam)))
        let speck = try #require(Raster(width: 8, height: 8, pixels: pixels))
        let colours = FlowColours(ramp)
        #expect(colours.worstLevel(in: speck, columns: 0..<8, rows: 0..<8) == .free)
        #expect(colours.worstLevel(in: speck, columns: 0..<2, rows: -5..<2) == .jam)
        #expect(colours.worstLevel(in: speck, columns: 8..<20, rows: 0..<2) == nil)
    }

    private func bytes(_ colour: RGB) -> [UInt8] { [colour.red, colour.green, colour.blue, 255] }

    @Test(arguments: [TrafficRamp.standard, .colourBlind])
    func `a ramp has five colours, and each is read back as its level`(ramp: TrafficRamp) {
        for level in TrafficLevel.allCases {
            #expect(FlowColours(ramp).level(of: ramp.colour(of: level)) == level)
        }
        #expect(Set(TrafficLevel.allCases.map { ramp.colour(of: $0) }).count == 5)
    }

    @Test(arguments: [true, false])
    func `every level has its own glyph, one column wide`(unicode: Bool) {
        let glyphs = TrafficLevel.allCases.map { $0.glyph(unicode: unicode) }
        #expect(Set(glyphs).count == 5)
        #expect(glyphs.allSatisfy { TextWidth.columns(of: String($0)) == 1 })
        #expect(unicode || glyphs.allSatisfy(\.isASCII))
    }

    @Test(arguments: FlowMode.allCases)
    func `the legend of a mode names its levels from best to worst`(mode: FlowMode) {
        let legend = FlowLegend(mode)
        let levels = legend.entries.map(\.level)
        #expect(levels == levels.sorted() && Set(levels).count == levels.count && levels.last == .closed)
        #expect(legend.entries.allSatisfy { $0.text.count <= 16 && !$0.text.isEmpty })
        #expect((mode == .relativeDelay) == !levels.contains(.free))
    }

    @Test(arguments: [
        (0, false, "traffic 0 s old"), (42, false, "traffic 40 s old"), (119, false, "traffic 115 s old"),
        (120, false, "traffic 2 min old"), (360, true, "traffic stale 6 min"),
        (90_000, true, "traffic stale 25 h"), (180_000, true, "traffic stale 2 d"),
        (-9, false, "traffic 0 s old"),
    ])
    func `age is given in one unit`(seconds: Int, isStale: Bool, text: String) {
        #expect(TrafficAge(.seconds(seconds), isStale: isStale).description == text)
    }

    @Test func `traffic is opaque while fresh, and paler the longer it is stale`() {
        #expect(TrafficAge(.seconds(9000), isStale: false).strength == 1)
        let strengths = [0, 300, 900, 1800, 90_000].map { TrafficAge(.seconds($0), isStale: true).strength }
        #expect(strengths == strengths.sorted(by: >) && strengths[0] < 1 && strengths[3] == strengths[4])
        #expect(strengths[4] > 0.3)
    }

    @Test func `the text changes at the announced time`() {
        for seconds in [0, 3, 42, 119, 120, 3601, 7200, 180_000] {
            let age = TrafficAge(.seconds(seconds), isStale: false)
            let before = TrafficAge(age.age + age.nextChange - .seconds(1), isStale: false)
            #expect(before.description == age.description)
            #expect(TrafficAge(age.age + age.nextChange, isStale: false).description != age.description)
        }
    }

    @Test func `the menu has every mode, incidents, both, and off, each once`() {
        let choices = TrafficChoice.menu
        #expect(choices.count == FlowMode.allCases.count + 3 && Set(choices).count == choices.count)
        #expect(choices.first == TrafficChoice(flow: .standard) && choices.last == .off)
        #expect(Set(choices.compactMap(\.flow)) == Set(FlowMode.allCases))
    }

    @Test(
        arguments: [
            ("flow", TrafficChoice(flow: .relative)), ("incidents", TrafficChoice(incidents: .s0)),
            ("all", TrafficChoice(flow: .relative, incidents: .s0)), ("off", .off), ("", .off),
            ("relative0-dark,night", TrafficChoice(flow: .relative0Dark, incidents: .night)),
            ("absolute all", TrafficChoice(flow: .absolute, incidents: .s0)),
            ("jam", nil), ("flow x", nil),
        ] as [(String, TrafficChoice?)])
    func `words select traffic`(words: String, choice: TrafficChoice?) {
        #expect(TrafficChoice(text: words) == choice)
    }
}
