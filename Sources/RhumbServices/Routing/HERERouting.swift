internal import RhumbBase
internal import RhumbGeo
internal import RhumbWeb

/// Requests and responses of HERE Routing, version 8.
enum HERERouting {
    static func address(of request: RouteRequest, at base: HTTPAddress) -> HTTPAddress {
        var query = [
            ("origin", request.places[0]), ("destination", request.places[request.places.count - 1]),
        ]
        .map { (name: $0.0, value: PercentCoding.encoded($0.1.latitudeFirst)) }
        query += request.places.dropFirst().dropLast().map {
            (name: "via", value: PercentCoding.encoded($0.latitudeFirst))
        }
        query += [
            (name: "return", value: "polyline,elevation,summary,actions,instructions"),
            (name: "lang", value: "en-GB"),
        ]
        if request.askedAlternatives > 0 {
            query.append((name: "alternatives", value: "\(request.askedAlternatives)"))
        }
        return base.appending(path: "/routes", query: query + departure(request) + travel(request))
    }

    /// Returns the address of an isochrone request.
    static func address(
        ofReach minutes: [Double], from place: Coordinate, _ request: RouteRequest, at base: HTTPAddress
    ) -> HTTPAddress {
        let seconds = minutes.map { "\(Int(clamping: $0 * 60))" }.joined(separator: ",")
        let query = [
            (name: "origin", value: PercentCoding.encoded(place.latitudeFirst)),
            (name: "range%5Btype%5D", value: "time"),
            (name: "range%5Bvalues%5D", value: seconds),
        ]
        return base.appending(path: "/isolines", query: query + departure(request) + travel(request))
    }

    /// Requests any time unless a departure is set, because HERE charges more for requests with traffic.
    private static func departure(_ request: RouteRequest) -> [(name: String, value: String)] {
        switch request.departure {
        case nil: [(name: "departureTime", value: "any")]
        case .now?: []
        case .at(let time)?: [(name: "departureTime", value: PercentCoding.encoded(time + ":00"))]
        }
    }

    private static func travel(_ request: RouteRequest) -> [(name: String, value: String)] {
        var query = [
            (name: "transportMode", value: request.mode == .foot ? "pedestrian" : request.mode.rawValue)
        ]
        let avoided = RouteAvoidance.allCases.filter(request.avoids.contains).map(word)
        if !avoided.isEmpty {
            query.append((name: "avoid%5Bfeatures%5D", value: avoided.joined(separator: ",")))
        }
        guard request.mode == .truck || request.mode == .bus else { return query }
        let vehicle = request.vehicle
        let sizes = [
            ("height", vehicle.height, 100.0), ("width", vehicle.width, 100), ("length", vehicle.length, 100),
            ("grossWeight", vehicle.weight, 1000), ("weightPerAxle", vehicle.axleLoad, 1000),
        ]
        query += sizes.compactMap { name, size, scale in
            size.map { (name: "vehicle%5B\(name)%5D", value: "\(Int(clamping: $0 * scale))") }
        }
        if vehicle.isHazardous { query.append((name: "vehicle%5BshippedHazardousGoods%5D", value: "other")) }
        return query
    }

    private static func word(_ avoidance: RouteAvoidance) -> String {
        switch avoidance {
        case .tolls: "tollRoad"
        case .motorways: "controlledAccessHighway"
        case .ferries: "ferry"
        }
    }

    // MARK: Refusals

    /// Returns the reason of an error response, or of a response without routes, from its notices.
    static func refusal(_ json: JSON, _ name: String) -> RouteFailure? {
        for notice in json["notices"]?.array ?? [] {
            switch notice["code"]?.string {
            case "couldNotMatchOrigin"?: return .noRoads(place: 0, metres: nil)
            case "couldNotMatchDestination"?, "couldNotMatchVia"?: return .noRoads(place: nil, metres: nil)
            case "noRouteFound"?, "routeCalculationFailed"?: return .noRoute
            default: continue
            }
        }
        if json["routes"]?.array?.isEmpty == true { return .noRoute }
        if json["error"]?.string?.contains("nauthorized") == true { return .notEntitled(provider: name) }
        guard let title = json["title"]?.string else { return nil }
        if [401, 403].contains(json["status"]?.int) { return .notEntitled(provider: name) }
        let cause = json["cause"]?.string.map { ": \($0)" } ?? ""
        return .refused("\(name): \(SafeText.sanitised(title + cause, limit: 240))")
    }

