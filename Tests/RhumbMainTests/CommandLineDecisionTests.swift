import Rhumb
import RhumbBrowser
import RhumbCommandLine
import RhumbTestSupport
import Testing

@testable import RhumbMain

/// Tests the effects of the command line and the environment.
@MainActor
struct CommandLineDecisionTests {
    // MARK: Camera

    private func camera(_ words: String...) async throws -> Camera? {
        let session = await MapSession.open(
            .init(userAgent: try UserAgent("RhumbTests/1 (+https://rhumb.example)")))
        defer { session.close() }
        let screen = Viewport(camera: Self.home, columns: 80, rows: 24)
        return try MapOptions(Invocation(["render"] + words), session).camera(on: screen, home: Self.home)
    }

    private static let home = Camera(center: Coordinate(latitude: 28, longitude: 12), zoom: 1.5)

    @Test func `without a place the map opens at its own location`() async throws {
        #expect(try await camera() == nil)
    }

    @Test func `a place without a zoom keeps the zoom, and a zoom without a place keeps the place`()
        async throws
    {
        let place = try #require(try await camera("-c", "60.45,22.26")),
            zoom = try #require(try await camera("-z", "9"))
        #expect(abs(place.coordinate.latitude - 60.45) < 1e-6 && place.zoom == Self.home.zoom)
        #expect(zoom == Self.home.zoomed(to: 9))
    }

    @Test func `coordinates in place of a map are shown closely, unless a zoom is given`() async throws {
        #expect(try await camera("60.45,22.26")?.zoom == 9)
        #expect(try await camera("60.45,22.26", "-z", "3")?.zoom == 3)
        #expect(try await camera("60.45,22.26 7km")?.zoom ?? 0 > 9)
    }

    @Test func `a width determines the zoom`() async throws {
        let near = try #require(try await camera("-c", "60.45,22.26", "-w", "3km"))
        let far = try #require(try await camera("-c", "60.45,22.26", "-w", "30km"))
        #expect(near.zoom > far.zoom + 3 && near.zoom < far.zoom + 3.6)
    }

