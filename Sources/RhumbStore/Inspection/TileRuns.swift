internal import RhumbCore

/// A set of tiles as runs of PMTiles ids. Complete areas collapse into few runs, so that a full pyramid of
/// millions of tiles takes only a few bytes.
package struct TileRuns {
    package init() {}

    /// The runs in ascending order, not adjacent to each other. Up to date after `settle()`.
    private(set) var runs: [Range<UInt64>] = []
    private var pending: [Range<UInt64>] = []
    /// The runs of repeated tiles.
    private(set) var repeatedRuns: [Range<UInt64>] = []
    /// The number of repeated tiles.
    var repeated: Int { repeatedRuns.reduce(0) { $0 + $1.count } }
    var repeatedExamples: [UInt64] { Array(repeatedRuns.lazy.joined().prefix(5)) }

    package mutating func insert(_ run: Range<UInt64>) {
        guard !run.isEmpty else { return }
        if let last = pending.last, last.upperBound == run.lowerBound {
            pending[pending.count - 1] = last.lowerBound..<run.upperBound
        } else {
            pending.append(run)
        }
        if pending.count > max(65_536, runs.count) { settle() }
    }

    /// Merges pending runs into `runs`.
    package mutating func settle() {
        guard !pending.isEmpty else { return }
        let all = (runs + pending).sorted { $0.lowerBound < $1.lowerBound }
        runs = []
        pending = []
        for run in all { join(run) }
    }

    private mutating func join(_ run: Range<UInt64>) {
        guard let last = runs.last, run.lowerBound <= last.upperBound else { return runs.append(run) }
        let twice = run.lowerBound..<max(run.lowerBound, min(run.upperBound, last.upperBound))
        if !twice.isEmpty { repeatedRuns.append(twice) }
        runs[runs.count - 1] = last.lowerBound..<max(last.upperBound, run.upperBound)
    }

    func runs(zoom: Int) -> [Range<UInt64>] { runs(within: TileRuns.ids(zoom: zoom)) }

    /// Divides a range of ids by zoom.
    static func zooms(of ids: Range<UInt64>) -> [(zoom: Int, ids: Range<UInt64>)] {
        var found: [(zoom: Int, ids: Range<UInt64>)] = []
        var rest = ids
        while !rest.isEmpty {
            let zoom = TileID.zoom(hilbertID: rest.lowerBound)
            let end = zoom >= TileID.maximumZoom ? rest.upperBound : TileID.firstHilbertID(zoom: zoom + 1)
            let part = rest.lowerBound..<min(rest.upperBound, end)
            found.append((zoom, part))
            rest = part.upperBound..<rest.upperBound
        }
        return found
    }

    static func ids(zoom: Int) -> Range<UInt64> {
        TileID.firstHilbertID(zoom: zoom)..<TileID.firstHilbertID(zoom: zoom + 1)
    }

    /// Returns the runs within a range, clamped to it.
    func runs(within range: Range<UInt64>) -> [Range<UInt64>] {
        var found: [Range<UInt64>] = []
        var index = firstRun(endingAfter: range.lowerBound)
        while index < runs.count && runs[index].lowerBound < range.upperBound {
            found.append(runs[index].clamped(to: range))
            index += 1
        }
        return found
    }

    /// Returns the parts of a range that no run covers.
    func gaps(within range: Range<UInt64>) -> [Range<UInt64>] {
        var gaps: [Range<UInt64>] = []
        var start = range.lowerBound
        for run in runs(within: range) {
            if run.lowerBound > start { gaps.append(start..<run.lowerBound) }
            start = run.upperBound
        }
        if start < range.upperBound { gaps.append(start..<range.upperBound) }
        return gaps
    }

    /// Returns true if a tile is in the settled runs.
    package func contains(_ id: UInt64) -> Bool {
        let index = firstRun(endingAfter: id)
        return index < runs.count && runs[index].contains(id)
    }

    private func firstRun(endingAfter id: UInt64) -> Int { runs.partitioningIndex { $0.upperBound > id } }
}

/// A rectangle of columns and rows at one zoom. Rows count from the north.
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
    /// Returns the smallest rectangle that contains all tiles of a zoom; nil if there are none.
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

    /// Returns the first missing tiles of a rectangle, in the order of the Hilbert curve.
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

    /// Returns the number of tiles of a zoom whose parent is missing, and the first few of them.
    func orphans(zoom: Int, limit: Int) -> (count: Int, examples: [TileID]) {
        guard zoom > 0 else { return (0, []) }
        let base = TileID.firstHilbertID(zoom: zoom), parents = TileID.firstHilbertID(zoom: zoom - 1)
        var count = 0
        var examples: [TileID] = []
        for run in runs(zoom: zoom) {
            let above = parents + (run.lowerBound - base) / 4..<parents + (run.upperBound - 1 - base) / 4 + 1
            for gap in gaps(within: above) {
                let children = base + (gap.lowerBound - parents) * 4..<base + (gap.upperBound - parents) * 4
                let orphans = children.clamped(to: run)
                count += orphans.count
                examples += orphans.prefix(limit - examples.count).compactMap { TileID(hilbertID: $0) }
            }
        }
        return (count, examples)
    }

    /// Splits a range of ids at one zoom into squares. 4^n ids that start at a multiple of 4^n form a square.
    static func squares(_ run: Range<UInt64>, zoom: Int) -> [TileRectangle] {
        let base = TileID.firstHilbertID(zoom: zoom)
        var start = run.lowerBound - base
        let end = run.upperBound - base
        var squares: [TileRectangle] = []
        while start < end {
            var levels = min(zoom, start == 0 ? zoom : start.trailingZeroBitCount / 2)
            while end - start < 1 << UInt64(2 * levels) { levels -= 1 }
            let corner = TileID.firstHilbertID(zoom: zoom - levels) + (start >> UInt64(2 * levels))
            if let tile = TileID(hilbertID: corner) { squares.append(TileRectangle(tile, levels: levels)) }
            start += 1 << UInt64(2 * levels)
        }
        return squares
    }
}

extension TileRectangle {
    /// Creates the rectangle of a tile's descendants, a number of zooms below it.
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
