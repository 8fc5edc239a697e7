internal import RhumbCore

extension ManualPage {
    /// Returns the page as lines for a terminal.
    /// - Parameter width: The maximum number of columns. Lines of code and single long words may exceed it.
    public func lines(_ width: Int) -> [ManualText] {
        blocks.enumerated().flatMap { number, block in
            (number == 0 || block.followsClosely(blocks[number - 1]) ? [] : [ManualText([])])
                + block.lines(width)
        }
    }

    /// Returns the page as text.
    /// - Parameter isStyled: True to use escape sequences for bold and underlined text.
    public func text(width: Int, isStyled: Bool) -> String {
        lines(width).map { $0.terminalText(isStyled) + "\n" }.joined()
    }
}

extension ManualText {
    fileprivate func terminalText(_ isStyled: Bool) -> String {
        guard isStyled else { return plain }
        return spans.map { span in
            switch span.style {
            case .plain: span.text
            case .strong: "\u{1B}[1m\(span.text)\u{1B}[22m"
            case .link: "\u{1B}[4m\(span.text)\u{1B}[24m"
            }
        }.joined()
    }

    fileprivate func indented(_ columns: Int) -> ManualText { ManualText.blank(columns) + self }

    /// Returns the text padded with spaces to this many columns.
    fileprivate func padded(_ width: Int) -> ManualText { self + ManualText.blank(width - columns) }

    private static func blank(_ columns: Int) -> ManualText {
        ManualText(plain: String(repeating: " ", count: max(columns, 0)))
    }

    fileprivate static func + (a: ManualText, b: ManualText) -> ManualText {
        var sum = a
        for span in b.spans { sum.append(span.text, span.style) }
        return sum
    }
}

extension ManualBlock {
    /// The indentation of text below a heading, in columns.
    private static let indent = 2

    /// True if no empty line separates the block from the one above.
    fileprivate func followsClosely(_ other: ManualBlock) -> Bool {
        if case .heading(2..., _) = other { true } else { false }
    }

    fileprivate func lines(_ width: Int) -> [ManualText] {
        let room = width - ManualBlock.indent
        switch self {
        case .heading(_, let text): return [ManualText([.init(text: text.plain, style: .strong)])]
        case .paragraph(let text): return text.wrapped(room).map { $0.indented(ManualBlock.indent) }
        case .code(let lines, _): return lines.map { ManualText(plain: $0).indented(2 * ManualBlock.indent) }
        case .list(let items):
            return items.flatMap { item in
                item.wrapped(room - 2).enumerated().map { number, line in
                    (ManualText(plain: number == 0 ? "- " : "  ") + line).indented(ManualBlock.indent)
                }
            }
        case .table(let rows): return ManualBlock.table(rows, room).map { $0.indented(ManualBlock.indent) }
        }
    }

    /// Returns a table whose columns are two spaces apart. Text wraps within its column. If the table is
    /// wide, all columns except the last share two fifths of the width.
    private static func table(_ rows: [[ManualText]], _ width: Int) -> [ManualText] {
        let count = rows.map(\.count).max() ?? 0
        var widths = (0..<max(count - 1, 0)).map { column in
            rows.compactMap { $0.dropFirst(column).first?.columns }.max() ?? 0
        }
        if widths.reduce(0, { $0 + $1 + 2 }) > width * 2 / 3 {
            widths = widths.map { min(max(8, width * 2 / 5 / widths.count), $0) }
        }
        widths.append(max(12, width - widths.reduce(0) { $0 + $1 + 2 }))
        return rows.flatMap { row in
            var cells = zip(row, widths).map { $0.wrapped($1) }
            // A first cell that is too wide for its column is printed on separate lines.
            let isWide = cells.count > 1 && cells[0].contains { $0.columns > widths[0] }
            let above = isWide ? row[0].wrapped(width) : []
            if isWide { cells[0] = [] }
            return above
                + (0..<(cells.map(\.count).max() ?? 0)).map { line in
                    zip(cells, widths).enumerated().reduce(ManualText([])) { text, next in
                        let (cell, width) = next.element,
                            part = line < cell.count ? cell[line] : ManualText([])
                        return text + (next.offset == cells.count - 1 ? part : part.padded(width + 2))
                    }
                }
        }
    }
}
