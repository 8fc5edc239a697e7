public import RhumbBase
internal import RhumbGeo

/// Responses as JSON, for other programs and for the route log.
extension RouteAnswer {
    /// The complete response as JSON.
    public var json: JSON {
        [
            "rhumb": "route", "version": 1, "request": request.json, "provider": .string(provider),
            "attribution": .string(attribution), "receivedAt": .string(time.iso8601),
            "routes": .array(routes.map(\.json)),
        ]
    }

    /// Reads a response from `json`; nil for anything else.
    public init?(json: JSON) {
        guard json["rhumb"] == "route", json["version"]?.int == 1,
            let request = json["request"].flatMap(RouteRequest.init(json:)),
            case .moment(let time)? = json["receivedAt"]?.string.flatMap(MapTime.init),
            let entries = json["routes"]?.array
        else { return nil }
        let routes = entries.compactMap(Route.init(json:))
        guard !routes.isEmpty, routes.count == entries.count else { return nil }
        self.init(
            request, routes, provider: SafeText.sanitised(json["provider"]?.string ?? "", limit: 120),
            attribution: SafeText.sanitised(json["attribution"]?.string ?? "", limit: 300),
            time: UnixSeconds(Int64(Int(clamping: time))), mayBeStored: true)
    }
}

extension RouteRequest {
    var json: JSON {
        var object = JSONObject([
            (
                "waypoints",
                .array(
                    places.map {
                        [
                            "latitude": .number($0.latitude.rounded(6)),
                            "longitude": .number($0.longitude.rounded(6)),
                        ]
                    })
            ),
            ("mode", .string(mode.rawValue)),
        ])
        if !avoids.isEmpty { object["avoid"] = .array(avoids.map(\.rawValue).sorted().map { .string($0) }) }
        if alternatives > 0 { object["alternatives"] = .integer(alternatives) }
        switch departure {
        case nil: break
        case .now?: object["departure"] = "now"
        case .at(let time)?: object["departure"] = .string(time)
        }
        if !vehicle.isPlain { object["vehicle"] = vehicle.json }
        return .object(object)
    }

    init?(json: JSON) {
        let waypoints = json["waypoints"]?.array ?? []
        let places = waypoints.compactMap { waypoint -> Coordinate? in
            guard let latitude = waypoint["latitude"]?.double, let longitude = waypoint["longitude"]?.double
            else { return nil }
            return Coordinate(latitude: latitude, longitude: longitude)
        }
        guard places.count > 1, places.count == waypoints.count,
            let mode = json["mode"]?.string.flatMap(RouteMode.init)
        else { return nil }
        self.init(from: places[0], to: places[places.count - 1], via: Array(places.dropFirst().dropLast()))
        self.mode = mode
        avoids = Set((json["avoid"]?.array ?? []).compactMap(\.string).compactMap(RouteAvoidance.init))
        alternatives = min(max(json["alternatives"]?.int ?? 0, 0), Self.alternativeLimit)
        departure = json["departure"]?.string.flatMap { RouteDeparture($0) }
        if let json = json["vehicle"] { vehicle = RouteVehicle(json: json) }
    }
}

extension RouteVehicle {
    var json: JSON {
        var object = JSONObject()
        let sizes = [
            ("height", height), ("width", width), ("length", length), ("weight", weight),
            ("axleLoad", axleLoad),
        ]
        for (name, size) in sizes { object[name] = size.map { .number($0) } }
        if isHazardous { object["hazardous"] = true }
        return .object(object)
    }

    init(json: JSON) {
        self.init()
        height = json["height"]?.double
        width = json["width"]?.double
        length = json["length"]?.double
        weight = json["weight"]?.double
        axleLoad = json["axleLoad"]?.double
        isHazardous = json["hazardous"]?.bool ?? false
    }
}

