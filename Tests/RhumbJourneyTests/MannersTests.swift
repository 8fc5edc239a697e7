import Glibc
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests the program's use of files, streams and its home folder.
struct MannersTests {
    private let folder = TemporaryFolder()
    private static let program = TestProducts.path("rhumb")

    private var environment: [String: String] {
        ["HOME": folder.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"]
    }

    private func run(_ words: [String], home: String? = nil) async -> ProgramRun {
        var environment = environment
        if let home { environment["HOME"] = home }
        return await ProgramRun.of(Self.program, words, environment: environment)
    }

    /// Runs the program as a shell does, with redirections.
    private func shell(_ words: String) async -> ProgramRun {
        await ProgramRun.of("/bin/sh", ["-c", "'\(Self.program)' \(words)"], environment: environment)
    }

    private static let picture = ["render", "--size", "20x6", "-f", "text"]

    // MARK: Output

    @Test(arguments: ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
    func `standard output may be given by name, even if it is a file`(name: String) async {
        let plain = await run(Self.picture)
        #expect(plain.status == 0 && plain.output.count > 20 * 6)
        #expect(await run(Self.picture + ["-o", name]).output == plain.output)
        let into = await shell("\(Self.picture.joined(separator: " ")) -o \(name) > '\(folder.path)/out'")
        #expect(into.status == 0)
        #expect(String(decoding: folder.bytes("out"), as: UTF8.self).hasPrefix(plain.output))
    }

    @Test func `output is only written to regular files; devices and pipes are left alone`() async {
        mkfifo(folder.path + "/pipe", 0o600)
        symlink("/dev/null", folder.path + "/null")
        for name in ["/dev/null", folder.path + "/pipe", folder.path, folder.path + "/null"] {
            let run = await run(Self.picture + ["-o", name])
            #expect(run.status == 1 && run.errors.contains("it is a "), "\(name): \(run.errors)")
        }
        var facts = stat()
        #expect(lstat(folder.path + "/null", &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK)
        #expect(!folder.names.contains { $0.hasSuffix(".part") })
    }

    @Test(arguments: [
        "render --size 20x6", "--help", "--version", "source list", "features --json", "doctor",
    ])
    func `closed or full output is an error`(words: String) async {
        for place in [">&-", ">/dev/full"] {
            let run = await shell("\(words) \(place)")
            #expect(
                run.status == 1 && run.errors.contains("can't write the output"), "\(place): \(run.errors)")
        }
        #expect(await shell("\(words) <&- 2>&-").status == 0)
    }

    // MARK: Pipes

    @Test func `a pipe without a writer is rejected, and one with a writer is read`() async {
        let pipe = folder.path + "/pipe.json"
        mkfifo(pipe, 0o600)
        for words in [
            ["render", "--image", pipe], ["render", "--config", pipe], ["style", "check", pipe],
        ] {
            let run = await run(words)
            #expect(run.status == 1 && run.errors.contains("can't open"), "\(words): \(run.errors)")
        }
        let written = await shell(
            "render --size 20x6 --config /dev/stdin < '\(folder.write(Array("{}".utf8), to: "c"))'")
        #expect(written.status == 0)
        let image = folder.write(blankPicture(.init(0x336699), side: 64), to: "image")
        let piped = await ProgramRun.of(
            "/bin/sh",
            ["-c", "cat '\(image)' | '\(Self.program)' render --size 20x6 -f text --image /dev/stdin"],
            environment: environment)
        #expect(piped.status == 0, "\(piped.errors)")
    }

    // MARK: Home folder

    @Test(arguments: ["", "here"])
    func `without a home folder the program reports that nothing is stored, and the remedy`(
        home: String
    ) async {
        let render = await run(Self.picture, home: home)
        #expect(render.status == 0 && render.errors.contains("HOME is not set"))
        let cache = await run(["cache", "stats"], home: home)
        #expect(cache.status == 1 && cache.errors.contains("HOME"))
        let regions = await run(["region", "list"], home: home)
        #expect(regions.status == 1 && regions.errors.contains("HOME"))
        var named = environment
        named["HOME"] = home
        for name in ["CACHE", "DATA", "STATE"] { named["XDG_\(name)_HOME"] = folder.path + "/" + name }
        let placed = await ProgramRun.of(Self.program, Self.picture, environment: named)
        #expect(placed.status == 0 && !placed.errors.contains("HOME"))
        #expect(access(folder.path + "/CACHE/rhumb/tiles.db", F_OK) == 0)
    }

    @Test func `render reports a cache that can't be used`() async {
        let run = await run(Self.picture + ["--cache-path", "/dev/null/tiles.db"])
        #expect(run.status == 0 && run.errors.contains("/dev/null/tiles.db"))
    }
}
