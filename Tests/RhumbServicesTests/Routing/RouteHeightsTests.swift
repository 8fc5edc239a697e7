@testable import RhumbServices
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests the heights of routes.
struct RouteHeightsTests {
    private typealias Fixture = RouteFixture

    @Test func `a height that no place on earth has is unknown`() {
        let path = OverlayPath([SIMD2(0.5, 0.5), SIMD2(0.6, 0.5)], heights: [12, 1e30])
        #expect(path.heights[0] == 12 && path.heights[1].isNaN)
        #expect(AmountText.metres(1e30).hasSuffix(" km"))
    }

    @Test func `some vertices of a long line are requested, including its ends, at similar intervals`() {
        let line = LargeRoute.way(100_000), asked = RouteHeights(line).corners
        #expect(
            (300...RouteHeights.limit).contains(asked.count) && asked.first == 0
                && asked.last == line.count - 1)
        let gaps = zip(asked, asked.dropFirst()).map { line[$0].metres(to: line[$1]) }
        #expect(gaps.allSatisfy { $0 > 0 && $0 < 10_000 })
        #expect(RouteHeights([Fixture.start, Fixture.end]).corners == [0, 1])
        let still = RouteHeights(Array(repeating: Fixture.start, count: 5000))
        #expect(still.corners == [0, 4999] && still.all([7, 7]) == [Float](repeating: 7, count: 5000))
    }

    @Test func `heights between requested vertices are interpolated, and unknown ones stay unknown`() {
        let line = (0...1000).map { Coordinate(latitude: 43 + Double($0) * 0.001, longitude: 7) }
        let heights = RouteHeights(line)
        let all = heights.all(heights.corners.map { Double($0) })
        #expect(all.count == line.count && all.enumerated().allSatisfy { abs(Float($0) - $1) < 0.01 })
        #expect(heights.all(heights.corners.map { _ in nil }).isEmpty && heights.all([1]).isEmpty)
        let half = heights.all(heights.corners.map { $0 < 500 ? 7 : nil })
        #expect(half[0] == 7 && half[1000].isNaN)
    }

    @Test func `Valhalla is queried along the line, and unknown heights stay unknown`() throws {
        let engine = Fixture.engine(.valhalla)
        let address = try engine.address(ofHeights: [Fixture.start, Fixture.end])
        let question = try JSON.parse(
            PercentCoding.decoded(String(address.url.split(separator: "=", maxSplits: 1)[1])))
        #expect(address.url.contains("/height?json=") && question["shape_format"] == "polyline6")
        #expect(try engine.heights(Array(#"{"height":[12,null]}"#.utf8), of: 2) == [12, nil])
        for body in [#"{"height":[1]}"#, #"{"height":[null,null]}"#, "<html>", "{}"] {
            #expect(throws: RouteFailure.self) { try engine.heights(Array(body.utf8), of: 2) }
        }
        for kind in [RouteEngineKind.osrm, .tomtom, .here] {
            #expect(throws: RouteFailure.self) {
                try Fixture.engine(kind).address(ofHeights: [Fixture.start, Fixture.end])
            }
        }
    }

    @Test func `HERE's lines have heights, one for each vertex of all its sections`() throws {
        let line = [Fixture.start, Fixture.middle, Fixture.end]
        func section(_ places: [Coordinate], _ heights: [Double]?) -> String {
            #"{"polyline":"\#(Fixture.flexible(places, heights: heights))","summary":{"duration":10,"length":350}}"#
        }
        func routes(_ sections: [String]) throws -> [Route] {
            try Fixture.engine(.here).routes(
                Array(#"{"routes":[{"sections":[\#(sections.joined(separator: ","))]}]}"#.utf8),
                to: Fixture.request())
        }
        let high = try routes([
            section([line[0], line[1]], [10, 40]), section([line[1], line[2]], [40, 25.5]),
        ])[0]
        #expect(high.line.count == 3 && high.heights == [10, 40, 25.5])
        let climb = try #require(high.climb)
        #expect(abs(climb.up - 30) < 1 && abs(climb.down - 14.5) < 1)
        #expect(try routes([section(line, nil)])[0].heights.isEmpty)
        #expect(try Fixture.engine(.here).address(of: Fixture.request()).url.contains("elevation"))
    }

    @Test func `impossible heights of an engine count as unknown`() {
        let heights = RouteHeights([Fixture.start, Fixture.middle, Fixture.end]).all([1e308, 12, -3.5e38])
        #expect(heights.map(\.isNaN) == [true, false, true])
    }

    @Test func `the attribution of heights is stored with a response, and written to GPX`() throws {
        var route = Route(line: [Fixture.start, Fixture.end], legs: [], distance: 700, duration: 60)
        route.set(AttributedHeights([10, 20], by: "Hills\u{7}", attribution: "© Survey"))
        let answer = RouteAnswer(
            Fixture.request(), [route], provider: "Example", attribution: "", time: UnixSeconds(0),
            mayBeStored: true)
        #expect(
            answer.heightCredit(of: route) == "Hills, © Survey"
                && answer.gpx(creator: "test").contains("Example; heights: Hills, © Survey"))
        let back = try #require(RouteAnswer(json: answer.json))
        #expect(back.heightCredit(of: back.routes[0]) == "Hills, © Survey")
        route.heightCredit = ""
        #expect(answer.heightCredit(of: route) == "Example")
        route.heights = []
        #expect(answer.heightCredit(of: route).isEmpty)
    }

    @Test func `heights are stored with a response, and written to GPX`() throws {
        var route = Route(
            line: [Fixture.start, Fixture.middle, Fixture.end], legs: [], distance: 700, duration: 60)
        route.heights = [10, .nan, 25.5]
        let answer = RouteAnswer(
            Fixture.request(), [route], provider: "Example", attribution: "", time: UnixSeconds(0),
            mayBeStored: true)
        let back = try #require(RouteAnswer(json: answer.json)).routes[0].heights
        #expect(back.count == 3 && back[0] == 10 && back[1].isNaN && back[2] == 25.5)
        let gpx = answer.gpx(creator: "test")
        #expect(
            gpx.contains("<ele>10</ele>") && gpx.contains("<ele>25.5</ele>")
                && gpx.split(separator: "<ele>").count == 3)
        #expect(
            answer.facts(of: route, now: UnixSeconds(7200)).contains {
                $0.name == "requested" && $0.value == "2 h ago"
            })
    }
}