    // MARK: Responses

    static func routes(_ body: [UInt8]) throws(JSONFailure) -> [Route] {
        try JSON.parse(body)["routes"]?.array.map { all throws(JSONFailure) in
            var routes: [Route] = []
            for json in all { routes.append(try route(json)) }
            return routes
        } ?? []
    }

    private static func route(_ json: JSON) throws(JSONFailure) -> Route {
        var route = Route(line: [], legs: [], distance: 0, duration: 0), usual = 0.0, knowsUsual = true
        for section in json["sections"]?.array ?? [] {
            let first = max(route.line.count - 1, 0)
            try append(section["polyline"]?.string ?? "", to: &route)
            let summary = section["summary"]
            let distance = summary?["length"]?.double ?? 0, duration = summary?["duration"]?.double ?? 0
            if let base = summary?["baseDuration"]?.double { usual += base } else { knowsUsual = false }
            let steps = (section["actions"]?.array ?? []).map { step($0, first, route.line.count) }
            route.legs.append(RouteLeg(distance: distance, duration: duration, steps: steps))
            route.distance += distance
            route.duration += duration
            route.remarks += (section["notices"]?.array ?? []).prefix(5).compactMap { $0["title"]?.string }
                .map { SafeText.sanitised($0, limit: 200) }
        }
        if !route.heights.contains(where: { !$0.isNaN }) { route.heights = [] }
        route.delay = knowsUsual && !route.legs.isEmpty ? max(route.duration - usual, 0) : nil
        return route
    }

    private static func append(_ text: String, to route: inout Route) throws(JSONFailure) {
        do throws(Polyline.Failure) {
            let (part, heights) = try FlexiblePolyline.line(text.utf8)
            guard route.line.count + part.count <= Route.cornerLimit else { throw .tooLong }
            let first = part.first == route.line.last ? 1 : 0
            route.line += part.dropFirst(first)
            route.heights += part.indices.dropFirst(first).map {
                heights.indices.contains($0) ? heights[$0] : .nan
            }
        } catch {
            throw JSONFailure(problem: "invalid line: \(error.rawValue)", offset: 0)
        }
    }

    private static func step(_ json: JSON, _ first: Int, _ corners: Int) -> RouteStep {
        let action = json["action"]?.string ?? "", direction = direction(json)
        var manoeuvre = Manoeuvre(kinds[action] ?? .turn, direction)
        manoeuvre.exit = json["exit"]?.int.flatMap { (1...99).contains($0) ? $0 : nil }
        if action == "uTurn" { manoeuvre.direction = .uTurn }
        let corner = first + min(max(json["offset"]?.int ?? 0, 0), Route.cornerLimit)
        var step = RouteStep(
            manoeuvre, distance: json["length"]?.double ?? 0, duration: json["duration"]?.double ?? 0,
            corner: min(corner, max(corners - 1, 0)))
        let sentence = SafeText.sanitised(json["instruction"]?.string ?? "", limit: 240)
        if !sentence.isEmpty {
            step.sentence = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
        }
        return step
    }

    private static func direction(_ json: JSON) -> Manoeuvre.Direction? {
        let severity = json["severity"]?.string
        switch json["direction"]?.string {
        case "left"?: return severity == "light" ? .slightLeft : severity == "heavy" ? .sharpLeft : .left
        case "right"?: return severity == "light" ? .slightRight : severity == "heavy" ? .sharpRight : .right
        case "middle"?: return .straight
        default: return nil
        }
    }

    private static let kinds: [String: Manoeuvre.Kind] = [
        "depart": .depart, "arrive": .arrive, "turn": .turn, "continue": .proceed,
        "continueHighway": .proceed, "keep": .fork,
        "enterHighway": .onRamp, "enterHighwayFromLeft": .onRamp, "enterHighwayFromRight": .onRamp,
        "ramp": .onRamp,
        "exit": .offRamp, "roundaboutEnter": .roundabout, "roundaboutPass": .roundabout,
        "roundaboutExit": .exitRoundabout,
        "board": .ferry, "uTurn": .turn,
    ]
}
