import RhumbCore
import RhumbTestSupport
import Testing

/// Styles in the running program.
struct StyleJourneyTests {
    private let home = TemporaryFolder()
    private let town: String

    init() {
        let water = VectorTileFixture([("water", [.init(.polygon, through: [(0, 0), (4096, 0), (4096, 4096), (0, 4096)])])])
        var archive = PMTilesFixture([(.world, water.bytes)])
        archive.metadata = Array(#"{"name":"Town","vector_layers":[{"id":"water"}]}"#.utf8)
        archive.patches = [(99, 1)]
        town = home.write(archive.bytes, to: "town.pmtiles")
    }

    private func write(_ colour: String, to name: String) -> String {
        let style = #"""
            {"version":8,"sources":{"openmaptiles":{"type":"vector","url":"https://x.example/t.json"}},"layers":[
             {"id":"w","type":"fill","source":"openmaptiles","source-layer":"water","paint":{"fill-color":"\#(colour)"}}]}
            """#
        return home.write(Array(style.utf8), to: name)
    }

    private func start(_ more: [String] = []) throws -> Journey {
        try Journey([town, "-c", "10,10", "-z", "4"] + more, environment: ["HOME": home.path])
    }

    /// Whether the middle of the map is drawn in a colour, within what cells round.
    private func isDrawn(_ colour: RGB, _ screen: ScreenModel) -> Bool {
        guard case .rgb(let paper) = screen.grid[10, 30].paper.kind else { return false }
        return zip([paper.red, paper.green, paper.blue], [colour.red, colour.green, colour.blue]).allSatisfy {
            abs(Int($0) - Int($1)) < 12
        }
    }

    @Test func `style changes the map at once, and default brings Rhumb's own back`() throws {
        let red = write("#ff0000", to: "red.json"), journey = try start()
        try journey.see("z4.0")
        try journey.settle()
        let before = journey.program.screen.grid[10, 30]
        try journey.type(":style \(red)\r")
        try journey.program.read { isDrawn(RGB(0xFF0000), $0) }
        try journey.type(":style default\r")
        try journey.program.read { $0.grid[10, 30] == before }
        #expect(try journey.quit() == .exited(0))
    }

    @Test func `a fault in a style is told, and the map stays as it is`() throws {
        let bad = home.write(Array("{\n \"version\": 8,\n \"layers\": 3 }".utf8), to: "bad.json"), journey = try start()
        try journey.see("z4.0")
        try journey.settle()
        let before = journey.program.screen.grid[10, 30]
        try journey.type(":style \(bad)\r")
        try journey.see("no list \"layers\"")
        #expect(journey.program.screen.grid[10, 30] == before)
        #expect(try journey.quit() == .exited(0))
    }

    @Test func `the panel draws the view in each style of the folder, and Enter takes one`() throws {
        _ = write("#00ff00", to: ".local/share/rhumb/style/green.json")
        let journey = try start()
        try journey.see("z4.0")
        try journey.type("S")
        try journey.see("green")
        try journey.program.read { screen in
            screen.grid.cells.contains { if case .rgb(let paper) = $0.paper.kind { paper.green > 240 && paper.red < 12 } else { false } }
        }
        try journey.type("j\r")
        try journey.program.read { isDrawn(RGB(0x00FF00), $0) }
        #expect(try journey.quit() == .exited(0))
    }

    @Test func `a style is named at the start, for one theme or both`() throws {
        _ = write("#0000ff", to: ".local/share/rhumb/style/blue.json")
        for words in ["blue", "day=default night=blue"] {
            let journey = try start(["--style", words])
            try journey.program.read { isDrawn(RGB(0x0000FF), $0) }
            #expect(try journey.quit() == .exited(0))
        }
    }
}
