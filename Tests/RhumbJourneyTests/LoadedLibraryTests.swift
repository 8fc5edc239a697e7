import Glibc
import RhumbCore
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests that libcurl is loaded when a server is contacted, Cairo when something is drawn or labelled,
/// decoders when an archive needs them, and Expat when a file is XML. The optimised program may contain them.
@Suite(.enabled(if: getenv("RHUMB_TEST_RHUMB") == nil, "the optimised program may contain its libraries"))
struct LoadedLibraryTests {
    private let folder = TemporaryFolder()

    private func run(_ words: [String], _ environment: [String: String] = [:]) async -> ProgramRun {
        let home = ["HOME": folder.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        return await ProgramRun.of(
            TestProducts.path("rhumb"), words, environment: home.merging(environment) { $1 })
    }

    @Test func `a local map is drawn without libcurl, one from a server with it`() async {
        func loaded(_ map: String) async -> String {
            await run(["render", map, "--size", "20x5", "--timeout", "5"], ["LD_DEBUG": "files"]).errors
        }
        let world = await loaded("world"), web = await loaded("http://127.0.0.1:9/{z}/{x}/{y}.png")
        #expect(world.contains("libcairo") && !world.contains("libcurl"))
        #expect(web.contains("libcurl"))
    }

    @Test func `if libcurl can't be loaded, the package to install is named`() async {
        folder.write(Array("no library".utf8), to: "libcurl.so.4")
        let words = ["render", "http://127.0.0.1:9/{z}/{x}/{y}.png", "--size", "20x5", "--timeout", "5"]
        let run = await run(words, ["LD_LIBRARY_PATH": folder.path])
        #expect(run.status != 0 && run.errors.contains("install libcurl4"), "\(run.errors)")
    }

    @Test func `Expat is loaded for XML only, and if it can't be, the package to install is named`() async {
        let track = folder.write(Array("<gpx><wpt lat='1' lon='2'/></gpx>".utf8), to: "a.gpx")
        let table = folder.write(Array("1,2\n".utf8), to: "a.csv")
        // Drawing would load Expat, too: Cairo's fonts need it.
        func measure(_ file: String, _ environment: [String: String]) async -> ProgramRun {
            await run(["track", file], environment)
        }
        #expect(await !measure(table, ["LD_DEBUG": "files"]).errors.contains("libexpat"))
        #expect(await measure(track, ["LD_DEBUG": "files"]).errors.contains("libexpat"))
        folder.write(Array("no library".utf8), to: "libexpat.so.1")
        let bare = await measure(track, ["LD_LIBRARY_PATH": folder.path])
        #expect(
            bare.status == 3 && bare.errors.contains("install the Debian package libexpat1"), "\(bare.errors)"
        )
    }

    @Test(arguments: [
        (Compression.brotli, "libbrotlidec.so.1", "libbrotli1"), (.zstd, "libzstd.so.1", "libzstd1"),
    ])
    func `if a decoder can't be loaded, the package to install is named`(
        method: Compression, library: String, package: String
    ) async {
        var fixture = PMTilesFixture(zooms: 0...1)
        fixture.compression = method
        let whole = folder.write(fixture.bytes, to: "whole.pmtiles")
        fixture.compression = nil
        fixture.patches = [(98, method.rawValue)]
        let tiles = folder.write(fixture.bytes, to: "tiles.pmtiles")
        #expect(await run(["archive", "tile", whole, "1/0/0", "-o", folder.path + "/tile"]).status == 0)
        folder.write(Array("no library".utf8), to: library)
        for words in [
            ["archive", "tile", whole, "1/0/0"], ["archive", "tile", tiles, "1/0/0"],
            ["archive", "info", "--check", tiles], ["archive", "info", whole],
        ] {
            let run = await run(words, ["LD_LIBRARY_PATH": folder.path])
            let text = (run.output + run.errors).split(separator: "\n").joined(separator: " ")
            #expect(run.status != 0 && text.contains("install the Debian package \(package)"), "\(text)")
        }
    }

    @Test func `without Cairo pictures are shown in cells, and commands that need it name the package`()
        async throws
    {
        folder.write(Array("no library".utf8), to: "libcairo.so.2")
        let picture = try MBTilesFixture(
            [(.world, blankPicture(RGB(0x336699), side: 256))],
            metadata: [("name", "Blue"), ("format", "png")]
        )
        .write(in: folder, name: "blue.mbtiles")
        func render(_ words: [String]) async -> ProgramRun {
            await run(["render", "--size", "20x5"] + words, ["LD_LIBRARY_PATH": folder.path])
        }
        #expect(await render([picture]).status == 0)
        for words in [[picture, "--output", folder.path + "/blue.png"], ["world"]] {
            let run = await render(words)
            #expect(run.status != 0 && run.errors.contains("install libcairo2"), "\(run.errors)")
        }
        #expect(access(folder.path + "/blue.png", F_OK) != 0)
    }
}
