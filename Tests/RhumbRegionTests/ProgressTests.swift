import Rhumb
import RhumbTestSupport
import Testing

/// Tests the progress of commands as shown on a terminal.
struct ProgressTests {
    private let box: CommandFixture

    init() async throws {
        box = try CommandFixture()
        box.configure()
        #expect(await box.add("--quiet").errors.isEmpty)
    }

    /// Returns everything that a command writes to a terminal.
    private func written(_ words: [String], locale: String = "C.UTF-8") throws -> String {
        let variables = box.environment.merging(["TERM": "xterm-256color", "LC_ALL": locale]) { $1 }
        let program = try PtyProgram(
            CommandFixture.program, words, environment: variables, columns: 100, rows: 24)
        #expect(try program.readToEnd() == .exited(0))
        return String(decoding: program.output, as: UTF8.self)
    }

    @Test
    func `export and archive info draw a bar, remove it, and draw none when quiet or without a terminal`()
        async throws
    {
        let file = box.folder.path + "/home.pmtiles",
            export = box.words(["export", "home", "--force", "-o", file])
        for (words, label) in [
            (export, "exporting home"), (["archive", "info", "--check", file], "checking"),
        ] {
            let drawn = try written(words)
            #expect(drawn.contains("\r\(label) ░") && drawn.contains("86 "), "\(drawn)")
            #expect(try written(words, locale: "C").contains("\r\(label) [...."))
            #expect(try !written(words + ["-q"]).contains(label))
            let piped = await ProgramRun.of(CommandFixture.program, words, environment: box.environment)
            #expect(piped.status == 0 && piped.errors.isEmpty && !piped.output.contains("\r"))
        }
        #expect(
            try !written(["archive", "info", "--check", file]).split(separator: "\n").dropFirst().contains {
                $0.contains("░")
            })
    }

    @Test func `errors and results are written even when quiet`() async {
        let run = await box.run("show", "none", "-q")
        #expect(run.status == 1 && run.errors.contains("no region none"))
        #expect(await box.run("list", "-q").output.contains("home"))
    }

    @Test func `texts are ASCII in the C locale, and JSON is unchanged`() async throws {
        #expect(await box.run("rename", "home", "--name", "Åbo × 北").status == 0)
        let ascii = box.environment.merging(["LC_ALL": "C"]) { $1 }
        for words in [["show", "home"], ["list"], ["add", "--help"], ["show", "ñ"]] {
            let run = await ProgramRun.of(CommandFixture.program, box.words(words), environment: ascii)
            #expect((run.output + run.errors).utf8.allSatisfy { $0 < 0x80 }, "\(run)")
        }
        let text = await ProgramRun.of(
            CommandFixture.program, box.words(["show", "home"]), environment: ascii)
        #expect(text.output.hasPrefix("home: Abo x ?\n") && text.output.contains("zooms 7-11"))
        let json = await ProgramRun.of(
            CommandFixture.program, box.words(["show", "home", "--json"]), environment: ascii)
        #expect(try box.json(json)["name"]?.string == "Åbo × 北")
    }

    @Test func `a bookmark takes precedence over a place of the same name`() async {
        let home = box.folder.path
        #expect(
            await ProgramRun.of(
                CommandFixture.program, ["bookmark", "add", "t", "0.7,0.7 9"], environment: box.environment
            ).status == 0)
        func picture(_ place: String) async -> ProgramRun {
            let words = [
                "render", "-c", place, "--size", "40x10", "--offline", "--cache-path", home + "/cache.db",
            ]
            return await ProgramRun.of(CommandFixture.program, words, environment: box.environment)
        }
        let marked = await picture("t")
        let exact = await picture("0.7,0.7 9")
        #expect(marked.status == 0 && marked.output == exact.output)
    }

    @Test func `several regions are removed at once, each with its own size`() async throws {
        #expect(
            await box.run([
                "add", "garden", "--source", "web", "--bbox", "3.1,3.1,3.3,3.3", "--zooms", "10-11",
            ]).status == 0)
        let missing = await box.run("remove", "home", "none")
        #expect(missing.status == 1 && missing.errors.contains("no region none"))
        let removed = await box.run("remove", "home", "garden")
        #expect(
            removed.status == 0 && removed.output.contains("home: removed 86 tiles")
                && removed.output.contains("\ngarden: removed"))
        #expect(await box.run("list").output.contains("No regions yet"))
    }
}
