import Rhumb
import RhumbCore
@testable import RhumbOffline
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests regions of vector tiles, which are stored unchanged and drawn offline at any zoom.
struct VectorRegionTests {
    private static let tile = VectorTileFixture([
        ("land", [.init(.polygon, through: [(0, 0), (4096, 0), (4096, 4096), (0, 4096)])])
    ]).bytes

    private func box() throws -> CommandFixture {
        let box = try CommandFixture()
        box.host.answer { _ in
            LoopbackReply(200, Gzip.packed(Self.tile), headers: ["Cache-Control": "max-age=600"])
        }
        let style: JSON = [
            "version": 8, "sources": ["v": ["type": "vector"]],
            "layers": [
                [
                    "id": "land", "type": "fill", "source": "v", "source-layer": "land",
                    "paint": ["fill-color": "#FF0000"],
                ]
            ],
        ]
        box.folder.write(Array(style.text.utf8), to: "style.json")
        let list: JSON = [
            "sources": [
                [
                    "id": "web", "url": .string(box.host.server.url("/{z}/{x}/{y}")), "vector": true,
                    "maxzoom": 9,
                    "policy": ["offline": "allowed", "packLimit": nil],
                ]
            ]
        ]
        box.folder.write(Array(list.text.utf8), to: "config.json")
        return box
    }

    @Test func `a region is downloaded to the data's depth, and shown without a server`() async throws {
        let box = try box()
        let added = await box.run([
            "add", "home", "--source", "web", "--bbox", "0.1,0.1,1.3,1.3", "--zooms", "7-14", "--exact",
        ])
        #expect(added.status == 0, "\(added.errors)")
        #expect(box.host.asked.map(\.zoom).max() == 9)
        #expect(try box.stored().values.allSatisfy { $0 == Gzip.packed(Self.tile) })
        box.host.server.stop()
        let seen = await ProgramRun.of(
            CommandFixture.program,
            [
                "render", "web", "--center", "0.7,0.7", "--zoom", "12", "--size", "20x5", "--format", "ansi",
                "--colors", "truecolor",
                "--style", box.folder.path + "/style.json", "--data-path", box.folder.path + "/data",
                "--cache-path", box.folder.path + "/other.db", "--config", box.folder.path + "/config.json",
            ], environment: box.environment)
        #expect(seen.status == 0, "\(seen.errors)")
        #expect(seen.output.contains("2;255;0;0"))
    }

    private func run(_ box: CommandFixture, _ words: String...) async -> ProgramRun {
        await box.run(
            words.first == "add"
                ? words + ["--source", "web", "--bbox", "0.1,0.1,1.3,1.3", "--zooms", "7-9", "--exact"]
                : words)
    }

    @Test func `vector tiles are checked as vector tiles, and a damaged one stays until another is stored`()
        async throws
    {
        let box = try box()
        #expect(await run(box, "add", "home").status == 0)
        let count = try box.stored().count
        #expect(await run(box, "check", "home").status == 0)
        let store = try Connection(box.storePath, .readWrite)
        try store.execute("UPDATE bodies SET bytes = substr(bytes, 1, 30)", to: "damage the tiles")
        let verified = await run(box, "check", "home")
        #expect(verified.status == 3 && verified.output.contains("damaged \(count)"))
        #expect(await box.run(["check", "home", "--repair", "--offline"]).status != 0)
        #expect(try box.stored().count == count)
        #expect(await run(box, "check", "home", "--repair").status == 0)
        #expect(try box.stored().values.allSatisfy { $0 == Gzip.packed(Self.tile) })
        #expect(await run(box, "check", "home").status == 0)
    }

    @Test(arguments: ["tiles.json", "town.pmtiles"], [true, false])
    func `documents that are damaged or missing are fetched again by a repair`(
        document: String, isDamaged: Bool
    ) async throws {
        let box = try box()
        var archive = PMTilesFixture([(.world, Gzip.packed(Self.tile))])
        archive.patches = [(98, 2), (99, 1)]
        let bytes = archive.bytes
        let json =
            #"{"tilejson":"3.0.0","maxzoom":1,"format":"pbf","tiles":["\#(box.host.server.url("/{z}/{x}/{y}"))"]}"#
        box.host.answer("/tiles.json") { _ in LoopbackReply(200, Array(json.utf8)) }
        box.host.answer("/town.pmtiles") { LoopbackReply.part(of: bytes, $0) }
        let added = await box.run([
            "add", "home", "--source", box.host.server.url("/" + document), "--bbox", "0.1,0.1,1.3,1.3",
            "--zooms", "0", "--permitted",
        ])
        #expect(added.status == 0, "\(added.errors)")
        let store = try Connection(box.storePath, .readWrite)
        try store.execute(
            isDamaged
                ? "UPDATE bodies SET bytes = substr(bytes, 1, 30) WHERE id IN (SELECT body FROM entries WHERE z = -1)"
                : "DELETE FROM entries WHERE z = -1", to: "spoil the documents")
        let found = await box.run("check", "home")
        #expect(
            found.status == 3 && found.output.contains(isDamaged ? " is damaged; " : " is missing; "),
            "\(found)")
        let repaired = await box.run("check", "home", "--repair", "--permitted")
        #expect(repaired.status == 0, "\(repaired)")
        #expect(await box.run("check", "home").status == 0)
    }

    @Test(arguments: ["tiles.json", "town.pmtiles"])
    func `a region opens and is shown offline without the cache`(document: String) async throws {
        let box = try box()
        var archive = PMTilesFixture(
            [(.world, Gzip.packed(Self.tile))]
                + (1...5).map { zoom in
                    (TileID(zoom: zoom, containing: WorldPoint(x: 0.502, y: 0.498)), Gzip.packed(Self.tile))
                })
        archive.patches = [(98, 2), (99, 1)]
        let bytes = archive.bytes
        let json =
            #"{"tilejson":"3.0.0","maxzoom":5,"format":"pbf","tiles":["\#(box.host.server.url("/{z}/{x}/{y}"))"]}"#
        box.host.answer("/tiles.json") { _ in LoopbackReply(200, Array(json.utf8)) }
        box.host.answer("/town.pmtiles") { LoopbackReply.part(of: bytes, $0) }
        let address = box.host.server.url("/" + document)
        let added = await box.run([
            "add", "home", "--source", address, "--bbox", "0.1,0.1,1.3,1.3", "--zooms", "0-9", "--exact",
        ])
        #expect(added.status == 0, "\(added.errors)")
        box.host.server.stop()
        let seen = await ProgramRun.of(
            CommandFixture.program,
            [
                "render", address, "--offline", "--center", "0.7,0.7", "--zoom", "8", "--size", "20x5",
                "--format", "ansi",
                "--colors", "truecolor", "--style", box.folder.path + "/style.json", "--data-path",
                box.folder.path + "/data",
                "--cache-path", box.folder.path + "/other.db", "--config", box.folder.path + "/config.json",
            ], environment: box.environment)
        #expect(seen.status == 0, "\(seen.errors)")
        #expect(seen.output.contains("2;255;0;0"))
    }
}
