@testable import RhumbOverlays
import RhumbCore
import RhumbTestSupport
import Testing

struct OverlayIndexTests {
    private func point(_ x: Double, _ y: Double) -> OverlayFeature {
        OverlayFeature(.point(WorldPoint(x: x, y: y)))
    }

    @Test func `the index finds the same points as a full scan`() {
        var random = SplitMix(seed: 8)
        let all = (0..<3000).map { _ in
            SIMD2(Double.random(in: 0..<1, using: &random), Double.random(in: 0..<1, using: &random))
        }
        let index = OverlayIndex(all.map { point($0.x, $0.y) })
        for _ in 0..<60 {
            let x = Double.random(in: 0..<0.9, using: &random), y = Double.random(in: 0..<0.9, using: &random)
            let box = WorldBox(minX: x, minY: y, maxX: x + 0.1, maxY: y + 0.1)
            let found = Set(index.points(in: box)),
                wanted = Set(
                    all.indices.filter { at in
                        (box.minX...box.maxX).contains(all[at].x) && (box.minY...box.maxY).contains(all[at].y)
                    })
            #expect(found == wanted)
        }
    }

    private static let places: [([Double], Double)] = [
        ([0.997, 0.003], 0.006), ([0.1, 0.3], 0.2), ([0.45, 0.55], 0.1), ([0.9, 0.1, 0.05], 0.2),
        ([0.003], 0),
    ]

    @Test(arguments: places)
    func `the box of features on both sides of the antimeridian is the narrow one`(
        places: [Double], width: Double
    ) throws {
        let box = try #require(OverlayIndex(places.map { point($0, 0.4) }).box)
        #expect(abs(box.maxX - box.minX - width) < 1e-9)
        var union = WorldBoxUnion()
        for place in places { union.add(WorldBox(minX: place, minY: 0, maxX: place, maxY: 1)) }
        #expect(try #require(union.box).maxX - box.maxX == 0)
    }

    @Test func `clusters count every point once`() throws {
        var random = SplitMix(seed: 9)
        let index = OverlayIndex(
            (0..<5000).map { _ in
                point(Double.random(in: 0..<1, using: &random), Double.random(in: 0..<1, using: &random))
            })
        let whole = WorldBox(minX: 0, minY: 0, maxX: 1, maxY: 1)
        let clusters = try #require(index.points(in: whole, grain: 0.1, limit: 1000))
        #expect(clusters.reduce(0) { $0 + $1.count } == 5000)
        #expect(clusters.count <= 256)
        #expect(index.points(in: whole, grain: 0.001, limit: 100) == nil)
    }

    @Test func `features at a place are listed nearest first, points before lines before areas`() {
        func path(_ points: [(Double, Double)]) -> OverlayPath {
            OverlayPath(points.map { SIMD2($0.0, $0.1) })
        }
        let index = OverlayIndex([
            OverlayFeature(
                .area([
                    [
                        path([(0.4, 0.4), (0.6, 0.4), (0.6, 0.6), (0.4, 0.6)]),
                        path([(0.45, 0.45), (0.47, 0.45), (0.46, 0.47)]),
                    ]
                ])),
            OverlayFeature(.line([path([(0.4, 0.5), (0.6, 0.5)])])), point(0.5, 0.502), point(0.5, 0.501),
        ])
        #expect(index.features(at: WorldPoint(x: 0.5, y: 0.5), reach: 0.01) == [3, 2, 1, 0])
        #expect(index.features(at: WorldPoint(x: 0.5, y: 0.55), reach: 0.01) == [0])
        #expect(index.features(at: WorldPoint(x: 0.46, y: 0.456), reach: 0.001) == [])
    }

    @Test func `a line across the antimeridian is whole, and found on both sides`() {
        let line = OverlayPath([SIMD2(0.99, 0.5), SIMD2(0.01, 0.5)])
        #expect(line.points[1].x == 1.01)
        let index = OverlayIndex([OverlayFeature(.line([line]))])
        #expect(index.features(at: WorldPoint(x: 0.005, y: 0.5), reach: 0.001) == [0])
        #expect(index.features(at: WorldPoint(x: 0.995, y: 0.5), reach: 0.001) == [0])
        #expect(index.shapes(touching: WorldBox(minX: 0.4, minY: 0, maxX: 0.6, maxY: 1)).isEmpty)
    }

    @Test(
        arguments: [
            ("[[-180,-80],[180,-80],[180,80],[-180,80],[-180,-80]]", 1.0),
            ("[[-180,-80],[0,-80],[180,-80],[180,80],[-180,80],[-180,-80]]", 1),
            ("[[170,0],[180,0],[-180,0],[-170,0],[-170,10],[-180,10],[180,10],[170,10],[170,0]]", 20 / 360),
        ] as [(String, Double)])
    func `a box around the world is whole, and one across the antimeridian is narrow`(
        ring: String, width: Double
    ) throws {
        let read = ReadFeatures("{\"type\":\"Polygon\",\"coordinates\":[\(ring)]}")
        let box = try #require(read.features.first).box
        #expect(abs(box.maxX - box.minX - width) < 1e-9)
    }

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

