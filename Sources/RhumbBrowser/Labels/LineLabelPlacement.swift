internal import RhumbCore

/// The positions for a label along a line: on it where it is nearly horizontal for the width of the label,
/// otherwise beside it. Positions are in cells, columns to the right and rows down.
struct LineLabelPlacement {
    struct Slot: Equatable, Sendable {
        let row: Int
        /// The column of the first letter.
        let column: Int
        /// The rows from the middle of the cells down to the line, -0.5…0.5; 0 beside the line.
        var shift = 0.0
    }

    /// The positions, best first: the most horizontal, then the nearest to the middle of the line.
    private(set) var slots: [Slot] = []

    /// The number of rows that a line may rise or fall under its label.
    private static let levelRows = 1.25
    /// The share of a label that may exceed the line's ends.
    private static let overhang = 0.1
    private static let mostSlots = 96
    /// The minimum length of a long line, in columns.
    private static let longLine = 80.0

    private let line: [SIMD2<Double>]
    private let width: Int
    private let box: CellBox
    private let isArea: Bool

    /// - Parameters:
    ///   - width: The width of the label in columns.
    ///   - box: The area for labels.
    ///   - isArea: True if the line is the middle of an area. A label that can't be along it is across it.
    init(_ line: [SIMD2<Double>], width: Int, in box: CellBox, isArea: Bool = false) {
        self.line = line
        self.width = width
        self.box = box
        self.isArea = isArea
        guard width > 0, reachesBox else { return }
        let level = runs.flatMap(levelSlots).filter { isInBox($0.slot) }
            .sorted { ($0.rise, $0.offset, $0.slot.column) < ($1.rise, $1.offset, $1.slot.column) }
        slots = level.prefix(Self.mostSlots).map(\.slot)
        if slots.isEmpty { slots = besideSlots.filter(isInBox) }
    }

    /// Returns false if a line certainly has no position for a label. This is much cheaper than finding the
    /// positions.
    static func mayExist(on reach: LineLabelExtent, width: Int, in box: CellBox) -> Bool {
        guard reach.meets(box) else { return false }
        let broadest = reach.greatest.x - reach.least.x
        return broadest >= Double(width) - 2 * Double(width) * overhang
            || reach.length >= leastLength(beside: width)
    }

    /// Returns the minimum length of a line for a label beside it.
    private static func leastLength(beside width: Int) -> Double { max(8, 0.8 * Double(width)) }

    private func isInBox(_ slot: Slot) -> Bool {
        box.rows.contains(slot.row) && slot.column < box.columns.upperBound
            && slot.column + width > box.columns.lowerBound
    }

    private var reachesBox: Bool {
        guard let first = line.first else { return false }
        var reach = LineLabelExtent(first)
        for point in line.dropFirst() { reach.take(point) }
        return reach.meets(box)
    }

    /// The parts of the line that run to the right, reversed if necessary.
    private var runs: [[SIMD2<Double>]] {
        var runs: [[SIMD2<Double>]] = [], run: [SIMD2<Double>] = []
        var isRightward = true
        for point in line {
            if let last = run.last, point.x != last.x, run.count > 1 || last.x != point.x {
                if run.count == 1 { isRightward = point.x > last.x }
                if (point.x > last.x) != isRightward {
                    runs.append(isRightward ? run : run.reversed())
                    run = [last]
                    isRightward.toggle()
                }
            }
            run.append(point)
        }
        runs.append(isRightward ? run : run.reversed())
        return runs.filter { $0.count > 1 }
    }

    private typealias Ranked = (slot: Slot, rise: Int, offset: Double)

