import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the effect of enabled features on regions of vector tiles.
struct FeatureRegionTests {
    private static let square = VectorTileFixture.Feature(
        .polygon, through: [(0, 0), (4096, 0), (4096, 4096), (0, 4096)])
    private static let land = VectorTileFixture([("land", [square])]).bytes
    private static let houses = VectorTileFixture([
        ("building", [VectorTileFixture.Feature](repeating: square, count: 20))
    ]).bytes
    private static let shops = VectorTileFixture([("poi", [square])]).bytes
    private static let whole = land + houses + shops

    private func box() throws -> CommandFixture {
        let box = try CommandFixture()
        box.host.answer { request in
            LoopbackReply.validated(request, etag: "\"1\"", body: Gzip.packed(Self.whole))
                .with { $0.headers.append(("Cache-Control", "max-age=600")) }
        }
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

    private func make(
        _ box: CommandFixture, _ id: String = "home", features: String, verb: String = "add"
    ) async -> ProgramRun {
        await box.run([
            verb, id, "--source", "web", "--bbox", "0.1,0.1,1.3,1.3", "--zooms", "7-9", "--exact",
            "--features", features, "--json",
        ])
    }

    private func bodies(_ box: CommandFixture) throws -> Set<[UInt8]> {
        Set(try box.stored().values.map { try Gzip.unwrapped($0) })
    }

    @Test func `layers that belong only to disabled features are not stored, and the others are unchanged`()
        async throws
    {
        let box = try box()
        #expect(await make(box, features: "rendering").status == 0)
        #expect(try bodies(box) == [Self.land])
        #expect(await make(box, "more", features: "rendering,detailRendering").status == 0)
        #expect(try bodies(box) == [Self.whole])
    }

    @Test func `a layer that serves several features is stored for any of them`() async throws {
        let box = try box()
        #expect(await make(box, features: "rendering,offlineSearch").status == 0)
        #expect(try bodies(box) == [Self.land + Self.shops])
    }

    @Test
    func
        `a region that wants what another left out fetches the whole tiles, and neither takes from the other`()
        async throws
    {
        let box = try box()
        #expect(await make(box, "bare", features: "rendering").status == 0)
        let asked = box.host.server.requestCount
        #expect(await make(box, "full", features: "rendering,detailRendering").status == 0)
        let again = box.host.server.record.requests.dropFirst(asked)
        #expect(again.count == 6 && again.allSatisfy { $0.header("If-None-Match") == nil })
        #expect(await box.run("update", "bare").status == 0)
        #expect(try bodies(box) == [Self.whole])
        #expect(await box.run("remove", "full").status == 0)
        #expect(await box.run("update", "bare").status == 0)
        #expect(try bodies(box) == [Self.land])
    }

    @Test func `omitted layers are no reason to fetch again, and a 304 for such a body is accepted`()
        async throws
    {
        let box = try box()
        #expect(await make(box, features: "rendering").status == 0)
        let asked = box.host.server.requestCount
        let updated = await box.run("update", "home", "--json")
        #expect(try box.json(updated)["parts"]?.array?.first?["unchanged"]?.int == 6)
        #expect(
            box.host.server.record.requests.dropFirst(asked).allSatisfy { $0.header("If-None-Match") != nil })
        #expect(try bodies(box) == [Self.land])
    }

    @Test func `a region gets other features, and the changes are listed with their bytes`()
        async throws
    {
        let box = try box()
        #expect(await make(box, features: "rendering,detailRendering").status == 0)
        let less = await box.run("update", "home", "--reconfigure", "--features", "rendering")
        #expect(less.status == 0 && less.errors.contains("− detailRendering: about"), "\(less.errors)")
        #expect(try bodies(box) == [Self.land])
        let more = await box.run("update", "home", "--reconfigure", "--features", "rendering,detailRendering")
        #expect(more.status == 0 && more.errors.contains("+ detailRendering"), "\(more.errors)")
        #expect(try bodies(box) == [Self.whole])
    }

    @Test func `the plan lists the sizes of the groups`() async throws {
        let box = try box()
        #expect(await make(box, "other", features: "rendering,detailRendering").status == 0)
        let plan = try box.json(await make(box, features: "rendering", verb: "plan"))
        let groups = plan["groups"]?.array ?? []
        #expect(
            groups.compactMap { $0["features"]?.array?.compactMap(\.string) } == [
                ["detailRendering"], ["detailRendering", "offlineSearch"],
            ])
        #expect(groups.allSatisfy { $0["contained"]?.bool == false && ($0["bytes"]?.int ?? 0) > 0 })
    }

    @Test func `a source whose feature is off is shown, but in no region`() async throws {
        let box = try CommandFixture()
        let list: JSON = [
            "sources": [
                [
                    "id": "hills", "url": .string(box.host.server.url("/{z}/{x}/{y}.png")),
                    "feature": "terrain",
                    "policy": ["offline": "allowed", "packLimit": nil],
                ]
            ]
        ]
        box.folder.write(Array(list.text.utf8), to: "config.json")
        let added = await box.run([
            "add", "home", "--source", "hills", "--bbox", "0.1,0.1,1.3,1.3", "--zooms", "7-9", "--features",
            "rendering",
        ])
        #expect(added.status == 1 && added.errors.contains("terrain"), "\(added.errors)")
        let seen = await ProgramRun.of(
            CommandFixture.program,
            [
                "render", "hills", "--center", "0.7,0.7", "--zoom", "8", "--size", "20x5", "--features",
                "rendering", "--format", "text",
                "--cache-path", box.folder.path + "/cache.db", "--config", box.folder.path + "/config.json",
            ], environment: box.environment)
        #expect(seen.status == 0, "\(seen.errors)")
        #expect(box.host.server.requestCount > 0)
    }
}
