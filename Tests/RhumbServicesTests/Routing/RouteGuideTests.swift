import RhumbCore
import RhumbTestSupport
import Testing

/// Tests the progress along a route, from positions only.
struct RouteGuideTests {
    private static let corner = Coordinate(latitude: 43.73, longitude: 7.42)
    private static let degree = 111_195.0, east = 111_195.0 * 0.72261

    /// Returns the place at a distance in metres from the start of the route.
    private static func place(_ east: Double, _ north: Double) -> Coordinate {
        Coordinate(latitude: corner.latitude + north / degree, longitude: corner.longitude + east / Self.east)
    }

    /// Returns a route 800 m east, then 1000 m north, optionally in two legs.
    private static func route(byCorner: Bool = false) -> Route {
        let line = [place(0, 0), place(800, 0), place(800, 1000)]
        let first = [RouteStep(Manoeuvre(.depart), distance: 800, duration: 80, corner: 0)]
        let second = [
            RouteStep(Manoeuvre(.turn, .left), distance: 1000, duration: 100, corner: 1),
            RouteStep(Manoeuvre(.arrive), distance: 0, duration: 0, corner: 2),
        ]
        let legs =
            byCorner
            ? [
                RouteLeg(
                    distance: 800, duration: 80,
                    steps: first + [RouteStep(Manoeuvre(.arrive), distance: 0, duration: 0, corner: 1)]),
                RouteLeg(distance: 1000, duration: 100, steps: second),
            ] : [RouteLeg(distance: 1800, duration: 180, steps: first + second)]
        return Route(line: line, legs: legs, distance: 1800, duration: 180)
    }

    @Test func `a round trip begins at its start`() throws {
        let line = [
            Self.place(0, 0), Self.place(800, 0), Self.place(800, 800), Self.place(0, 800), Self.place(0, 0),
        ]
        var guide = RouteGuide(Route(line: line, legs: [], distance: 3200, duration: 320))
        for place in [Self.place(-3, 1), Self.place(1, 4)] {
            guide.move(to: place)
            let progress = try #require(guide.progress)
            #expect(!progress.hasArrived && abs(progress.distanceLeft - 3200) < 5)
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let at: (east: Double, north: Double)
        var accuracy: Double?
        let next: Int, toNext: Double, left: Double, time: Double, isOff: Bool, isThere: Bool
    }

    private static let cases = [
        Case(
            testDescription: "at the beginning", at: (0, 0), next: 1, toNext: 800, left: 1800, time: 180,
            isOff: false, isThere: false),
        Case(
            testDescription: "along", at: (400, 5), next: 1, toNext: 400, left: 1400, time: 140, isOff: false,
            isThere: false),
        Case(
            testDescription: "past a step", at: (805, 100), next: 2, toNext: 900, left: 900, time: 90,
            isOff: false, isThere: false),
        Case(
            testDescription: "a street beside it", at: (400, -35), next: 1, toNext: 400, left: 1400,
            time: 140, isOff: false, isThere: false),
        Case(
            testDescription: "a street farther away", at: (400, -70), next: 1, toNext: 400, left: 1400,
            time: 140, isOff: true, isThere: false),
        Case(
            testDescription: "as far, but unsure", at: (400, -70), accuracy: 60, next: 1, toNext: 400,
            left: 1400, time: 140, isOff: false,
            isThere: false),
        Case(
            testDescription: "at the end", at: (800, 985), next: 2, toNext: 15, left: 15, time: 1.5,
            isOff: false, isThere: true),
        Case(
            testDescription: "beyond the end", at: (800, 1100), next: 2, toNext: 0, left: 0, time: 0,
            isOff: true, isThere: false),
    ]

    @Test(arguments: cases)
    func `the next step and the rest are reported`(one: Case) throws {
        var guide = RouteGuide(Self.route())
        guide.move(to: Self.corner)
        guide.move(to: Self.place(one.at.east, one.at.north), accuracy: one.accuracy)
        let progress = try #require(guide.progress)
        #expect(
            progress.next == one.next && progress.isOff == one.isOff && progress.hasArrived == one.isThere)
        #expect(abs(progress.distanceToNext - one.toNext) < 5 && abs(progress.distanceLeft - one.left) < 5)
        #expect(abs(progress.timeLeft - one.time) < 1)
    }

