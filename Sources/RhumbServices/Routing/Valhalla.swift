internal import RhumbBase
internal import RhumbGeo
internal import RhumbWeb

/// Requests of Valhalla's API. Requests routes in OSRM's form, with polylines of six decimals.
enum Valhalla {
    static func address(of request: RouteRequest, at base: HTTPAddress) -> HTTPAddress {
        base.appending(path: "/route", query: [("json", PercentCoding.encoded(question(request).text))])
    }

    /// Returns the address of an isochrone request.
    static func address(
        ofReach minutes: [Double], from place: Coordinate, _ request: RouteRequest, at base: HTTPAddress
    ) -> HTTPAddress {
        var question = JSONObject()
        question["locations"] = .array([location(place)])
        addCosting(of: request, to: &question)
        question["contours"] = .array(minutes.map { ["time": .number($0)] })
        question["polygons"] = true
        return base.appending(
            path: "/isochrone", query: [("json", PercentCoding.encoded(JSON.object(question).text))])
    }

    /// Returns the address of a height request.
    static func address(ofHeights line: [Coordinate], at base: HTTPAddress) -> HTTPAddress {
        let question: JSON = [
            "encoded_polyline": .string(Polyline.text(line, precision: 6)), "shape_format": "polyline6",
        ]
        return base.appending(path: "/height", query: [("json", PercentCoding.encoded(question.text))])
    }

    /// Parses heights, one for each requested place, nil where the engine has no data. Returns nil for any
    /// other response.
    static func heights(_ body: [UInt8]) -> [Double?]? {
        (try? JSON.parse(body))?["height"]?.array.map { $0.map(\.double) }
    }

    private static func question(_ request: RouteRequest) -> JSON {
        var question = JSONObject()
        question["locations"] = .array(request.places.map(location))
        addCosting(of: request, to: &question)
        question["format"] = "osrm"
        question["shape_format"] = "polyline6"
        question["directions_type"] = "maneuvers"
        if request.askedAlternatives > 0 { question["alternates"] = .integer(request.askedAlternatives) }
        switch request.departure {
        case nil: break
        case .now?: question["date_time"] = ["type": 0]
        case .at(let time)?: question["date_time"] = ["type": 1, "value": .string(time)]
        }
        return .object(question)
    }

    private static func location(_ place: Coordinate) -> JSON {
        ["lat": .number(place.latitude.rounded(6)), "lon": .number(place.longitude.rounded(6))]
    }

    private static func addCosting(of request: RouteRequest, to question: inout JSONObject) {
        let costing = costing(request.mode)
        question["costing"] = .string(costing)
        var options = JSONObject()
        if request.mode == .truck || request.mode == .bus {
            let vehicle = request.vehicle
            let sizes = [
                ("height", vehicle.height), ("width", vehicle.width), ("length", vehicle.length),
                ("weight", vehicle.weight),
                ("axle_load", vehicle.axleLoad),
            ]
            for (name, size) in sizes { options[name] = size.map { .number($0.rounded(3)) } }
            if vehicle.isHazardous { options["hazmat"] = true }
        }
        for avoidance in RouteAvoidance.allCases where request.avoids.contains(avoidance) {
            options[preference(avoidance)] = 0
        }
        if !options.isEmpty {
            question["costing_options"] = .object(JSONObject([(costing, .object(options))]))
        }
    }

    private static func costing(_ mode: RouteMode) -> String {
        switch mode {
        case .car: "auto"
        case .foot: "pedestrian"
        case .bicycle, .truck, .bus, .motorcycle: mode.rawValue
        }
    }

    private static func preference(_ avoidance: RouteAvoidance) -> String {
        switch avoidance {
        case .tolls: "use_tolls"
        case .motorways: "use_highways"
        case .ferries: "use_ferry"
        }
    }
}

extension JSONObject {
    init(_ members: [(String, JSON)]) {
        self.init()
        for (name, value) in members { self[name] = value }
    }
}
