import RhumbTestSupport
import Testing

/// libcurl, which is loaded when a server is asked.
struct NetworkLibraryTests {
    private let folder = TemporaryFolder()

    private func run(_ words: [String], _ environment: [String: String] = [:]) async -> ProgramRun {
        let home = ["HOME": folder.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        return await ProgramRun.of(TestProducts.path("rhumb"), words, environment: home.merging(environment) { $1 })
    }

    @Test func `a map that is at hand is drawn without it, one from a server with it`() async {
        func loaded(_ map: String) async -> String {
            await run(["render", map, "--size", "20x5", "--timeout", "5"], ["LD_DEBUG": "files"]).errors
        }
        let world = await loaded("world"), web = await loaded("http://127.0.0.1:9/{z}/{x}/{y}.png")
        #expect(world.contains("libcairo") && !world.contains("libcurl"))
        #expect(web.contains("libcurl"))
    }

    @Test func `where it can't be loaded, what to install is said`() async {
        folder.write(Array("no library".utf8), to: "libcurl.so.4")
        let words = ["render", "http://127.0.0.1:9/{z}/{x}/{y}.png", "--size", "20x5", "--timeout", "5"]
        let run = await run(words, ["LD_LIBRARY_PATH": folder.path])
        #expect(run.status != 0 && run.errors.contains("install libcurl4"), "\(run.errors)")
    }
}
