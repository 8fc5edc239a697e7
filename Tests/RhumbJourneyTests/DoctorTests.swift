import RhumbTestSupport
import Testing

struct DoctorTests {
    @Test(arguments: ["TERM", "COLORTERM", "HOME", "LC_ALL"], [[], ["--json"]])
    func `environment variables cannot inject terminal escape sequences`(
        variable: String, options: [String]
    ) async {
        var environment = [
            "HOME": "/nonexistent", "TERM": "xterm", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
        ]
        environment[variable] = "x\u{1B}[31m\u{202E}\u{9B}y"
        let run = await ProgramRun.of(
            TestProducts.path("rhumb"), ["doctor"] + options, environment: environment)
        #expect(run.status == 0)
        for text in [run.output, run.errors] {
            #expect(
                !text.contains("\u{1B}") && !text.contains("\u{202E}")
                    && !text.unicodeScalars.contains("\u{9B}"), "\(text)")
        }
    }
}
