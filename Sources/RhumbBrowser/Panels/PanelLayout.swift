internal import RhumbCore
internal import RhumbEngine

/// The layout of a panel: its title, the visible lines, and the keys below them.
struct PanelLayout {
    let frame: PanelFrame
    let title: String
    /// The lines, wrapped or shortened to the width.
    let lines: [PanelText.Line]
    let position: ScrollPosition
    /// The index of the first visible line.
    let top: Int
    let keys: [[PanelKey]]

    /// - Parameters:
    ///   - scroll: The number of lines to scroll beyond the position that shows the selection.
    ///   - frame: The largest frame for the panel.
    init(_ text: PanelText, keys: [[PanelKey]], scroll: Int = 0, in frame: PanelFrame) {
        let laidOut = text.lines.laidOut(in: max(frame.columns - 4, 1))
        lines = Array(laidOut.joined())
        title = text.title
        self.keys = keys
        self.frame = frame.fitted(to: max(lines.count, 1) + 1 + keys.count)
        let room = max(self.frame.rows - 1 - keys.count, 0)
        func start(_ line: Int) -> Int { laidOut[..<line].reduce(0) { $0 + $1.count } }
        let first =
            text.focused.map { min(max(start($0.upperBound + 1) + 1 - room, 0), start($0.lowerBound)) } ?? 0
        position = ScrollPosition(lines: lines.count, room: room, first: first)
        top = position.top(scroll)
    }

    /// The number of lines between the title and the keys.
    var room: Int { position.room }

    var shown: ArraySlice<PanelText.Line> { lines.dropFirst(top).prefix(room) }

    /// Returns a hint such as "↓ 12 more", or at the end "↑ 12 more"; empty if all lines are visible.
    func hint(isUnicode: Bool) -> String {
        let below = lines.count - top - room
        let (down, up) = isUnicode ? ("↓", "↑") : ("v", "^")
        if below > 0 { return (top > 0 ? "\(up) \(top)  " : "") + "\(down) \(below) more" }
        return top > 0 ? "\(up) \(top) more" : ""
    }
}

extension Browser {
    /// Returns the layout of the open panel, drawn with a scene; nil if no panel is open.
    func panelLayout(_ scene: Scene) -> PanelLayout? {
        guard let panel = panels.top, !isTooSmall else { return nil }
        var text = panel.text(self, scene)
        if let tab = panel.tab, panel.filter?.isEmpty != false {
            let title = tab.title(columns: wholePanelFrame.columns)
            text = PanelText(title: title, lines: text.lines, footer: text.footer, focus: text.focus)
        }
        if let filter = panel.filter, !filter.isEmpty {
            let lines = text.lines.isEmpty ? wrapped(StatusText.noFilterMatch) : text.lines
            let ending = " matching \(filter)", room = max(wholePanelFrame.columns - 22 - ending.width, 8)
            let title = text.title.clipped(to: room) + ending
            text = PanelText(title: title, lines: lines, footer: text.footer, focus: text.focus)
        }
        if !map.settings.isUnicode { text.lines = text.lines.map(\.inASCII) }
        return PanelLayout(text, keys: keyLines(under: text), scroll: panels.scroll, in: wholePanelFrame)
    }
}

extension CellGrid {
    /// Draws a panel over the map: its title on a rule, its lines behind a thin edge, its keys below.
    mutating func draw(_ panel: PanelLayout, face: UIPalette, isUnicode: Bool) {
        let frame = panel.frame
        guard frame.columns > 4, frame.rows > panel.keys.count + 1 else { return }
        title(panel.title, hint: panel.hint(isUnicode: isUnicode), in: frame, face, isUnicode)
        for row in (frame.row + 1)..<(frame.row + frame.rows) { clear(row, in: frame, face, isUnicode) }
        for (offset, line) in panel.shown.enumerated() { body(line, row: frame.row + 1 + offset, in: frame) }
        for (offset, line) in panel.keys.enumerated() {
            draw(line, row: frame.row + 1 + panel.room + offset, column: frame.column + 2, face)
        }
    }

    /// Draws keys with their effects.
    private mutating func draw(_ keys: [PanelKey], row: Int, column: Int, _ face: UIPalette) {
        var column = column
        for key in keys {
            if !key.key.isEmpty {
                column +=
                    write(key.key, row: row, column: column, ink: face.accent, style: .bold)
                    + (key.verb.isEmpty ? 0 : 1)
            }
            column +=
                write(key.verb, row: row, column: column, style: key.key.isEmpty ? .bold : .dim)
                + PanelKey.gap
        }
    }