    private func levelSlots(_ run: [SIMD2<Double>]) -> [Ranked] {
        guard let start = run.first?.x, let end = run.last?.x else { return [] }
        let spare = Double(width) * Self.overhang
        guard end - start >= Double(width) - 2 * spare else { return [] }
        let first = max(Int((start - spare).rounded(.up)), box.columns.lowerBound)
        let last = min(Int((end + spare).rounded(.down)), box.columns.upperBound) - width
        guard first <= last else { return [] }
        let centre = (start + end - Double(width)) / 2
        return stride(from: first, through: last, by: max(width / 3, 3)).compactMap { column in
            let (low, high) = heights(of: run, from: Double(column), to: Double(column + width))
            guard high - low <= Self.levelRows else { return nil }
            let middle = (low + high) / 2, row = middle.rounded(.down)
            let slot = Slot(row: Int(row), column: column, shift: middle - row - 0.5)
            return (slot, Int((high - low) * 3), abs(Double(column) - centre))
        }
    }

    /// Returns the least and the greatest row of a run between two columns.
    private func heights(of run: [SIMD2<Double>], from: Double, to: Double) -> (low: Double, high: Double) {
        var low = Double.infinity, high = -Double.infinity
        var at = max(firstIndex(in: run, beyond: from), 1)
        while at < run.count, run[at - 1].x < to {
            let a = run[at - 1]
            let b = run[at]
            at += 1
            for column in [max(a.x, from), min(b.x, to)] {
                let row = b.x > a.x ? a.y + (b.y - a.y) * (column - a.x) / (b.x - a.x) : a.y
                low = min(low, row)
                high = max(high, row)
            }
        }
        return low <= high ? (low, high) : (0, .infinity)
    }

    /// Returns the index of the first point to the right of a column.
    private func firstIndex(in run: [SIMD2<Double>], beyond column: Double) -> Int {
        run.partitioningIndex { $0.x > column }
    }

    /// The positions to the right and left of three inner points of a short line, or of points at regular
    /// distances along a long line. Names of areas are across these points.
    private var besideSlots: [Slot] {
        let steps = zip(line, line.dropFirst()).map { LineLabelExtent.distance($0, $1) }
        let length = steps.reduce(0, +)
        guard length >= Self.leastLength(beside: width) else { return [] }
        let distances =
            length < Self.longLine
            ? [0.5, 0.3, 0.7].map { $0 * length }
            : Array(stride(from: Self.longLine / 4, to: length, by: Self.longLine / 4))
        return distances.flatMap { distance -> [Slot] in
            guard let point = point(at: distance, steps) else { return [] }
            let row = Int(point.y.rounded(.down)), column = Int(point.x.rounded(.down))
            if isArea { return [Slot(row: row, column: column - width / 2)] }
            return [Slot(row: row, column: column + 2), Slot(row: row, column: column - 1 - width)]
        }
    }

    private func point(at distance: Double, _ steps: [Double]) -> SIMD2<Double>? {
        var left = distance
        for (at, step) in steps.enumerated() {
            if left <= step { return line[at] + (line[at + 1] - line[at]) * (step > 0 ? left / step : 0) }
            left -= step
        }
        return line.last
    }
}

/// The extent of a line in cells: columns to the right and rows down.
struct LineLabelExtent {
    private(set) var least: SIMD2<Double>
    private(set) var greatest: SIMD2<Double>
    /// The length in columns.
    private(set) var length = 0.0
    private var last: SIMD2<Double>

    /// - Parameter first: The first point of the line.
    init(_ first: SIMD2<Double>) { (least, greatest, last) = (first, first, first) }

    /// Adds the next point of the line.
    mutating func take(_ point: SIMD2<Double>) {
        least = pointwiseMin(least, point)
        greatest = pointwiseMax(greatest, point)
        length += Self.distance(last, point)
        last = point
    }

    /// Returns true if the bounding box of the line meets another box.
    func meets(_ box: CellBox) -> Bool {
        least.x < Double(box.columns.upperBound) && greatest.x >= Double(box.columns.lowerBound)
            && least.y < Double(box.rows.upperBound) && greatest.y >= Double(box.rows.lowerBound)
    }

    /// Returns the distance in columns. A row is as high as two columns are wide.
    static func distance(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double {
        let step = (b - a) * SIMD2(1, 2)
        return (step * step).sum().squareRoot()
    }
}
