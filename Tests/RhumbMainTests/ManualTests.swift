import RhumbBrowser
import RhumbCommandLine
import RhumbCore
import RhumbManual
import RhumbTestSupport
import Testing

struct ManualTests {
    @Test func `every file of the manual is a page, and no page has the name of a command`() throws {
        for page in Manual.pages {
            let file = try #require(TestFiles.bytes("Assets/manual/\(page.topic).md"))
            let stored = ManualPage(topic: page.topic, markdown: String(decoding: file, as: UTF8.self))
            #expect(stored.blocks == page.blocks)
            #expect(CommandTable.command(page.topic) == nil)
        }
        #expect(Set(TestFiles.names(in: "Assets/manual")) == Set(Manual.pages.map { $0.topic + ".md" }))
    }

    @Test(arguments: Manual.pages.map(\.topic), [80, 40])
    func `a page has a title, a summary of one line and text within the width`(
        topic: String, width: Int
    ) throws {
        let page = try #require(Manual.page(topic))
        #expect(!page.title.isEmpty && !page.summary.isEmpty && page.summary.count <= 90)
        let code = Set(page.code.flatMap(\.lines))
        for line in page.lines(width).map(\.plain)
        where line.contains(" ") && !code.contains(String(line.dropFirst(4))) {
            let isOneWord = line.split(separator: " ").count <= 2
            #expect(TextWidth.columns(of: line) <= width || isOneWord, "\(line)")
        }
    }

    @Test func `every key of the map is on the keys page`() throws {
        let page = try #require(Manual.page("keys"))
        var keys: Set<String> = []
        for case .table(let rows) in page.blocks {
            for row in rows { keys.formUnion(row[0].spans.filter { $0.style == .strong }.map(\.text)) }
        }
        for binding in Keymap.standard.bindings {
            for case .character(let key) in binding.keys { #expect(keys.contains(String(key)), "\(key)") }
        }
    }

    @Test func `every exit status is on the scripting page`() throws {
        let page = try #require(Manual.page("scripting"))
        var rows: [[String]] = []
        for case .table(let table) in page.blocks { rows += table.dropFirst().map { $0.map(\.plain) } }
        #expect(rows == ExitStatus.meanings.map { ["\($0.status)", $0.meaning] })
    }

    @Test func `the README is short and refers to existing pages`() throws {
        let bytes = try #require(TestFiles.bytes("README.md")), text = String(decoding: bytes, as: UTF8.self)
        #expect(bytes.count <= 8_000)
        let topics = text.split(separator: "(Assets/manual/").dropFirst().map {
            String($0.prefix { $0 != "." })
        }
        #expect(!topics.isEmpty)
        for topic in topics { #expect(Manual.page(topic) != nil, "\(topic)") }
    }
}

struct ManualLayoutTests {
    private func lines(_ markdown: String, _ width: Int = 30) -> [String] {
        ManualPage(topic: "x", markdown: markdown).lines(width).map(\.plain)
    }

    @Test func `paragraphs and lists wrap at words`() {
        let text =
            "# Title\n\nSome words that do not\nfit into one line.\n\n- first\n- second, also longer than a\n  line"
        #expect(
            lines(text) == [
                "Title", "", "  Some words that do not fit", "  into one line.", "", "  - first",
                "  - second, also longer than a",
                "    line",
            ])
    }

    @Test func `code keeps its lines, and a heading directly precedes its text`() {
        #expect(
            lines("## Code\n\n```sh network\nrhumb  a-line-that-is-longer-than-the-width\n```") == [
                "Code", "    rhumb  a-line-that-is-longer-than-the-width",
            ])
        #expect(
            ManualPage(topic: "x", markdown: "```sh network\nrhumb\n```").code.first?.info == "sh network")
    }

    @Test func `the last column of a table wraps, and a bar can be escaped`() {
        #expect(
            lines("| Key | Effect |\n|---|---|\n| `a\\|b` | one two three four five six |") == [
                "  Key  Effect", "  a|b  one two three four five", "       six",
            ])
    }

    @Test func `commands are bold and addresses underlined only on a terminal`() {
        let page = ManualPage(topic: "x", markdown: "Run `rhumb` or **see** <https://rhumb.example>.")
        #expect(page.text(width: 80, isStyled: false) == "  Run rhumb or see https://rhumb.example.\n")
        #expect(
            page.text(width: 80, isStyled: true)
                == "  Run \u{1B}[1mrhumb\u{1B}[22m or \u{1B}[1msee\u{1B}[22m \u{1B}[4mhttps://rhumb.example\u{1B}[24m.\n"
        )
    }
}