    private mutating func title(
        _ title: String, hint: String, in frame: PanelFrame, _ face: UIPalette, _ isUnicode: Bool
    ) {
        let rule = String(repeating: isUnicode ? "─" : "-", count: frame.columns)
        write(rule, row: frame.row, column: frame.column, paper: .terminal, style: .dim, width: frame.columns)
        let hintRoom = hint.isEmpty ? 0 : hint.width + 3
        if !hint.isEmpty {
            let column = frame.column + frame.columns - hintRoom
            write(" \(hint) ", row: frame.row, column: column, ink: face.accent, paper: .terminal)
        }
        let room = frame.columns - 6 - hintRoom
        guard !title.isEmpty, room > 0 else { return }
        let text = " \(title.clipped(to: room)) "
        write(
            text, row: frame.row, column: frame.column + 2, ink: face.accent, paper: .terminal, style: .bold)
    }

    /// Clears a row, with the edge between the panel and the map.
    private mutating func clear(_ row: Int, in frame: PanelFrame, _ face: UIPalette, _ isUnicode: Bool) {
        write(
            String(repeating: " ", count: frame.columns), row: row, column: frame.column, paper: .terminal,
            width: frame.columns)
        let edge = isUnicode ? "│" : "|", end = frame.column + frame.columns - 1
        if frame.column > 0 { write(edge, row: row, column: frame.column, paper: .terminal, style: .dim) }
        if end < columns - 1 { write(edge, row: row, column: end, paper: .terminal, style: .dim) }
    }

    private mutating func body(_ line: PanelText.Line, row: Int, in frame: PanelFrame) {
        let width = frame.columns - 2, column = frame.column + 1
        let isPlain = line.style.isEmpty
        if line.style.contains(.reverse), cursor == nil { cursor = row * columns + column }
        if !isPlain {
            write(String(repeating: " ", count: width), row: row, column: column, style: line.style.paper)
        }
        write(line.text, row: row, column: column + 1, style: isPlain && line.isFact ? .dim : line.style)
        let right = isPlain && !line.isFact ? Cell.Style.dim : line.style
        write(line.right, row: row, column: column + width - 1 - line.right.width, style: right)
        for (at, cell) in line.cells.prefix(width - 2).enumerated() { self[row, column + 1 + at] = cell }
    }
}

extension Cell.Style {
    /// The part of the style that is visible in blank cells.
    fileprivate var paper: Cell.Style { intersection(.reverse) }
}

/// The colours around the map: an accent and the bar below the map, both chosen for the terminal's
/// background. Everything else uses the terminal's own colours.
struct UIPalette {
    /// The colour of titles and keys.
    let accent: CellColor
    /// The colour of problems.
    let alarm: CellColor
    /// The colours of the bar, and its style in terminals without colours.
    let bar: (ink: CellColor, paper: CellColor, style: Cell.Style)

    /// - Parameter theme: The theme that fits the terminal's background.
    init(_ theme: Settings.Theme, _ depth: ColorDepth) {
        alarm = depth == .mono ? .terminal : .indexed(theme == .day ? 1 : 9)
        accent = depth == .mono ? .terminal : .indexed(theme == .day ? 4 : 14)
        switch (depth, theme) {
        case (.truecolor, .night): bar = (.rgb(RGB(0xC9D3DA)), .rgb(RGB(0x1F2A33)), [])
        case (.truecolor, .day): bar = (.rgb(RGB(0x2B2B28)), .rgb(RGB(0xE4DFD3)), [])
        case (.indexed256, .night): bar = (.indexed(252), .indexed(236), [])
        case (.indexed256, .day): bar = (.indexed(235), .indexed(253), [])
        default: bar = (.terminal, .terminal, .reverse)
        }
    }
}

extension Browser {
    var face: UIPalette { UIPalette(terminalTheme, map.settings.depth) }
}

/// A progress bar.
struct ShareBar {
    /// The filled share, from 0 to 1.
    let share: Double
    let width: Int

    /// Returns the bar as cells of a panel's line: a thick line over a thin one.
    func cells(_ face: UIPalette, isUnicode: Bool) -> [Cell] {
        let full = min(max(Int(clamping: share * Double(width)), share > 0 ? 1 : 0), width)
        let done = Cell(isUnicode ? "━" : "#", ink: face.accent, style: .bold)
        let rest = Cell(isUnicode ? "─" : "-", style: .dim)
        return Array(repeating: done, count: full) + Array(repeating: rest, count: max(width - full, 0))
    }
}
