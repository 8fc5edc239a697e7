internal import RhumbBase
internal import RhumbGeo
internal import RhumbWeb

/// Requests and responses of OSRM's API. Valhalla's responses have the same form.
enum OSRM {
    /// - Throws: `RouteFailure.unsupported` for vehicle sizes, because OSRM ignores them.
    static func address(of request: RouteRequest, at base: HTTPAddress) throws(RouteFailure) -> HTTPAddress {
        guard request.vehicle.isPlain else {
            throw .unsupported("OSRM ignores height, width, length and weight; use Valhalla, TomTom or HERE")
        }
        let places = request.places.map(\.longitudeFirst).joined(separator: ";")
        var query = [
            ("steps", "true"), ("geometries", "polyline6"), ("overview", "false"),
            ("generate_hints", "false"),
        ]
        if request.askedAlternatives > 0 { query.append(("alternatives", "\(request.askedAlternatives)")) }
        let excluded = RouteAvoidance.allCases.filter(request.avoids.contains).map(word)
        if !excluded.isEmpty { query.append(("exclude", excluded.joined(separator: ","))) }
        return base.appending(
            path: "/route/v1/driving/\(places)", query: query.map { (name: $0.0, value: $0.1) })
    }

    private static func word(_ avoidance: RouteAvoidance) -> String {
        switch avoidance {
        case .tolls: "toll"
        case .motorways: "motorway"
        case .ferries: "ferry"
        }
    }

    // MARK: Refusals

    /// Returns the reason of an error response of OSRM, or of Valhalla in either of its forms.
    static func refusal(_ json: JSON, _ name: String) -> RouteFailure? {
        let said = json["message"]?.string ?? json["error"]?.string ?? ""
        let sentence = "\(name): \(SafeText.sanitised(said, limit: 200))"
        if let code = json["error_code"]?.int {
            switch code {
            case 170, 171: return .noRoads(place: nil, metres: nil)
            case 440...445: return .noRoute
            default: return .refused(sentence)
            }
        }
        switch json["code"]?.string {
        case "NoRoute": return .noRoute
        case "NoSegment": return .noRoads(place: nil, metres: nil)
        case "InvalidValue" where said.contains("xclude"):
            return .unsupported("\(name) is not set up to avoid that: \(said)")
        case "Ok"?, nil: return nil
        case "TooBig"?: return .refused("\(name): the route is too long or has too many places (\(said))")
        default: return .refused(said.isEmpty ? "\(name) refuses: \(json["code"]?.string ?? "")" : sentence)
        }
    }

    // MARK: Responses

    static func routes(_ body: [UInt8]) throws(JSONFailure) -> [Route] {
        var parser = JSONParser(bytes: body, depthLimit: 64, memoryLimit: 160 << 20)
        var routes: [Route] = [], code: String?, remarks: [String] = []
        try parser.members { parser, name throws(JSONFailure) in
            switch name {
            case "code": code = try parser.text()
            case "routes":
                try parser.elements { parser throws(JSONFailure) in routes.append(try route(&parser)) }
            case "warnings":
                try parser.elements { parser throws(JSONFailure) in
                    try parser.members { parser, name throws(JSONFailure) in
                        guard name == "text" else { return try parser.pass() }
                        if let text = try parser.text() {
                            remarks.append(SafeText.sanitised(text, limit: 200))
                        }
                    }
                }
            default: try parser.pass()
            }
        }
        try parser.end()
        guard code == nil || code == "Ok" else { return [] }
        for at in routes.indices { routes[at].remarks = Array(remarks.prefix(5)) }
        return routes
    }

    private static func route(_ parser: inout JSONParser) throws(JSONFailure) -> Route {
        var line: [Coordinate] = [], overview: String?
        var legs: [RouteLeg] = [], distance = 0.0, duration = 0.0
        try parser.members { parser, name throws(JSONFailure) in
            switch name {
            case "distance": distance = try parser.double() ?? .nan
            case "duration": duration = try parser.double() ?? .nan
            case "geometry": overview = try parser.text()
            case "legs":
                try parser.elements { parser throws(JSONFailure) in legs.append(try leg(&parser, &line)) }
            default: try parser.pass()
            }
        }
        // Without steps, only the geometry of the whole route is left.
        if line.count < 2, let overview { try append(overview, to: &line, at: parser.position) }
        return Route(line: line, legs: legs, distance: distance, duration: duration)
    }

