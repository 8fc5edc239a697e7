@testable import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport
import Synchronization
import Testing

/// Tests a source whose archive is published daily. Its areas can be downloaded, but it is never requested
/// for a view.
struct BuildListTests {
    @Test(
        arguments: [
            (
                #"[{"key":"20260920.pmtiles","version":"4.15.2"},{"key":"20260921.pmtiles","version":"4.15.2"}]"#,
                "20260921.pmtiles"
            ),
            (
                #"[{"key":"20270101.pmtiles","version":"5.0.0"},{"key":"20260921.pmtiles","version":"4"}]"#,
                "20260921.pmtiles"
            ),
            (
                #"[{"key":"20270101.pmtiles","version":"40.1"},{"key":"../x.pmtiles","version":"4.1"},{"version":"4.1"},7]"#,
                nil
            ),
            (#"{"builds":[]}"#, nil),
        ] as [(String, String?)])
    func `the newest build of the tile set's version is used`(list: String, expected: String?) throws {
        let builds = BuildList(address: "https://builds.example/builds.json", version: "4")
        #expect(try builds.newestBuild(in: JSON.parse(Array(list.utf8))) == expected)
    }

    @Test func `a definition with builds is stored and read again, and unknown members are reported`() throws
    {
        let text =
            #"{"sources":[{"id":"daily","kind":"pmtiles","url":"https://builds.example/{build}","builds":{"url":"https://builds.example/b.json","version":"4"},"policy":{"offline":"allowed","viewing":false}}]}"#
        var source = try #require(SourceList.parse(Array(text.utf8)).first)
        #expect(!source.policy.viewing && source.build == nil)
        source.build = "20260921.pmtiles"
        let again = try SourceList.read(["sources": [source.json]])
        #expect(
            again.first?.build == "20260921.pmtiles" && again.first?.builds == source.builds
                && again.first?.policy.viewing == false)
        let wrong = text.replacing(#""version":"4""#, with: #""version":"4","from":1"#)
        #expect(throws: SourceFailure.self) { try SourceList.checkMembers(JSON.parse(Array(wrong.utf8))) }
    }

    /// The publisher of daily builds, and a user who has configured it.
    private struct Publisher {
        let box: CommandFixture
        private let server: Builds

        private final class Builds: Sendable {
            let names = Mutex(["1.pmtiles"])
        }

        init() throws {
            box = try CommandFixture()
            server = Builds()
            var fixture = PMTilesFixture(TileID.pyramid(0...7).map { ($0, Gzip.packed(BuildListTests.land)) })
            fixture.patches = [(98, 2), (99, 1)]
            let archive = fixture.bytes
            box.host.answer { [server] request in
                let name = String(request.target.dropFirst()), names = server.names.withLock(\.self)
                if name == "builds.json" {
                    let list = names.map { ["key": .string($0), "version": "4.1"] as JSON }
                    return LoopbackReply(200, Array(JSON.array(list).text.utf8))
                }
                guard names.contains(name) else { return LoopbackReply(404) }
                return .part(of: archive, request, etag: "\"\(name)\"", control: "max-age=60")
            }
            let url = box.host.server.url("")
            box.folder.write(
                Array(
                    #"{"sources":[{"id":"daily","name":"Daily","kind":"pmtiles","url":"\#(url)/{build}","builds":{"url":"\#(url)/builds.json","version":"4"},"vector":true,"policy":{"offline":"allowed","viewing":false,"archives":true}}]}"#
                        .utf8), to: "config.json")
        }

        func publish(_ names: String...) { server.names.withLock { $0 = names } }
    }

    private static let land = VectorTileFixture([
        ("land", [.init(.polygon, through: [(0, 0), (4096, 0), (4096, 2048), (0, 4096)])])
    ]).bytes

    @Test func `a region stays complete after its build was deleted, and is updated from the newest one`()
        async throws
    {
        let publisher = try Publisher(), box = publisher.box
        let added = await box.run(
            "add", "home", "--source", "daily", "--bbox", "10,40,12,42", "--zooms", "5-7")
        #expect(added.status == 0, "\(added.errors)")
        let tiles = try await box.shown()["tiles"]?.int
        publisher.publish("2.pmtiles")
        #expect(await box.run("check", "home").status == 0)
        let updated = await box.run("update", "home")
        #expect(updated.status == 0, "\(updated.errors)")
        #expect(try await box.shown()["tiles"]?.int == tiles && tiles ?? 0 > 0)
        #expect(box.host.server.count("/2.pmtiles") > 0)
        #expect(await box.run("check", "home").status == 0)
    }

    @Test func `an area can be given by a place alone`() async throws {
        let publisher = try Publisher(), box = publisher.box
        let plan = await box.run("plan", "Florence", "--source", "daily", "--json")
        #expect(plan.status == 0, "\(plan.errors)")
        #expect(try box.json(plan)["minZoom"] != nil)
        #expect(plan.errors.contains("Florence, Tuscany, Italy"))
        let unknown = await box.run("plan", "home")
        #expect(unknown.status == 2 && unknown.errors.contains("no place is called \"home\""))
    }

    @Test func `nothing is requested for a view`() async throws {
        let publisher = try Publisher(), box = publisher.box
        _ = await box.run("add", "home", "--source", "daily", "--bbox", "10,40,12,42", "--zooms", "5-7")
        let before = box.host.server.requestCount
        let render = await ProgramRun.of(
            CommandFixture.program, ["render", "world", "-c", "41,11", "-z", "7"] + box.places,
            environment: box.environment)
        #expect(render.status == 0 && render.errors.contains("Daily") == false)
        #expect(box.host.server.requestCount == before)
    }
}
