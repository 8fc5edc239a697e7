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

        /// Creates a positioned image.
        public init(content: UInt64, image: IndexedImage, placement: KittyGraphics.Placement) {
            (self.content, self.image, self.placement) = (content, image, placement)
        }
    }

    /// The images, the nearest to the centre first.
    public let tiles: [Tile]
    /// The cells of the map.
    public let cells: CellBox
    /// The size of a cell, in pixels.
    public let cell: PixelSize

    /// Creates a frame.
    public init(tiles: [Tile], cells: CellBox, cell: PixelSize) {
        (self.tiles, self.cells, self.cell) = (tiles, cells, cell)
    }
}
