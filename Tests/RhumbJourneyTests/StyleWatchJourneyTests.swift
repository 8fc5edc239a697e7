import Glibc
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests a map beside an editor of its style.
struct StyleWatchJourneyTests {
    private let home = TemporaryFolder()
    private let fixture = TownFixture()
    private let file: String
    private let journey: Journey

    init() throws {
        file = home.write(TownFixture.style("#ff0000"), to: "style.json")
        journey = try Journey(
            ["style", "watch", file, fixture.town, "-c", "10,10", "-z", "4"], environment: ["HOME": home.path]
        )
        try journey.program.read { TownFixture.isDrawn(RGB(0xFF0000), $0.grid) }
    }

    private func see(_ colour: UInt32) throws {
        try journey.program.read { TownFixture.isDrawn(RGB(colour), $0.grid) }
    }

    @Test func `the map is redrawn when the style is saved`() throws {
        for (text, colour) in [("#00ff00", 0x00FF00), ("#0000ff", 0x0000FF)] as [(String, UInt32)] {
            _ = home.write(TownFixture.style(text), to: "style.json")
            try see(colour)
        }
        #expect(try journey.quit() == .exited(0))
    }

    @Test func `an editor may replace the file`() throws {
        for (text, colour) in [("#00ff00", 0x00FF00), ("#0000ff", 0x0000FF)] as [(String, UInt32)] {
            let new = home.write(TownFixture.style(text), to: "style.json.new")
            #expect(rename(file, file + "~") == 0 && rename(new, file) == 0)
            try see(colour)
        }
        #expect(try journey.quit() == .exited(0))
    }

    @Test func `a partly written file is awaited`() throws {
        let style = TownFixture.style("#00ff00"), descriptor = open(file, O_WRONLY | O_TRUNC)
        try #require(descriptor >= 0)
        #expect(write(descriptor, style, style.count / 2) == style.count / 2)
        usleep(150_000)
        #expect(
            style.withUnsafeBytes {
                write(
                    descriptor, $0.baseAddress?.advanced(by: style.count / 2), style.count - style.count / 2)
            } > 0)
        close(descriptor)
        try see(0x00FF00)
        #expect(!journey.program.screen.text.contains("valid JSON"))
        #expect(try journey.quit() == .exited(0))
    }

    @Test func `a fault is reported with its line, the previous style stays, and the next save corrects it`()
        throws
    {
        _ = home.write(Array("{\"version\": 8,\n \"layers\": [}".utf8), to: "style.json")
        try journey.see("line 2, column 13")
        #expect(TownFixture.isDrawn(RGB(0xFF0000), journey.program.screen.grid))
        _ = home.write(TownFixture.style("#00ff00"), to: "style.json")
        try see(0x00FF00)
        #expect(try journey.quit() == .exited(0))
    }

    @Test func `omitted parts of the style are reported with line, layer and property`() throws {
        let style = String(decoding: TownFixture.style("#00ff00"), as: UTF8.self)
        _ = home.write(
            Array(style.replacing("\"fill-color\"", with: "\n\"fill-glow\":1,\"fill-color\"").utf8),
            to: "style.json")
        try see(0x00FF00)
        try journey.see("layer w: fill-glow")
        // This also works after the style was loaded, in place of its name.
        try journey.settle()
        #expect(journey.program.screen.text.contains("layer w: fill-glow"))
        #expect(try journey.quit() == .exited(0))
    }
}

/// Tests a style that is itself a map, beside an editor.
struct OwnStyleWatchJourneyTests {
    private let home = TemporaryFolder()
    private let file: String
    private let journey: Journey

    init() throws {
        file = home.write(Self.style("#ff0000"), to: "style.json")
        journey = try Journey(
            ["style", "watch", file, "-c", "10,10", "-z", "4"], environment: ["HOME": home.path])
        try see(0xFF0000)
    }

    /// Returns a style that fills everything with a colour, and draws an empty second source over it.
    private static func style(_ colour: String, more: String = "") -> [UInt8] {
        let land = #"{"type":"Polygon","coordinates":[[[-170,-80],[170,-80],[170,80],[-170,80],[-170,-80]]]}"#
        let nothing = #"{"type":"FeatureCollection","features":[]}"#
        return Array(
            #"""
            {"version":8,"name":"Own","sources":{"w":{"type":"geojson","data":\#(land)},"x":{"type":"geojson","data":\#(nothing)}},
             "layers":[{"id":"w","type":"fill","source":"w","paint":{"fill-color":"\#(colour)"}}\#(more)]}
            """#.utf8)
    }

    private func see(_ colour: UInt32) throws {
        try journey.program.read { TownFixture.isDrawn(RGB(colour), $0.grid) }
    }

    @Test func `the style's own sources are redrawn at each save, and the view stays`() throws {
        try journey.type("+")
        try journey.see("z5.0")
        for (text, colour) in [("#00ff00", 0x00FF00), ("#0000ff", 0x0000FF)] as [(String, UInt32)] {
            _ = home.write(Self.style(text), to: "style.json")
            try see(colour)
        }
        try journey.settle()
        #expect(journey.program.screen.text.contains("z5.0"))
        #expect(try journey.quit() == .exited(0))
    }

    @Test func `layers of other sources may be added and removed`() throws {
        _ = home.write(
            Self.style("#00ff00", more: #",{"id":"x","type":"line","source":"x"}"#), to: "style.json")
        try see(0x00FF00)
        _ = home.write(Self.style("#0000ff"), to: "style.json")
        try see(0x0000FF)
        #expect(try journey.quit() == .exited(0))
    }

    @Test
    func `faults are reported with line, layer and property, and the previous map stays if there is none`()
        throws
    {
        _ = home.write(
            Self.style(
                "#00ff00", more: "\n" + #",{"id":"g","type":"line","source":"x","paint":{"line-glow":1}}"#),
            to: "style.json")
        try see(0x00FF00)
        try journey.see("layer g: line-glow")
        #expect(journey.program.screen.text.contains("line 3, column"))
        _ = home.write(Array("{\"version\": 8,\n \"layers\": [}".utf8), to: "style.json")
        try journey.see("line 2, column 13")
        #expect(TownFixture.isDrawn(RGB(0x00FF00), journey.program.screen.grid))
        #expect(try journey.quit() == .exited(0))
    }
}
