/// The map of one frame in pixels: images and their positions below the screen's cells.
public struct PixelFrame: Sendable {
    /// An image, or a part of it, at a position of the screen.
    public struct Tile: Sendable {
        /// Identifies the image's content. Equal numbers mean equal images.
        public let content: UInt64
        /// The image.
        public let image: IndexedImage
        /// The position, and the shown part.
        public let placement: KittyGraphics.Placement
        /// False for an image of lower quality, which may be replaced.
        public let isSharp: Bool
        /// The number of cells that the whole image covers.
        public let cells: (columns: Int, rows: Int)

        /// The size of the shown part of the image, in its pixels.
        package var shownSize: PixelSize { placement.size(of: image) }

        /// The size of a cell in pixels of the image.
        package var cell: PixelSize {
            PixelSize(width: image.width / cells.columns, height: image.height / cells.rows)
        }

        /// Returns true if both show the same image at the same position.
        package func isSame(as other: Tile) -> Bool {
            content == other.content && placement == other.placement
        }

        /// Creates a positioned image.
        /// - Parameter cells: The number of cells that the whole image covers, at least 1 each.
        public init(
            content: UInt64, image: IndexedImage, placement: KittyGraphics.Placement,
            cells: (columns: Int, rows: Int), isSharp: Bool = true
        ) {
            self.content = content
            self.image = image
            self.placement = placement
            self.cells = (max(cells.columns, 1), max(cells.rows, 1))
            self.isSharp = isSharp
        }
    }

    /// The images, the nearest to the centre first.
    public let tiles: [Tile]
    /// The cells of the map.
    public let cells: CellBox
    /// The size of a cell, in pixels.
    public let cell: PixelSize

    /// True if no image will be replaced by one of higher quality.
    public var isSharp: Bool { tiles.allSatisfy(\.isSharp) }

    /// Returns the pixels of some cells as one image; nil if there are none.
    public func image(columns: Range<Int>, rows: Range<Int>) -> IndexedImage? {
        let width = columns.count * cell.width, height = rows.count * cell.height
        guard width > 0, height > 0 else { return nil }
        var hues = [UInt32](repeating: 0, count: width * height)
        for tile in tiles {
            let placement = tile.placement, image = tile.image
            let left = (placement.column - columns.lowerBound) * cell.width + placement.x,
                top = (placement.row - rows.lowerBound) * cell.height + placement.y
            let part = placement.size(of: image)
            let wide = placement.columns > 0 ? placement.columns * cell.width : part.width,
                high = placement.rows > 0 ? placement.rows * cell.height : part.height
            let shown = max(left, 0)..<max(min(left + wide, width), max(left, 0))
            let palette = image.palette.map(\.hex)
            for row in max(top, 0)..<max(min(top + high, height), max(top, 0)) {
                let from = (placement.top + (row - top) * part.height / high) * image.width + placement.left
                for column in shown {
                    let index = image.pixels[from + (column - left) * part.width / wide]
                    hues[row * width + column] = palette[Int(index)]
                }
            }
        }
        return IndexedImage(width: width, height: height, hues: hues)
    }

    /// Creates a frame.
    public init(tiles: [Tile], cells: CellBox, cell: PixelSize) {
        self.tiles = tiles
        self.cells = cells
        self.cell = cell
    }
}

extension KittyGraphics.Placement {
    /// Returns the size of the shown part of an image.
    fileprivate func size(of image: IndexedImage) -> PixelSize {
        PixelSize(width: width > 0 ? width : image.width, height: height > 0 ? height : image.height)
    }
}
