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

    // MARK: Reports

    private static let secrets = ["SECRETMARKER", "60.17", "24.93", "tiles.example/", "ann:pass", "Helsinki"]

    @Test func `a report has the facts and the log, and no key, place, path or file name`() async throws {
        home.write(
            Array(
                """
                {"center": "60.1699,24.9384", "sources": [{"id": "own", "url": "https://ann:pass@tiles.example/a"}],
                 "keys": {"test": "SECRETMARKER"}, "cache-size": 1000000, "catalog": ["https://x.example/SECRETMARKER"]}
                """.utf8), to: ".config/rhumb/config.json")
        let log = home.path + "/own.log", report = home.path + "/report.txt", more = ["RHUMB_LOG": log]
        home.write(Array("2026-01-01T00:00:00Z network: old line\n".utf8), to: "own.log")
        _ = await ProgramRun.of(
            TestProducts.path("rhumb"),
            [
                "render", "http://127.0.0.1:1/SECRETMARKER/{z}/{x}/{y}.png", "-c", "60.1699,24.9384,9",
                "--timeout", "5",
            ],
            environment: ["HOME": home.path, "LC_ALL": "C.UTF-8", "RHUMB_LOG": log])
        let noted = String(decoding: home.bytes("own.log"), as: UTF8.self)
        #expect(noted.contains("network: ") && noted.contains("http://127.0.0.1:1/…"), "\(noted)")
        let run = await doctor(["--report", report], more),
            text = String(decoding: home.bytes("report.txt"), as: UTF8.self)
        #expect(run.status == 0 && run.output.contains("cache-size: 1000000"), "\(run)")
        #expect(
            text.contains("old line") && text.contains("rhumb: ") && text.contains("center: set"), "\(text)")
        for part in [run.output, run.errors, text, noted] {
            for secret in Self.secrets + [home.path] where part != run.errors || secret != home.path {
                #expect(!part.contains(secret), "\(secret) in \(part)")
            }
        }
    }

    @Test func `planted secrets are in no report`() async throws {
        let user = "annikasecret", log = home.path + "/own.log", report = home.path + "/report.txt"
        home.write(
            Array(
                """
                {"center": "61.4978,23.7610", "catalog": ["https://x.example/hunter2"],
                 "keys": {"test": "hunter2"}, "cache-size": 1000000,
                 "sources": [{"id": "own", "url": "https://ann:hunter2@anns-nas.local/{z}/{x}/{y}.png?key=hunter2"}]}
                """.utf8), to: ".config/rhumb/config.json")
        let added = await ProgramRun.of(
            TestProducts.path("rhumb"), ["bookmark", "add", "a 61.4978,23.7610 12", "--name", "Cottage"],
            environment: ["HOME": home.path, "LC_ALL": "C.UTF-8"])
        #expect(added.status == 0, "\(added)")
        home.write(Array("search pharmacy\n".utf8), to: ".local/state/rhumb/lines")
        home.write(Array("61.4978,23.7610,12\n".utf8), to: ".local/state/rhumb/view")
        let lines = [
            "network: https://ann:hunter2@x.example/hunter2?key=hunter2: timeout",
            "network: can't find anns-nas.local",
            "message: X-Api-Key: hunter2 refused", "file: can't open /home/\(user)/tampere.pmtiles: denied",
            "file: can't open /media/\(user)/tampere.gpx: denied", "message: no match for \"tampere\"",
            "message: no match for search pharmacy", "message: Cottage at 61.5,23.8 is empty",
            "message: tile 12/2345/1123 of tampere.pmtiles is damaged",
            "network: http://anns-nas:8080/tile: refused",
            "message: Authorization: Bearer hunter2 expired",
            "file: can't open \(home.path)/tampere.json: denied",
        ]
        home.write(Array(lines.map { "2026-01-01T00:00:00Z \($0)\n" }.joined().utf8), to: "own.log")
        let run = await doctor(
            ["--report", report],
            ["RHUMB_LOG": log, "MAPBOX_ACCESS_TOKEN": "hunter2", "HOSTNAME": "anns-laptop", "USER": user])
        let text = String(decoding: home.bytes("report.txt"), as: UTF8.self)
        #expect(run.status == 0 && text.contains("cache-size: 1000000") && text.contains("timeout"), "\(run)")
        for secret in [
            "hunter2", "61.4", "61.5", "23.7", "tampere", "anns-", "Cottage", "pharmacy", user, home.path,
            "2345",
        ] {
            #expect(!text.contains(secret) && !run.output.contains(secret), "\(secret) in \(text)")
        }
    }

    @Test func `a log that can't be written is reported, and nothing else fails`() async throws {
        let run = await doctor([], ["RHUMB_LOG": "/nowhere/a.log"])
        #expect(run.status == 0 && run.errors.contains("can't write the log"))
    }
}
