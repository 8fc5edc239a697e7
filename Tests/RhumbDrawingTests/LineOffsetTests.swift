import Testing

@testable import RhumbDrawing

struct LineOffsetTests {
    @Test func `a straight line moves to its right, and to its left by negative distances`() {
        let line: [SIMD2<Double>] = [SIMD2(0, 0), SIMD2(5, 0), SIMD2(10, 0)]
        #expect(LineOffset.moved(line, by: 2, isRing: false) == [SIMD2(0, 2), SIMD2(5, 2), SIMD2(10, 2)])
        #expect(LineOffset.moved(line, by: -2, isRing: false) == [SIMD2(0, -2), SIMD2(5, -2), SIMD2(10, -2)])
        #expect(LineOffset.moved(line, by: 0, isRing: false) == line)
    }

    @Test func `the sides of a corner move by the same distance`() {
        let moved = LineOffset.moved([SIMD2(0, 0), SIMD2(10, 0), SIMD2(10, 10)], by: 2, isRing: false)
        #expect(moved == [SIMD2(0, 2), SIMD2(8, 2), SIMD2(8, 10)])
    }

    @Test func `a ring shrinks or grows on all sides`() {
        let square: [SIMD2<Double>] = [SIMD2(0, 0), SIMD2(10, 0), SIMD2(10, 10), SIMD2(0, 10)]
        #expect(
            LineOffset.moved(square, by: 1, isRing: true) == [
                SIMD2(1, 1), SIMD2(9, 1), SIMD2(9, 9), SIMD2(1, 9),
            ])
    }

    @Test func `a line that turns back is cut at its end, not extended`() {
        let moved = LineOffset.moved([SIMD2(0, 0), SIMD2(10, 0), SIMD2(0, 0.001)], by: 1, isRing: false)
        #expect(moved.count == 4 && moved.allSatisfy { abs($0.x) < 12 && abs($0.y) < 2 })
    }

    @Test(arguments: [[], [SIMD2<Double>(1, 1)], [SIMD2(1, 1), SIMD2(1, 1)]] as [[SIMD2<Double>]])
    func `an empty or degenerate line is harmless`(points: [SIMD2<Double>]) {
        #expect(LineOffset.moved(points, by: 3, isRing: false).count == points.count)
    }
}