    @Test func `the first of the maps is the base, the embedded world unless one is named`() async throws {
        let session = await MapSession.open(
            .init(userAgent: try UserAgent("RhumbTests/1 (+https://rhumb.example)")))
        defer { session.close() }
        #expect(
            try MapOptions(Invocation(["--over", "a.mbtiles"]), session).sources == [
                EmbeddedWorld.name, "a.mbtiles",
            ])
        #expect(try MapOptions(Invocation(["city.pmtiles"]), session).sources == ["city.pmtiles"])
    }

    // MARK: Files

    @Test(
        arguments: [
            ([:], nil), (["HOME": "/home/ann"], "/home/ann/.cache/rhumb"), (["HOME": "nowhere"], nil),
            (["HOME": "/home/ann", "XDG_CACHE_HOME": "/var/ann"], "/var/ann/rhumb"),
            (["HOME": "/home/ann", "XDG_CACHE_HOME": "relative"], "/home/ann/.cache/rhumb"),
        ] as [([String: String], String?)])
    func `the cache is in the cache folder, or else at home`(environment: [String: String], folder: String?) {
        #expect(Folders(environment: environment).cache == folder)
    }

    @Test(arguments: [0, 1, 2])
    func `the configuration file sets options of a command, wherever --config is`(place: Int) throws {
        let home = TemporaryFolder()
        let options = #"{"colors": "mono", "symbols": "half", "sharpen": 0.5, "mix": true}"#
        let file = home.write(Array(options.utf8), to: "own.json")
        var words = ["render", "world"]
        words.insert(contentsOf: ["--config", file], at: place)
        let invocation = try Invocation(words).completed(by: words, [:])
        #expect(invocation.command == .render && invocation.operand == "world")
        #expect(invocation.colors == .mono && invocation.symbols == .half)
        #expect(invocation[.sharpen] == 0.5 && invocation[.mix])
    }

    @Test func `errors that a command finds in a setting name the file and the line`() throws {
        let home = TemporaryFolder()
        func completed(_ text: String, _ words: [String] = []) throws -> Invocation {
            let words = ["--config", home.write(Array(text.utf8), to: "own.json")] + words
            return try Invocation(words).completed(by: words, [:])
        }
        func message(_ body: () throws -> Void) -> String {
            do { try body() } catch { return "\(error)" }
            return ""
        }
        let file = home.path + "/own.json, line 2, column 1: "
        for name in ["features", "prefetch", "pass-through"] {
            let words = message { _ = try completed("{\n\"\(name)\": \"flying\"}").layerConfiguration() }
            #expect(words.hasPrefix(file + "\"\(name)\": "), "\(words)")
        }
        #expect(
            message { _ = try completed("{\n\"streets\": \"x\"}").streets(SourceCatalog()) }
                .hasPrefix(file + "\"streets\": "))
        #expect(
            message { _ = try completed("{\n\"traffic\": \"x\"}").traffic() }.hasPrefix(
                file + "\"traffic\": "))
        // The command line takes precedence.
        #expect(
            message { _ = try completed("{\n\"traffic\": \"flow\"}", ["--traffic", "x"]).traffic() }
                .hasPrefix("--traffic: "))
        let twice: JSON = [
            "sources": [["id": "a", "url": "http://a/{z}/{x}/{y}"], ["id": "a", "url": "http://b"]]
        ]
        let words = message {
            _ = try SourceCatalog(own: twice, location: { "own.json, source \($0 ?? -1)" }).sources()
        }
        #expect(words.hasPrefix("own.json, source 1: source a"), "\(words)")
    }

    @Test func `the home folder is expanded in all paths of the configuration file`() throws {
        let home = TemporaryFolder()
        let names = ["cache-path", "data-path", "over", "quilt", "terrain", "ca-file", "style", "catalog"]
        let options = names.map { "\"\($0)\": \"~/own/\($0)\"" }.joined(separator: ", ")
        let file = home.write(Array("{\(options), \"user-agent\": \"a ~/b\"}".utf8), to: "own.json")
        let words = ["--config", file]
        let invocation = try Invocation(words).completed(by: words, ["HOME": "/home/ann"])
        let given: [String?] = [
            invocation[.cachePath], invocation[.dataPath], invocation[all: .over].first,
            invocation[all: .quilt].first, invocation[.terrain], invocation[.authorities],
            invocation[.style], invocation[all: .catalog].first,
        ]
        #expect(given == names.map { "/home/ann/own/\($0)" })
        #expect(invocation[.userAgent] == "a ~/b")
        let sources: JSON = ["sources": [["id": "mine", "url": "~/a.pmtiles"], ["id": "~"]]]
        #expect(
            HomeFolder.expanded(sources, "/home/ann")
                == ["sources": [["id": "mine", "url": "/home/ann/a.pmtiles"], ["id": "~"]]])
    }

    @Test func `pictures are saved in the first folder for pictures that exists`() {
        let home = TemporaryFolder()
        func folder(_ more: [String: String] = [:]) -> String? {
            Folders(environment: ["HOME": home.path].merging(more) { $1 }).pictures
        }
        #expect(Folders(environment: [:]).pictures == nil && folder() == home.path)
        _ = home.write([], to: "Pictures/a")
        #expect(folder() == home.path + "/Pictures")
        let named = "XDG_MUSIC_DIR=\"$HOME/Songs\"\nXDG_PICTURES_DIR=\"$HOME/My Photos\"\n"
        _ = home.write(Array(named.utf8), to: ".config/user-dirs.dirs")
        #expect(folder() == home.path + "/Pictures")
        _ = home.write([], to: "My Photos/a")
        #expect(folder() == home.path + "/My Photos")
        #expect(folder(["XDG_PICTURES_DIR": home.path]) == home.path)
        #expect(folder(["XDG_PICTURES_DIR": home.path + "/none"]) == home.path + "/My Photos")
    }

    @Test func `a given file takes precedence over the usual one`() throws {
        #expect(try Invocation(["--cache-path", "/tmp/own.db"]).cachePath == "/tmp/own.db")
        #expect(
            try Invocation(["region", "list", "--data-path", "/tmp/own"]).regionPath == "/tmp/own/regions.db")
        let named = try Invocation(["--config", "own.json"]).configurationPath([
            "RHUMB_CONFIG": "other.json", "HOME": "/home/ann",
        ])
        #expect(named?.path == "own.json" && named?.isNamed == true)
        let usual = try Invocation([]).configurationPath(["HOME": "/home/ann"])
        #expect(usual?.path == "/home/ann/.config/rhumb/config.json" && usual?.isNamed == false)
    }

    @Test(arguments: ["-", "/dev/stdout"])
    func `standard output is not a file`(name: String) {
        #expect(Output.file(name) == nil && Output.file("out.png") == "out.png")
    }

    // MARK: Features and keys

    @Test func `unknown features are rejected, and named ones are enabled`() throws {
        #expect(throws: UsageError.self) { try Invocation(["--features", "flying"]).layerConfiguration() }
        let configuration = try Invocation(["--features", "terrain"]).layerConfiguration()
        #expect(
            configuration.enabledFeatures.contains(.terrain)
                && !configuration.enabledFeatures.contains(.offlineSearch))
    }

    @Test(arguments: ["", "--source="])
    func `keys are removed from addresses anywhere on the command line`(option: String) {
        let keys = URLCredentials(),
            word = keys.takeWord(option + "https://tiles.example/{z}/{x}/{y}.png?key=s3cr3t")
        #expect(!word.contains("s3cr3t") && word.hasPrefix(option + "https://tiles.example/"))
        #expect(Array(keys.all.values) == ["s3cr3t"])
    }
}
