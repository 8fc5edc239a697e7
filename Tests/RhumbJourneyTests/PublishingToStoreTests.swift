import RhumbCore
import RhumbTestSupport
import Testing

/// Tests the program's uploads to an object store.
struct PublishingToStoreTests {
    private let home = TemporaryFolder()

    private func run(_ store: S3Double, _ words: [String]) async -> ProgramRun {
        await run(words, at: store.url, ("AKEYMARKER", "SKEYMARKER"))
    }

    private func run(
        _ words: [String], at endpoint: String, _ keys: (access: String, secret: String)
    ) async -> ProgramRun {
        let environment = [
            "HOME": home.path, "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
            "AWS_ENDPOINT_URL": endpoint, "AWS_ACCESS_KEY_ID": keys.access,
            "AWS_SECRET_ACCESS_KEY": keys.secret,
        ]
        return await ProgramRun.of(TestProducts.path("rhumb"), words, environment: environment)
    }

    private func archive(zooms: ClosedRange<Int>) {
        var fixture = PMTilesFixture(zooms: zooms)
        fixture.tiles = fixture.tiles.map { ($0.tile, blankPicture(.init(0x336699), side: 256)) }
        home.write(fixture.bytes, to: "maps/town.pmtiles")
    }

    private func publish(_ store: S3Double, edition: String = "1") async -> ProgramRun {
        await run(
            store,
            ["package", "publish", home.path + "/maps", "--to", "s3://bucket/maps", "--edition", edition])
    }

    @Test func `the catalogue is uploaded last, and unchanged files not at all`() async throws {
        let store = try S3Double()
        archive(zooms: 0...0)
        let first = await publish(store)
        #expect(first.status == 0, "\(first.errors)")
        #expect(
            store.changes == [
                "PUT /bucket/maps/town.pmtiles", "PUT /bucket/maps/town.1.hashes",
                "PUT /bucket/maps/catalog.json",
            ])
        #expect(await publish(store, edition: "2").status == 0)
        #expect(store.changes.count == 3)
        let installed = await run(store, ["package", "tree", "--catalog", "s3://bucket/maps/catalog.json"])
        #expect(installed.status == 0 && installed.output.contains("town"), "\(installed.errors)")
    }

    @Test func `a catalogue that somebody else published stays`() async throws {
        let store = try S3Double()
        archive(zooms: 0...0)
        #expect(await publish(store).status == 0)
        let text = String(decoding: store.objects["/bucket/maps/catalog.json"]?.body ?? [], as: UTF8.self)
        let newer = Array(text.replacing(#""version":"1""#, with: #""version":"7""#).utf8)
        store.set("/bucket/maps/catalog.json", newer)
        let refused = await publish(store)
        #expect(refused.status == 1 && refused.errors.contains("edition 7"), "\(refused.errors)")
        #expect(store.objects["/bucket/maps/catalog.json"]?.body == newer)
    }

    @Test func `if an upload fails, the old catalogue stays, and no key is shown`() async throws {
        let store = try S3Double { request in
            request.method == "PUT" && request.target.hasSuffix(".hashes")
                ? LoopbackReply(403, Array("<Error><Code>AccessDenied</Code></Error>".utf8)) : nil
        }
        archive(zooms: 0...0)
        let refused = await publish(store)
        #expect(refused.status == 1 && refused.errors.contains("access denied"))
        #expect(!(refused.errors + refused.output).contains("MARKER"))
        #expect(store.objects["/bucket/maps/catalog.json"] == nil)
    }

    @Test func `without an address of a store nothing is published`() async throws {
        let store = try S3Double()
        archive(zooms: 0...0)
        let refused = await run(store, ["package", "publish", home.path + "/maps", "--to", "https://h/x"])
        #expect(refused.status == 2 && refused.errors.contains("s3://bucket/folder"))
        #expect(home.text("maps/catalog.json").isEmpty)
    }

    @Test(.enabled(if: VerifyingStore.isAvailable, "awssig and moto are not installed"))
    func `a store that verifies signatures publishes, and another program reads and shows the map`()
        async throws
    {
        let store = try VerifyingStore(), address = "s3://maps/theme=base/a b+å"
        archive(zooms: 0...0)
        let words = ["package", "publish", home.path + "/maps", "--to", address, "--edition"]
        let refused = await run(words + ["1"], at: store.url, ("AKEY", "WRONG"))
        #expect(refused.status == 1 && refused.errors.contains("the credentials are rejected"))
        #expect(!refused.errors.contains("WRONG") && !refused.errors.contains("AKEY"))
        let rejections = store.rejections
        for edition in ["1", "2"] {
            let published = await run(words + [edition], at: store.url, ("AKEY", "SKEY+/="))
            #expect(published.status == 0, "\(published.errors)")
        }
        for words in [
            ["package", "tree", "--catalog", address + "/catalog.json"],
            ["render", address + "/town.pmtiles", "-z", "0", "--size", "20x6"],
        ] {
            let read = await run(words, at: store.url, ("AKEY", "SKEY+/="))
            #expect(read.status == 0 && read.errors.isEmpty, "\(words): \(read.errors)")
        }
        #expect(store.rejections == rejections, "\(store.requests)")
    }
}
