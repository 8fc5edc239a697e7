@testable import RhumbServices
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests the times of routes on the roads of tiles, and the order and words that follow from them.
struct RoadTimeTests {
    private static func street(_ name: String, _ more: (String, VectorValue)...) -> [(String, VectorValue)] {
        [("class", .string("minor")), ("name", .string(name))] + more
    }

    /// A street around a block, and one with many turns through it.
    private static var block: [RoadFixture.Line] {
        let corners: [(Int, Int)] = (0...8).flatMap { (at: Int) -> [(Int, Int)] in
            let place = 500 + at * 250
            return [(place, place), (place + 250, place)]
        }
        var lines: [RoadFixture.Line] = [
            (corners, street("Zigzag")), ([(500, 500), (500, 2500), (2500, 2500)], street("Around")),
        ]
        for corner in corners.dropFirst() {
            lines.append(([corner, (corner.0, corner.1 - 100)], street("End")))
        }
        return lines
    }

    @Test(arguments: [RouteMode.car, .bicycle, .foot])
    func `routes are in the order of their times`(mode: RouteMode) throws {
        var request = RouteRequest(from: RoadFixture.place(500, 520), to: RoadFixture.place(2480, 2500))
        request.mode = mode
        request.alternatives = 2
        let times = try RoadFixture(Self.block).router.routes(request).map(\.duration)
        #expect(!times.isEmpty && times == times.sorted())
    }

    @Test func `the time of a route contains that of its turns`() throws {
        let street = [
            ([(500, 500), (2000, 500)], Self.street("A")), ([(2000, 500), (2000, 2000)], Self.street("B")),
        ]
        // Without a junction, the street only bends.
        let bend = try RoadFixture(street).route(.car, (600, 500), (2000, 1900))
        let crossing = ([(2000, 500), (3500, 500)], Self.street("C"))
        let turn = try RoadFixture(street + [crossing]).route(.car, (600, 500), (2000, 1900))
        #expect(abs(turn.distance - bend.distance) < 1)
        #expect((1.5...12).contains(turn.duration - bend.duration))
        #expect(abs(turn.steps.reduce(0) { $0 + $1.duration } - turn.duration) < 0.01)
    }

    @Test func `an aisle of a car park is driven at half the speed`() throws {
        let line = [(500, 2000), (3500, 2000)], kind: (String, VectorValue) = ("class", .string("service"))
        let plain = RoadFixture([(line, [kind])])
        let aisle = RoadFixture([(line, [kind, ("service", .string("parking_aisle"))])])
        let times = try [plain, aisle].map { try $0.route(.car, (600, 2000), (3400, 2000)).duration }
        #expect(abs(times[1] / times[0] - 2) < 0.01)
    }

    @Test func `motorcycles take the roads of cars, and a note says so`() throws {
        let fixture = RoadFixture([([(500, 2000), (3500, 2000)], Self.street("A"))])
        let car = try fixture.route(.car, (600, 2000), (3400, 2000))
        let motorcycle = try fixture.route(.motorcycle, (600, 2000), (3400, 2000))
        #expect(motorcycle.line == car.line && motorcycle.duration == car.duration)
        #expect(motorcycle.remarks.count == car.remarks.count + 1)
        #expect(motorcycle.remarks.last?.contains("motorcycles") == true)
    }

    @Test func `two slight turns around a cut corner are one step`() throws {
        let fixture = RoadFixture([
            ([(500, 2000), (2000, 2000)], Self.street("A")),
            ([(2000, 2000), (3500, 2000)], Self.street("A")),
            ([(2000, 2000), (2018, 1983)], Self.street("C")),
            ([(2018, 1983), (2018, 500)], Self.street("B")),
            ([(2018, 1983), (3500, 1900)], Self.street("D")),
        ])
        let route = try fixture.route(.foot, (600, 2000), (2018, 600))
        #expect(route.steps.map { $0.instruction() } == ["Head east on A", "Turn left onto B", "Arrive"])
    }

    @Test func `a road that only has another name has the sign of its words`() {
        let step = RouteStep(Manoeuvre(.newName, .slightLeft), distance: 700, duration: 60, corner: 0)
        #expect(step.instruction() == "Continue" && step.manoeuvre.sign(isUnicode: true) == "↑")
        #expect(step.manoeuvre.sign(isUnicode: false) == "^")
    }
}
