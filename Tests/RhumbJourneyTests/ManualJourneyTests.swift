import RhumbTestSupport
import Testing

/// Tests `rhumb help TOPIC` in the program itself.
struct ManualJourneyTests {
    @Test func `a page is shown in the pager on a terminal`() throws {
        let journey = try Journey(["help", "traffic"], rows: 60, environment: ["PAGER": "sed 's/^/| /'"])
        try journey.see("| Traffic")
        #expect(try journey.program.readToEnd() == .exited(0))
        #expect(journey.program.screen.text.contains("|   Show live traffic flow and incidents."))
    }

    @Test func `a page in a pipe is plain text of 80 columns, without the pager`() async {
        let environment = [
            "PAGER": "false", "TERM": "xterm", "HOME": "/dev/null/none", "PATH": "/usr/bin:/bin",
            "LC_ALL": "C.UTF-8",
        ]
        let run = await ProgramRun.of(
            TestProducts.path("rhumb"), ["help", "traffic"], environment: environment)
        #expect(
            run.status == 0 && run.output.hasPrefix("Traffic\n\n  Show live traffic flow and incidents.\n"))
        #expect(!run.output.contains("\u{1B}"))
    }

    @Test func `a page is ASCII if the locale has no more`() async {
        let environment = ["HOME": "/dev/null/none", "PATH": "/usr/bin:/bin", "LC_ALL": "C"]
        let run = await ProgramRun.of(
            TestProducts.path("rhumb"), ["help", "routes"], environment: environment)
        #expect(run.status == 0 && run.output.utf8.allSatisfy { $0 < 128 })
    }

    @Test func `help lists commands and pages, and suggests the nearest to an unknown one`() async {
        let overview = await ProgramRun.of(TestProducts.path("rhumb"), ["help"])
        #expect(
            overview.status == 0 && overview.output.contains("rhumb help regions")
                && overview.output.contains("rhumb region"))
        let unknown = await ProgramRun.of(TestProducts.path("rhumb"), ["help", "trafic"])
        #expect(unknown.status == 2 && unknown.errors.contains("did you mean traffic?"))
    }
}