    @Test func `nothing is reported before the route is reached, regardless of the distance`() {
        var guide = RouteGuide(Self.route())
        for north in [-5000.0, -90] {
            let progress = guide.move(to: Self.place(0, north))
            #expect(progress == nil && guide.progress == nil)
        }
        let begun = guide.move(to: Self.place(20, -10))
        #expect(begun?.isOff == false)
    }

    @Test func `leaving the route is reported with the distance, and ends only clearly on it`() throws {
        var guide = RouteGuide(Self.route())
        guide.move(to: Self.place(300, 0))
        guide.move(to: Self.place(320, -300))
        let off = try #require(guide.progress)
        #expect(off.isOff && abs(off.distanceFromLine - 300) < 3)
        for (east, north, isOff) in [(340.0, -40.0, true), (350, -20, false), (360, -40, false)] {
            let progress = guide.move(to: Self.place(east, north))
            #expect(progress?.isOff == isOff)
        }
    }

    @Test
    func
        `where the way goes out and back the one that is meant is known by what was gone, or by the heading`()
        throws
    {
        var route = Self.route()
        route.line = [Self.place(0, 0), Self.place(800, 0), Self.place(0, 0)]
        var guide = RouteGuide(route)
        for (east, gone) in [(400.0, 400.0), (790, 790), (500, 1100), (100, 1500)] {
            guide.move(to: Self.place(east, 0))
            #expect(abs(try #require(guide.progress).distanceGone - gone) < 5)
        }
        var turned = RouteGuide(route)
        turned.move(to: Self.place(400, 0), heading: 270)
        #expect(abs(try #require(turned.progress).distanceGone - 1200) < 5)
    }

    @Test func `via places are behind once they are passed, and the end never is`() throws {
        var guide = RouteGuide(Self.route(byCorner: true))
        for (east, north, gone) in [(700.0, 0.0, 0), (800, 200, 1), (800, 1000, 1)] {
            guide.move(to: Self.place(east, north))
            #expect(try #require(guide.progress).legsGone == gone)
        }
    }

    @Test func `delays are a share of every step`() throws {
        var slow = Self.route()
        slow.duration = 360
        var guide = RouteGuide(slow)
        guide.move(to: Self.place(400, 0))
        #expect(abs(try #require(guide.progress).timeLeft - 280) < 2)
    }

    @Test func `on a route of a hundred thousand vertices every vertex is found`() throws {
        let line = LargeRoute.way(100_000)
        var guide = RouteGuide(Route(line: line, legs: [], distance: 1_500_000, duration: 50_000)),
            last = -1.0
        for at in stride(from: 0, to: line.count, by: 9_973) {
            guide.move(to: line[at])
            let progress = try #require(guide.progress)
            #expect(!progress.isOff && progress.distanceFromLine < 1 && progress.distanceGone > last)
            last = progress.distanceGone
        }
    }

    @Test func `a route across 180° and one without steps also provide guidance`() throws {
        let line = [
            Coordinate(latitude: -17, longitude: 179.99), Coordinate(latitude: -17, longitude: -179.99),
        ]
        var guide = RouteGuide(Route(line: line, legs: [], distance: 2127, duration: 100))
        guide.move(to: Coordinate(latitude: -17, longitude: -180))
        let progress = try #require(guide.progress)
        #expect(
            progress.next == nil && abs(progress.distanceLeft - 1063) < 5 && abs(progress.timeLeft - 50) < 1)
    }
}