    @Test func `a set holds features up to a memory limit, counts the others and states the reason`() {
        // All features have the same megabyte of text.
        var attributes = OverlayAttributes()
        attributes.append("a", String(repeating: "x", count: 1 << 20))
        let feature = OverlayFeature(.point(WorldPoint(x: 0.5, y: 0.5)), attributes: attributes)
        var set = OverlaySet()
        set.add(Array(repeating: feature, count: 500), at: 0)
        #expect(set.count == 500 && set.leftOut == 0 && set.fault == nil)
        set.add(Array(repeating: feature, count: 100), at: 0)
        #expect(set.count == 511 && set.leftOut == 89)
        let words =
            "showing only the first 511 features, as all need more than 512 MiB; split the file, or use a part of it"
        #expect(set.fault == words)
    }

    @Test func `an endless feed keeps its newest features within bounds, and says so`() {
        var set = OverlaySet(isEndless: true)
        func feature(_ id: Int, _ size: Int = 0) -> OverlayFeature {
            var attributes = OverlayAttributes()
            attributes.append("a", String(repeating: "x", count: size))
            return OverlayFeature(.point(WorldPoint(x: 0.5, y: 0.5)), id: "\(id)", attributes: attributes)
        }
        let more = OverlaySet.feedLimit + 10
        for id in 0..<more { set.add([feature(id)], at: Double(id)) }
        #expect(set.count <= OverlaySet.feedLimit && set.all.last?.id == "\(more - 1)" && set.leftOut > 0)
        #expect(set.fault?.contains("newest") == true)
        // A feature that moves stays.
        set.add([feature(more - 1)], at: 1e6)
        #expect(set.all.last?.id == "\(more - 1)")
        var large = OverlaySet(isEndless: true)
        for id in 0..<80 { large.add([feature(id, 1 << 20)], at: Double(id)) }
        #expect((40...64).contains(large.count) && large.all.last?.id == "79")
    }

    @Test func `replaced or expired features free memory`() {
        var attributes = OverlayAttributes()
        attributes.append("a", String(repeating: "x", count: 1 << 20))
        let point = OverlayFeature.Shape.point(WorldPoint(x: 0.5, y: 0.5))
        func feature(_ id: Int) -> OverlayFeature {
            OverlayFeature(point, id: "\(id)", attributes: attributes)
        }
        var set = OverlaySet(timeToLive: 10)
        for turn in 0..<1200 { set.add([feature(turn % 400)], at: 0) }
        #expect(set.count == 400 && set.leftOut == 0)
        let isChanged = set.expire(at: 20)
        set.add((0..<500).map(feature), at: 20)
        #expect(isChanged && set.count == 500 && set.leftOut == 0)
    }

    @Test func `a feature replaces the one with its id, and expires`() {
        var set = OverlaySet(timeToLive: 10)
        set.add(
            [
                OverlayFeature(.point(WorldPoint(x: 0, y: 0)), id: "a"),
                OverlayFeature(.point(WorldPoint(x: 0, y: 0)), id: "b"),
            ], at: 0)
        set.add([OverlayFeature(.point(WorldPoint(x: 0.5, y: 0)), id: "a")], at: 8)
        #expect(set.count == 2)
        #expect(set.all[0].middle.x == 0.5)
        let early = set.expire(at: 9), late = set.expire(at: 12)
        #expect(!early && late)
        #expect(set.all.map(\.id) == ["a"])
    }
}

struct OverlayPathTests {
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

    @Test func `a copy of a growing list keeps its features`() {
        var list = OverlayFeatureList()
        var copies: [OverlayFeatureList] = []
        for number in 0..<10_000 {
            if number % 1999 == 0 { copies.append(list) }
            list.append(OverlayFeature(.point(WorldPoint(x: 0.5, y: 0.5)), id: "\(number)"))
        }
        #expect(list.map(\.id) == (0..<10_000).map(String.init))
        for (at, copy) in copies.enumerated() {
            #expect(copy.count == at * 1999 && copy.map(\.id) == (0..<copy.count).map(String.init))
        }
    }

    @Test func `a long list returns features as they were added, and with later changes`() throws {
        var list = OverlayFeatureList()
        for number in 0..<9000 {
            var attributes = OverlayAttributes()
            attributes.append("größe", "\(number)")
            let point = WorldPoint(x: Double(number) / 9000, y: 0.25)
            // The second block has a feature with a time, which is stored differently.
            list.append(
                OverlayFeature(
                    .point(point), id: "id \(number)", name: number % 2 == 0 ? "name \(number)" : "",
                    time: number == 5000 ? 1.7e9 : .nan, attributes: attributes))
        }
        list[17] = OverlayFeature(.point(WorldPoint(x: 0.5, y: 0.5)), id: "new", heading: 90)
        for number in [0, 1, 16, 18, 4095, 4096, 5000, 8191, 8192, 8999] {
            let feature = list[number]
            #expect(feature.id == "id \(number)" && feature.name == (number % 2 == 0 ? "name \(number)" : ""))
            #expect(
                feature.attributes.pairs.map(\.name) == ["größe"]
                    && feature.attributes["größe"] == "\(number)")
            #expect(feature.middle == WorldPoint(x: Double(number) / 9000, y: 0.25))
            #expect(feature.time.isNaN == (number != 5000))
        }
        #expect(list[17].id == "new" && list[17].heading == 90 && list[17].name.isEmpty)
        #expect(list.count == 9000 && OverlayIndex(list).features.count == 9000)
    }
}
