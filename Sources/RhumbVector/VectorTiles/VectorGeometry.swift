/// The shape of a feature: points, lines or rings one after the other.
public struct VectorGeometry: Sendable, Equatable {
    /// A place in the tile's units, x to the right, y down. From 0 to the layer's extent lies the
    /// tile itself; its neighbours' margins reach a little beyond.
    public typealias Point = SIMD2<Int32>

    /// The points of all parts, in order; a ring's first point is not repeated.
    public internal(set) var points: [Point] = []
    /// For each part, the index after its last point.
    public internal(set) var ends: [Int] = []

    /// A shape of nothing.
    public init() {}

    /// Lines, rings, or, of a point feature, single points.
    public var partCount: Int { ends.count }

    /// The indices of a part's points.
    public func part(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

    /// Twice the area a ring encloses: positive for an outer ring (clockwise on the screen),
    /// negative for a hole.
    public func doubleArea(ofPart index: Int) -> Int {
        let range = part(index)
        guard var last = range.last.map({ points[$0] }) else { return 0 }
        var sum = 0
        for point in points[range] {
            sum += Int(last.x) * Int(point.y) - Int(point.x) * Int(last.y)
            last = point
        }
        return sum
    }

    /// The rings as polygons: an outer one, then its holes. Holes before any outer ring and
    /// rings without area are left out.
    public var polygons: [[Range<Int>]] {
        var found: [[Range<Int>]] = []
        for index in 0..<partCount {
            let area = doubleArea(ofPart: index)
            if area > 0 {
                found.append([part(index)])
            } else if area < 0, !found.isEmpty {
                found[found.count - 1].append(part(index))
            }
        }
        return found
    }

    mutating func removeAll() {
        points.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }
}
