internal import RhumbCore

/// The pixels that a view at one zoom lays over the whole world, divided into blocks of equal size. Positions
/// count from the world's upper left corner, so that a block keeps its pixels while the view moves.
struct PixelGrid: Equatable {
    /// The width of the world in pixels.
    let side: Double
    /// The size of a cell.
    let cell: PixelSize
    /// The size of a block: whole cells, an even number of pixels across, and a multiple of four down.
    let block: PixelSize
    /// The view's upper left corner.
    let left: Int, top: Int
    /// The size of the view.
    let width: Int, height: Int

    /// The approximate size of a block's sides.
    private static let usualBlock = 320

    /// - Parameter cell: The size of a cell, whose shape is that of the view's cells.
    init(_ viewport: Viewport, cell: PixelSize) {
        let camera = viewport.camera
        let side = camera.worldPixels * Double(cell.width) / Viewport.pixelsPerColumn
        self.side = side
        self.cell = cell
        block = PixelSize(
            width: cell.width * max(Self.usualBlock / cell.width / 2 * 2, 2),
            height: cell.height * max(Self.usualBlock / cell.height / 4 * 4, 4))
        width = viewport.columns * cell.width
        height = viewport.rows * cell.height
        // Views moved by whole cells differ by whole pixels, whatever the rounding errors.
        func corner(_ center: Double, _ size: Int) -> Int {
            Int((center * side - Double(size) / 2 + 0.51).rounded(.down))
        }
        left = corner(camera.center.x, width)
        top = corner(camera.center.y, height)
    }

    /// The columns and rows of blocks in view.
    var blocks: (columns: Range<Int>, rows: Range<Int>) {
        func range(_ low: Int, _ size: Int, _ block: Int) -> Range<Int> {
            low.dividingDown(by: block)..<((low + size - 1).dividingDown(by: block) + 1)
        }
        return (range(left, width, block.width), range(top, height, block.height))
    }

    /// Returns the position of a block on the screen, and its part within the view.
    func placement(column: Int, row: Int) -> KittyGraphics.Placement {
        let x = column * block.width - left, y = row * block.height - top
        let shownX = max(x, 0)..<min(x + block.width, width)
        let shownY = max(y, 0)..<min(y + block.height, height)
        var placement = KittyGraphics.Placement(
            row: shownY.lowerBound / cell.height, column: shownX.lowerBound / cell.width)
        placement.x = shownX.lowerBound % cell.width
        placement.y = shownY.lowerBound % cell.height
        placement.left = shownX.lowerBound - x
        placement.top = shownY.lowerBound - y
        placement.width = shownX.count == block.width ? 0 : shownX.count
        placement.height = shownY.count == block.height ? 0 : shownY.count
        return placement
    }
}

extension Int {
    /// Returns the quotient rounded towards minus infinity; the divisor must be positive.
    func dividingDown(by divisor: Int) -> Int {
        self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor)
    }
}
