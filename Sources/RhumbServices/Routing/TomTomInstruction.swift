internal import RhumbBase

/// An instruction as TomTom sends it.
struct TomTomInstruction {
    private var offset = 0.0, time = 0.0, corner = 0
    private var code = "", message = "", street = "", numbers: [String] = [], exit = "", signpost = ""
    private var roundaboutExit: Int?
    private var keepsLeft = false

    init(_ parser: inout JSONParser) throws(JSONFailure) {
        try parser.members { parser, name throws(JSONFailure) in
            switch name {
            case "routeOffsetInMeters": offset = try parser.double() ?? 0
            case "travelTimeInSeconds": time = try parser.double() ?? 0
            case "pointIndex": corner = try parser.double().flatMap { Int(exactly: $0) } ?? 0
            case "maneuver": code = try parser.text() ?? ""
            case "message": message = SafeText.sanitised(try parser.text() ?? "", limit: 200)
            case "street": street = SafeText.sanitised(try parser.text() ?? "", limit: 120)
            case "roadNumbers":
                try parser.elements { parser throws(JSONFailure) in
                    if let number = try parser.text() {
                        numbers.append(SafeText.sanitised(number, limit: 30))
                    }
                }
            case "exitNumber": exit = SafeText.sanitised(try parser.text() ?? "", limit: 30)
            case "signpostText": signpost = SafeText.sanitised(try parser.text() ?? "", limit: 120)
            case "roundaboutExitNumber": roundaboutExit = try parser.double().flatMap { Int(exactly: $0) }
            case "drivingSide": keepsLeft = try parser.text() == "LEFT"
            default: try parser.pass()
            }
        }
    }

    /// Converts instructions to steps, each extending to the next one.
    /// - Parameters:
    ///   - distance: Length of the whole route, in metres.
    ///   - duration: Time for the whole route, in seconds.
    ///   - corners: Number of corners in the route's line.
    static func steps(
        _ all: [TomTomInstruction], _ distance: Double, _ duration: Double, corners: Int
    ) -> [RouteStep] {
        all.indices.map { at in
            let next = at + 1 < all.count ? (all[at + 1].offset, all[at + 1].time) : (distance, duration)
            return all[at].step(max(next.0 - all[at].offset, 0), max(next.1 - all[at].time, 0), corners)
        }
    }

    private func step(_ distance: Double, _ duration: Double, _ corners: Int) -> RouteStep {
        let known = TomTomInstruction.manoeuvres[code]
        var manoeuvre = known ?? Manoeuvre(.turn)
        manoeuvre.exit = roundaboutExit.flatMap { (1...99).contains($0) ? $0 : nil }
        manoeuvre.keepsLeft = keepsLeft
        var step = RouteStep(
            manoeuvre, distance: distance, duration: duration,
            corner: min(max(corner, 0), max(corners - 1, 0)))
        step.name = street
        step.reference = numbers.joined(separator: ", ")
        step.exits = exit
        step.destinations = signpost
        if known == nil, !message.isEmpty { step.sentence = message }
        return step
    }

    private static let manoeuvres: [String: Manoeuvre] = [
        "DEPART": Manoeuvre(.depart), "ARRIVE": Manoeuvre(.arrive), "ARRIVE_LEFT": Manoeuvre(.arrive, .left),
        "ARRIVE_RIGHT": Manoeuvre(.arrive, .right), "WAYPOINT_REACHED": Manoeuvre(.arrive),
        "WAYPOINT_LEFT": Manoeuvre(.arrive, .left), "WAYPOINT_RIGHT": Manoeuvre(.arrive, .right),
        "STRAIGHT": Manoeuvre(.turn, .straight), "FOLLOW": Manoeuvre(.proceed),
        "KEEP_RIGHT": Manoeuvre(.fork, .right), "KEEP_LEFT": Manoeuvre(.fork, .left),
        "BEAR_RIGHT": Manoeuvre(.turn, .slightRight), "TURN_RIGHT": Manoeuvre(.turn, .right),
        "SHARP_RIGHT": Manoeuvre(.turn, .sharpRight), "BEAR_LEFT": Manoeuvre(.turn, .slightLeft),
        "TURN_LEFT": Manoeuvre(.turn, .left), "SHARP_LEFT": Manoeuvre(.turn, .sharpLeft),
        "MAKE_UTURN": Manoeuvre(.turn, .uTurn), "TRY_MAKE_UTURN": Manoeuvre(.turn, .uTurn),
        "ENTER_MOTORWAY": Manoeuvre(.onRamp), "ENTER_FREEWAY": Manoeuvre(.onRamp),
        "ENTER_HIGHWAY": Manoeuvre(.onRamp),
        "ENTRANCE_RAMP": Manoeuvre(.onRamp), "TAKE_EXIT": Manoeuvre(.offRamp),
        "MOTORWAY_EXIT_LEFT": Manoeuvre(.offRamp, .left), "MOTORWAY_EXIT_RIGHT": Manoeuvre(.offRamp, .right),
        "TAKE_FERRY": Manoeuvre(.ferry), "ROUNDABOUT_CROSS": Manoeuvre(.roundabout, .straight),
        "ROUNDABOUT_RIGHT": Manoeuvre(.roundabout, .right), "ROUNDABOUT_LEFT": Manoeuvre(.roundabout, .left),
        "ROUNDABOUT_BACK": Manoeuvre(.roundabout, .uTurn), "SWITCH_PARALLEL_ROAD": Manoeuvre(.fork),
        "SWITCH_MAIN_ROAD": Manoeuvre(.fork),
    ]
}
