internal import RhumbCore

/// Columns and rows of one zoom, rows from the north.
struct TileRectangle: Equatable {
    var columns: ClosedRange<Int>
    var rows: ClosedRange<Int>

    var tileCount: Int { columns.count * rows.count }

    func clamped(to other: TileRectangle) -> TileRectangle? {
        guard columns.overlaps(other.columns), rows.overlaps(other.rows) else { return nil }
        return TileRectangle(columns: columns.clamped(to: other.columns), rows: rows.clamped(to: other.rows))
    }

    mutating func include(_ other: TileRectangle) {
        columns =
            min(
                columns.lowerBound, other.columns.lowerBound)...max(
                columns.upperBound, other.columns.upperBound)
        rows = min(rows.lowerBound, other.rows.lowerBound)...max(rows.upperBound, other.rows.upperBound)
    }
}

extension TileRuns {
    /// The smallest rectangle that holds all tiles of a zoom; nil if there are none.
    func rectangle(zoom: Int) -> TileRectangle? {
        var found: TileRectangle?
        for run in runs(zoom: zoom) {
            for square in TileRuns.squares(run, zoom: zoom) {
                found?.include(square)
                found = found ?? square
            }
        }
        return found
    }

    /// The first few tiles of a rectangle that are missing, along the curve.
    func holes(in rectangle: TileRectangle, zoom: Int, limit: Int) -> [TileID] {
        var found: [TileID] = []
        for gap in gaps(within: TileRuns.ids(zoom: zoom)) {
            for square in TileRuns.squares(gap, zoom: zoom) {
                guard let hole = square.clamped(to: rectangle) else { continue }
                found += hole.tiles(zoom: zoom, limit: limit - found.count)
                if found.count >= limit { return found }
            }
        }
        return found
    }

    /// The tiles of a zoom whose parent is missing: how many, and the first few.
    func orphans(zoom: Int, limit: Int) -> (count: Int, examples: [TileID]) {
        guard zoom > 0 else { return (0, []) }
        let base = TileID.firstPMTilesID(zoom: zoom), parents = TileID.firstPMTilesID(zoom: zoom - 1)
        var count = 0
        var examples: [TileID] = []
        for run in runs(zoom: zoom) {
            let above = parents + (run.lowerBound - base) / 4..<parents + (run.upperBound - 1 - base) / 4 + 1
            for gap in gaps(within: above) {
                let children = base + (gap.lowerBound - parents) * 4..<base + (gap.upperBound - parents) * 4
                let orphans = children.clamped(to: run)
                count += orphans.count
                examples += orphans.prefix(limit - examples.count).compactMap { TileID(pmtilesID: $0) }
            }
        }
        return (count, examples)
    }

    /// A range of one zoom's ids as squares: 4^n ids from a multiple of 4^n on are one.
    static func squares(_ run: Range<UInt64>, zoom: Int) -> [TileRectangle] {
        let base = TileID.firstPMTilesID(zoom: zoom)
        var start = run.lowerBound - base
        let end = run.upperBound - base
        var squares: [TileRectangle] = []
        while start < end {
            var levels = min(zoom, start == 0 ? zoom : start.trailingZeroBitCount / 2)
            while end - start < 1 << UInt64(2 * levels) { levels -= 1 }
            let corner = TileID.firstPMTilesID(zoom: zoom - levels) + (start >> UInt64(2 * levels))
            if let tile = TileID(pmtilesID: corner) { squares.append(TileRectangle(tile, levels: levels)) }
            start += 1 << UInt64(2 * levels)
        }
        return squares
    }
}

extension TileRectangle {
    /// The descendants of a tile a number of zooms below it.
    fileprivate init(_ tile: TileID, levels: Int) {
        columns = tile.x << levels...((tile.x + 1) << levels) - 1
        rows = tile.y << levels...((tile.y + 1) << levels) - 1
    }

    fileprivate func tiles(zoom: Int, limit: Int) -> [TileID] {
        var found: [TileID] = []
        for row in rows {
            for column in columns {
                if found.count >= limit { return found }
                TileID(zoom: zoom, x: column, y: row).map { found.append($0) }
            }
        }
        return found
    }
}
