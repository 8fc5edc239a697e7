import Dispatch
import Glibc
import Rhumb
import RhumbBrowser
import RhumbTestSupport
import Synchronization
import Testing

@testable import RhumbMain

/// Tests small files that several runs change.
struct StateFileTests {
    private let home = TemporaryFolder()
    private var folders: Folders {
        Folders(environment: ["XDG_STATE_HOME": home.path, "XDG_DATA_HOME": home.path])
    }
    private var bookmarks: BookmarkFile { BookmarkFile(folders) }

    private func bookmark(_ letter: Character) -> Bookmark {
        Bookmark(letter, "Turku", Camera(center: Coordinate(latitude: 60.45, longitude: 22.27), zoom: 9))
    }

    private func text(_ name: String) -> String {
        String(decoding: home.bytes("rhumb/" + name), as: UTF8.self)
    }

    // MARK: Concurrent changes

    @Test func `no bookmark, source, agreement or line is lost when several are added at once`() throws {
        let letters = Array("abcdefghijklmnopqrst"), folders = folders, sorted = bookmark
        let recent = try #require(RecentSources(folders))
        let failures = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: letters.count) { at in
            do {
                _ = try BookmarkFile(folders).save(.set(sorted(letters[at])))
                try AcceptedTerms(folders).add("source-\(letters[at])")
            } catch {
                failures.withLock { $0 += 1 }
            }
            CommandHistoryFile(folders).add("zoom \(at)")
            if at < 10 { recent.add("map\(at).mbtiles") }
        }
        #expect(failures.withLock(\.self) == 0)
        #expect(bookmarks.load().bookmarks.map(\.letter) == letters)
        #expect(letters.allSatisfy { AcceptedTerms(folders).holds("source-\($0)") })
        #expect(
            CommandHistoryFile(folders).load().lines.lines.count == letters.count
                && recent.specifiers.count == 10)
    }

    // MARK: Files that can't be parsed

    private static let broken: [(text: String, fault: String)] = [
        ("[\n{\"letter\":\"a\",},\n]", "line 2"),
        ("// mine\n[]", "line 1"),
        ("{}", "not a JSON array"),
        ("[]" + String(repeating: " ", count: 1 << 20), "larger than"),
    ]

    @Test(arguments: broken)
    func `bookmarks that can't be parsed are moved aside, and the user is notified`(
        text: String, fault: String
    ) throws {
        home.write(Array(text.utf8), to: "rhumb/bookmarks.json")
        let (none, problem) = bookmarks.load()
        #expect(none.isEmpty && problem?.description.contains(fault) == true)
        #expect(self.text("bookmarks.json") == text)
        let (kept, warning) = try bookmarks.save(.set(bookmark("t")))
        #expect(kept == [bookmark("t")] && bookmarks.load().fault == nil)
        #expect(
            warning?.description.contains(fault) == true
                && warning?.description.contains("bookmarks.json.bak") == true)
        #expect(self.text("bookmarks.json.bak") == text)
    }

    @Test func `an earlier backup is never replaced by the next one`() throws {
        for number in 1...3 {
            home.write(Array("broken \(number)".utf8), to: "rhumb/bookmarks.json")
            #expect(try bookmarks.save(.set(bookmark("t"))).warning != nil)
        }
        #expect(
            text("bookmarks.json.bak") == "broken 1" && text("bookmarks.json.bak-2") == "broken 2"
                && text("bookmarks.json.bak-3") == "broken 3")
    }

    @Test func `one element that can't be parsed does not hide the others, and is not lost`() throws {
        _ = try bookmarks.save(.set(bookmark("a")))
        let damaged = text("bookmarks.json").replacing("]", with: ",{\"letter\":\"b\"}]")
        home.write(Array(damaged.utf8), to: "rhumb/bookmarks.json")
        #expect(
            bookmarks.load().bookmarks.map(\.letter) == ["a"]
                && bookmarks.load().fault?.description.contains("element 2") == true)
        #expect(try bookmarks.save(.set(bookmark("c"))).bookmarks.map(\.letter) == ["a", "c"])
        #expect(text("bookmarks.json.bak") == damaged)
    }

    @Test func `routes, lines, sources and agreements that can't be parsed are also preserved`() throws {
        for name in ["lines", "recent", "agreed"] { home.write([0xFF, 0xFE, 0x0A], to: "rhumb/" + name) }
        let recent = try #require(RecentSources(folders))
        #expect(
            CommandHistoryFile(folders).add("zoom 3")?.warning != nil && recent.add("city.mbtiles") != nil)
        #expect(try AcceptedTerms(folders).add("osm") != nil)
        for name in ["lines", "recent", "agreed"] {
            #expect(home.bytes("rhumb/\(name).bak") == [0xFF, 0xFE, 0x0A], "\(name)")
        }
    }

    // MARK: Files that can't be written

    @Test func `a change that can't be written preserves the file and is an error`() throws {
        _ = try bookmarks.save(.set(bookmark("a")))
        let before = text("bookmarks.json")
        // There is no room for another file, because a folder has the name of the new one.
        #expect(rename(home.path + "/rhumb/bookmarks.json", home.path + "/kept") == 0)
        #expect(mkdir(home.path + "/rhumb/bookmarks.json", 0o755) == 0)
        #expect(throws: Notice.Problem.self) { try bookmarks.save(.set(bookmark("b"))) }
        #expect(String(decoding: home.bytes("kept"), as: UTF8.self) == before)
    }

    @Test func `waiting for a permanently locked file ends after the timeout`() throws {
        let folder = home.path + "/rhumb"
        #expect(mkdir(folder, 0o755) == 0)
        let lock = open(folder, O_RDONLY | O_DIRECTORY)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX) == 0)
        let problem = #expect(throws: Notice.Problem.self) { try bookmarks.save(.set(bookmark("a"))) }
        #expect(problem?.description.contains("locks") == true)
    }

    @Test func `long lines are dropped before the file is too large for the next run`() {
        let lines = CommandHistoryFile(folders)
        for number in 0..<30 { lines.add("over " + String(repeating: "x", count: 10_000) + "\(number)") }
        let (read, fault) = lines.load()
        #expect(
            fault == nil && read.lines.last?.hasSuffix("x29") == true && (20..<30).contains(read.lines.count))
        lines.add(String(repeating: "y", count: 1 << 19))
        #expect(lines.load().fault == nil && lines.add("zoom 3")?.warning == nil)
    }
}
