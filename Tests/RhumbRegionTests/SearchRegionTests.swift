import Rhumb
import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests that features of a downloaded region are found without a network, and removed with the region.
struct SearchRegionTests {
    private static let tile = VectorTileFixture([
        (
            "roads",
            [
                .init(
                    .line, through: [(100, 2000), (3900, 2000)],
                    [("name", .string("Via dei Neri")), ("kind", .string("minor_road"))])
            ]
        ),
        (
            "pois",
            [
                .init(
                    .point, through: [(2000, 1000)],
                    [("name", .string("Farmacia Molteni")), ("kind", .string("pharmacy"))])
            ]
        ),
        (
            "buildings",
            [
                .init(
                    .point, through: [(300, 2010)],
                    [("addr_housenumber", .string("12")), ("addr_street", .string("Via dei Neri"))])
            ]
        ),
    ]).bytes

    private func box(isVector: Bool = true) throws -> CommandFixture {
        let box = try CommandFixture()
        box.host.answer { _ in
            LoopbackReply(
                200, isVector ? Gzip.packed(Self.tile) : picture(900, seed: 4),
                headers: ["Cache-Control": "max-age=600"])
        }
        let list: JSON = [
            "sources": [
                [
                    "id": "web", "url": .string(box.host.server.url("/{z}/{x}/{y}")),
                    "vector": .bool(isVector), "maxzoom": 12,
                    "policy": ["offline": "allowed", "packLimit": nil],
                ]
            ]
        ]
        box.folder.write(Array(list.text.utf8), to: "config.json")
        return box
    }

    private func search(_ box: CommandFixture, _ words: String...) async -> ProgramRun {
        await ProgramRun.of(
            CommandFixture.program,
            ["search"] + words + [
                "--data-path", box.folder.path + "/data", "--cache-path", box.folder.path + "/other.db",
                "--config", box.folder.path + "/config.json",
            ], environment: box.environment)
    }

    private func download(_ box: CommandFixture) async -> ProgramRun {
        await box.run([
            "add", "home", "--source", "web", "--bbox", "11.20,43.70,11.30,43.80", "--zooms", "11-12",
            "--exact",
        ])
    }

    @Test func `a street, a house and the nearest pharmacy are found without the server`() async throws {
        let box = try box()
        #expect(await download(box).status == 0)
        box.host.server.stop()
        let street = await search(box, "via dei neri", "--in", "home")
        #expect(street.status == 0 && street.output.contains("Via dei Neri"), "\(street.errors)")
        #expect(
            await search(box, "via dei neri 12", "--near", "43.75,11.25").output.contains("Via dei Neri 12"))
        #expect(
            await search(box, "--kind", "pharmacy", "--near", "43.75,11.25", "-n", "1").output.contains(
                "Farmacia Molteni"))
        #expect(
            await search(box, "farmacia", "--json", "--near", "43.75,11.25").output.contains(
                "\"category\": \"pharmacy\""))
    }

    @Test func `removed features are no longer found`() async throws {
        let box = try box()
        #expect(await download(box).status == 0)
        #expect(await search(box, "farmacia molteni").status == 0)
        #expect(await box.run(["remove", "home"]).status == 0)
        let gone = await search(box, "farmacia molteni", "--near", "43.75,11.25")
        #expect(
            gone.status == 1 && gone.errors.contains("No street data offline for this area"),
            "\(gone.output)\(gone.errors)")
    }

    @Test func `a region of images reports that it has nothing to search`() async throws {
        let box = try box(isVector: false)
        #expect(await download(box).status == 0)
        let outcome = await search(box, "via", "--in", "home")
        #expect(outcome.status == 1 && outcome.errors.contains("is an image map"), "\(outcome.errors)")
    }

    @Test func `an unknown region, an unknown kind and an empty search are rejected with the alternatives`()
        async throws
    {
        let box = try box()
        #expect(
            await search(box, "via", "--in", "nowhere").errors.contains("no region or vector tile archive"))
        let kind = await search(box, "--kind", "zzz")
        #expect(kind.status == 2 && kind.errors.contains("pharmacy"))
        #expect(await search(box).status == 2)
        let off = await search(box, "via", "--features", "rendering")
        #expect(off.status == 1 && off.errors.contains("offlineSearch"))
    }
}
