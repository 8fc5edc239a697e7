internal import RhumbCore

/// Images that are part of the screen like text: those of sixel graphics and of iTerm2. They can't be moved,
/// and text erases them. Every movement draws the whole map and then its text; changed text, only its rows.
struct InlineImages {
    private let encode: @Sendable (IndexedImage) -> [UInt8]?
    private var shown: [PixelFrame.Tile]?
    /// The maximum size of one image, to which xterm limits it by default.
    static let usualLimit = PixelSize(width: 1000, height: 1000)
    /// The maximum size of one image.
    var limit = InlineImages.usualLimit

    /// - Parameter encode: Encodes an image as PNG; nil if it can't.
    init(encode: @escaping @Sendable (IndexedImage) -> [UInt8]?) { self.encode = encode }

    /// True if images are on the screen.
    var isShown: Bool { shown != nil }

    /// Discards the shown images, because they were erased.
    mutating func forget() { shown = nil }

    /// Returns the rows of the map to draw; empty if the terminal shows them all.
    /// - Parameter textChanged: The rows in which text changed. Erased text leaves holes in the images.
    func rowsToDraw(_ pixels: PixelFrame, textChanged: Set<Int>) -> Range<Int> {
        let all = pixels.cells.rows
        guard let shown, shown.count == pixels.tiles.count,
            zip(shown, pixels.tiles).allSatisfy({ $0.isSame(as: $1) })
        else { return all }
        let torn = textChanged.filter(all.contains)
        return torn.min().map { $0..<(torn.max() ?? $0) + 1 } ?? all.lowerBound..<all.lowerBound
    }

    /// Returns the bytes that draw rows of the map.
    /// - Parameter move: Returns the bytes that move the cursor to a cell.
    mutating func frame(
        _ pixels: PixelFrame, rows: Range<Int>, as kind: PixelProtocol,
        move: (_ row: Int, _ column: Int) -> [UInt8]
    ) -> [UInt8] {
        shown = pixels.tiles
        return Self.parts(rows, limit.height / pixels.cell.height).flatMap { rows in
            Self.parts(pixels.cells.columns, limit.width / pixels.cell.width).flatMap { columns -> [UInt8] in
                guard let image = pixels.image(columns: columns, rows: rows) else { return [] }
                let cursor = move(rows.lowerBound, columns.lowerBound)
                guard kind == .iterm else { return cursor + SixelWriter.bytes(image) }
                return cursor
                    + (encode(image).map { InlineImage.bytes($0, width: image.width, height: image.height) }
                        ?? [])
            }
        }
    }

    /// Divides a range into parts of a maximum length.
    private static func parts(_ range: Range<Int>, _ most: Int) -> [Range<Int>] {
        let step = max(most, 1)
        return stride(from: range.lowerBound, to: range.upperBound, by: step).map {
            $0..<min($0 + step, range.upperBound)
        }
    }
}
