import RhumbCore
import Testing

/// Tests lines as text, in both directions.
struct PolylineTests {
    private static let places = [
        Coordinate(latitude: 38.5, longitude: -120.2), Coordinate(latitude: 40.7, longitude: -120.95),
        Coordinate(latitude: 43.252, longitude: -126.453),
    ]

    @Test func `a line with five decimals is parsed, and written unchanged`() throws {
        let text = "_p~iF~ps|U_ulLnnqC_mqNvxq`@"
        #expect(try Polyline.places(text.utf8, precision: 5) == Self.places)
        #expect(Polyline.text(Self.places, precision: 5) == text)
    }

    @Test func `six decimals are preserved`() throws {
        let text = Polyline.text(Self.places, precision: 6)
        #expect(try Polyline.places(text.utf8, precision: 6) == Self.places)
    }

    @Test func `every line is preserved, anywhere on earth`() throws {
        var lot: UInt64 = 7
        func next() -> Double {
            lot = lot &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(lot >> 33) / Double(UInt32.max >> 1)
        }
        for _ in 0..<200 {
            let line = (0..<20).map { _ in
                Coordinate(
                    latitude: ((next() * 180 - 90) * 1e5).rounded() / 1e5,
                    longitude: ((next() * 359 - 180) * 1e5).rounded() / 1e5)
            }
            let read = try Polyline.places(Polyline.text(line, precision: 5).utf8, precision: 5)
            #expect(read.count == line.count && zip(read, line).allSatisfy { $0.metres(to: $1) < 0.01 })
        }
    }

    @Test(
        arguments: [
            ("_p~iF~ps|U_ulL", Polyline.Failure.cutOff), ("_p~iF~ps|U_", .cutOff),
            ("_p~iF\u{1B}[2J", .letter),
            ("~~~~~~~~~~~~~~~~~~~~", .outOfRange), ("_p~iF~ps|U_p~iF~ps|U_p~iF~ps|U", .outOfRange),
        ] as [(String, Polyline.Failure)])
    func `truncated, garbled or invalid lines are rejected as a whole`(
        text: String, failure: Polyline.Failure
    ) {
        #expect(throws: failure) { try Polyline.places(text.utf8, precision: 5) }
    }

    @Test func `six decimals read as five are off the earth`() {
        let text = Polyline.text(
            [Coordinate(latitude: 43.7312, longitude: 7.4189), Coordinate(latitude: 43.74, longitude: 7.42)],
            precision: 6)
        #expect(throws: Polyline.Failure.outOfRange) { try Polyline.places(text.utf8, precision: 5) }
    }

    @Test func `HERE's flexible lines state their precision`() throws {
        let places = try FlexiblePolyline.places("BFoz5xJ67i1B1B7PzIhaxL7Y".utf8)
        let expected = [(50.10228, 8.69821), (50.10201, 8.69567), (50.10063, 8.69150), (50.09878, 8.68752)]
            .map { Coordinate(latitude: $0.0, longitude: $0.1) }
        #expect(zip(places, expected).allSatisfy { $0.metres(to: $1) < 0.5 } && places.count == 4)
    }

    @Test func `heights in a flexible line are skipped`() throws {
        // The header 0x25 means five decimals, and heights as the third value of each place.
        let plain = try FlexiblePolyline.places("BFoz5xJ67i1B1B7P".utf8)
        let high = try FlexiblePolyline.places("BlBoz5xJ67i1BU1B7PU".utf8)
        #expect(high == plain)
    }

    @Test(
        arguments: [
            ("", Polyline.Failure.cutOff), ("CFoz5xJ", .letter), ("BFoz5xJ", .cutOff),
            ("BFoz5xJ67i1B!", .letter), ("BFooooooooooooooooo", .outOfRange),
        ] as [(String, Polyline.Failure)])
    func `an invalid flexible line is rejected`(text: String, failure: Polyline.Failure) {
        #expect(throws: failure) { try FlexiblePolyline.places(text.utf8) }
    }
}
