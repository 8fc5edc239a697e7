import RhumbCore
import RhumbTestSupport
import Testing

@testable import RhumbGeo

struct OverlayPathTests {
    @Test func `simplified lines stay within the tolerance, and keep their ends`() {
        var random = SplitMix(seed: 4), points: [SIMD2<Double>] = [SIMD2(0.5, 0.5)]
        for _ in 0..<20_000 {
            points.append(
                points[points.count - 1]
                    + SIMD2(
                        Double.random(in: -1e-7...2e-7, using: &random),
                        Double.random(in: -1e-7...1e-7, using: &random)))
        }
        let path = OverlayPath(points)
        for tolerance in [1e-6, 1e-5, 1e-4] {
            let level = path.level(within: tolerance)
            #expect(level.points.count < points.count / 2)
            #expect(level.points.first == points.first && level.points.last == points.last)
            #expect(level.pieces.last?.points.upperBound == level.points.count - 1)
        }
        #expect(path.level(within: 0).points.count == points.count)
    }

    @Test func `the nearest vertex is the same as in a full scan`() {
        var place = SIMD2(0.5, 0.5), random = SplitMix(seed: 4)
        let path = OverlayPath(
            (0..<5000).map { _ in
                place += SIMD2(
                    Double.random(in: -1e-4...1e-4, using: &random),
                    Double.random(in: -1e-4...1e-4, using: &random))
                return place
            })
        for tolerance in [0, 1e-5, 1e-3] {
            let line = path.level(within: tolerance).points
            for _ in 0..<20 {
                let spot = SIMD2(
                    Double.random(in: 0.48...0.52, using: &random),
                    Double.random(in: 0.48...0.52, using: &random))
                #expect(
                    path.corner(nearestTo: spot, within: tolerance)
                        == line.min { ($0 - spot).length < ($1 - spot).length })
            }
        }
        #expect(OverlayPath([SIMD2<Double>]()).corner(nearestTo: place, within: 0) == nil)
    }
}
