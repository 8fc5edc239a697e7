internal import RhumbCore

/// The extent of a line in cells: columns to the right and rows down.
struct LineLabelExtent {
    private(set) var least: SIMD2<Double>
    private(set) var greatest: SIMD2<Double>
    /// Along the line, in columns.
    private(set) var length = 0.0
    private var last: SIMD2<Double>

    /// - Parameter first: where the line begins.
    init(_ first: SIMD2<Double>) { (least, greatest, last) = (first, first, first) }

    /// The next point of the line.
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

    /// In columns: a row is as high as two of them are wide.
    static func distance(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double {
        let step = (b - a) * SIMD2(1, 2)
        return (step * step).sum().squareRoot()
    }
}
