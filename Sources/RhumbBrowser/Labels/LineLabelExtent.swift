internal import RhumbCore

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
