import Testing

@testable import RhumbDrawing

struct ClipBoxTests {
    private let box = ClipBox(side: 10, margin: 1)

    @Test(
        arguments: [
            ((0, 0), (5, 5), [0, 0, 5, 5]), ((-5, 5), (5, 5), [-1, 5, 5, 5]),
            ((5, 20), (5, -20), [5, 11, 5, -1]),
            ((-3, 1), (1, -3), [-1, -1, -1, -1]), ((-1, 5), (-1, 7), [-1, 5, -1, 7]),
        ] as [((Double, Double), (Double, Double), [Double])])
    func `a line is cut to the box`(a: (Double, Double), b: (Double, Double), expected: [Double]) throws {
        let (from, to) = try #require(box.part(from: SIMD2(a.0, a.1), to: SIMD2(b.0, b.1)))
        #expect([from.x, from.y, to.x, to.y] == expected)
    }

    @Test(
        arguments: [((-5, 0), (-5, 9)), ((-4, 1), (1, -4)), ((0, 20), (9, 12))]
            as [((Double, Double), (Double, Double))])
    func `a line outside the box is removed`(a: (Double, Double), b: (Double, Double)) {
        #expect(box.part(from: SIMD2(a.0, a.1), to: SIMD2(b.0, b.1)) == nil)
    }

    @Test func `a ring around the box becomes the box`() {
        let ring = box.ring([SIMD2(-50, -50), SIMD2(50, -50), SIMD2(50, 50), SIMD2(-50, 50)])
        #expect(Set(ring) == [SIMD2(-1, -1), SIMD2(11, -1), SIMD2(11, 11), SIMD2(-1, 11)])
    }

    @Test func `a ring outside the box is removed`() {
        #expect(box.ring([SIMD2(20, 0), SIMD2(30, 0), SIMD2(30, 5)]).isEmpty)
    }
}