extension Route {
    fileprivate var json: JSON {
        var object = JSONObject([
            ("distance", .number(distance.rounded(1))), ("duration", .number(duration.rounded(1))),
            ("legs", .array(legs.map(\.json))), ("polyline6", .string(Polyline.text(line, precision: 6))),
        ])
        if let delay { object["delay"] = .number(delay.rounded(1)) }
        if !heights.isEmpty {
            object["heights"] = .array(heights.map { $0.isNaN ? .null : .number(Double($0).rounded(1)) })
        }
        if let distanceWithoutHeights {
            object["distanceWithoutHeights"] = .number(distanceWithoutHeights.rounded(1))
        }
        if !heights.isEmpty, !heightCredit.isEmpty { object["heightsFrom"] = .string(heightCredit) }
        if !remarks.isEmpty { object["remarks"] = .array(remarks.map { .string($0) }) }
        return .object(object)
    }

    fileprivate init?(json: JSON) {
        guard let distance = json["distance"]?.double, let duration = json["duration"]?.double,
            let line = (json["polyline6"]?.string).flatMap({ try? Polyline.places($0.utf8, precision: 6) }),
            line.count > 1
        else { return nil }
        let legs = (json["legs"]?.array ?? []).map { RouteLeg(json: $0, corners: line.count) }
        self.init(
            line: line, legs: legs, distance: distance, duration: duration, delay: json["delay"]?.double)
        guard isPlausible else { return nil }
        let heights = (json["heights"]?.array ?? []).map { Float($0.double?.plausibleHeight ?? .nan) }
        if heights.count == line.count { self.heights = heights }
        heightCredit = SafeText.sanitised(json["heightsFrom"]?.string ?? "", limit: 300)
        remarks = (json["remarks"]?.array ?? []).compactMap {
            $0.string.map { SafeText.sanitised($0, limit: 200) }
        }
    }
}

extension RouteLeg {
    fileprivate var json: JSON {
        [
            "distance": .number(distance.rounded(1)), "duration": .number(duration.rounded(1)),
            "steps": .array(steps.map(\.json)),
        ]
    }

    fileprivate init(json: JSON, corners: Int) {
        self.init(
            distance: json["distance"]?.double ?? 0, duration: json["duration"]?.double ?? 0,
            steps: (json["steps"]?.array ?? []).map { RouteStep(json: $0, corners: corners) })
    }
}

extension RouteStep {
    fileprivate var json: JSON {
        var object = JSONObject([
            ("manoeuvre", .string(manoeuvre.kind.rawValue)), ("words", .string(instruction())),
            ("distance", .number(distance.rounded(1))),
            ("duration", .number(duration.rounded(1))), ("corner", .integer(corner)),
        ])
        if let direction = manoeuvre.direction { object["direction"] = .string(direction.rawValue) }
        if let exit = manoeuvre.exit { object["exit"] = .integer(exit) }
        if let bearing = manoeuvre.bearing { object["bearing"] = .number(bearing.rounded(1)) }
        if manoeuvre.keepsLeft { object["keepsLeft"] = true }
        for (name, text) in [
            ("name", name), ("reference", reference), ("destinations", destinations), ("exits", exits),
        ]
        where !text.isEmpty { object[name] = .string(text) }
        if let sentence { object["sentence"] = .string(sentence) }
        return .object(object)
    }

    fileprivate init(json: JSON, corners: Int) {
        var manoeuvre = Manoeuvre(
            json["manoeuvre"]?.string.flatMap(Manoeuvre.Kind.init) ?? .turn,
            json["direction"]?.string.flatMap(Manoeuvre.Direction.init), exit: json["exit"]?.int,
            bearing: json["bearing"]?.double)
        manoeuvre.keepsLeft = json["keepsLeft"]?.bool ?? false
        self.init(
            manoeuvre, distance: json["distance"]?.double ?? 0, duration: json["duration"]?.double ?? 0,
            corner: min(max(json["corner"]?.int ?? 0, 0), max(corners - 1, 0)))
        func text(_ name: String) -> String { SafeText.sanitised(json[name]?.string ?? "", limit: 120) }
        name = text("name")
        reference = text("reference")
        destinations = text("destinations")
        exits = text("exits")
        sentence = json["sentence"]?.string.map { SafeText.sanitised($0, limit: 240) }
    }
}
