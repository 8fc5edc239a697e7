internal import RhumbCore

/// Frames for slow lines. Three quarters of a frame's bytes set colours. Cells of the same colours are
/// therefore drawn together, and similar colours are joined. That halves the bytes, but takes some
/// milliseconds, also for the few cells that a pan uncovers.
extension Painter {
    /// Draws changed cells until the frame is complete or has `limit` bytes.
    mutating func paintByColour(upTo limit: Int) {
        guard var cells = shown else { return }
        for row in 0..<rows { releaseHalves(of: &cells, row * columns) }
        shown = cells
        for row in 0..<rows where encoder.bytes.count < limit && hasUnevenWidths(row) { paint(row) }
        paintNarrowCells(upTo: limit)
        isInterrupted = shown != wanted
    }

    /// Draws the changed cells of rows without wide characters.
    private mutating func paintNarrowCells(upTo limit: Int) {
        guard encoder.bytes.count < limit, var cells = shown else { return }
        shown = nil
        defer { shown = cells }
        let changed = (0..<rows).flatMap { row -> [Int] in
            let line = (row * columns)..<((row + 1) * columns)
            guard cells[line] != wanted[line], !hasUnevenWidths(row, shown: cells) else { return [] }
            return line.filter { cells[$0] != wanted[$0] }
        }
        let colours = JoinedColours(
            of: flatColours, and: changed.map { wanted[$0] }, tolerance: encoder.tolerance)
        var joined = wanted
        var steps = changed.map { at in
            joined[at] = colours.joined(wanted[at])
            return (order: colours.order(of: joined[at]), at: at)
        }
        steps.sort { $0 < $1 }
        for (_, at) in steps where cells[at] != wanted[at] {
            guard encoder.bytes.count < limit else { return }
            let row = at / columns, column = at % columns
            changedRows.insert(row)
            bridge(row, to: column)
            if let end = endOfErasure(from: at, joined, shown: cells) {
                encoder.erase(end - at, joined[at])
                for erased in at..<end {
                    let isDrawn = joined[erased].isBlank && joined[erased].paper == joined[at].paper
                    isInexact[erased] = isDrawn && joined[erased] != wanted[erased]
                    cells[erased] = isDrawn ? wanted[erased] : joined[at]
                }
                continue
            }
            let count = draw(cells, row, column, as: joined[at])
            for drawn in at..<(at + count) { cells[drawn] = wanted[drawn] }
        }
    }

    /// Returns the end of the part of a row that is erased to draw all blank cells in it. The other cells in
    /// it must not be drawn yet.
    /// - Returns: nil if drawing the blank cells one by one takes fewer bytes.
    private func endOfErasure(from start: Int, _ joined: [Cell], shown: [Cell]) -> Int? {
        let blank = joined[start]
        guard blank.isBlank, encoder.capabilities.erasesCells, encoder.canErase(to: blank) else { return nil }
        var end = start, saved = 0
        for at in start..<((start / columns + 1) * columns) {
            guard shown[at] != wanted[at] else { break }
            guard joined[at].isBlank, joined[at].paper == blank.paper else { continue }
            saved += at == end ? 1 : encoder.costOfMoving(at - end) + 1
            end = at + 1
        }
        return saved > 10 ? end : nil
    }

    /// True if a row shows or wants characters that don't fill one cell. Such rows are drawn from left to
    /// right.
    private func hasUnevenWidths(_ row: Int) -> Bool { shown.map { hasUnevenWidths(row, shown: $0) } ?? true }

    private func hasUnevenWidths(_ row: Int, shown: [Cell]) -> Bool {
        let line = (row * columns)..<((row + 1) * columns)
        return line.contains {
            wanted[$0].isContinuation || wanted[$0].mark != nil || shown[$0].isContinuation
        }
    }

    /// The backgrounds of flat areas, which are drawn exactly.
    private var flatColours: Set<CellColor> {
        var colours: Set<CellColor> = []
        var start = 0
        for at in wanted.indices {
            if at % columns == 0 || wanted[at] != wanted[start] { start = at }
            if at - start == 3, wanted[at].isBlank { colours.insert(wanted[at].paper) }
        }
        return colours
    }
}

/// The colours of the changed cells of a frame. Similar ones are joined.
private struct JoinedColours {
    /// For each colour, the one it is drawn in and that colour's rank. Frequent colours have low ranks.
    private var colours: [CellColor: (joined: CellColor, rank: UInt64)] = [:]

    /// - Parameters:
    ///   - flat: Colours to keep.
    ///   - tolerance: The largest difference in a channel between joined colours.
    init(of flat: Set<CellColor>, and cells: [Cell], tolerance: UInt8) {
        var counts: [CellColor: Int] = [:]
        for cell in cells {
            counts[cell.paper, default: 0] += 1
            if !cell.isBlank { counts[cell.ink, default: 0] += 1 }
        }
        let order = counts.sorted {
            let isFlat = flat.contains($0.key)
            return isFlat == flat.contains($1.key)
                ? ($0.value, $0.key.key) > ($1.value, $1.key.key) : isFlat
        }
        var kept: [CellColor] = []
        for (colour, _) in order {
            let near = flat.contains(colour) ? nil : kept.firstIndex { $0.isNear(colour, tolerance) }
            if near == nil { kept.append(colour) }
            let rank = near ?? kept.count - 1
            colours[colour] = (kept[rank], UInt64(rank))
        }
    }

    private subscript(_ colour: CellColor) -> (joined: CellColor, rank: UInt64) {
        colours[colour] ?? (colour, 0)
    }

    /// Returns the cell in joined colours. The more frequent one is the background if the glyph has a
    /// complement.
    func joined(_ cell: Cell) -> Cell {
        let ink = self[cell.ink], paper = self[cell.paper]
        var joined = cell
        joined.paper = paper.joined
        guard !cell.isBlank else { return joined }
        joined.ink = ink.joined
        guard ink.rank <= paper.rank, ink.joined.isExchangeable, paper.joined.isExchangeable,
            let complement = joined.complement
        else { return joined }
        return ink.rank == paper.rank ? Cell(" ", paper: paper.joined) : complement
    }

    /// Returns the order in which joined cells are drawn: by background, then by foreground and style. The
    /// most frequent backgrounds come first.
    func order(of cell: Cell) -> UInt64 {
        let ink = cell.isBlank ? 0 : self[cell.ink].rank + 1
        return self[cell.paper].rank << 40 | ink << 8 | UInt64(cell.style.rawValue)
    }
}
