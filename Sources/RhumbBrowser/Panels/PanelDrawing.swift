internal import RhumbCore

/// What a panel's keys do, as its footer says: "Enter go · x remove".
struct KeyHint: Equatable {
    let key: String
    let verb: String

    /// What can't be told apart is all verb.
    init(_ words: Substring) {
        let parts = words.split(separator: " ", maxSplits: 1)
        key = parts.count == 2 ? String(parts[0]) : ""
        verb = parts.last.map(String.init) ?? ""
    }

    var width: Int { key.isEmpty ? verb.width : key.width + 1 + verb.width }
}

extension PanelText {
    /// Columns between two keys.
    private static let gap = 2

    /// The keys, in as many lines of so many columns as they need, two at most.
    func keyLines(columns: Int) -> [[KeyHint]] {
        var lines: [[KeyHint]] = [[]], width = 0
        for hint in hints {
            if !lines[lines.count - 1].isEmpty, width + hint.width > columns {
                guard lines.count < 2 else { break }
                lines.append([])
                width = 0
            }
            lines[lines.count - 1].append(hint)
            width += hint.width + PanelText.gap
        }
        return lines
    }

    /// "·" parts the keys of a footer; a question is one piece.
    private var hints: [KeyHint] {
        var rest = footer[...], found: [KeyHint] = []
        while let dot = rest.firstRange(of: " · ") {
            found.append(KeyHint(rest[..<dot.lowerBound]))
            rest = rest[dot.upperBound...]
        }
        return found + [KeyHint(rest)]
    }
}

extension CellGrid {
    /// Draws a panel over whatever is there: its title on a rule, its lines behind a thin edge, its keys below.
    mutating func draw(_ text: PanelText, in frame: PanelFrame, face: Face, isUnicode: Bool) {
        let frame = frame.fitted(to: text), keys = text.keyLines(columns: frame.columns - 4)
        guard frame.columns > 4, frame.rows > keys.count + 1 else { return }
        title(text.title, in: frame, face, isUnicode)
        let room = frame.rows - 1 - keys.count
        let shown = Array(text.lines.dropFirst(text.top).prefix(room))
        for offset in 0..<room {
            let row = frame.row + 1 + offset
            clear(row, in: frame, face, isUnicode)
            if shown.indices.contains(offset) { body(shown[offset], row: row, in: frame, face) }
        }
        for (offset, hints) in keys.enumerated() {
            let row = frame.row + 1 + room + offset
            clear(row, in: frame, face, isUnicode)
            draw(hints, row: row, column: frame.column + 2, face)
        }
    }

    /// Keys with what they do; as many as there is room for.
    mutating func draw(_ hints: [KeyHint], row: Int, column: Int, _ face: Face) {
        var column = column
        for hint in hints {
            if !hint.key.isEmpty {
                column += write(hint.key, row: row, column: column, ink: face.accent, style: .bold) + 1
            }
            column += write(hint.verb, row: row, column: column, style: .dim) + 2
        }
    }

    private mutating func title(_ title: String, in frame: PanelFrame, _ face: Face, _ isUnicode: Bool) {
        let words = " \(title.clipped(to: frame.columns - 6)) "
        let rule = String(repeating: isUnicode ? "─" : "-", count: frame.columns)
        write(rule, row: frame.row, column: frame.column, paper: .terminal, style: .dim, width: frame.columns)
        write(words, row: frame.row, column: frame.column + 2, ink: face.accent, paper: .terminal, style: .bold)
    }

    /// Blank, with the edge that parts the panel from the map.
    private mutating func clear(_ row: Int, in frame: PanelFrame, _ face: Face, _ isUnicode: Bool) {
        write(
            String(repeating: " ", count: frame.columns), row: row, column: frame.column, paper: .terminal,
            width: frame.columns)
        guard frame.column > 0 else { return }
        write(isUnicode ? "│" : "|", row: row, column: frame.column, paper: .terminal, style: .dim)
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
