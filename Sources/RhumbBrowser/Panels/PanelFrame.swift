internal import RhumbCore
internal import RhumbEngine

/// The position of a panel: a drawer on the right, or a sheet over the lower half of narrow screens.
struct PanelFrame: Equatable {
    let row: Int
    let column: Int
    let rows: Int
    let columns: Int

    /// True for a sheet over the lower part of the map.
    private var isSheet: Bool { column == 0 }

    /// Returns the frame reduced to the height that its content needs.
    func fitted(to lines: Int) -> PanelFrame {
        let needed = min(lines, rows)
        return PanelFrame(
            row: isSheet ? row + rows - needed : row, column: column, rows: needed, columns: columns)
    }
}

extension Browser {
    /// The frame of the open panel, with room for only one line of its keys.
    var panelFrame: PanelFrame {
        let whole = wholePanelFrame
        return PanelFrame(
            row: whole.row, column: whole.column, rows: max(whole.rows - max(panelKeyLines.count - 1, 0), 3),
            columns: whole.columns)
    }

    /// True if panels are drawn beside the map, and not over its lower part.
    var hasDrawer: Bool { map.columns >= 100 && panels.top?.spansScreen != true }

    var wholePanelFrame: PanelFrame {
        if hasDrawer {
            let width = max(min(max(map.columns / 3, 38), 46), min(map.columns / 4, 64))
            return PanelFrame(row: 0, column: map.columns - width, rows: map.viewport.rows, columns: width)
        }
        // The point that a panel describes stays in view above it.
        let most =
            panels.top?.marksPoint == true ? map.viewport.rows - map.viewport.rows / 2 - 1 : map.viewport.rows
        let height = min(max(map.viewport.rows / 2, panels.top is HelpPanel ? HelpPanel.firstRows : 8), most)
        return PanelFrame(row: map.viewport.rows - height, column: 0, rows: height, columns: map.columns)
    }

    func isOverPanel(column: Int, row: Int) -> Bool {
        guard !panels.isEmpty, let frame = (map.screenUse.panel ?? drawnPanel(Scene(layers: [])))?.frame
        else {
            return false
        }
        return column >= frame.column && row >= frame.row
            && row < frame.row + frame.rows && column < frame.column + frame.columns
    }
}

extension Browser {
    /// Returns a text wrapped to the width of the panel, less an indent in columns.
    func wrapped(_ text: String, indent: Int = 0) -> [PanelText.Line] {
        wrapped(text, to: wholePanelFrame.columns - 4 - indent)
    }

    /// Returns a text wrapped to a width in columns.
    func wrapped(_ text: String, to width: Int) -> [PanelText.Line] {
        (map.settings.isSpoken ? [text] : text.wrappedLines(width)).map { .init(text: $0) }
    }
}

extension String {
    /// Returns the text in parts of at most the given number of columns. A path is divided behind a slash.
    fileprivate func pieces(of columns: Int) -> [String] {
        guard width > columns else { return [self] }
        return reduce(into: [""]) { parts, character in
            let last = parts[parts.count - 1]
            if last.width + String(character).width > columns {
                let name = last.lastIndex(of: "/").map { last[$0...].dropFirst() } ?? ""
                let rest = name.count * 2 <= last.count ? name : ""
                parts[parts.count - 1] = String(last.dropLast(rest.count))
                parts.append(String(rest))
            }
            parts[parts.count - 1].append(character)
        }
    }

    /// Returns the text padded on the left to a width in columns.
    func leftPadded(to width: Int) -> String {
        String(repeating: " ", count: max(width - self.width, 0)) + self
    }

    /// Returns the words in lines of at most the given width, at least one line. A longer word is divided.
    func wrappedLines(_ columns: Int) -> [String] {
        var lines: [String] = [""]
        for word in split(separator: " ").flatMap({ String($0).pieces(of: max(columns, 8)) }) {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = word
            } else if last.width + 1 + word.width <= columns {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(word)
            }
        }
        return lines
    }
}
