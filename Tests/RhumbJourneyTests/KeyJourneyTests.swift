import Glibc
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests keys that are typed into the program on its terminal.
struct KeyJourneyTests {
    private static let marker = "f3a91c7be2d84056MARKER"

    private func server() throws -> LoopbackServer {
        try LoopbackServer { request in
            if request.target.hasPrefix("/none") { return LoopbackReply(404) }
            guard request.target.contains(Self.marker) || request.header("Authorization") != nil else {
                return LoopbackReply(403)
            }
            guard request.target.hasPrefix("/town.json") else {
                return LoopbackReply(200, blankPicture(.init(0x336699), side: 256))
            }
            let town =
                #"{"tilejson":"3.0.0","name":"Townmap","tiles":["{z}/{x}/{y}.png?foo=\#(Self.marker)"],"maxzoom":9,"attribution":"(c) Town"}"#
            return LoopbackReply(200, Array(town.utf8), headers: ["Cache-Control": "max-age=3600"])
        }
    }

    @Test func `a key typed in the program is visible only while you type it, and is never stored`() throws {
        let server = try server(), home = TemporaryFolder()
        let journey = try Journey([], environment: ["HOME": home.path])
        try journey.see("World")
        let place = "127.0.0.1:\(server.port)"
        for words in [
            "http://\(place)/{z}/{x}/{y}.png?key=\(Self.marker)",
            "http://\(place)/town.json?key=\(Self.marker)",
            "http://me:\(Self.marker)@\(place)/{z}/{x}/{y}.png",
            "http://\(place)/none.json?key=\(Self.marker)",
            "\(place)/none?key=\(Self.marker)", "https://\(place)/{z}/{wrong}?token=\(Self.marker)",
        ] {
            try journey.type(":open \(words)")
            try journey.see("MARKER")
            try journey.type("\r")
            try journey.program.read { !$0.text.contains("MARKER") }
            try journey.settle()
            #expect(
                !journey.program.screen.text.contains("MARKER"), "\(words): \(journey.program.screen.text)")
        }
        #expect(
            ["/0/0/0.png?key=", "/town.json?key=", "/none.json?key="].allSatisfy {
                server.count($0 + Self.marker) > 0
            })
        try journey.type("m\t")
        try journey.see("● http://{user}:{password}@127.0.")
        #expect(!journey.program.screen.text.contains(Self.marker), "\(journey.program.screen.text)")
        #expect(try journey.quit() == .exited(0))
        #expect(!journey.program.screen.text.contains(Self.marker))
        #expect(home.everyFileContaining("?key={key}").contains { $0.hasSuffix("recent") })
        #expect(home.everyFileContaining(Self.marker) == [])
    }

    @Test func `once Rhumb has started, the process table does not show keys from its command line`() throws {
        let server = try server(), home = TemporaryFolder()
        let words = [
            "-z", "2", server.url("/{z}/{x}/{y}.png?key=\(Self.marker)"),
            "--over=" + server.url("/{z}/{x}/{y}.png?token=\(Self.marker)"),
        ]
        let journey = try Journey(words, environment: ["HOME": home.path])
        try journey.see("z2")
        let shown = String(decoding: bytes("/proc/\(journey.program.processID)/cmdline"), as: UTF8.self)
        #expect(
            shown.contains("?key={key}") && shown.contains("?token={key}") && !shown.contains("MARKER"),
            "\(shown)")
        #expect(try journey.quit() == .exited(0))
        #expect(home.everyFileContaining(Self.marker) == [])
    }

    @Test(arguments: [
        "tiles.example/{z}/{x}/{y}.png?key=\(marker)", "htps://tiles.example/town.json?token=\(marker)",
        "me:\(marker)@tiles.example/{z}/{x}/{y}.png", "tiles.example?sig=\(marker)",
    ])
    func `errors do not repeat a key from a URL with a missing or misspelled scheme`(words: String) async {
        let home = TemporaryFolder(),
            environment = ["HOME": home.path, "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"]
        for command in [
            ["render", words], ["render", "--over", words],
            ["region", "plan", "home", "--bbox", "0,0,1,1", "--source", words], ["source", "check", words],
        ] {
            let run = await ProgramRun.of(
                TestProducts.path("rhumb"), command + ["--cache-path", home.path + "/c.db"],
                environment: environment)
            #expect(run.status != 0 && !(run.errors + run.output).contains(Self.marker), "\(run)")
        }
        #expect(home.everyFileContaining(Self.marker) == [])
    }

    private func bytes(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "rb") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }
}
