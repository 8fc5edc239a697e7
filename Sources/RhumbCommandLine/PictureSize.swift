/// The size of a picture in cells, and in pixels if it was given so.
public struct PictureSize: Sendable {
    /// The size of a cell in images, in pixels.
    public static let cell = (width: 8, height: 16)
    /// The number of columns that cover the picture.
    public let columns: Int
    /// The number of rows that cover the picture.
    public let rows: Int
    /// The exact size in pixels; nil for that of the cells.
    public let pixels: (width: Int, height: Int)?

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        pixels = nil
    }

    init(width: Int, height: Int) {
        columns = max(width, 0).dividedUp(by: PictureSize.cell.width)
        rows = max(height, 0).dividedUp(by: PictureSize.cell.height)
        pixels = (width, height)
    }
}

extension Int {
    fileprivate func dividedUp(by divisor: Int) -> Int { self / divisor + (self % divisor == 0 ? 0 : 1) }
}
