internal import RhumbCore

/// Where a panel stands: a drawer at the right, or on narrow screens a sheet over the lower half.
struct PanelFrame: Equatable {
    let row: Int
    let column: Int
    let rows: Int
    let columns: Int
}

extension Browser {
    /// The panel without all but the last line of its keys: its frame and what it shows.
    var panelFrame: PanelFrame {
        let whole = wholePanelFrame
        return PanelFrame(
            row: whole.row, column: whole.column, rows: max(whole.rows - max(panelKeyLines.count - 1, 0), 3), columns: whole.columns)
    }

    /// Whether it stands beside the map.
    var hasDrawer: Bool { columns >= 100 }

    var wholePanelFrame: PanelFrame {
        if hasDrawer {
            let width = min(max(columns / 3, 38), 46)
            return PanelFrame(row: 0, column: columns - width, rows: viewport.rows, columns: width)
        }
        let height = min(max(viewport.rows / 2, 8), viewport.rows)
        return PanelFrame(row: viewport.rows - height, column: 0, rows: height, columns: columns)
    }

    func isOverPanel(column: Int, row: Int) -> Bool {
        guard !panels.isEmpty else { return false }
        let frame = wholePanelFrame
        return column >= frame.column && row >= frame.row
            && row < frame.row + frame.rows && column < frame.column + frame.columns
    }
}

extension Browser {
    /// A text in lines of the panel, with so many columns left over.
    func wrapped(_ text: String, indent: Int = 0) -> [PanelText.Line] {
        wrapped(text, to: panelFrame.columns - 4 - indent)
    }

    /// A text in lines of so many columns.
    func wrapped(_ text: String, to width: Int) -> [PanelText.Line] {
        var lines: [String] = [""]
        for word in text.split(separator: " ") {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if last.width + 1 + String(word).width <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.map { .init(text: $0) }
    }
}

/// The lines inside a panel, and what stands around them.
struct PanelText {
    struct Line {
        var text: String
        /// Text that stands at the right end.
        var right = ""
        var style: Cell.Style = []
        /// A row of a picture, in place of text.
        var cells: [Cell] = []
    }

    let title: String
    var lines: [Line]
    /// What stands at the bottom in place of the panel's keys.
    var footer = ""
    /// The first line shown.
    var top = 0
}

extension PanelText {
    /// A list that scrolls with its chosen line.
    init(title: String, lines: [Line], showing row: Int, in frame: PanelFrame) {
        let room = max(frame.rows - 2, 1)
        self.init(title: title, lines: lines, top: max(min(row + 2 - room, lines.count - room), 0))
    }
}

extension CellGrid {
    /// Draws a panel with its frame, over whatever is there.
    /// - Parameter keys: lines of keys; all but the last stand inside the frame.
    mutating func draw(_ text: PanelText, keys: [String] = [], in frame: PanelFrame, isUnicode: Bool) {
        let pen = isUnicode ? Array("╭─╮│╰╯") : Array("+-+|++")
        let inner = frame.columns - 2
        guard inner > 2, frame.rows > 2 else { return }
        rule(text.title, pen[0], pen[1], pen[2], row: frame.row, frame)
        let shown = text.lines.dropFirst(text.top).prefix(frame.rows - 2)
        for offset in 0..<(frame.rows - 2) {
            let row = frame.row + 1 + offset
            let line = offset < shown.count ? shown[shown.startIndex + offset] : .init(text: "")
            write(String(pen[3]), row: row, column: frame.column, paper: .terminal)
            body(line, row: row, column: frame.column + 1, width: inner)
            for (at, cell) in line.cells.prefix(inner - 4).enumerated() { self[row, frame.column + 3 + at] = cell }
            write(String(pen[3]), row: row, column: frame.column + inner + 1, paper: .terminal)
        }
        for (offset, line) in keys.dropLast().enumerated() {
            let row = frame.row + frame.rows - 1 + offset
            write(String(pen[3]), row: row, column: frame.column, paper: .terminal)
            body(.init(text: " " + line), row: row, column: frame.column + 1, width: inner)
            write(String(pen[3]), row: row, column: frame.column + inner + 1, paper: .terminal)
        }
        rule(keys.last ?? text.footer, pen[4], pen[1], pen[5], row: frame.row + frame.rows - 1 + max(keys.count - 1, 0), frame)
    }

    private mutating func body(_ line: PanelText.Line, row: Int, column: Int, width: Int) {
        let room = width - 2 - (line.right.isEmpty ? 0 : line.right.width + 1)
        let left = line.text.clipped(to: max(room, 1))
        let gap = max(width - 2 - left.width - line.right.width, 0)
        let whole = " " + left + String(repeating: " ", count: gap) + line.right + " "
        write(
            whole, row: row, column: column, paper: .terminal, style: line.style, width: width)
    }

    private mutating func rule(
        _ text: String, _ left: Character, _ line: Character, _ right: Character, row: Int,
        _ frame: PanelFrame
    ) {
        let inner = frame.columns - 2
        let label = text.isEmpty ? "" : " \(text.clipped(to: inner - 3)) "
        let rest = String(repeating: line, count: max(inner - 1 - label.width, 0))
        write(
            "\(left)\(line)\(label)\(rest)\(right)", row: row, column: frame.column,
            paper: .terminal, width: frame.columns)
    }
}

extension String {
    /// The text at the right of so many columns.
    func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(width - self.width, 0)) + self }
}
