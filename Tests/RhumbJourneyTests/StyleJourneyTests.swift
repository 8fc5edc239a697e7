import RhumbCore
import RhumbTestSupport
import Testing

/// Styles in the running program.
struct StyleJourneyTests {
    private let home = TemporaryFolder()
    private let fixture = TownFixture()

    private func write(_ colour: String, to name: String) -> String {
        home.write(TownFixture.style(colour), to: name)
    }

    private func start(_ more: [String] = []) throws -> Journey {
        try Journey([fixture.town, "-c", "10,10", "-z", "4"] + more, environment: ["HOME": home.path])
    }

    @Test func `style changes the map at once, and default brings Rhumb's own back`() throws {
        let red = write("#ff0000", to: "red.json"), journey = try start()
        try journey.seeMap()
        let before = journey.program.screen.grid[10, 30]
        try journey.type(":style \(red)\r")
        try journey.program.read { TownFixture.isDrawn(RGB(0xFF0000), $0) }
        try journey.type(":style default\r")
        try journey.program.read { $0.grid[10, 30] == before }
        #expect(try journey.quit() == .exited(0))
    }

    @Test func `a fault in a style is reported, and the map stays unchanged`() throws {
        let bad = home.write(Array("{\n \"version\": 8,\n \"layers\": 3 }".utf8), to: "bad.json"),
            journey = try start()
        try journey.seeMap()
        let before = journey.program.screen.grid[10, 30]
        try journey.type(":style \(bad)\r")
        try journey.see("no \"layers\"")
        #expect(journey.program.screen.grid[10, 30] == before)
        #expect(try journey.quit() == .exited(0))
    }

    @Test func `the panel draws the view in each style of the folder, and Enter applies one`() throws {
        _ = write("#00ff00", to: ".local/share/rhumb/style/green.json")
        let journey = try start()
        try journey.see("z4.0")
        try journey.type("S")
        try journey.see("green")
        try journey.program.read { screen in
            screen.grid.cells.contains {
                if case .rgb(let paper) = $0.paper.kind { paper.green > 240 && paper.red < 12 } else { false }
            }
        }
        try journey.type("j\r")
        try journey.program.read { TownFixture.isDrawn(RGB(0x00FF00), $0) }
        #expect(try journey.quit() == .exited(0))
    }

    @Test func `a style is named at the start, for one theme or both`() throws {
        _ = write("#0000ff", to: ".local/share/rhumb/style/blue.json")
        for words in ["blue", "day=default night=blue"] {
            let journey = try start(["--style", words])
            try journey.program.read { TownFixture.isDrawn(RGB(0x0000FF), $0) }
            #expect(try journey.quit() == .exited(0))
        }
    }
}
