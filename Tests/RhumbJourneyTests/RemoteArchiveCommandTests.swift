import RhumbCore
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the commands that read archives from a server.
struct RemoteArchiveCommandTests {
    private let folder = TemporaryFolder()
    private let file: String
    private let server: LoopbackServer
    private var url: String { server.url("/map.pmtiles") }

    init() throws {
        var fixture = PMTilesFixture(
            TileID.pyramid(0...6).map { ($0, fakePicture($0) + [UInt8](repeating: 7, count: 300)) })
        fixture.leafSize = 256
        let bytes = fixture.bytes
        file = folder.write(bytes, to: "map.pmtiles")
        server = try LoopbackServer { $0.target == "/map.pmtiles" ? .part(of: bytes, $0) : .init(404) }
    }

    private func run(_ words: String...) async -> ProgramRun {
        await ProgramRun.of(
            TestProducts.path("rhumb"), words,
            environment: ["HOME": folder.path, "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"])
    }

    @Test func `a tile of a remote archive is that of the file, from few requests`() async throws {
        let copy = folder.path + "/tile"
        #expect(await run("archive", "tile", url, "6/33/21", "-o", copy).status == 0)
        let tile = try #require(TileID(zoom: 6, x: 33, y: 21))
        #expect(folder.bytes("tile").starts(with: fakePicture(tile)))
        #expect(server.requestCount <= 8 && server.record.bytes < 500_000)
        #expect(await run("archive", "tile", url, "9/0/0", "-o", copy, "--force").status == 1)
    }

    @Test func `the statistics of a remote archive are those of the file`() async throws {
        let local = try JSON.parse(await run("archive", "info", "--by", "zoom", file, "--json").output)
        let remote = await run("archive", "info", "--by", "zoom", url, "--json"),
            found = try JSON.parse(remote.output)
        #expect(remote.status == 0 && remote.errors.contains("/map.pmtiles: "), "\(remote)")
        for key in ["tiles", "stored", "zooms", "distinctBodies"] { #expect(found[key] == local[key]) }
        #expect(server.requestCount < 40)
        let before = server.record.bytes,
            quick = await run("archive", "info", "--by", "zoom", url, "--sizes-only", "--json")
        #expect(try JSON.parse(quick.output)["stored"] == local["stored"])
        #expect(server.record.bytes - before < folder.bytes("map.pmtiles").count / 5)
        let sample = await run("archive", "info", "--by", "zoom", url, "--sample", "3", "--json")
        #expect(try JSON.parse(sample.output)["readTiles"] == 19)
    }

    @Test func `an extract from a server equals that from the file, and its size is printed first`() async {
        let area = ["--bbox", "5,45,15,55", "-z", "2-6"]
        let words = ["archive", "extract", url, "-o", folder.path + "/remote.pmtiles"] + area
        let remote = await ProgramRun.of(
            TestProducts.path("rhumb"), words, environment: ["HOME": folder.path, "LC_ALL": "C.UTF-8"])
        #expect(remote.status == 0 && remote.errors.contains(" requests"), "\(remote)")
        let loaded = server.record.bytes
        let local = ["archive", "extract", file, "-o", folder.path + "/local.pmtiles"] + area
        _ = await ProgramRun.of(
            TestProducts.path("rhumb"), local, environment: ["HOME": folder.path, "LC_ALL": "C.UTF-8"])
        let diff = await run(
            "archive", "diff", folder.path + "/remote.pmtiles", folder.path + "/local.pmtiles")
        #expect(diff.status == 0, "\(diff)")
        #expect(loaded < folder.bytes("map.pmtiles").count)
    }

    @Test func `a remote archive can be verified, compared, converted and merged`() async throws {
        let verified = await run("archive", "info", "--check", url)
        #expect(verified.status == 0 && verified.output.contains("no faults"), "\(verified)")
        #expect(await run("archive", "diff", url, file).status == 0)
        #expect(server.requestCount < 60)
        let copy = folder.path + "/copy.mbtiles", all = folder.path + "/all.pmtiles"
        #expect(await run("archive", "convert", url, copy).status == 0)
        #expect(await run("archive", "merge", url, copy, "-o", all, "--on-duplicate", "first").status == 0)
        #expect(await run("archive", "diff", file, all).status == 0)
        let patch = folder.path + "/patch", new = folder.path + "/new.pmtiles"
        #expect(await run("archive", "patch", "make", url, copy, "-o", patch).status == 0)
        #expect(await run("archive", "patch", "apply", url, patch, "-o", new).status == 0)
        #expect(await run("archive", "diff", file, new).status == 0)
    }

    @Test func `a server that fails during a check is reported, and no tile counts as damaged`() async throws
    {
        let bytes = folder.bytes("map.pmtiles")
        let failing = try LoopbackServer { request in
            let start = request.header("Range")?.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0
            return start > bytes.count / 4 ? LoopbackReply(500) : .part(of: bytes, request)
        }
        let check = await run("archive", "info", "--check", failing.url("/map.pmtiles"))
        #expect(check.status == 1 && check.output.isEmpty && check.errors.contains("HTTP 500"), "\(check)")
    }

    @Test func `a VersaTiles container on a server is read in parts, and shown again without the server`()
        async throws
    {
        var fixture = VersaTilesFixture(TileID.pyramid(0...5).map { ($0, fakePicture($0, side: 64)) })
        fixture.compression = .brotli
        let bytes = fixture.bytes, copy = folder.path + "/tile"
        folder.write(bytes, to: "map.versatiles")
        let server = try LoopbackServer { $0.target == "/map.versatiles" ? .part(of: bytes, $0) : .init(404) }
        let url = server.url("/map.versatiles"), tile = try #require(TileID(zoom: 5, x: 17, y: 11))
        #expect(await run("archive", "tile", url, "5/17/11", "-o", copy).status == 0)
        #expect(folder.bytes("tile") == fakePicture(tile, side: 64))
        #expect(server.requestCount <= 10)
        let local = try JSON.parse(
            await run("archive", "info", "--by", "zoom", folder.path + "/map.versatiles", "--json").output)
        let remote = try JSON.parse(await run("archive", "info", "--by", "zoom", url, "--json").output)
        for key in ["tiles", "stored", "zooms", "distinctBodies"] { #expect(remote[key] == local[key]) }
        let words = ["--size", "20x5", "-c", "40,10", "-z", "5"]
        let home = ["HOME": folder.path, "LC_ALL": "C.UTF-8"], program = TestProducts.path("rhumb")
        let online = await ProgramRun.of(program, ["render", url] + words, environment: home)
        #expect(online.status == 0 && !online.output.isEmpty, "\(online)")
        server.stop()
        let offline = await ProgramRun.of(program, ["render", url] + words, environment: home)
        #expect(offline.output == online.output, "\(offline)")
    }

    @Test func `other addresses and missing files are errors`() async {
        let other = await run("archive", "info", "--by", "zoom", server.url("/{z}/{x}/{y}.png"))
        #expect(other.status == 1 && other.errors.contains("not an archive that can be read"), "\(other)")
        let missing = await run("archive", "info", "--fields", server.url("/none.pmtiles"))
        #expect(missing.status == 1 && missing.errors.contains("none.pmtiles"), "\(missing)")
        #expect(await run("archive", "tile", url, "0/0/0", "--offline").status == 1)
    }
}
