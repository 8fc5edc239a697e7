internal import RhumbCore

/// A set of tiles as runs of PMTiles ids. Complete areas collapse into few runs, so that a full pyramid of
/// millions of tiles takes only a few bytes.
package struct TileRuns {
    package init() {}

    /// The runs in ascending order, not adjacent to each other. Up to date after `settle()`.
    private(set) var runs: [Range<UInt64>] = []
    private var pending: [Range<UInt64>] = []
    /// The number of repeated tiles.
    private(set) var repeated = 0
    private(set) var repeatedExamples: [UInt64] = []

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
        repeated += twice.count
        repeatedExamples += twice.prefix(5 - min(5, repeatedExamples.count))
        runs[runs.count - 1] = last.lowerBound..<max(last.upperBound, run.upperBound)
    }

    /// Returns the runs of one zoom.
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