    private static func leg(
        _ parser: inout JSONParser, _ line: inout [Coordinate]
    ) throws(JSONFailure) -> RouteLeg {
        var leg = RouteLeg(distance: 0, duration: 0, steps: [])
        try parser.members { parser, name throws(JSONFailure) in
            switch name {
            case "distance": leg.distance = try parser.double() ?? 0
            case "duration": leg.duration = try parser.double() ?? 0
            case "steps":
                try parser.elements { parser throws(JSONFailure) in leg.steps.append(try step(&parser, &line))
                }
            default: try parser.pass()
            }
        }
        return leg
    }

    private static func step(
        _ parser: inout JSONParser, _ line: inout [Coordinate]
    ) throws(JSONFailure) -> RouteStep {
        var step = RouteStep(Manoeuvre(.turn), distance: 0, duration: 0, corner: 0)
        var geometry = "", mode = "", keepsLeft = false
        try parser.members { parser, name throws(JSONFailure) in
            switch name {
            case "distance": step.distance = try parser.double() ?? 0
            case "duration": step.duration = try parser.double() ?? 0
            case "geometry": geometry = try parser.text() ?? ""
            case "name": step.name = try safe(&parser)
            case "ref": step.reference = try safe(&parser)
            case "destinations": step.destinations = try safe(&parser)
            case "exits": step.exits = try safe(&parser)
            case "mode": mode = try parser.text() ?? ""
            case "driving_side": keepsLeft = try parser.text() == "left"
            case "maneuver": step.manoeuvre = try manoeuvre(&parser)
            default: try parser.pass()
            }
        }
        step.manoeuvre.keepsLeft = keepsLeft
        if mode == "ferry", step.manoeuvre.kind != .arrive { step.manoeuvre.kind = .ferry }
        // A step begins where the line so far ends, so its first corner exists already.
        step.corner = max(line.count - 1, 0)
        try append(geometry, to: &line, at: parser.position)
        return step
    }

    private static func append(
        _ text: String, to line: inout [Coordinate], at offset: Int
    ) throws(JSONFailure) {
        try converting(Polyline.append(text.utf8, precision: 6, to: &line)) { (error: Polyline.Failure) in
            JSONFailure(problem: "invalid line: \(error.rawValue)", offset: offset)
        }
    }

    private static func safe(_ parser: inout JSONParser) throws(JSONFailure) -> String {
        SafeText.sanitised(try parser.text() ?? "", limit: 120)
    }

    private static func manoeuvre(_ parser: inout JSONParser) throws(JSONFailure) -> Manoeuvre {
        var manoeuvre = Manoeuvre(.turn)
        try parser.members { parser, name throws(JSONFailure) in
            switch name {
            case "type": manoeuvre.kind = kinds[try parser.text() ?? ""] ?? .turn
            case "modifier": manoeuvre.direction = directions[try parser.text() ?? ""]
            case "exit":
                manoeuvre.exit = try parser.double().flatMap { Int(exactly: $0) }.flatMap {
                    (1...99).contains($0) ? $0 : nil
                }
            case "bearing_after": manoeuvre.bearing = try parser.double()?.plausibleBearing
            default: try parser.pass()
            }
        }
        return manoeuvre
    }

    private static let kinds: [String: Manoeuvre.Kind] = [
        "turn": .turn, "new name": .newName, "depart": .depart, "arrive": .arrive, "merge": .merge,
        "on ramp": .onRamp,
        "ramp": .onRamp, "off ramp": .offRamp, "fork": .fork, "end of road": .endOfRoad, "continue": .proceed,
        "roundabout": .roundabout, "rotary": .roundabout, "roundabout turn": .roundaboutTurn,
        "exit roundabout": .exitRoundabout, "exit rotary": .exitRoundabout, "notification": .proceed,
        "use lane": .proceed,
    ]

    private static let directions: [String: Manoeuvre.Direction] = [
        "straight": .straight, "slight right": .slightRight, "right": .right, "sharp right": .sharpRight,
        "uturn": .uTurn, "sharp left": .sharpLeft, "left": .left, "slight left": .slightLeft,
    ]
}
