internal import RhumbCore

/// The content of a panel. The frame, the scrolling and the keys around it are the same for all panels.
struct PanelText {
    struct Line {
        var text: String
        /// The text at the right end.
        var right = ""
        var style: Cell.Style = []
        /// A row of a picture, in place of text.
        var cells: [Cell] = []
        /// True for a label on the left and its value on the right.
        var isFact = false
        /// True for a row of a list. Rows are shortened to one line; other text is wrapped.
        var isRow = false

        /// Returns a line such as "on disk    213 kB".
        static func fact(_ label: String, _ value: String) -> Line {
            Line(text: label, right: value, isFact: true)
        }

        /// Returns a row of a list.
        static func row(_ text: String, right: String = "", isSelected: Bool, style: Cell.Style = []) -> Line
        {
            Line(text: text, right: right, style: isSelected ? .reverse : style, isRow: true)
        }
    }

    let title: String
    var lines: [Line]
    /// A question at the bottom in place of the panel's keys.
    var footer = ""
    /// The index of the line to keep in view if none is selected.
    var focus: Int?

    /// The text in the format for copying.
    var plain: String { lines.map(\.plain).joined(separator: "\n") }

    /// The range of the selected line and the details below it, or of the focus; nil if there is neither.
    var focused: ClosedRange<Int>? {
        guard let first = lines.firstIndex(where: { $0.style.contains(.reverse) }) else {
            return focus.map { $0...$0 }
        }
        let rest = lines[(first + 1)...]
        let isDetail: (Line) -> Bool = {
            lines[first].isRow ? !$0.isRow && !$0.isBlank : $0.style.contains(.reverse)
        }
        return first...(rest.firstIndex { !isDetail($0) } ?? lines.count) - 1
    }
}

extension PanelText.Line {
    fileprivate var isBlank: Bool { text.isEmpty && right.isEmpty && cells.isEmpty }

    /// The line as text, without styles.
    var plain: String {
        let whole = [text, right].filter { !$0.isEmpty }.joined(separator: "  ")
        return String(whole.reversed().drop { $0 == " " }.reversed())
    }

    /// The line with the signs that have no single ASCII character written out.
    var inASCII: Self {
        var line = self
        line.text = text.replacingSign
        line.right = right.replacingSign
        return line
    }

    /// Returns the line wrapped to a width. A row of a list is shortened to one line instead.
    /// - Parameter keepsEnd: If true, a row is shortened in the middle.
    func laidOut(in width: Int, keepsEnd: Bool = false) -> [Self] {
        let needed = text.width + (right.isEmpty ? 0 : right.width + 1)
        guard cells.isEmpty, needed > width else { return [self] }
        if right.isEmpty && !isRow { return wrapped(in: width) }
        if isFact { return wrappedFact(in: width) }
        var line = self
        line.right = right.clipped(to: max(width - min(text.width, width * 3 / 5) - 1, 1))
        let room = max(width - (right.isEmpty ? 0 : line.right.width + 1), 1)
        line.text = keepsEnd ? text.clippedInside(to: room) : text.clipped(to: room)
        return [line]
    }

    private func wrapped(in width: Int) -> [Self] {
        let indent = String(text.prefix { $0 == " " })
        return text.wrappedLines(max(width - indent.width, 8)).map { part in
            var line = self
            line.text = indent + part
            return line
        }
    }

    /// Returns the label, with the value on the lines below it.
    private func wrappedFact(in width: Int) -> [Self] {
        [Self(text: text, style: style, isFact: true)]
            + right.wrappedLines(width).map { Self(text: "", right: $0, style: style, isFact: true) }
    }
}

extension [PanelText.Line] {
    /// Returns the layout of each line. Rows that would look alike because their ends are cut off are
    /// shortened in the middle.
    func laidOut(in width: Int) -> [[PanelText.Line]] {
        var laidOut = map { $0.laidOut(in: width) }, alike: [[String]: [Int]] = [:]
        for at in indices where self[at].isRow {
            alike[laidOut[at].flatMap { [$0.text, $0.right] }, default: []].append(at)
        }
        for rows in alike.values where rows.count > 1 {
            for at in rows { laidOut[at] = self[at].laidOut(in: width, keepsEnd: true) }
        }
        return laidOut
    }
}

extension String {
    /// Returns the text without its middle, in at most this many columns.
    fileprivate func clippedInside(to columns: Int) -> String {
        guard width > columns, columns > 2 else { return clipped(to: columns) }
        func fitting(_ characters: some Sequence<Character>, _ room: Int) -> [Character] {
            var used = 0
            return characters.prefix { character in
                used += String(character).width
                return used <= room
            }
        }
        let end = String(fitting(reversed(), (columns - 1) / 2).reversed())
        return String(fitting(self, columns - 1 - end.width)) + "…" + end
    }
}
