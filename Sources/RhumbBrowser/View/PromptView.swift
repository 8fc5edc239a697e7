internal import RhumbCore

/// The box above the prompt, with completions or the problem of the typed line.
extension Browser {
    /// The largest number of visible lines of a list.
    private static let listRows = 8

    func drawTypingAid(on screen: inout CellGrid) {
        guard let text = typingAid else { return }
        let widest = text.lines.map { $0.text.width + ($0.right.isEmpty ? 0 : $0.right.width + 2) }.max() ?? 0
        let keys =
            input.prompt?.complaint == nil
            ? [[PanelKey("Tab", "next"), PanelKey("Enter", "use"), .close]] : []
        let width = min(max(widest, keys.map(PanelKey.width).max() ?? 0, text.title.width) + 5, map.columns)
        let height = min(text.lines.count, Browser.listRows) + 1 + keys.count
        let bottom = map.rows - (Browser.hasHintLine(map.rows, map.settings) ? 2 : 1)
        guard height <= bottom else { return }
        let frame = PanelFrame(row: bottom - height, column: 0, rows: height, columns: width)
        screen.draw(PanelLayout(text, keys: keys, in: frame), face: face, isUnicode: map.settings.isUnicode)
    }

    private var typingAid: PanelText? {
        if let complaint = input.prompt?.complaint {
            return PanelText(title: "", lines: wrapped(complaint.description, to: min(map.columns, 76) - 4))
        }
        guard case .list(let listed, let row) = input.prompt?.aid, let list = completions else { return nil }
        let widest = list.items.map(\.text.width).max() ?? 0
        let lines = list.items.enumerated().flatMap { at, item in
            let text = item.help.isEmpty ? item.text : item.text.padded(to: widest + 2) + item.help
            let line = PanelText.Line.row(text, isSelected: at == row)
            guard at == row, line.text.width + 5 > map.columns else { return [line] }
            return [line]
                + wrapped(item.help, to: max(map.columns - 7, 1)).map { .init(text: "  " + $0.text) }
        }
        let none =
            input.outsideWords.current == nil && input.outsideWords.asked != nil ? "…" : StatusText.noMatch
        return PanelText(
            title: listed == .lines ? "History" : "", lines: lines.isEmpty ? [.init(text: none)] : lines)
    }
}

extension CellGrid {
    /// Draws the typed line with its cursor, underlines the wrong word, and shows an example while it is
    /// empty.
    mutating func draw(_ prompt: Prompt, row: Int) {
        write(String(repeating: " ", count: columns), row: row, column: 0, paper: .terminal)
        let start = write(" " + prompt.label, row: row, column: 0, style: .bold)
        guard !prompt.line.text.isEmpty else {
            write(" ", row: row, column: start, style: .reverse)
            if start < columns { cursor = row * columns + start }
            write(
                prompt.example.clipped(to: max(columns - start - 3, 1)), row: row, column: start + 2,
                style: .dim)
            return
        }
        let text = prompt.line.text + [" "], wrong = prompt.wrongPart ?? 0..<0
        var first = 0
        while first < prompt.line.cursor, String(text[first...prompt.line.cursor]).width > columns - start - 1
        { first += 1 }
        var column = start
        for at in first..<text.count {
            var style: Cell.Style = wrong.contains(at) ? [.bold, .underline] : []
            if at == prompt.line.cursor {
                style.insert(.reverse)
                if column < columns { cursor = row * columns + column }
            }
            column += write(String(text[at]), row: row, column: column, style: style)
        }
    }
}
