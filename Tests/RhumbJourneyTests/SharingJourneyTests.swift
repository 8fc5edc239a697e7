import RhumbCore
import RhumbTestSupport
import Testing

/// Tests picking inside a shell's $( ), copying, and bookmarks, on a terminal and in the shell.
struct SharingJourneyTests {
    private let home = TemporaryFolder()

    /// Starts a shell that waits for the picked place and prints it.
    private func shell(_ words: String) throws -> PtyProgram {
        let environment = [
            "TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8", "HOME": home.path,
            "PATH": "/usr/bin:/bin",
            "SWIFT_BACKTRACE": "enable=no", "RHUMB": TestProducts.path("rhumb"),
        ]
        return try PtyProgram("/bin/sh", ["-c", words], environment: environment, columns: 80, rows: 24)
    }

    @Test func `the shell receives exactly the picked box`() throws {
        let program = try shell(
            #"box=$("$RHUMB" pick bbox -c 60.45,22.27 -z 8); echo "status $?"; echo "box=<$box>""#)
        try program.read(untilText: "Pick a box")
        try program.send("\r")
        try program.read(untilText: "box=<")
        #expect(try program.readToEnd() == .exited(0))
        let text = program.screen.text
        #expect(text.contains("status 0"))
        let box =
            text.split(separator: "<").last?.prefix { $0 != ">" }.split(separator: ",").compactMap {
                Double($0)
            } ?? []
        #expect(box.count == 4 && box[0] < 22.27 && box[2] > 22.27, "\(text)")
        #expect(program.modes == program.modesBefore)
    }

    @Test func `Esc prints nothing, and the exit status reports it`() throws {
        let program = try shell(#"place=$("$RHUMB" pick point); echo "status $? <$place>""#)
        try program.read(untilText: "Pick a place")
        try program.send("\u{1B}")
        try program.read(untilText: "status 1 <>")
        #expect(try program.readToEnd() == .exited(0))
    }

    @Test
    func `a copied view goes to the terminal's clipboard, and is also printed if that is not certain`()
        throws
    {
        let journey = try Journey(["-c", "60.45,22.27", "-z", "8"], environment: ["HOME": home.path])
        try journey.see("z8.0")
        try journey.type("y")
        try journey.see("Copy this view")
        try journey.type("3")
        try journey.see("Copied")
        // "geo:60.450,22.270?z=8" in base64.
        #expect(
            String(decoding: journey.program.output, as: UTF8.self).contains(
                "\u{1B}]52;c;Z2VvOjYwLjQ1MCwyMi4yNzA/ej04\u{1B}\\"))
        #expect(try journey.quit() == .exited(0))
        #expect(journey.program.screen.text.contains("geo:60.450,22.270?z=8"))
    }

    @Test(arguments: [
        "geo:60.45,22.27?z=8", "https://www.openstreetmap.org/#map=8/60.45/22.27", "60.45,22.27 8",
    ])
    func `a place instead of a map opens the world there`(words: String) throws {
        let journey = try Journey([words], environment: ["HOME": home.path])
        try journey.see("z8.0")
        #expect(journey.program.screen.text.contains("60.45"))
        #expect(try journey.quit() == .exited(0))
    }

    @Test func `a view saved on the map is listed in the shell, and one saved in the shell is on the map`()
        async throws
    {
        let environment = [
            "HOME": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
        ]
        func run(_ words: String...) async -> ProgramRun {
            await ProgramRun.of(TestProducts.path("rhumb"), words, environment: environment)
        }
        #expect(await run("bookmarks").output.contains("No bookmarks"))
        #expect(await run("bookmark", "add", "t", "60.45,22.27", "8", "--name", "Turku").status == 0)
        let journey = try Journey(
            ["-c", "0,0", "-z", "3", "--no-animation"], environment: ["HOME": home.path])
        try journey.see("z3.0")
        try journey.type("'")
        try journey.see("Turku")
        try journey.type("t")
        try journey.see("z8.0")
        try journey.type("''a")
        try journey.see("Saved as bookmark a")
        #expect(try journey.quit() == .exited(0))
        let list = try JSON.parse(Array(await run("bookmark", "list", "--json").output.utf8))
        #expect(
            list.array?.map { $0["letter"]?.string } == ["a", "t"]
                && list.array?.allSatisfy { $0["zoom"]?.double == 8 } == true)
        #expect(await run("bookmark", "remove", "a").status == 0)
        #expect(await run("bookmark", "remove", "a").status == 1)
        #expect(await run("bookmark", "add", "ab", "1,2").status == 2)
        #expect(await run("bookmark", "add", "a", "nowhere").status == 2)
        #expect(await run("bookmarks").output.contains("60.4500,22.2700 8") == false)
    }

    private func bookmarks(_ words: String...) async -> ProgramRun {
        let environment = [
            "HOME": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
        ]
        return await ProgramRun.of(
            TestProducts.path("rhumb"), ["bookmarks"] + words, environment: environment)
    }

    @Test func `no bookmark is lost when several processes add some at once`() async throws {
        let letters = Array("abcdefgh").map(String.init)
        let statuses = await withTaskGroup(of: Int32.self) { group in
            for letter in letters {
                group.addTask { await bookmarks("add", letter, "60.45,22.27", "8").status }
            }
            return await group.reduce(into: [Int32]()) { $0.append($1) }
        }
        #expect(statuses.allSatisfy { $0 == 0 })
        let list = try JSON.parse(Array(await bookmarks("list", "--json").output.utf8))
        #expect(list.array?.map { $0["letter"]?.string } == letters)
    }

    @Test func `a bookmark file with a stray comma is reported, and not overwritten by the next bookmark`()
        async throws
    {
        let folder = ".local/share/rhumb/"
        home.write(Array("[\n]".utf8), to: folder + "bookmarks.json")
        #expect(await bookmarks("add", "a", "60.45,22.27", "8").status == 0)
        let broken = home.bytes(folder + "bookmarks.json").map {
            $0 == UInt8(ascii: "]") ? UInt8(ascii: ",") : $0
        }
        home.write(broken, to: folder + "bookmarks.json")
        let list = await bookmarks("list")
        #expect(list.status == 1 && list.errors.contains("bookmarks.json"))
        let add = await bookmarks("add", "b", "60.45,22.27", "8")
        #expect(add.status == 3 && add.errors.contains("bookmarks.json.bak"))
        #expect(home.bytes(folder + "bookmarks.json.bak") == broken)
        #expect(await bookmarks("list").status == 0)
    }
}
