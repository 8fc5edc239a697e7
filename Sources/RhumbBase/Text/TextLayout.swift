/// Text fitted into the columns of a terminal.
extension String {
    /// The number of columns that the text takes in a terminal.
    package var width: Int { TextWidth.columns(of: self) }

    /// Returns the text padded on the right to a width in columns.
    package func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(width - self.width, 0))
    }

    /// Returns the text padded on the left to a width in columns.
    package func leftPadded(to width: Int) -> String {
        String(repeating: " ", count: max(width - self.width, 0)) + self
    }

    /// Returns the text shortened to a width. The ellipsis is after a word, or within a word longer than half
    /// the width.
    package func clipped(to columns: Int) -> String {
        guard width > columns else { return self }
        var shown = "", used = 0
        for character in self {
            let next = String(character).width
            if used + next > columns - 1 { break }
            shown.append(character)
            used += next
        }
        let isBetweenWords = self[index(startIndex, offsetBy: shown.count)...].hasPrefix(" ")
        if !isBetweenWords, let end = shown.lastIndex(of: " "), String(shown[..<end]).width * 2 >= columns {
            shown = String(shown[..<end])
        }
        while shown.last == " " && shown.count > 1 { shown.removeLast() }
        return shown + "…"
    }
}

extension Sequence<String> {
    /// Returns words in lines of at most this many columns, at least one line. A longer word has its own
    /// line.
    package func lines(of columns: Int) -> [String] {
        reduce(into: [""]) { lines, word in
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = word
            } else if last.width + 1 + word.width <= columns {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(word)
            }
        }
    }
}
