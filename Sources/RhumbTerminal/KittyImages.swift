package import RhumbCore

/// Tracks the images that the terminal stores and shows with the kitty graphics protocol, and encodes the
/// changes that make it show a frame.
package struct KittyImages {
    private struct Stored {
        let id: UInt32
        let bytes: Int
        var lastUse: Int
        /// The position on the screen; nil while hidden.
        var placement: KittyGraphics.Placement?
    }

    /// True if placeholders in the text show the images, inside tmux. Commands then pass through tmux.
    package var usesPlaceholders = false {
        didSet {
            guard usesPlaceholders != oldValue else { return }
            stored = [:]
            nextID = ids.lowerBound
        }
    }

    /// Encodes an image as PNG; nil if it can't.
    private let encode: @Sendable (IndexedImage) -> [UInt8]?
    private var placeholders = PlaceholderRows()
    private var stored: [UInt64: Stored] = [:]
    private var nextID = KittyGraphics.ids.lowerBound
    private var tick = 0
    /// The maximum size of hidden images, in bytes of the terminal's memory. Terminals allow some 300 MB.
    private static let limit = 96 << 20

    /// - Parameter encode: Encodes an image as PNG; nil if it can't.
    package init(encode: @escaping @Sendable (IndexedImage) -> [UInt8]?) { self.encode = encode }

    /// The number of stored images.
    package var count: Int { stored.count }

    /// Discards all images, because the terminal has deleted them.
    package mutating func forget() {
        stored = [:]
        placeholders.forget()
    }

    /// Discards the images on the screen. With placeholders, the terminal still stores them.
    mutating func forgetShown() {
        if usesPlaceholders { placeholders.forget() } else { forget() }
    }

    private var ids: ClosedRange<UInt32> { usesPlaceholders ? KittyPlaceholder.ids : KittyGraphics.ids }

    /// Returns commands in the form that reaches the terminal.
    private func sent(_ commands: [UInt8]) -> [UInt8] {
        usesPlaceholders ? KittyPlaceholder.passedThrough(commands) : commands
    }

    /// Discards an image that the terminal no longer has.
    package mutating func lose(id: UInt32) { stored = stored.filter { $0.value.id != id } }

    /// Returns true if the terminal stores an image.
    func stores(_ content: UInt64) -> Bool { stored[content] != nil }

    /// Returns true if the terminal stores all these images.
    func stores(_ tiles: [PixelFrame.Tile]) -> Bool { tiles.allSatisfy { stored[$0.content] != nil } }

    /// Returns the movement of the images from their positions on the screen; nil if there is none.
    func shift(to tiles: [PixelFrame.Tile]) -> ScreenShift? {
        for tile in tiles {
            guard let old = stored[tile.content]?.placement else { continue }
            let new = tile.placement, cell = tile.cell
            guard old.x == new.x, old.y == new.y else { return nil }
            let shift = ScreenShift(
                rows: old.row - new.row + (new.top - old.top) / cell.height,
                columns: old.column - new.column + (new.left - old.left) / cell.width)
            return shift == ScreenShift(rows: 0, columns: 0) ? nil : shift
        }
        return nil
    }

    /// Returns the commands that store the images the terminal lacks, which are invisible, and the bytes that
    /// show a frame.
    /// - Parameters:
    ///   - grid: The text over the images. Placeholders show them in its blank cells.
    ///   - erased: Rows in which text was written since the last frame.
    ///   - move: Returns the bytes that move the cursor to a cell.
    package mutating func frame(
        _ tiles: [PixelFrame.Tile], over grid: CellGrid, erased: Set<Int> = [],
        move: (_ row: Int, _ column: Int) -> [UInt8]
    ) -> (storing: [UInt8], showing: [UInt8]) {
        tick += 1
        var storing: [UInt8] = [], showing: [UInt8] = []
        var shown: [PlaceholderRows.Image] = []
        for tile in tiles {
            storing += store(tile)
            guard var image = stored[tile.content] else { continue }
            image.lastUse = tick
            if usesPlaceholders {
                shown.append(PlaceholderRows.Image(id: image.id, tile))
            } else if image.placement != tile.placement {
                showing += move(tile.placement.row, tile.placement.column)
                showing += KittyGraphics.place(image.id, tile.placement)
                image.placement = tile.placement
            }
            stored[tile.content] = image
        }
        let hiding = hideOthers()
        guard usesPlaceholders else { return (storing, showing + hiding) }
        return (storing + hiding, placeholders.frame(shown, over: grid, erased: erased, move: move))
    }

    /// Returns the commands that store an image, which is invisible, if the terminal lacks it.
    mutating func store(_ tile: PixelFrame.Tile) -> [UInt8] {
        guard stored[tile.content] == nil, let png = encode(tile.image) else { return [] }
        var bytes: [UInt8] = []
        let id = freeID(&bytes)
        stored[tile.content] = Stored(
            id: id, bytes: tile.image.width * tile.image.height * 4, lastUse: tick)
        let storing = KittyGraphics.store(id, png: png)
        guard usesPlaceholders else { return bytes + storing }
        let cells = tile.cells
        return bytes + sent(storing + KittyPlaceholder.prepare(id, columns: cells.columns, rows: cells.rows))
    }

    /// Returns the commands that hide the images outside the frame, and delete the least recently used
    /// ones.
    private mutating func hideOthers() -> [UInt8] {
        var bytes: [UInt8] = []
        var hidden = stored.filter { $0.value.lastUse != tick }.sorted {
            $0.value.lastUse < $1.value.lastUse
        }[...]
        var size = hidden.reduce(0) { $0 + $1.value.bytes }
        while size > Self.limit, let (content, image) = hidden.popFirst() {
            bytes += sent(KittyGraphics.delete(image.id))
            stored[content] = nil
            size -= image.bytes
        }
        for (content, image) in hidden where image.placement != nil {
            bytes += KittyGraphics.hide(image.id)
            stored[content]?.placement = nil
        }
        return bytes
    }

    /// Returns an unused id. If there is none, deletes the least recently used image.
    private mutating func freeID(_ bytes: inout [UInt8]) -> UInt32 {
        let used = Set(stored.values.map(\.id)), last = ids.upperBound - 1
        if used.count > last - ids.lowerBound,
            let oldest = stored.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            bytes += sent(KittyGraphics.delete(oldest.value.id))
            stored[oldest.key] = nil
            return oldest.value.id
        }
        while used.contains(nextID) { nextID = nextID >= last ? ids.lowerBound : nextID + 1 }
        defer { nextID = nextID >= last ? ids.lowerBound : nextID + 1 }
        return nextID
    }

    /// Returns the commands that delete all images.
    package mutating func deleteAll() -> [UInt8] {
        defer { forget() }
        return sent(
            stored.values.flatMap { KittyGraphics.delete($0.id) } + Array(KittyGraphics.deleteAll.utf8))
    }
}
