import RhumbCore
import RhumbTestSupport
import Testing

/// Tests the terminal model itself, because the other tests rely on it.
struct ScreenModelTests {
    @Test(arguments: [
        ("ab\u{1B}[2;3Hc", "ab|  c|"), ("abc\u{1B}[1G\u{1B}[2@x", "x abc||"),
        ("abcd\u{1B}[2G\u{1B}[P", "acd||"), ("abcd\u{1B}[2G\u{1B}[2X", "a  d||"),
        ("abcd\u{1B}[3G\u{1B}[K", "ab||"), ("abcd\u{1B}[3G\u{1B}[1K", "   d||"),
        ("a\u{1B}[4b", "aaaaa||"), ("a\r\nb\r\nc\r\nd", "b|c|d"), ("12345678", "123456|78|"),
        ("123456\rx", "x23456||"), ("a\r\nb\u{1B}[1;1H\u{1B}[L", "|a|b"),
        ("a\r\nb\u{1B}[1;1H\u{1B}[M", "b||"), ("a\u{1B}[2;3r\u{1B}[3;1Hb\r\nc", "a|b|c"),
        ("東x\u{1B}[1;2Hy", " yx||"), ("e\u{301}", "e\u{301}||"), ("a\u{1B}[?1049hb\u{1B}[?1049l", "a||"),
        ("\u{1B}[Aa\u{1B}[Bb\u{1B}[Dc\u{1B}[Cd", "a| c d|"), ("a\u{1B}[12\u{18}b", "ab||"),
    ])
    func `sequences have the same effect as in xterm`(bytes: String, screen: String) {
        var model = ScreenModel(columns: 6, rows: 3)
        model.feed(bytes.utf8)
        let lines = screen.split(separator: "|", omittingEmptySubsequences: false)
        #expect(model.text == lines.joined(separator: "\n"))
        #expect(model.unknown.isEmpty)
    }

    static let orange = CellColor.rgb(RGB(0xDE8A4C))

    @Test(arguments: [
        ("38;2;222;138;76", Cell("x", ink: orange)), ("38:2:222:138:76", Cell("x", ink: orange)),
        ("38:2::222:138:76", Cell("x", ink: orange)), ("48;5;17", Cell("x", paper: .indexed(17))),
        ("48:5:17", Cell("x", paper: .indexed(17))),
        ("31;44", Cell("x", ink: .indexed(1), paper: .indexed(4))),
        ("91;104", Cell("x", ink: .indexed(9), paper: .indexed(12))),
        ("1;2;4;7", Cell("x", style: [.bold, .dim, .underline, .reverse])),
        ("1;4;22", Cell("x", style: .underline)), ("31;39", Cell("x")),
        ("38;2;222;138;76;1", Cell("x", ink: orange, style: .bold)),
        ("31;", Cell("x")),
    ])
    func `colours and styles are read in every notation`(parameters: String, cell: Cell) {
        var model = ScreenModel(columns: 2, rows: 1)
        model.feed("\u{1B}[\(parameters)mx".utf8)
        #expect(model.grid[0, 0] == cell)
    }

    @Test func `queries are answered`() {
        var model = ScreenModel(columns: 2, rows: 1)
        model.feed("\u{1B}]11;?\u{1B}\\\u{1B}[?2026$p\u{1B}[c".utf8)
        let answers = "\u{1B}]11;rgb:1010/2020/2e2e\u{1B}\\\u{1B}[?2026;2$y\u{1B}[?62;22c"
        #expect(String(decoding: model.replies, as: UTF8.self) == answers)
    }
}
