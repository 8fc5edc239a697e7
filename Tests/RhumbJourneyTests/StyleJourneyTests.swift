import RhumbCore
import RhumbTestSupport
import Testing

/// Tests styles in the running program.
struct StyleJourneyTests {
    private let home = TemporaryFolder()
    private let fixture = TownFixture()

    private func write(_ colour: String, to name: String) -> String {
        home.write(TownFixture.style(colour), to: name)
    }

    private func start(_ more: [String] = []) throws -> Journey {
        try Journey([fixture.town, "-c", "10,10", "-z", "4"] + more, environment: ["HOME": home.path])
    }

    @Test func `a style is given at the start, for one theme or both`() throws {
        _ = write("#0000ff", to: ".local/share/rhumb/style/blue.json")
        for words in ["blue", "day=default night=blue"] {
            let journey = try start(["--style", words])
            try journey.program.read { TownFixture.isDrawn(RGB(0x0000FF), $0.grid) }
            #expect(try journey.quit() == .exited(0))
        }
    }
}
