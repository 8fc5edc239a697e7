internal import RhumbBase

/// The division of one side of a cell into sub-cells, as fractions of 65536.
///
/// Mixed glyph sets need the edges of each set: halves and thirds together make strips of 2, 1, 1 and 2
/// sixths.
struct CellSubdivision: Hashable, Sendable {
    /// The edges in ascending order from 0 to 65536, one more than the sub-cells.
    let edges: [Int]

    /// The number of sub-cells in a cell.
    var count: Int { edges.count - 1 }

    /// The subdivision with every edge of equal divisions into the given numbers of parts.
    init(parts: [Int]) {
        var all: Set<Int> = [0, FixedPointRect.one]
        for part in parts {
            for step in 0..<part { all.insert((step * FixedPointRect.one + part / 2) / part) }
        }
        edges = all.sorted()
    }

    /// The subdivision with every sub-cell cut in two.
    var halved: CellSubdivision {
        let middles = zip(edges, edges.dropFirst()).map { ($0 + $1) / 2 }
        return CellSubdivision(edges: (edges + middles).sorted())
    }

    private init(edges: [Int]) { self.edges = edges }

    /// Returns the sub-cells that form one of `count` equal parts.
    func span(_ index: Int, of count: Int) -> Range<Int> {
        func at(_ step: Int) -> Int {
            edges.firstIndex(of: (step * FixedPointRect.one + count / 2) / count) ?? 0
        }
        return at(index)..<at(index + 1)
    }

    /// Returns the share of the cell's side that a sub-cell takes.
    func share(_ index: Int) -> Float {
        Float(edges[index + 1] - edges[index]) / Float(FixedPointRect.one)
    }

    /// Returns the edge before sub-cell `index`, counted from the first cell, in 65536ths of a cell.
    func edge(_ index: Int) -> Int {
        let (cell, part) = index.flooredDivision(by: count)
        return cell * FixedPointRect.one + edges[part]
    }

    /// Converts a position in 65536ths of a cell to a position in 256ths of sub-cells. The result rises
    /// monotonically, so neighbours that share an edge still share it, without gap or overlap.
    func position(_ fixed: Int) -> Int {
        let cell = fixed >> 16
        let within = fixed & 0xFFFF
        var index = 0
        while edges[index + 1] <= within { index += 1 }
        let span = edges[index + 1] - edges[index]
        let part = ((within - edges[index]) * 256 + span / 2) / span
        return (cell * count + index) * 256 + part
    }
}
