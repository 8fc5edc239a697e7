/// A table with columns as wide as their contents, two spaces apart.
public struct TextTable {
    /// One line per row, without spaces at the end.
    public let lines: [String]

    /// - Parameters:
    ///   - head: The names of the columns; empty for none.
    ///   - leading: The number of first columns that are aligned left; nil for all. The others are aligned
    ///     right.
    ///   - closing: The number of last columns that are aligned left, too.
    ///   - rows: The rows, all of the same length.
    public init(_ head: [String] = [], leading: Int? = nil, closing: Int = 0, _ rows: [[String]]) {
        let rows = (head.isEmpty ? [] : [head]) + rows
        let columns = rows.first?.count ?? 0, leading = leading ?? columns
        let widths = (0..<columns).map { column in rows.map(\.[column].width).max() ?? 0 }
        lines = rows.map { row in
            var line = row.indices.map { column in
                column < leading || column >= columns - closing
                    ? row[column].padded(to: widths[column]) : row[column].leftPadded(to: widths[column])
            }.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
