/// The rings of an area that is filled by the even-odd rule, without pairs of equal rings, which have no
/// effect. Cairo takes quadratic time for many equal edges.
struct UnpairedRings {
    private var rings: [[SIMD2<Double>]] = []
    /// The index of each ring without an equal one so far.
    private var unpaired: [[SIMD2<Int32>]: Int] = [:]

    /// Adds a ring of at least three corners, in pixels.
    mutating func add(_ ring: [SIMD2<Double>]) {
        let key = UnpairedRings.key(ring)
        guard key.count > 2 else { return }
        if unpaired.removeValue(forKey: key) == nil {
            unpaired[key] = rings.count
            rings.append(ring)
        }
    }

    /// The remaining rings in their order.
    var all: [[SIMD2<Double>]] { unpaired.values.sorted().map { rings[$0] } }

    /// Returns the corners in Cairo's units, from the least one on, in the direction of its lesser neighbour.
    private static func key(_ ring: [SIMD2<Double>]) -> [SIMD2<Int32>] {
        var corners: [SIMD2<Int32>] = []
        for point in ring {
            let unit = (point * 256).rounded(.toNearestOrEven)
            guard abs(unit.x) < 1e9, abs(unit.y) < 1e9 else { return [] }
            let corner = SIMD2(Int32(unit.x), Int32(unit.y))
            if corner != corners.last { corners.append(corner) }
        }
        if corners.count > 1, corners.first == corners.last { corners.removeLast() }
        func isLess(_ a: SIMD2<Int32>, _ b: SIMD2<Int32>) -> Bool { (a.x, a.y) < (b.x, b.y) }
        guard corners.count > 2, let first = corners.indices.min(by: { isLess(corners[$0], corners[$1]) })
        else { return [] }
        let count = corners.count
        let isForward = isLess(corners[(first + 1) % count], corners[(first + count - 1) % count])
        return (0..<count).map { corners[(first + (isForward ? $0 : count - $0)) % count] }
    }
}
