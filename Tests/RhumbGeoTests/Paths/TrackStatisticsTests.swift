import RhumbCore
import RhumbTestSupport
import Testing

struct TrackStatisticsTests {
    /// Returns a path due north with segments of some metres.
    private func track(_ heights: [Float], seconds: Double = 10, degrees: Double = 0.001) -> OverlayPath {
        OverlayPath(
            heights.indices.map { at in
                let point = Mercator.world(Coordinate(latitude: 50 + Double(at) * degrees, longitude: 10))
                return SIMD2(point.x, point.y)
            }, heights: heights, times: heights.indices.map { 1000 + Double($0) * seconds })
    }

    @Test func `length, time and speeds are computed from points and times`() throws {
        let figures = TrackStatistics([track([100, 100, 100, 100, 100])])
        #expect(abs(figures.distance - 444.78) < 0.5)
        #expect(figures.duration == 40)
        #expect(abs(try #require(figures.meanSpeed) - 11.12) < 0.05)
        #expect(abs(try #require(figures.highestSpeed) - 11.12) < 0.05)
        #expect(figures.movingTime == 40)
    }

    @Test func `the mean speed leaves out the nights between the parts of a track`() throws {
        let day = track([100, 100, 100, 100, 100])
        let next = OverlayPath(day.points, times: day.times.map { $0 + 86_400 })
        let figures = TrackStatistics([day, next])
        #expect(figures.duration == 86_440 && figures.recordedTime == 80)
        #expect(abs(try #require(figures.meanSpeed) - 11.12) < 0.05)
    }

    @Test func `heights and times of any size are written as text`() {
        let points = [SIMD2(0.5, 0.5), SIMD2(0.6, 0.5)]
        for value in [Float.infinity, -.infinity, .greatestFiniteMagnitude, 1e30] {
            let path = OverlayPath(points, heights: [0, value], times: [0, Double(value)])
            #expect(!TrackStatistics([path]).attributes.isEmpty)
            #expect(TrackProfile([path])?.columns(10).count ?? 10 == 10)
        }
        #expect(TrackStatistics.clock(.nan) == "0:00:00" && TrackStatistics.length(.nan) != "")
    }

    @Test func `the mean speed is never above the highest`() throws {
        var random = SplitMix(seed: 9)
        for _ in 0..<500 {
            let paths = (0..<Int.random(in: 1...3, using: &random)).map { _ -> OverlayPath in
                let count = Int.random(in: 1...30, using: &random)
                var time = Double.random(in: 0...100, using: &random)
                let times = (0..<count).map { _ -> Double in
                    time += Double.random(in: -1...12, using: &random)
                    return Int.random(in: 0...3, using: &random) == 0 ? .nan : time
                }
                return OverlayPath(
                    (0..<count).map { _ in
                        SIMD2(0.5 + Double.random(in: 0...1e-4, using: &random), 0.5)
                    }, times: times)
            }
            let figures = TrackStatistics(paths)
            guard let mean = figures.meanSpeed else { continue }
            #expect(
                mean <= (figures.highestSpeed ?? 0) * (1 + 1e-12),
                "\(mean) \(String(describing: figures.highestSpeed))")
        }
        // The way over a point without a time counts, as does a rest shorter than the span.
        let path = track([0, 0, 0, 0], seconds: 2)
        let figures = TrackStatistics([OverlayPath(path.points, times: [0, .nan, 4, 6])])
        #expect(abs(try #require(figures.highestSpeed) - 333.6 / 6) < 0.1)
    }

    @Test func `small changes of height are noise, and don't add up`() {
        let noisy = TrackStatistics([track([100, 103, 99, 102, 98, 101, 100])])
        #expect(noisy.ascent == 0 && noisy.descent == 0)
        let hill = TrackStatistics([track([100, 104, 108, 120, 118, 100])])
        #expect(hill.ascent == 20 && hill.descent == 20)
        #expect(hill.lowest == 100 && hill.highest == 120)
        // Small steps on the way up and down, and a hill on the way, count from extreme to extreme.
        let waves = TrackStatistics([track([0, 3, 2, 6, 9, 8, 12, 10, 4, 5, 1, 3, 7, 11, 14, 13])])
        #expect(waves.ascent == 25 && waves.descent == 11)
    }

    @Test func `the length without heights is known`() throws {
        let whole = TrackStatistics([track([100, 110, 120, 130])])
        #expect(whole.distanceWithoutHeights == 0 && whole.partWithoutHeights == nil)
        #expect(!whole.attributes.contains { $0.name == "without heights" })
        let part = TrackStatistics([track([100, .nan, .nan, 130, 150])])
        #expect(abs(part.distanceWithoutHeights - 333.6) < 0.5 && part.ascent == 50)
        #expect(part.attributes.contains { $0.name == "without heights" && $0.value == "334 m" })
        let bare = TrackStatistics([OverlayPath(track([1, 2]).points)])
        #expect(bare.distanceWithoutHeights == bare.distance && bare.partWithoutHeights == nil)
    }

    @Test func `without heights and times there are only points and a length`() {
        let figures = TrackStatistics([OverlayPath([SIMD2(0.5, 0.5), SIMD2(0.6, 0.5)])])
        #expect(figures.ascent == nil && figures.duration == nil && figures.meanSpeed == nil)
        #expect(figures.points == 2)
    }

    @Test func `a profile has a height for every column, and finds the point at a fraction`() throws {
        let profile = try #require(TrackProfile([track([0, 10, 20, 30])]))
        #expect(profile.columns(3).compactMap(\.self).count == 3)
        #expect(profile.columns(50).compactMap(\.self).count == 50)
        #expect(profile.point(at: 0) == 0 && profile.point(at: 1) == 3)
        #expect(profile.heights == 0...30)
        #expect(TrackProfile([OverlayPath([SIMD2(0, 0), SIMD2(0.1, 0)])]) == nil)
    }
}
