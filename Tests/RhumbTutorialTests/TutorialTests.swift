import RhumbCore
import RhumbDrawing
import RhumbTestSupport
import Testing

/// Tests that the Swift code of the tutorials compiles and runs. Each block must occur unchanged in the
/// fixture, between "// snippet" and "// end", and the fixture is run.
struct TutorialTests {
    private static let pages = [
        "Sources/Rhumb/Rhumb.docc/Rhumb.md", "Sources/Rhumb/Rhumb.docc/OpeningAMap.md",
        "Sources/Rhumb/Rhumb.docc/ASourceOfYourOwn.md",
        "Sources/Rhumb/Rhumb.docc/TheCache.md", "Sources/Rhumb/Rhumb.docc/OfflineRegions.md",
        "Sources/Rhumb/Rhumb.docc/MapPackages.md", "Sources/Rhumb/Rhumb.docc/EmbeddingTheBrowser.md",
        "Sources/Rhumb/Rhumb.docc/FindingRoutes.md",
        "Sources/Rhumb/Rhumb.docc/RoutesWithoutANetwork.md", "Sources/Rhumb/Rhumb.docc/ShowingTraffic.md",
        "Sources/Rhumb/Rhumb.docc/Searching.md", "Sources/Rhumb/Rhumb.docc/StylePacks.md",
        "Sources/Rhumb/Rhumb.docc/ChoosingFeatures.md", "Sources/Rhumb/Rhumb.docc/ManagingRegions.md",
        "Sources/Rhumb/Rhumb.docc/Quotas.md", "Sources/Rhumb/Rhumb.docc/WorkingOffline.md",
    ]

    private static func lines(_ path: String) -> [Substring] {
        String(decoding: TestFiles.bytes(path) ?? [], as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
    }

    /// Returns the blocks of lines between two marks, without imports and common indentation.
    private static func blocks(_ lines: [Substring], from start: String, to end: String) -> [String] {
        var blocks: [String] = [], open: [Substring]?, indent = 0
        for line in lines {
            let text = line.drop { $0 == " " }
            if text == start {
                open = []
                indent = line.count - text.count
            } else if text == end, let block = open {
                blocks.append(
                    block.filter { !$0.hasPrefix("import ") }.drop { $0.isEmpty }.joined(separator: "\n"))
                open = nil
            } else {
                open?.append(line.dropFirst(min(indent, line.count - text.count)))
            }
        }
        return blocks
    }

    private static let snippets = Set(
        blocks(lines("Tests/TutorialFixture/main.swift"), from: "// snippet", to: "// end"))

    @Test(arguments: pages)
    func `every block of Swift is compiled unchanged`(page: String) {
        let blocks = Self.blocks(Self.lines(page), from: "```swift", to: "```")
        #expect(!blocks.isEmpty)
        for block in blocks { #expect(Self.snippets.contains(block), "\(block)") }
    }

    /// A route as returned by OSRM.
    private static let route: [UInt8] = {
        let line = Polyline.text(
            [
                Coordinate(latitude: 43.7312, longitude: 7.4189),
                Coordinate(latitude: 43.735, longitude: 7.425),
            ],
            precision: 6)
        let step: JSON = [
            "maneuver": ["type": "depart", "bearing_after": 45], "geometry": .string(line),
            "name": "Rue Neuve", "distance": 700, "duration": 120,
        ]
        let leg: JSON = ["distance": 700, "duration": 120, "steps": [step]]
        let answer: JSON = ["code": "Ok", "routes": [["distance": 700, "duration": 120, "legs": [leg]]]]
        return Array(answer.text.utf8)
    }()

    /// A style whose only source is its background.
    private static let style =
        #"{"version": 8, "name": "Plain", "sources": {}, "layers": [{"id": "a", "type": "background"}]}"#

    @Test func `the first tutorial lists the packages that the build installs`() {
        let packages = Self.lines("Makefile").first { $0.hasPrefix("PACKAGES = ") } ?? ""
        let listed = Self.lines("Sources/Rhumb/Rhumb.docc/OpeningAMap.md").drop {
            !$0.hasPrefix("apt install")
        }
        .prefix { $0 != "```" }
        let names = listed.flatMap { $0.split(separator: " ") }.filter { $0.hasSuffix("-dev") }
        #expect(names == packages.split(separator: " ").dropFirst(2).map { $0 })
    }

    @Test func `no snippet is unused`() {
        let blocks = Self.pages.flatMap { Self.blocks(Self.lines($0), from: "```swift", to: "```") }
        #expect(Self.snippets.subtracting(blocks) == [])
    }

    @Test func `the code has the effects that the pages describe`() throws {
        let folder = TemporaryFolder()
        let tile = try PNGEncoder.encode(Raster(width: 256, height: 256, filledWith: RGB(0x88AA66)))
        let city = PMTilesFixture(TileID.pyramid(0...3).map { (tile: $0, body: tile) })
        _ = folder.write(city.bytes, to: "city.pmtiles")
        let catalog =
            #"{"rhumb-catalog": 1, "id": "towns", "packages": [{"id": "city", "level": "country", "area": [20, 59, 32, 70], "archive": "city.pmtiles"}]}"#
        let server = try LoopbackServer { request in
            switch request.target {
            case "/catalog.json": LoopbackReply(200, Array(catalog.utf8))
            case "/city.pmtiles": .part(of: city.bytes, request)
            case "/style.json": LoopbackReply(200, Array(Self.style.utf8))
            case "/status": LoopbackReply(400, Array(#"{"code":"InvalidUrl","message":"x"}"#.utf8))
            case let target where target.hasPrefix("/route/"): LoopbackReply(200, Self.route)
            default: LoopbackReply(200, tile, headers: ["Cache-Control": "max-age=60"])
            }
        }
        let child = ChildProgram(
            TestProducts.path("TutorialFixture"),
            [
                folder.path, server.url("/{z}/{x}/{y}.png"), server.url("/catalog.json"), server.url(""),
                server.url("/style.json"),
            ])
        let said = child.lines()
        for line in [
            "open: true true", "effects: true", "screen: 80x24 true", "region: true true", "ahead: true",
            "package: explicit, 1 published", "cache: tiles.db", "700 m in 120 s, 1 steps", "traffic: true",
            "updated: true At home", "removed: true", "search: true", "style pack: Elba true",
            "features: true", "offline: true 0", "stored: 0", "quotas: 0 2147483648",
        ] {
            #expect(said.contains(line), "\(said)")
        }
        #expect(said.contains { $0.hasPrefix("no map is called city") })
        #expect(said.contains { $0.hasPrefix("no traffic: ") })
        #expect(said.contains { $0.hasPrefix("No route: ") })
        #expect(child.wait() == 0)
    }
}
