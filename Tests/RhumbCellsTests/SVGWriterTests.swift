import RhumbCore
import Testing

struct SVGWriterTests {
    private static let (ink, paper) = (RGB(0xF2F2F2), RGB(0x10202E))

    private func svg(_ columns: Int, _ rows: Int, _ draw: (inout CellGrid) -> Void) -> String {
        var grid = CellGrid(columns: columns, rows: rows)
        draw(&grid)
        return SVGWriter.text(grid, ink: Self.ink, paper: Self.paper)
    }

    @Test func `backgrounds are rectangles of their colour, and the terminal's own is the page`() {
        let text = svg(3, 2) { $0[1, 2] = Cell(" ", paper: .rgb(RGB(0x0A0B0C))) }
        #expect(
            text.contains("viewBox=\"0 0 24 32\"")
                && text.contains("<rect width=\"100%\" height=\"100%\" fill=\"#10202e\"/>"))
        #expect(text.contains("<path fill=\"#0a0b0c\" d=\"M16 16h8v16h-8z\"/>"))
    }

    @Test(
        arguments: [
            ("▀", "M0 0h8v8h-8z"), ("▗", "M4 8h4v8h-4z"), ("\u{1FB00}", "M0 0h4v5h-4z"),
            ("\u{1CD00}", "M0 4h4v4h-4z"),
        ] as [(Unicode.Scalar, String)])
    func `block glyphs are shapes in the foreground colour, regardless of the font`(
        glyph: Unicode.Scalar, path: String
    ) {
        let text = svg(1, 1) { $0[0, 0] = Cell(glyph, ink: .indexed(9)) }
        #expect(text.contains("<path fill=\"#ff0000\" d=\"\(path)\"/>") && !text.contains("<text"))
    }

    @Test func `text of one colour is one element as wide as its cells, escaped for XML`() {
        let text = svg(20, 1) {
            $0.write("A & <東>", row: 0, column: 2)
            $0.write("bold", row: 0, column: 12, ink: .indexed(196), style: .bold)
        }
        #expect(
            text.contains(
                "<text x=\"16\" y=\"12\" fill=\"#f2f2f2\" textLength=\"64\" lengthAdjust=\"spacingAndGlyphs\">A &amp; &lt;東&gt;</text>"
            ))
        #expect(text.contains("fill=\"#ff0000\" font-weight=\"bold\" textLength=\"32\""))
    }

    @Test func `every cell of a picture is covered, and nothing is drawn elsewhere`() {
        #expect(!svg(4, 4) { _ in }.contains("<path"))
        let full = svg(4, 1) { for column in 0..<4 { $0[0, column] = Cell("█", ink: .indexed(2)) } }
        #expect(full.contains("M24 0") && full.split(separator: "z").count > 4)
    }
}
