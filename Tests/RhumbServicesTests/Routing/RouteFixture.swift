@testable import RhumbServices
import RhumbCore

/// Engines and responses for tests of routes.
enum RouteFixture {
    static let start = Coordinate(latitude: 43.7312, longitude: 7.4189)
    static let middle = Coordinate(latitude: 43.7330, longitude: 7.4219)
    static let end = Coordinate(latitude: 43.7350, longitude: 7.4250)

    static func engine(_ kind: RouteEngineKind, _ base: String = "https://routes.example") -> RouteEngine {
        let address = HTTPAddress(base)
        return RouteEngine(
            kind, name: "Example",
            bases: Dictionary(uniqueKeysWithValues: RouteMode.allCases.map { ($0, address) }))
    }

    static func request(_ change: (inout RouteRequest) -> Void = { _ in }) -> RouteRequest {
        var request = RouteRequest(from: start, to: end)
        change(&request)
        return request
    }

    /// Returns a response of OSRM with two steps and an arrival.
    static func osrm(name: String = "Rue Grimaldi", ends: (Coordinate, Coordinate) = (start, end)) -> String {
        let first = Polyline.text([ends.0, middle], precision: 6),
            second = Polyline.text([middle, ends.1], precision: 6)
        let last = Polyline.text([ends.1, ends.1], precision: 6)
        func step(
            _ type: String, _ modifier: String?, _ geometry: String, _ name: String, _ distance: Double
        ) -> JSON {
            var manoeuvre = JSONObject([("type", .string(type)), ("bearing_after", 45)])
            manoeuvre["modifier"] = modifier.map { .string($0) }
            return [
                "maneuver": .object(manoeuvre), "geometry": .string(geometry), "name": .string(name),
                "distance": .number(distance),
                "duration": 30, "mode": "driving", "driving_side": "right",
                "intersections": [["location": [7.4, 43.7], "entry": [true, false], "text": "}]\"\\"]],
            ]
        }
        let leg: JSON = [
            "distance": 700, "duration": 60, "summary": "",
            "steps": [
                step("depart", nil, first, name, 350), step("turn", "left", second, "Avenue Neuve", 350),
                step("arrive", "right", last, "Avenue Neuve", 0),
            ],
        ]
        let answer: JSON = [
            "code": "Ok", "routes": [["distance": 700, "duration": 60, "legs": [leg]]],
            "waypoints": [["distance": 1.5, "location": [7.4189, 43.7312]]],
        ]
        return answer.text
    }

    /// A response of TomTom, as in its documentation.
    static let tomtom = #"""
        {"formatVersion":"0.0.12","routes":[{"summary":{"lengthInMeters":702,"travelTimeInSeconds":181,
        "trafficDelayInSeconds":62,"trafficLengthInMeters":100,"departureTime":"2026-11-22T17:00:00+01:00"},
        "legs":[{"summary":{"lengthInMeters":702,"travelTimeInSeconds":181},
        "points":[{"latitude":43.7312,"longitude":7.4189},{"latitude":43.7330,"longitude":7.4219},{"latitude":43.7350,"longitude":7.4250}]}],
        "sections":[{"startPointIndex":0,"endPointIndex":2,"sectionType":"TRAVEL_MODE","travelMode":"car"}],
        "guidance":{"instructions":[
        {"routeOffsetInMeters":0,"travelTimeInSeconds":0,"point":{"latitude":43.7312,"longitude":7.4189},"pointIndex":0,
         "instructionType":"LOCATION_DEPARTURE","street":"Rue Grimaldi","drivingSide":"RIGHT","maneuver":"DEPART","message":"Leave"},
        {"routeOffsetInMeters":350,"travelTimeInSeconds":90,"pointIndex":1,"instructionType":"TURN","street":"Avenue Neuve",
         "roadNumbers":["D6007"],"drivingSide":"RIGHT","maneuver":"TURN_LEFT","message":"Turn left"},
        {"routeOffsetInMeters":600,"travelTimeInSeconds":150,"pointIndex":1,"maneuver":"BEAM_UP","message":"Beam up, \u001b[31mScotty"},
        {"routeOffsetInMeters":702,"travelTimeInSeconds":181,"pointIndex":2,"instructionType":"LOCATION_ARRIVAL","maneuver":"ARRIVE_RIGHT"}],
        "instructionGroups":[]}}]}
        """#

    /// Returns a response of HERE with two sections, as in its documentation.
    static func here() -> String {
        let first = flexible([start, middle]), second = flexible([middle, end])
        return #"""
            {"routes":[{"id":"1","sections":[
            {"id":"a","type":"vehicle","actions":[{"action":"depart","duration":60,"length":350,"instruction":"Head north-east on Rue Grimaldi.","offset":0},
             {"action":"turn","duration":0,"length":0,"direction":"left","severity":"light","instruction":"Bear left.","offset":1}],
             "departure":{"place":{"type":"place","location":{"lat":43.7312,"lng":7.4189}}},"summary":{"duration":90,"length":350,"baseDuration":60},
             "polyline":"\#(first)","transport":{"mode":"car"}},
            {"id":"b","type":"vehicle","actions":[{"action":"depart","duration":60,"length":352,"offset":0},
             {"action":"arrive","duration":0,"length":0,"instruction":"Arrive at \u001b[2Jyour destination.","offset":1}],
             "summary":{"duration":91,"length":352,"baseDuration":60},"polyline":"\#(second)","notices":[{"title":"Violated toll"}]}]}]}
            """#
    }

    /// Returns a line with five decimals in HERE's encoding, optionally with heights of one decimal.
    static func flexible(_ line: [Coordinate], heights: [Double]? = nil) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var bytes: [UInt8] = []
        func write(_ number: UInt64) {
            var rest = number
            while rest > 31 {
                bytes.append(letters[Int(rest & 31 | 32)])
                rest >>= 5
            }
            bytes.append(letters[Int(rest)])
        }
        write(1)
        write(heights == nil ? 5 : 5 | 3 << 4 | 1 << 7)
        var last = [0, 0, 0]
        for (at, place) in line.enumerated() {
            let now = [place.latitude * 1e5, place.longitude * 1e5, (heights?[at] ?? 0) * 10].map {
                Int($0.rounded())
            }
            for step in zip(now, last).map({ $0 - $1 }).prefix(heights == nil ? 2 : 3) {
                write(UInt64(step < 0 ? ~(step << 1) : step << 1))
            }
            last = now
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
