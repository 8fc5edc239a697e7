import Glibc
import RhumbCommandLine
import RhumbCore
import RhumbDrawing
import RhumbManual
import RhumbTestSupport
import Testing

/// Tests the commands in the code blocks of the manual and of the README. Blocks marked "sh" are run without
/// a network. Commands that open the map, and blocks with another word after "sh", are only parsed.
struct ManualCommandTests {
    private static let pages =
        Manual.pages + [
            ManualPage(
                topic: "README", markdown: String(decoding: TestFiles.bytes("README.md") ?? [], as: UTF8.self)
            )
        ]
    private static let lines = pages.flatMap { page in
        page.code.filter { $0.info.hasPrefix("sh") }.flatMap { code in
            code.lines.map { (topic: page.topic, line: $0, isRun: code.info == "sh") }
        }
    }.filter { !ShellLine($0.line).commands.isEmpty }

    @Test func `every command can be parsed`() {
        #expect(Self.lines.count > 100)
        for (topic, line, _) in Self.lines {
            for words in ShellLine(line).commands {
                #expect(throws: Never.self, "\(topic): \(line)") { try Invocation(words) }
            }
        }
    }

    @Test(arguments: Set(lines.filter(\.isRun).map(\.topic)).sorted())
    func `every command that needs no network and no terminal succeeds`(topic: String) async throws {
        let folder = try Self.folder()
        let environment = [
            "HOME": folder.path + "/home", "PATH": folder.path + "/bin:/usr/bin:/bin",
            "RHUMB_CONFIG": folder.path + "/config.json", "LANG": "C.UTF-8", "TERM": "dumb",
        ]
        for example in Self.lines
        where example.topic == topic && example.isRun && !ShellLine(example.line).opensMap {
            let line = "cd '\(folder.path)' && \(example.line)"
            let run = await ProgramRun.of("/bin/sh", ["-c", line], environment: environment)
            #expect(run.status == 0, "\(example.line)\n\(run.errors)")
        }
    }

    /// Creates a folder with the program and the files that the examples name.
    private static func folder() throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        let tile = try PNGEncoder.encode(Raster(width: 256, height: 256, filledWith: RGB(0x88AA66)))
        let tiles = TileID.pyramid(0...3).map { (tile: $0, body: tile) }
        for name in ["city.pmtiles", "archives/city.pmtiles"] {
            folder.write(PMTilesFixture(tiles).bytes, to: name)
        }
        let street = VectorTileFixture.Feature(
            .line, through: [(0, 0), (4096, 4096)], [("name", .string("Quay"))])
        let streets = VectorTileFixture([("roads", [street])]).bytes
        for name in ["streets.pmtiles", "trails.pmtiles"] {
            var fixture = PMTilesFixture(TileID.pyramid(0...3).map { ($0, streets) })
            // The tile type in the header: vector tiles.
            fixture.patches = [(99, 1)]
            folder.write(fixture.bytes, to: name)
        }
        let city = MBTilesFixture(
            tiles.map { ($0.tile, $0.body) }, metadata: [("name", "City"), ("format", "png")])
        _ = try city.write(in: folder, name: "city.mbtiles")
        folder.write(Array(gpx.utf8), to: "walk.gpx")
        folder.write(Array(configuration.utf8), to: "config.json")
        folder.write(
            Array(#"{"version": 8, "name": "base", "sources": {}, "layers": []}"#.utf8), to: "base.json")
        folder.write([], to: "home/.keep")
        folder.write([], to: "bin/.keep")
        let program = try #require(realpath(TestProducts.path("rhumb"), nil))
        defer { free(program) }
        #expect(symlink(program, folder.path + "/bin/rhumb") == 0)
        return folder
    }

    private static let configuration = """
        {"offline": true,
         "sources": [{"id": "mine", "url": "http://127.0.0.1:9/{z}/{x}/{y}.png",
                      "policy": {"offline": "allowed", "archives": true}}]}
        """

    private static let gpx = """
        <gpx><trk><trkseg>
        <trkpt lat="60.45" lon="22.26"><ele>10</ele><time>2026-06-21T12:00:00Z</time></trkpt>
        <trkpt lat="60.46" lon="22.27"><ele>20</ele><time>2026-06-21T12:10:00Z</time></trkpt>
        </trkseg></trk></gpx>
        """
}

/// Parses a shell line, as far as the examples need it: quotes, pipes, redirections, substitutions and
/// comments.
private struct ShellLine {
    /// The words after each `rhumb` that is a command.
    private(set) var commands: [[String]] = []

    /// True if the line starts the map, which needs a terminal.
    var opensMap: Bool {
        commands.contains { words in
            guard let invocation = try? Invocation(words) else { return false }
            if invocation[.help] || invocation[.version] || invocation[.printConfig] { return false }
            switch invocation.command {
            case .open, .streets, .pick, .style(.watch): return true
            default: return false
            }
        }
    }

    init(_ line: String) {
        var words: [String] = [], word: String?, quote: Character?
        func endCommand() {
            if let last = word { words.append(last) }
            if words.first == "rhumb" { commands.append(Array(words.dropFirst())) }
            words = []
            word = nil
        }
        for character in line {
            if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "\"" || character == "'" {
                quote = character
                word = word ?? ""
            } else if character == "#", word == nil {
                break
            } else if "|&;>()".contains(character) {
                endCommand()
            } else if character == " " {
                if let last = word { words.append(last) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        endCommand()
    }
}
