import RhumbCore
import RhumbTestSupport
import Testing

/// Tests names over Florence in the program itself.
@Suite(.enabled(if: TestData.isPresent, "RHUMB_TEST_DATA is not set"))
struct NamesJourneyTests {
    private static func arguments(_ more: [String]) throws -> [String] {
        [try #require(TestData.folder) + "/firenze-vector.pmtiles", "-c", "43.7696,11.2558"] + more
    }

    @Test func `Florence has names, and N hides them`() throws {
        let journey = try Journey(Self.arguments(["-z", "15"]))
        try journey.see("Palazzo Vecchio")
        try journey.type("N")
        let screen = try journey.screen().lines.joined()
        #expect(!screen.contains("Palazzo Vecchio"))
    }

    @Test func `names are in English on request`() throws {
        let journey = try Journey(Self.arguments(["-z", "12", "--names", "en"]))
        // The status line begins with a name from the gazetteer, so this waits for one from the map.
        try journey.see("Boboli Gardens")
    }

    @Test func `i shows the features on the map`() throws {
        let journey = try Journey(Self.arguments(["-z", "16"]), columns: 140, rows: 40)
        try journey.see("Piazza")
        try journey.type("i")
        try journey.see("On the map")
        try journey.type("\t")
        try journey.see("pmap:kind")
    }

    @Test(arguments: [([], true), (["--labels", "off"], false)] as [([String], Bool)])
    func `render draws names unless they are turned off`(more: [String], areWritten: Bool) async throws {
        let arguments =
            try ["render", "--size", "80x24", "-f", "text"] + Self.arguments(["-z", "15"] + more)
        let run = await ProgramRun.of(
            TestProducts.path("rhumb"), arguments, environment: ["HOME": "/dev/null/none"])
        #expect(run.status == 0 && run.output.contains("Palazzo Vecchio") == areWritten)
    }
}
