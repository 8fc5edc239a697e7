internal import RhumbCore

/// Tracks the placeholders on the screen, and encodes the changes that make it show a frame.
struct PlaceholderRows {
    /// The part of an image that is on the screen, in cells.
    struct Image {
        let id: UInt32
        /// The position on the screen.
        let box: CellBox
        /// The cell of the image in the upper left corner.
        let row: Int, column: Int

        init(id: UInt32, _ tile: PixelFrame.Tile) {
            let placement = tile.placement, cell = tile.cell, size = tile.shownSize
            self.id = id
            box = CellBox(
                columns: placement.column..<placement.column + size.width / cell.width,
                rows: placement.row..<placement.row + size.height / cell.height)
            row = placement.top / cell.height
            column = placement.left / cell.width
        }
    }

    private var shown: [KittyPlaceholder.Part?] = []

    /// Discards all placeholders, because the screen was cleared.
    mutating func forget() { shown = [] }

    /// Returns the text for a frame. The cells of the grid that are not blank hide the images.
    /// - Parameters:
    ///   - erased: Rows in which other text was written since the last frame.
    ///   - move: Returns the bytes that move the cursor to a cell.
    mutating func frame(
        _ images: [Image], over grid: CellGrid, erased: Set<Int>,
        move: (_ row: Int, _ column: Int) -> [UInt8]
    ) -> [UInt8] {
        var wanted = [KittyPlaceholder.Part?](repeating: nil, count: grid.cells.count)
        for image in images {
            let box = image.box
            for row in box.rows.clamped(to: 0..<grid.rows) {
                for column in box.columns.clamped(to: 0..<grid.columns) where grid[row, column] == .blank {
                    wanted[row * grid.columns + column] = KittyPlaceholder.Part(
                        id: image.id, row: image.row + row - box.rows.lowerBound,
                        column: image.column + column - box.columns.lowerBound)
                }
            }
        }
        if shown.count != wanted.count { shown = Array(repeating: nil, count: wanted.count) }
        var bytes: [UInt8] = []
        for row in 0..<grid.rows {
            let line = row * grid.columns..<(row + 1) * grid.columns
            guard erased.contains(row) || shown[line] != wanted[line] else { continue }
            for at in line where wanted[at] == nil && shown[at] != nil && grid.cells[at] == .blank {
                bytes += move(row, at - line.lowerBound) + Array("\u{1B}[0m ".utf8)
            }
            bytes += text(wanted[line], row, move)
        }
        shown = wanted
        return bytes
    }

    private func text(
        _ parts: ArraySlice<KittyPlaceholder.Part?>, _ row: Int, _ move: (Int, Int) -> [UInt8]
    ) -> [UInt8] {
        var bytes: [UInt8] = [], at = parts.startIndex
        while at < parts.endIndex {
            guard let first = parts[at] else {
                at += 1
                continue
            }
            var end = at + 1
            while end < parts.endIndex, let next = parts[end], next.id == first.id,
                next.row == first.row, next.column == first.column + end - at
            {
                end += 1
            }
            bytes += move(row, at - parts.startIndex) + KittyPlaceholder.text(first, count: end - at)
            at = end
        }
        return bytes
    }
}
