/// A rectangle of rows and columns in a grid.
public struct CellBox: Sendable, Hashable {
    /// The columns, from left to right.
    public let columns: Range<Int>
    /// The rows, from top to bottom.
    public let rows: Range<Int>

    /// A box of these columns and rows.
    public init(columns: Range<Int>, rows: Range<Int>) { (self.columns, self.rows) = (columns, rows) }

    /// Returns true if another box lies inside.
    public func contains(_ other: CellBox) -> Bool {
        columns.lowerBound <= other.columns.lowerBound && columns.upperBound >= other.columns.upperBound
            && rows.lowerBound <= other.rows.lowerBound && rows.upperBound >= other.rows.upperBound
    }

    /// Returns true if a cell lies inside.
    public func contains(column: Int, row: Int) -> Bool { columns.contains(column) && rows.contains(row) }

    /// Returns true if both boxes have a cell in common.
    public func meets(_ other: CellBox) -> Bool {
        columns.overlaps(other.columns) && rows.overlaps(other.rows)
    }

    /// Returns the cells common to both boxes.
    public func common(with other: CellBox) -> CellBox {
        CellBox(columns: columns.clamped(to: other.columns), rows: rows.clamped(to: other.rows))
    }

    /// Returns the smallest box around both.
    public func joined(with other: CellBox) -> CellBox {
        CellBox(
            columns: min(
                columns.lowerBound, other.columns.lowerBound)..<max(
                    columns.upperBound, other.columns.upperBound),
            rows: min(rows.lowerBound, other.rows.lowerBound)..<max(rows.upperBound, other.rows.upperBound))
    }

    /// Returns the box moved by columns to the right and rows down.
    public func moved(columns right: Int, rows down: Int) -> CellBox {
        CellBox(
            columns: (columns.lowerBound + right)..<(columns.upperBound + right),
            rows: (rows.lowerBound + down)..<(rows.upperBound + down))
    }

    /// The number of cells.
    public var count: Int { columns.count * rows.count }

    /// Returns the box with more columns and rows on every side.
    public func grown(columns more: Int, rows also: Int) -> CellBox {
        CellBox(
            columns: (columns.lowerBound - more)..<(columns.upperBound + more),
            rows: (rows.lowerBound - also)..<(rows.upperBound + also))
    }
}
