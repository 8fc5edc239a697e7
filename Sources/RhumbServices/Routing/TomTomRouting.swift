internal import RhumbBase
internal import RhumbGeo
internal import RhumbWeb

/// Requests and responses of TomTom's Calculate Route, version 1.
enum TomTomRouting {
    static func address(of request: RouteRequest, at base: HTTPAddress) -> HTTPAddress {
        let places = request.places.map(\.latitudeFirst).joined(separator: ":")
        var query = [
            ("instructionsType", "text"), ("language", "en-GB"), ("routeRepresentation", "polyline"),
            ("computeTravelTimeFor", "all"), ("traffic", request.departure == nil ? "false" : "true"),
        ]
        if request.askedAlternatives > 0 { query.append(("maxAlternatives", "\(request.askedAlternatives)")) }
        if case .at(let time)? = request.departure {
            query.append(("departAt", PercentCoding.encoded(time + ":00")))
        }
        return base.appending(
            path: "/calculateRoute/\(PercentCoding.encoded(places))/json",
            query: query.map { (name: $0.0, value: $0.1) } + travel(request))
    }

    /// Returns the address of an isochrone request, which covers one time.
    static func address(
        ofReach minutes: Double, from place: Coordinate, _ request: RouteRequest, at base: HTTPAddress
    ) -> HTTPAddress {
        let seconds = "\(Int(clamping: minutes * 60))"
        return base.appending(
            path: "/calculateReachableRange/\(PercentCoding.encoded(place.latitudeFirst))/json",
            query: [(name: "timeBudgetInSec", value: seconds)] + travel(request))
    }

    private static func travel(_ request: RouteRequest) -> [(name: String, value: String)] {
        let mode = request.mode == .foot ? "pedestrian" : request.mode.rawValue
        var query = [(name: "travelMode", value: mode)]
        for avoidance in RouteAvoidance.allCases where request.avoids.contains(avoidance) {
            query.append((name: "avoid", value: avoidance == .tolls ? "tollRoads" : avoidance.rawValue))
        }
        guard request.mode == .truck || request.mode == .bus else { return query }
        let vehicle = request.vehicle, isTruck = request.mode == .truck
        let sizes = [
            ("vehicleHeight", vehicle.height), ("vehicleWidth", vehicle.width),
            ("vehicleLength", vehicle.length),
            ("vehicleWeight", vehicle.weight.map { ($0 * 1000).rounded() }),
            ("vehicleAxleWeight", vehicle.axleLoad.map { ($0 * 1000).rounded() }),
        ]
        query += sizes.compactMap { name, size in size.map { (name: name, value: $0.plain(2)) } }
        if isTruck { query.append((name: "vehicleCommercial", value: "true")) }
        if vehicle.isHazardous { query.append((name: "vehicleLoadType", value: "otherHazmatGeneral")) }
        return query
    }

    // MARK: Refusals

    static func refusal(_ json: JSON, _ name: String) -> RouteFailure? {
        let detail = json["detailedError"], code = detail?["code"]?.string ?? json["error"]?.string
        guard let code else { return nil }
        let message = SafeText.sanitised(
            detail?["message"]?.string ?? json["error"]?.string ?? "", limit: 200)
        switch code {
        case "NO_ROUTE_FOUND", "CANNOT_RESTORE_BASEROUTE": return .noRoute
        case "MAP_MATCHING_FAILURE": return .noRoads(place: nil, metres: nil)
        case "Forbidden", "FORBIDDEN", "Unauthorized", "UNAUTHORIZED": return .notEntitled(provider: name)
        default: return .refused("\(name): \(message.isEmpty ? code : message)")
        }
    }

    // MARK: Responses

    static func routes(_ body: [UInt8]) throws(JSONFailure) -> [Route] {
        var parser = JSONParser(bytes: body, depthLimit: 64, memoryLimit: 160 << 20)
        var routes: [Route] = []
        try parser.members { parser, name throws(JSONFailure) in
            guard name == "routes" else { return try parser.pass() }
            try parser.elements { parser throws(JSONFailure) in routes.append(try route(&parser)) }
        }
        try parser.end()
        return routes
    }

    private struct Summary {
        var distance = Double.nan, duration = Double.nan
        var delay: Double?
    }

    private static func route(_ parser: inout JSONParser) throws(JSONFailure) -> Route {
        var line: [Coordinate] = [], ends: [Int] = [], legs: [Summary] = [], whole = Summary()
        var instructions: [TomTomInstruction] = []
        try parser.members { parser, name throws(JSONFailure) in
            switch name {
            case "summary": whole = try summary(&parser)
            case "legs":
                try parser.elements { parser throws(JSONFailure) in
                    legs.append(try leg(&parser, &line))
                    ends.append(line.count)
                }
            case "guidance":
                try parser.members { parser, name throws(JSONFailure) in
                    guard name == "instructions" else { return try parser.pass() }
                    try parser.elements { parser throws(JSONFailure) in
                        instructions.append(try TomTomInstruction(&parser))
                    }
                }
            default: try parser.pass()
            }
        }
        let steps = TomTomInstruction.steps(instructions, whole.distance, whole.duration, corners: line.count)
        var route = Route(
            line: line, legs: [], distance: whole.distance, duration: whole.duration, delay: whole.delay)
        var first = 0
        for (leg, end) in zip(legs, ends) {
            // A step at the place between two legs is the arrival of the first.
            let isLast = end == ends.last
            let own = steps.dropFirst(first).prefix { $0.corner < end || isLast }
            first += own.count
            route.legs.append(RouteLeg(distance: leg.distance, duration: leg.duration, steps: Array(own)))
        }
        return route
    }

    private static func summary(_ parser: inout JSONParser) throws(JSONFailure) -> Summary {
        var summary = Summary()
        try parser.members { parser, name throws(JSONFailure) in
            switch name {
            case "lengthInMeters": summary.distance = try parser.double() ?? .nan
            case "travelTimeInSeconds": summary.duration = try parser.double() ?? .nan
            case "trafficDelayInSeconds": summary.delay = try parser.double()
            default: try parser.pass()
            }
        }
        return summary
    }

    private static func leg(
        _ parser: inout JSONParser, _ line: inout [Coordinate]
    ) throws(JSONFailure) -> Summary {
        var found = Summary()
        try parser.members { parser, name throws(JSONFailure) in
            switch name {
            case "summary": found = try summary(&parser)
            case "points":
                try parser.elements { parser throws(JSONFailure) in
                    guard line.count < Route.cornerLimit else {
                        throw parser.failure("the line has too many points")
                    }
                    line.append(try place(&parser))
                }
            default: try parser.pass()
            }
        }
        return found
    }

    private static let placeNames: [StaticString] = ["latitude", "longitude"]

    private static func place(_ parser: inout JSONParser) throws(JSONFailure) -> Coordinate {
        var latitude = Double.nan, longitude = Double.nan
        try parser.members(named: placeNames) { parser, member throws(JSONFailure) in
            let degrees = try parser.double() ?? .nan
            if member == 0 { latitude = degrees } else { longitude = degrees }
        }
        guard abs(latitude) <= 90, abs(longitude) <= 180 else {
            throw parser.failure("a point is out of range")
        }
        return Coordinate(latitude: latitude, longitude: longitude)
    }
}

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
