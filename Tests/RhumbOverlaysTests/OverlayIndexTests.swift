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

struct OverlayFeatureListTests {
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
