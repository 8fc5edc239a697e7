import Glibc
import RhumbTestSupport
import Testing

/// Tests completion of stored names in real shells.
struct CompletionJourneyTests {
    private let home = TemporaryFolder()

    private func run(_ program: String, _ words: String...) async -> ProgramRun {
        let bin = String(TestProducts.path("rhumb").dropLast("/rhumb".count))
        return await ProgramRun.of(
            program, words,
            environment: ["HOME": home.path, "PATH": bin + ":/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
    }

    @Test func `names are printed one per line, and nothing if there are none`() async throws {
        #expect(
            await run(TestProducts.path("rhumb"), "help", "completions", "sources").output.split(
                separator: "\n"
            )
            .contains("osm"))
        #expect(await run(TestProducts.path("rhumb"), "help", "completions", "regions").output.isEmpty)
    }

    @Test func `bash completes bookmarks and sources`() async throws {
        _ = await run(TestProducts.path("rhumb"), "bookmark", "add", "q", "60,22")
        func completions(_ line: String) async -> [Substring] {
            let script = """
                source <(rhumb completions bash)
                COMP_WORDS=(\(line)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _rhumb
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            return await run("/bin/bash", "-c", script).output.split(separator: "\n")
        }
        #expect(await completions("rhumb bookmark remove ''") == ["q"])
        #expect(await completions("rhumb source show osm").contains("osm-vector"))
        #expect(await completions("rhumb region add home --source open").contains("openfreemap"))
        #expect(await completions("rhumb render --format p").contains("png"))
    }

    @Test(.enabled(if: access("/usr/bin/fish", X_OK) == 0, "fish is not installed"))
    func `fish completes bookmarks and sources`() async throws {
        _ = await run(TestProducts.path("rhumb"), "bookmark", "add", "q", "60,22")
        func completions(_ line: String) async -> [Substring] {
            await run("/usr/bin/fish", "-c", "rhumb completions fish | source; complete -C '\(line)'").output
                .split(separator: "\n")
        }
        #expect(await completions("rhumb bookmark remove ").contains { $0.hasPrefix("q") })
        #expect(await completions("rhumb source show osm").contains { $0.hasPrefix("osm-vector") })
    }

    @Test(.enabled(if: access("/usr/bin/zsh", X_OK) == 0, "zsh is not installed"))
    func `zsh completes bookmarks, sources, formats and values of options`() async throws {
        _ = await run(TestProducts.path("rhumb"), "bookmark", "add", "q", "60,22")
        let script = await run(TestProducts.path("rhumb"), "help", "completions", "zsh").output
        home.write(Array(script.utf8), to: "_rhumb")
        let bin = String(TestProducts.path("rhumb").dropLast("/rhumb".count))
        let zsh = try PtyProgram(
            "/usr/bin/zsh", ["-f", "-i"],
            environment: [
                "TERM": "xterm", "HOME": home.path, "PATH": bin + ":/usr/bin:/bin", "LC_ALL": "C.UTF-8",
            ], columns: 100, rows: 30)
        try zsh.send("PS1='> '; fpath=(~ $fpath); autoload -Uz compinit; compinit -u -D; echo re''ady\n")
        try zsh.read(untilText: "ready")
        for (typed, completed) in [
            ("rhumb bookmark remove ", "rhumb bookmark remove q"),
            ("rhumb source show osm-v", "rhumb source show osm-vector"),
            ("rhumb render --format p", "rhumb render --format png"),
            ("rhumb region add home --source openf", "rhumb region add home --source openfreemap"),
        ] {
            try zsh.send("\u{15}" + typed + "\t")
            try zsh.read(untilText: completed)
        }
        try zsh.send("\u{15}exit\n")
        #expect(try zsh.readToEnd() == .exited(0))
    }
}
