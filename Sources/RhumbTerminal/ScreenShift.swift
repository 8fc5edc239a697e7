internal import RhumbCore

/// The offset between the cells shown and the wanted cells. A wanted cell is shown `rows` below and `columns`
/// to the right of its position.
struct ScreenShift: Hashable {
    var rows: Int
    var columns: Int

    /// Returns the offset of most landmark runs; nil if it is zero or too few agree. A run counts if the
    /// shown cells contain it exactly once.
    static func find(from shown: [Cell], to wanted: [Cell], columns: Int) -> ScreenShift? {
        // An empty screen has nothing to move.
        guard let first = shown.first, shown.contains(where: { $0 != first }) else { return nil }
        var votes: [ScreenShift: Int] = [:]
        let prints = runPrints(shown)
        for landmark in landmarks(wanted, columns: columns) {
            guard
                let index = onlyMatch(of: wanted[landmark..<(landmark + length)], in: shown, prints, columns)
            else { continue }
            let shift = ScreenShift(
                rows: index / columns - landmark / columns,
                columns: index % columns - landmark % columns)
            votes[shift, default: 0] += 1
        }
        guard let best = votes.max(by: { $0.value < $1.value }), best.value > 2,
            best.value * 2 > votes.values.reduce(0, +), best.key != ScreenShift(rows: 0, columns: 0)
        else { return nil }
        return best.key
    }

    /// The number of cells in a run.
    private static let length = 6
    /// The number of runs sampled across and down the screen.
    private static let across = 5, down = 6

    /// Returns the starts of runs of differing cells, spread over the screen.
    private static func landmarks(_ cells: [Cell], columns: Int) -> [Int] {
        let rows = cells.count / max(columns, 1)
        guard columns >= 2 * length, rows > 0 else { return [] }
        return (0..<(across * down)).compactMap { number in
            let row = (2 * (number / across) + 1) * rows / (2 * down)
            let from = number % across * columns / across
            let to = min((number % across + 1) * columns / across, columns - length)
            return (from..<max(to, from)).map { row * columns + $0 }.first { start in
                let run = cells[start..<(start + length)]
                return run.indices.count { !run[..<$0].contains(run[$0]) } > length / 2
            }
        }
    }

    /// Returns the position of a run; nil if it occurs nowhere or more than once.
    /// - Parameter prints: Hashes of the runs in `cells`, which rule out nearly all positions quickly.
    private static func onlyMatch(
        of run: ArraySlice<Cell>, in cells: [Cell], _ prints: [UInt32], _ columns: Int
    ) -> Int? {
        guard let wanted = runPrints(Array(run)).first else { return nil }
        var index: Int?
        for at in prints.indices where prints[at] == wanted && at % columns <= columns - length {
            guard cells[at..<(at + length)].elementsEqual(run) else { continue }
            if index != nil { return nil }
            index = at
        }
        return index
    }

    /// Returns a hash of the run that starts at each cell.
    private static func runPrints(_ cells: [Cell]) -> [UInt32] {
        let prints = cells.map(\.fingerprint)
        guard prints.count >= length else { return [] }
        var runs = Array(repeating: UInt32.zero, count: prints.count - length + 1)
        // Step by step for all runs, so that the compiler can hash eight at once.
        for step in 0..<length {
            for start in runs.indices { runs[start] = runs[start] &* 0x0100_0193 ^ prints[start + step] }
        }
        return runs
    }
}

extension Cell {
    /// A hash of the cell.
    fileprivate var fingerprint: UInt32 {
        glyph.value &* 0x9E37_79B1 ^ ink.key &* 0x85EB_CA6B ^ paper.key &* 0xC2B2_AE35
    }
}
