import RhumbCore
import RhumbTestSupport
import Testing

/// Tests distances and areas on the ellipsoid.
struct GeodesicTests {
    private static func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
        Coordinate(latitude: latitude, longitude: longitude)
    }

    @Test func `the surveyors' reference line has the reference length`() {
        // Flinders Peak to Buninyong, from the manual of Australia's datum.
        let peak = Self.place(-(37 + 57 / 60.0 + 3.72030 / 3600), 144 + 25 / 60.0 + 29.52440 / 3600)
        let buninyon = Self.place(-(37 + 39 / 60.0 + 10.15610 / 3600), 143 + 55 / 60.0 + 35.38390 / 3600)
        let way = peak.way(to: buninyon)
        #expect(abs(way.metres - 54972.271) < 0.001)
        #expect(abs(way.bearing - (306 + 52 / 60.0 + 5.37 / 3600)) < 1e-5)
    }

    @Test(arguments: [
        (place(0, 0), place(0, 1), 111_319.491, 90.0), (place(0, 0), place(1, 0), 110_574.389, 0),
        (place(0, 179.5), place(0, -179.5), 111_319.491, 90),
        (place(90, 0), place(-90, 0), 20_003_931.459, 180),
        (place(10, 20), place(10, 20), 0, 0),
    ])
    func `degrees have the lengths of the ellipsoid`(
        start: Coordinate, end: Coordinate, metres: Double, bearing: Double
    ) {
        let way = start.way(to: end)
        #expect(abs(way.metres - metres) < 0.01 && abs(way.bearing - bearing) < 1e-6)
    }

    @Test func `any two places have a distance, nearly that on a sphere`() {
        var random = SplitMix(seed: 5)
        for _ in 0..<2000 {
            let a = Self.place(.random(in: -90...90, using: &random), .random(in: -180..<180, using: &random))
            let b = Self.place(.random(in: -90...90, using: &random), .random(in: -180..<180, using: &random))
            let way = a.way(to: b), sphere = a.sphericalMetres(to: b)
            #expect(abs(way.metres - sphere) <= sphere * 0.006 && abs(way.metres - b.way(to: a).metres) < 1)
            #expect((0..<360).contains(way.bearing))
        }
    }

    /// Lengths by GeographicLib.
    @Test(arguments: [
        (place(0, 0), place(0, 180), 20_003_931.459), (place(0.3, 0), place(-0.2, 179.9), 19992082.108),
        (place(52.5, 13.4), place(-52.4, -166.7), 19992166.581),
        (place(-10, 20), place(10.1, -159.6), 19980420.311),
    ])
    func `nearly antipodal places have the length of the ellipsoid's path`(
        start: Coordinate, end: Coordinate, metres: Double
    ) {
        #expect(abs(start.way(to: end).metres - metres) < 1)
        #expect(abs(start.metres(to: end) - metres) < 1)
    }

    @Test func `an eighth of the earth has an eighth of its area`() {
        let octant = [Self.place(0, 0), Self.place(0, 90), Self.place(90, 0)]
        #expect(abs(octant.squareMetres - 510_065_621_724_089 / 8) < 1e6)
        #expect(abs(octant.reversed().squareMetres - octant.squareMetres) < 1)
    }

    @Test func `rings around a pole and over the antimeridian and a small one have correct areas`() {
        let cap = stride(from: -180.0, to: 180, by: 10).map { Self.place(80, $0) }
        // The cap within 80° N has 3.9 million square kilometres. Straight sides cut off a little.
        #expect(abs(cap.squareMetres / 3.9e12 - 1) < 0.02)
        let fiji = [
            Self.place(-17, 179.5), Self.place(-17, -179.5), Self.place(-18, -179.5), Self.place(-18, 179.5),
        ]
        let elsewhere = fiji.map { Self.place($0.latitude, $0.longitude - 100) }
        #expect(
            abs(fiji.squareMetres - elsewhere.squareMetres) < 10
                && abs(fiji.squareMetres / 1.174e10 - 1) < 0.01)
        let field = [
            Self.place(60, 22), Self.place(60, 22.001), Self.place(60.001, 22.001), Self.place(60.001, 22),
        ]
        let sides = field[0].way(to: field[1]).metres * field[1].way(to: field[2]).metres
        #expect(abs(field.squareMetres / sides - 1) < 0.001)
        #expect([Self.place(1, 1), Self.place(2, 2)].squareMetres == 0)
    }

    @Test func `a course begins and ends correctly, and its steps make up the way`() {
        let turku = Self.place(60.45, 22.27), tokyo = Self.place(35.68, 139.69),
            course = turku.course(to: tokyo)
        #expect(course.first == turku && course.last == tokyo && course.count > 100)
        #expect(abs(course.metres / turku.way(to: tokyo).metres - 1) < 0.001)
        // The shortest route goes far to the north.
        #expect(course.map(\.latitude).max() ?? 0 > 65)
        #expect(turku.course(to: turku) == [turku, turku])
    }
}
