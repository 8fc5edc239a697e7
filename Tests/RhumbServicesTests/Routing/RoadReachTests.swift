@testable import RhumbServices
import RhumbTestSupport
import Testing

/// Tests the outlines of reachable cells.
struct RoadReachTests {
    private static func area(_ ring: [SIMD2<Double>]) -> Double {
        zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y } / 2
    }

    private static func encloses(_ ring: [SIMD2<Double>], _ place: SIMD2<Double>) -> Bool {
        zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(false) { isInside, side in
            guard (side.0.y > place.y) != (side.1.y > place.y) else { return isInside }
            return side.0.x > place.x ? !isInside : isInside
        }
    }

    @Test func `no outline of reachable cells visits a corner twice`() throws {
        var random = SplitMix(seed: 7)
        for _ in 0..<60 {
            var grid = ReachGrid(origin: SIMD2(0, 0), side: 1)
            for _ in 0..<Int.random(in: 20...120, using: &random) {
                let place = SIMD2(
                    Double.random(in: 0...40, using: &random), Double.random(in: 0...40, using: &random))
                grid.add(place, place)
            }
            for polygon in grid.outlines() {
                for ring in polygon { #expect(Set(ring).count == ring.count) }
                #expect(Self.area(polygon[0]) > 0)
                for hole in polygon.dropFirst() {
                    #expect(Self.area(hole) < 0)
                    let corner = try #require(hole.min { ($0.y, $0.x) < ($1.y, $1.x) })
                    #expect(Self.encloses(polygon[0], corner + 0.5))
                }
            }
        }
    }

    @Test func `a yard whose corner touches the outside is a hole`() throws {
        // Blocks of 3 by 3 cells around a yard; those in the north-west touch at one corner only.
        var grid = ReachGrid(origin: SIMD2(0, 0), side: 1)
        let places = [(4, 1), (1, 4), (7, 1), (1, 7), (7, 4), (4, 7), (7, 7)]
        for (x, y) in places { grid.add(SIMD2(Double(x), Double(y)), SIMD2(Double(x), Double(y))) }
        let outlines = grid.outlines()
        let polygon = try #require(outlines.first)
        #expect(outlines.count == 1 && polygon.count == 2)
        #expect(Self.area(polygon[0]) == 72 && Self.area(polygon[1]) == -9)
    }
}
