internal import RhumbCore

extension CellGrid {
    /// Draws a panel over whatever is there: its title on a rule, its lines behind a thin edge, its keys below.
    /// - Parameter frame: the most it may take.
    mutating func draw(_ text: PanelText, keys: [[PanelKey]], in frame: PanelFrame, face: Face, isUnicode: Bool) {
        let frame = frame.fitted(to: text, below: keys.count)
        guard frame.columns > 4, frame.rows > keys.count + 1 else { return }
        title(text.title, in: frame, face, isUnicode)
        let room = frame.rows - 1 - keys.count
        let shown = Array(text.lines.dropFirst(text.top).prefix(room))
        for offset in 0..<room {
            let row = frame.row + 1 + offset
            clear(row, in: frame, face, isUnicode)
            if shown.indices.contains(offset) { body(shown[offset], row: row, in: frame, face) }
        }
        for (offset, line) in keys.enumerated() {
            let row = frame.row + 1 + room + offset
            clear(row, in: frame, face, isUnicode)
            draw(line, row: row, column: frame.column + 2, face)
        }
    }

    /// Keys with what they do; as many as there is room for.
    mutating func draw(_ keys: [PanelKey], row: Int, column: Int, _ face: Face) {
        var column = column
        for key in keys {
            if !key.key.isEmpty { column += write(key.key, row: row, column: column, ink: face.accent, style: .bold) + 1 }
            column += write(key.verb, row: row, column: column, style: key.key.isEmpty ? .bold : .dim) + PanelKey.gap
        }
    }

    private mutating func title(_ title: String, in frame: PanelFrame, _ face: Face, _ isUnicode: Bool) {
        let words = " \(title.clipped(to: frame.columns - 6)) "
        let rule = String(repeating: isUnicode ? "─" : "-", count: frame.columns)
        write(rule, row: frame.row, column: frame.column, paper: .terminal, style: .dim, width: frame.columns)
        guard !title.isEmpty else { return }
        write(words, row: frame.row, column: frame.column + 2, ink: face.accent, paper: .terminal, style: .bold)
    }

    /// Blank, with the edge that parts the panel from the map.
    private mutating func clear(_ row: Int, in frame: PanelFrame, _ face: Face, _ isUnicode: Bool) {
        write(
            String(repeating: " ", count: frame.columns), row: row, column: frame.column, paper: .terminal,
            width: frame.columns)
        let edge = isUnicode ? "│" : "|", end = frame.column + frame.columns - 1
        if frame.column > 0 { write(edge, row: row, column: frame.column, paper: .terminal, style: .dim) }
        if end < columns - 1 { write(edge, row: row, column: end, paper: .terminal, style: .dim) }
    }

    private mutating func body(_ line: PanelText.Line, row: Int, in frame: PanelFrame, _ face: Face) {
        let width = frame.columns - 2, column = frame.column + 1
        let left = line.text.clipped(to: max(width - 2 - (line.right.isEmpty ? 0 : line.right.width + 1), 1))
        let isPlain = line.style.isEmpty
        if !isPlain { write(String(repeating: " ", count: width), row: row, column: column, style: line.style.paper) }
        let isLabel = isPlain && line.isFact
        write(left, row: row, column: column + 1, style: isLabel ? .dim : line.style)
        let right = isPlain && !line.isFact ? Cell.Style.dim : line.style
        write(line.right, row: row, column: column + width - 1 - line.right.width, style: right)
        for (at, cell) in line.cells.prefix(width - 2).enumerated() { self[row, column + 1 + at] = cell }
    }
}

extension Cell.Style {
    /// What of it shows where nothing is written.
    fileprivate var paper: Cell.Style { intersection(.reverse) }
}
