import RhumbCore
import RhumbTestSupport
import Testing

struct DoctorTests {
    private let home = TemporaryFolder()

    private func doctor(_ options: [String], _ more: [String: String] = [:]) async -> ProgramRun {
        let environment = [
            "HOME": home.path, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
        ]
        return await ProgramRun.of(
            TestProducts.path("rhumb"), ["doctor"] + options, environment: environment.merging(more) { $1 })
    }

    @Test(arguments: ["TERM", "COLORTERM", "HOME", "LC_ALL"], [[], ["--json"]])
    func `environment variables cannot inject terminal escape sequences`(
        variable: String, options: [String]
    ) async {
        let run = await doctor(options, [variable: "x\u{1B}[31m\u{202E}\u{9B}y"])
        #expect(run.status == 0)
        for text in [run.output, run.errors] {
            #expect(
                !text.contains("\u{1B}") && !text.contains("\u{202E}")
                    && !text.unicodeScalars.contains("\u{9B}"), "\(text)")
        }
    }

    @Test func `the version, the commit, the stores and every library are reported`() async throws {
        let json = try JSON.parse(await doctor(["--json"]).output)
        let version = await ProgramRun.of(TestProducts.path("rhumb"), ["--version"]).output
        #expect(version.contains(json["version"]?.string ?? "none"))
        #expect(json["regions"] == "none" && json["config"]?.string?.contains("missing") == true)
        #expect(json["world"]?.string?.hasPrefix("built in") == true)
        for library in [
            "libcairo", "libspng", "libexpat", "libcurl", "libcrypto", "libbrotlidec", "libzstd",
            "libmicrohttpd",
        ] {
            let state = json[library]?.string ?? ""
            #expect(state.hasPrefix("found, for ") || state.contains("; install lib"), "\(library): \(state)")
        }
        let text = await doctor([]).output
        for name in json.object?.names ?? [] {
            #expect(text.contains(json[name]?.string ?? "none"), "\(name)")
        }
    }

    @Test func `a damaged store and an unreadable list of sources are reported, and nothing else fails`()
        async throws
    {
        home.write(Array("{".utf8), to: ".config/rhumb/config.json")
        home.write(Array("no database".utf8), to: ".local/share/rhumb/regions.db")
        let json = try JSON.parse(await doctor(["--json"]).output)
        #expect(json["regions"]?.string?.contains("damaged") == true, "\(json["regions"] ?? .null)")
        #expect(json["config"]?.string?.contains("line 1, column") == true, "\(json["config"] ?? .null)")
    }

    @Test func `the test card has no colours in a pipe, unless they are requested`() async {
        let plain = await doctor(["--card"]).output
        #expect(plain.contains("braille") && !plain.contains("\u{1B}"))
        #expect(await doctor(["--card", "--colors", "256"]).output.contains("\u{1B}[38;5;"))
        let ascii = await doctor(["--card"], ["LC_ALL": "C"]).output
        #expect(!ascii.contains("braille") && ascii.utf8.allSatisfy { $0 < 0x80 })
    }
}
