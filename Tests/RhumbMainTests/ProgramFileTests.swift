import Glibc
import Rhumb
import RhumbBrowser
import RhumbCommandLine
import RhumbTestSupport
import Testing

@testable import RhumbMain

/// Tests the files that the program writes and reads again.
struct ProgramFileTests {
    private let home = TemporaryFolder()
    private var folders: Folders { Folders(environment: ["XDG_STATE_HOME": home.path]) }

    @Test func `the printed configuration documents all members of a source, and others are rejected`() {
        for member in SourceList.members + SourceList.policyMembers {
            #expect(Configuration.example.contains(member), "\(member)")
        }
        let catalog = SourceCatalog(own: [
            "sources": [["id": "x", "url": "https://h/{z}/{x}/{y}", "zooms": 3]]
        ])
        #expect(throws: SourceFailure.self) { try catalog.sources() }
    }

    // MARK: Last view

    @Test func `the last view is restored unchanged`() throws {
        let view = try #require(SavedCamera(folders)),
            camera = Camera(center: Coordinate(latitude: 60.17, longitude: 24.94), zoom: 11.5)
        #expect(view.load() == nil)
        view.save(camera)
        let loaded = try #require(view.load())
        #expect(
            abs(loaded.coordinate.latitude - 60.17) < 1e-9 && abs(loaded.coordinate.longitude - 24.94) < 1e-9
                && loaded.zoom == 11.5)
    }

    @Test(arguments: ["", "60 24", "60 24 eleven", "nan 24 11", "60 24 11 7"])
    func `an invalid view counts as missing`(text: String) throws {
        let view = try #require(SavedCamera(folders))
        _ = home.write(Array(text.utf8), to: "rhumb/view")
        #expect(view.load() == nil)
    }

    // MARK: Recent sources

    @Test func `sources are stored once each, newest first, at most ten, and without keys`() throws {
        let recent = try #require(RecentSources(folders))
        for number in 1...12 { recent.add("map\(number).mbtiles") }
        recent.add("map5.mbtiles")
        recent.add("https://tiles.example/{z}/{x}/{y}.png?key=s3cr3t")
        #expect(recent.specifiers.count == 10 && recent.specifiers[1] == "map5.mbtiles")
        #expect(!recent.specifiers.joined().contains("s3cr3t"))
        #expect(recent.specifiers.count { $0 == "map5.mbtiles" } == 1)
    }

    @Test func `the list of sources begins with the world, and names each once`() throws {
        let recent = try #require(RecentSources(folders)), catalog = SourceCatalog()
        for words in ["osm", "city.mbtiles", EmbeddedWorld.name] { recent.add(words) }
        let choices = SourceChoices.list(catalog, recent).map(\.specifier)
        #expect(choices.first == EmbeddedWorld.name && choices.last == "city.mbtiles")
        #expect(Set(choices).count == choices.count && choices.contains("osm"))
    }

    // MARK: Command history

    @Test func `typed lines are restored, readable only by their owner and without keys`() throws {
        let lines = CommandHistoryFile(folders)
        #expect(lines.load().lines.lines.isEmpty)
        lines.add("open https://tiles.example/{z}/{x}/{y}.png?key=SECRETMARKER")
        lines.add("style day=https://maps.example/style.json?key=SECRETMARKER")
        #expect(
            CommandHistoryFile(folders).add("zoom 3")?.lines.lines.map { $0.prefix(5) } == [
                "open ", "style", "zoom ",
            ])
        let text = String(decoding: Files.read(home.path + "/rhumb/lines") ?? [], as: UTF8.self)
        #expect(
            text.contains("tiles.example") && text.contains("maps.example") && !text.contains("SECRETMARKER"))
        var facts = stat()
        #expect(stat(home.path + "/rhumb/lines", &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    }

    @Test func `a damaged file shows no control characters, and without a home folder there is none`() {
        _ = home.write(Array("zoom \u{1B}[31m3\nworld\n".utf8), to: "rhumb/lines")
        #expect(CommandHistoryFile(folders).load().lines.lines == ["zoom [31m3", "world"])
        #expect(CommandHistoryFile(Folders(environment: [:])).add("world") == nil)
    }

    // MARK: Pictures

    @Test func `a picture is never written over a file`() throws {
        func write(_ name: String) throws -> Result<String, Notice.Problem> {
            try PictureFile(home.path + name, of: Self.camera).write { [1, 2, 3] }
        }
        #expect(try write("/map").get() == home.path + "/map.png")
        let before = Files.read(home.path + "/map.png")
        guard case .failure(let problem) = try write("/map.png") else {
            Issue.record("the file was written over")
            return
        }
        #expect(problem.description.contains("map.png") && Files.read(home.path + "/map.png") == before)
    }

    @Test func `a picture without a name gets a free one in the folder, and its full path is reported`()
        throws
    {
        func write() throws -> String {
            try PictureFile(nil, of: Self.camera, in: home.path).write { [1, 2, 3] }.get()
        }
        #expect(try write() == home.path + "/rhumb-60.0000-24.0000-z3.0.png")
        #expect(try write() == home.path + "/rhumb-60.0000-24.0000-z3.0-2.png")
    }

    private static let camera = Camera(center: Coordinate(latitude: 60, longitude: 24), zoom: 3)

    @Test(arguments: [
        ("a.png", PictureFormat.png), ("a.jpg", .jpg), ("a.JPEG", .jpg), ("a.WebP", .webp), ("b/a.svg", .svg),
        ("a.ans", .ansi),
        ("a.txt", .text), ("a", .png),
        ("v.2/a", .png),
    ])
    func `the format of a picture follows the file's extension`(name: String, format: PictureFormat) throws {
        #expect(try PictureFile(name, of: Self.camera).format == format)
    }

    @Test(arguments: ["a.gif", "a.png.bak", "a.", ".hidden"])
    func `an unknown extension is rejected with the supported ones`(name: String) {
        let problem = #expect(throws: Notice.Problem.self) { try PictureFile(name, of: Self.camera) }
        #expect(problem?.description.contains(".png, .jpg, .webp, .svg, .ans, .txt") == true)
    }
}
