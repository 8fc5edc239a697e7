internal import RhumbCore

/// The pixels that a view at one zoom lays over the whole world, divided into blocks of equal size.
///
/// Positions count from the world's upper left corner, so that a block keeps its pixels while the view moves.
/// The blocks are aligned with the cells of the view, and those of the first view fill it exactly.
struct PixelGrid: Equatable {
    /// The width of the world in pixels.
    let side: Double
    let cell: PixelSize
    /// The size of a block: whole cells, an even number of pixels across, and a multiple of four down.
    let block: PixelSize
    /// The view's upper left corner.
    let left: Int, top: Int
    /// The upper left corner of block 0, 0: less than a block from that of the world.
    let origin: PixelSize
    /// The size of the view.
    let width: Int, height: Int

    /// The approximate size of a block's sides.
    private static let usualBlock = 320

    /// - Parameters:
    ///   - cell: The size of a cell, whose shape is that of the view's cells.
    ///   - block: The size of a block; nil for one that divides the view evenly.
    ///   - origin: The corner of a block, anywhere; nil for that of the view.
    init(_ viewport: Viewport, cell: PixelSize, block: PixelSize? = nil, origin: PixelSize? = nil) {
        let camera = viewport.camera
        let side = camera.worldPixels * Double(cell.width) / Viewport.pixelsPerColumn
        self.side = side
        self.cell = cell
        let block =
            block
            ?? PixelSize(
                width: Self.length(viewport.columns, of: cell.width, multiple: 2),
                height: Self.length(viewport.rows, of: cell.height, multiple: 4))
        self.block = block
        width = viewport.columns * cell.width
        height = viewport.rows * cell.height
        // Views moved by whole cells differ by whole pixels, whatever the rounding errors.
        func corner(_ center: Double, _ size: Int) -> Int {
            Int((center * side - Double(size) / 2 + 0.51).rounded(.down))
        }
        left = corner(camera.center.x, width)
        top = corner(camera.center.y, height)
        let corner = origin ?? PixelSize(width: left, height: top)
        self.origin = PixelSize(
            width: corner.width.flooredDivision(by: block.width).remainder,
            height: corner.height.flooredDivision(by: block.height).remainder)
    }

    /// Returns the length of blocks that divide a number of cells evenly: a multiple of pixels.
    private static func length(_ cells: Int, of cell: Int, multiple: Int) -> Int {
        let count = max((cells * cell + usualBlock / 2) / usualBlock, 1)
        var length = max((cells + count - 1) / count, 1) * cell
        while length % multiple != 0 { length += cell }
        return length
    }

    /// True if the blocks are aligned with the cells of the view.
    var isAligned: Bool {
        (left - origin.width).isMultiple(of: cell.width) && (top - origin.height).isMultiple(of: cell.height)
    }

    /// The columns and rows of blocks in view.
    var blocks: (columns: Range<Int>, rows: Range<Int>) {
        func range(_ low: Int, _ size: Int, _ block: Int) -> Range<Int> {
            let last = (low + size - 1).flooredDivision(by: block).quotient
            return low.flooredDivision(by: block).quotient..<(last + 1)
        }
        return (
            range(left - origin.width, width, block.width), range(top - origin.height, height, block.height)
        )
    }

    /// The upper left corner of a block.
    func corner(column: Int, row: Int) -> (x: Int, y: Int) {
        (column * block.width + origin.width, row * block.height + origin.height)
    }

    /// The size of a block in cells.
    var blockCells: (columns: Int, rows: Int) { (block.width / cell.width, block.height / cell.height) }

    /// Returns the position of a block on the screen, and its part within the view.
    /// - Parameter size: The size of the block's image, with whole pixels for each cell.
    func placement(column: Int, row: Int, size: PixelSize) -> KittyGraphics.Placement {
        let corner = corner(column: column, row: row), cells = blockCells
        let x = (corner.x - left) / cell.width, y = (corner.y - top) / cell.height
        let shownX = max(x, 0)..<min(x + cells.columns, width / cell.width)
        let shownY = max(y, 0)..<min(y + cells.rows, height / cell.height)
        let across = size.width / cells.columns, down = size.height / cells.rows
        var placement = KittyGraphics.Placement(row: shownY.lowerBound, column: shownX.lowerBound)
        placement.left = (shownX.lowerBound - x) * across
        placement.top = (shownY.lowerBound - y) * down
        placement.width = shownX.count == cells.columns ? 0 : shownX.count * across
        placement.height = shownY.count == cells.rows ? 0 : shownY.count * down
        if size != block { (placement.columns, placement.rows) = (shownX.count, shownY.count) }
        return placement
    }
}
