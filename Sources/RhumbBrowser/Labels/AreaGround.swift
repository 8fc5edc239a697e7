internal import RhumbCore

/// The country and the ocean at each cell of a box. A polygon covers the cells whose centres it contains.
struct AreaGround: Sendable {
    let box: CellBox
    /// The bounding box of each area that has cells.
    private(set) var boxes: [Int: CellBox] = [:]
    /// The number of the country for each cell, row by row, or `sea`.
    private var countries: [Int16]
    /// The number of the ocean for each cell, row by row, or `sea`.
    private var oceans: [Int16]

    private static let sea: Int16 = -1

    /// Fills the larger outlines first, so that enclaves keep their cells.
    init(_ areas: [LabelArea], on grid: LabelGrid, in box: CellBox) {
        self.box = box
        countries = Array(repeating: Self.sea, count: box.count)
        oceans = countries
        var found: [(number: Int, rings: [LabelArea.Ring], turns: Double, size: Double)] = []
        let seen = grid.ground(of: box)
        for (number, area) in areas.enumerated() {
            // The islands of a sea are holes in it.
            for rings in area.isOcean ? [area.rings] : area.rings.map({ [$0] }) {
                let around = WorldBox(around: rings.map(\.box))
                guard around.maxY > seen.minY, around.minY < seen.maxY else { continue }
                let size = (around.maxX - around.minX) * (around.maxY - around.minY)
                var turns = (seen.minX - around.maxX).rounded(.up)
                while around.minX + turns < seen.maxX {
                    found.append((number, rings, turns, size))
                    turns += 1
                }
            }
        }
        var crossings = Crossings(box)
        for (number, rings, turns, _) in found.sorted(by: { $0.size > $1.size }) {
            for ring in rings { crossings.add(ring.points.lazy.map { grid.position(of: $0, turns: turns) }) }
            if areas[number].isOcean {
                crossings.fill(&oceans, with: Int16(number))
            } else {
                crossings.fill(&countries, with: Int16(number))
            }
        }
        for row in box.rows {
            // Handles runs of cells of one area together, so that fewer boxes are joined.
            var start = box.columns.lowerBound
            while start < box.columns.upperBound {
                let number = area(row, start), rest = start..<box.columns.upperBound
                let end = rest.first { area(row, $0) != number } ?? rest.upperBound
                let run = CellBox(columns: start..<end, rows: row..<(row + 1))
                if number != Self.sea { boxes[Int(number)] = boxes[Int(number)]?.joined(with: run) ?? run }
                start = end
            }
        }
    }

    private func area(_ row: Int, _ column: Int) -> Int16 {
        let at = index(row, column)
        return countries[at] == Self.sea ? oceans[at] : countries[at]
    }

    var land: CellSums { CellSums(of: countries.map { $0 != Self.sea }, in: box) }

    /// Returns true if a cell belongs to an area. Cells of a country belong to no ocean.
    func contains(_ row: Int, _ column: Int, _ number: Int, isOcean: Bool) -> Bool {
        let at = index(row, column)
        return isOcean ? oceans[at] == number && countries[at] == Self.sea : countries[at] == number
    }

    private func index(_ row: Int, _ column: Int) -> Int {
        (row - box.rows.lowerBound) * box.columns.count + column - box.columns.lowerBound
    }
}

/// The positions at which outlines cross the middles of the rows of a box. The lists are used for one area
/// after another, because allocating some for each would take longer than finding the crossings.
private struct Crossings {
    private let box: CellBox
    private var rows: [[Double]]

    init(_ box: CellBox) {
        self.box = box
        rows = Array(repeating: [], count: box.rows.count)
    }

    /// Adds an outline.
    mutating func add(_ outline: some Collection<SIMD2<Double>>) {
        guard !outline.isEmpty else { return }
        var last = outline[outline.index(outline.startIndex, offsetBy: outline.count - 1)]
        for point in outline {
            defer { last = point }
            let (top, bottom) = last.y < point.y ? (last, point) : (point, last)
            let first = max(Int((max(top.y, -1e9) - 0.5).rounded(.up)), box.rows.lowerBound)
            let end = min(Int((min(bottom.y, 1e9) - 0.5).rounded(.up)), box.rows.upperBound)
            guard first < end else { continue }
            let slope = (bottom.x - top.x) / (bottom.y - top.y)
            for row in first..<end {
                rows[row - box.rows.lowerBound].append(top.x + (Double(row) + 0.5 - top.y) * slope)
            }
        }
    }

    /// Fills the cells between the crossings, and removes these.
    mutating func fill(_ cells: inout [Int16], with number: Int16) {
        for row in rows.indices where !rows[row].isEmpty {
            rows[row].sort()
            let start = row * box.columns.count
            for at in stride(from: 0, to: rows[row].count - 1, by: 2) {
                let first = column(rows[row][at]), end = column(rows[row][at + 1])
                if first < end { for column in first..<end { cells[start + column] = number } }
            }
            rows[row].removeAll(keepingCapacity: true)
        }
    }

    /// Returns the first column of the box whose centre is right of a position.
    private func column(_ x: Double) -> Int {
        let columns = box.columns
        return min(
            max(Int((min(max(x, -1e9), 1e9) - 0.5).rounded(.up)) - columns.lowerBound, 0), columns.count)
    }
}
