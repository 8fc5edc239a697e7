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

    private func render(_ words: String...) async -> ProgramRun {
        await ProgramRun.of(
            TestProducts.path("rhumb"), ["render"] + words + ["--size", "20x6", "--offline"],
            environment: ["HOME": home.path, "LC_ALL": "C.UTF-8"])
    }

    @Test func `a picture in a style with faulty parts names them, and is incomplete`() async {
        let sound = await render(fixture.town, "--style", write("#0000ff", to: "sound.json"))
        #expect(sound.status == 0 && !sound.errors.contains("sound.json"), "\(sound)")
        let faulty = await render(fixture.town, "--style", write("no colour", to: "faulty.json"))
        #expect(faulty.status == 3 && faulty.errors.contains("fill-color"), "\(faulty)")
    }

    @Test(arguments: ["{\"version\":8,\"sources\":{}}", "{\"version\":8,\"sources\":{},\"layers\":{}}"])
    func `a style without layers is reported as one`(text: String) async {
        let run = await render(home.write(Array(text.utf8), to: "style.json"))
        #expect(run.status == 1 && run.errors.contains("the style has no \"layers\""), "\(run)")
    }
}
