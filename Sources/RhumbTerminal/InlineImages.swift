internal import RhumbCore

/// Images that are part of the screen like text: those of sixel graphics and of iTerm2. They can't be moved,
/// and text erases them, so every change draws the whole map and then its text.
struct InlineImages {
    private let encode: @Sendable (IndexedImage) -> [UInt8]?
    private var shown: [PixelFrame.Tile]?
    /// The maximum width of one image, which xterm limits to 1000 pixels by default.
    private static let widest = 1000

    /// - Parameter encode: Encodes an image as PNG; nil if it can't.
    init(encode: @escaping @Sendable (IndexedImage) -> [UInt8]?) { self.encode = encode }

    /// True if images are on the screen.
    var isShown: Bool { shown != nil }

    /// Discards the shown images, because they were erased.
    mutating func forget() { shown = nil }

    /// Returns true if the terminal shows these images.
    func shows(_ pixels: PixelFrame) -> Bool {
        guard let shown, shown.count == pixels.tiles.count else { return false }
        return zip(shown, pixels.tiles).allSatisfy { $0.isSame(as: $1) }
    }

    /// Returns the bytes that draw the map.
    /// - Parameter move: Returns the bytes that move the cursor to a cell.
    mutating func frame(
        _ pixels: PixelFrame, as kind: PixelProtocol, move: (_ row: Int, _ column: Int) -> [UInt8]
    ) -> [UInt8] {
        shown = pixels.tiles
        let step = max(Self.widest / pixels.cell.width, 1), columns = pixels.cells.columns
        return stride(from: columns.lowerBound, to: columns.upperBound, by: step).flatMap {
            start -> [UInt8] in
            let end = min(start + step, columns.upperBound)
            guard let image = pixels.image(columns: start..<end) else { return [] }
            let place = move(pixels.cells.rows.lowerBound, start)
            guard kind == .iterm else { return place + SixelWriter.bytes(image) }
            return place
                + (encode(image).map { InlineImage.bytes($0, width: image.width, height: image.height) } ?? [])
        }
    }
}
