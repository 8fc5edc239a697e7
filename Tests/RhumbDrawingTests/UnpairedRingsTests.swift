import RhumbTestSupport
import Testing

@testable import RhumbDrawing

/// Tests that pairs of equal rings, which the even-odd rule leaves without effect, are left out.
struct UnpairedRingsTests {
    private let triangle = [SIMD2(0.0, 0.0), SIMD2(4, 0), SIMD2(4, 3), SIMD2(0, 0)]

    private func unpaired(_ rings: [[SIMD2<Double>]]) -> [[SIMD2<Double>]] {
        var unpaired = UnpairedRings()
        for ring in rings { unpaired.add(ring) }
        return unpaired.all
    }

    @Test func `an even number of equal rings is nothing, an odd one is one`() {
        #expect(unpaired([triangle, triangle]) == [])
        #expect(unpaired([triangle, triangle, triangle]) == [triangle])
        #expect(unpaired([[SIMD2<Double>]](repeating: triangle, count: 100_000)) == [])
    }

    @Test func `a ring is equal from any corner, in any direction, and within a Cairo unit`() {
        let turned = [triangle[1], triangle[2], triangle[0], triangle[1]]
        let near = triangle.map { $0 + 0.0001 }
        for other in [turned, triangle.reversed(), turned.dropLast(), near] {
            #expect(unpaired([triangle, other]) == [])
        }
    }

    @Test func `different rings stay in their order`() {
        let other = triangle.map { $0 * 2 }, third = triangle.map { $0 + 1 }
        #expect(unpaired([other, triangle, third, triangle]) == [other, third])
        #expect(
            unpaired([
                [SIMD2(1, 1), SIMD2(1, 1), SIMD2(1.0001, 1)], [SIMD2(.nan, 1), SIMD2(2, 2), SIMD2(3, 3)],
            ]) == [])
    }
}
