internal import RhumbCore

/// The largest connected part of an area within a box, with the distance of each of its cells from the edge.
struct AreaShape: Sendable {
    /// The box of cells around the whole area.
    let box: CellBox
    /// The number of cells of the area.
    let count: Int
    /// The centroid of the largest part, in cells.
    private(set) var middle = SIMD2<Double>(0, 0)
    /// The cells of the largest part, each with its distance from the edge in rows.
    private(set) var cells: [(row: Int, column: Int, depth: Double)] = []
    /// The greatest distance from the edge.
    private(set) var depth = 0.0
    private let sums: CellSums

    /// - Parameters:
    ///   - box: The box of cells around the area.
    ///   - isInside: Returns true if a cell belongs to the area.
    init(in box: CellBox, isInside: (_ row: Int, _ column: Int) -> Bool) {
        self.box = box
        let width = box.columns.count, height = box.rows.count
        let inside = box.rows.flatMap { row in box.columns.map { isInside(row, $0) } }
        sums = CellSums(of: inside, in: box)
        count = inside.count { $0 }
        let part = AreaShape.largestPart(of: inside, width: width)
        let depths = AreaShape.depths(inside, width: width, height: height)
        for at in part {
            let row = at / width + box.rows.lowerBound
            let column = at % width + box.columns.lowerBound
            let cell = (row: row, column: column, depth: depths[at])
            cells.append(cell)
            depth = max(depth, cell.depth)
            middle += SIMD2(Double(cell.column) + 0.5, Double(cell.row) + 0.5)
        }
        if !cells.isEmpty { middle /= Double(cells.count) }
    }

    /// Returns the number of the area's cells within some columns of a row.
    func count(row: Int, _ columns: Range<Int>) -> Int { sums.count(row: row, columns) }

    /// Returns the width of the longest run of the area's cells in a row that is centred on a column.
    func run(row: Int, around column: Int) -> Int {
        var reach = 0
        while count(row: row, (column - reach - 1)..<(column + reach + 2)) == 2 * reach + 3 { reach += 1 }
        return 2 * reach + 1
    }

    private static func largestPart(of inside: [Bool], width: Int) -> [Int] {
        var isSeen = inside.map { !$0 }, largest: [Int] = []
        for start in inside.indices where !isSeen[start] {
            var part = [start], next = 0
            isSeen[start] = true
            while next < part.count {
                let at = part[next]
                next += 1
                func visit(_ other: Int) {
                    guard !isSeen[other] else { return }
                    isSeen[other] = true
                    part.append(other)
                }
                let column = at % width
                if at >= width { visit(at - width) }
                if at + width < inside.count { visit(at + width) }
                if column > 0 { visit(at - 1) }
                if column + 1 < width { visit(at + 1) }
            }
            if part.count > largest.count { largest = part }
        }
        return largest
    }

    /// Returns, for each cell, half the side of the largest square around it inside the area, in rows. A row
    /// is as high as two columns are wide.
    private static func depths(_ inside: [Bool], width: Int, height: Int) -> [Double] {
        var across = Array(repeating: 0.0, count: inside.count), depths = across
        for row in 0..<height {
            var left = 0.0, right = 0.0
            for column in 0..<width {
                let at = row * width + column
                left = inside[at] ? left + 0.5 : 0
                across[at] = left
            }
            for column in (0..<width).reversed() {
                let at = row * width + column
                right = inside[at] ? right + 0.5 : 0
                across[at] = min(across[at], right)
            }
        }
        for at in inside.indices where inside[at] {
            let row = at / width
            var best = across[at], step = 1
            while Double(step) < best {
                let above = row >= step ? across[at - step * width] : 0
                let below = row + step < height ? across[at + step * width] : 0
                best = min(best, max(min(above, below), Double(step)))
                step += 1
            }
            depths[at] = best
        }
        return depths
    }
}

/// Prefix sums that count marked cells within a row in constant time.
struct CellSums: Sendable {
    private let box: CellBox
    /// For each row, the number of counted cells left of each column of the box.
    private var sums: [Int32]

    /// - Parameter cells: True for the cells to be counted, row by row.
    init(of cells: [Bool], in box: CellBox) {
        self.box = box
        let width = box.columns.count
        sums = Array(repeating: 0, count: (width + 1) * box.rows.count)
        for row in 0..<box.rows.count {
            for column in 0..<width {
                let at = row * (width + 1) + column
                sums[at + 1] = sums[at] + (cells[row * width + column] ? 1 : 0)
            }
        }
    }

    /// Returns the number of counted cells within some columns of a row.
    func count(row: Int, _ columns: Range<Int>) -> Int {
        guard box.rows.contains(row) else { return 0 }
        let within = columns.clamped(to: box.columns)
        let start = (row - box.rows.lowerBound) * (box.columns.count + 1) - box.columns.lowerBound
        return Int(sums[start + within.upperBound] - sums[start + within.lowerBound])
    }
}
