public import RhumbBase
internal import RhumbGeo

/// Export of routes as files.
extension RouteAnswer {
    /// Returns one of the routes as GPX 1.1, with its places and its line.
    /// - Parameter number: Index of the route; 0 for the best one.
    public func gpx(_ number: Int = 0, creator: String) -> String {
        guard routes.indices.contains(number) else { return "" }
        let route = routes[number]
        var text = GPXText.start(creator: creator)
        text +=
            "  <metadata><name>\(GPXText.escaped(title(route)))</name><desc>\(GPXText.escaped(credit(of: route)))</desc></metadata>\n"
        for (at, step) in route.steps.enumerated() where route.line.indices.contains(step.corner) {
            let kind = step.manoeuvre.kind
            guard kind == .depart || kind == .arrive else { continue }
            text +=
                "  <wpt \(GPXText.attributes(route.line[step.corner]))><name>\(GPXText.escaped(step.instruction(stop: route.stop(at))))</name></wpt>\n"
        }
        text += GPXText.trackStart(name: title(route))
        for (at, place) in route.line.enumerated() {
            let height = route.heights.indices.contains(at) ? route.heights[at] : .nan
            text += GPXText.trackPoint(place, height: Double(height))
        }
        return text + GPXText.trackEnd
    }

    /// Returns a title such as "12.3 km, 14 min by car".
    public func title(_ route: Route) -> String {
        "\(AmountText.metres(route.distance)), \(AmountText.seconds(route.duration)) by \(request.mode.rawValue)"
    }

    /// Returns the named facts about a route as a whole.
    public func facts(of route: Route, now: UnixSeconds) -> [(name: String, value: String)] {
        var facts = [(name: "name", value: title(route))]
        if let delay = route.delay, delay >= 30 { facts.append(("traffic", "+" + AmountText.seconds(delay))) }
        if let climb = route.climbWords { facts.append(("climb", climb)) }
        facts.append(("engine", provider))
        let age = now.seconds(since: time)
        facts.append(("requested", age < 60 ? "now" : "\(AmountText.age(age)) ago"))
        return facts
    }

    private func credit(of route: Route) -> String {
        let heights =
            route.heights.isEmpty || route.heightCredit.isEmpty ? "" : "heights: \(route.heightCredit)"
        return [provider, attribution, heights].filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// All routes as lines, and the steps of the best one as points.
    public var geoJSON: JSON {
        let lines = routes.enumerated().map { at, route -> JSON in
            [
                "type": "Feature",
                "properties": [
                    "route": .integer(at), "distance": .number(route.distance.rounded(1)),
                    "duration": .number(route.duration.rounded(1)),
                    "name": .string(title(route)), "provider": .string(provider),
                    "attribution": .string(attribution),
                    "stroke": at == 0 ? "#1A6FE8" : "#8AA4C8", "stroke-width": at == 0 ? 4 : 2,
                ],
                "geometry": ["type": "LineString", "coordinates": .array(route.line.map(Self.position))],
            ]
        }
        return ["type": "FeatureCollection", "features": .array(lines + points)]
    }

    private var points: [JSON] {
        guard let best = routes.first else { return [] }
        return best.steps.enumerated().compactMap { at, step in
            guard best.line.indices.contains(step.corner) else { return nil }
            return [
                "type": "Feature",
                "properties": [
                    "step": .integer(at), "name": .string(step.instruction(stop: best.stop(at))),
                    "distance": .number(step.distance.rounded(1)),
                ],
                "geometry": ["type": "Point", "coordinates": Self.position(best.line[step.corner])],
            ]
        }
    }

    private static func position(_ place: Coordinate) -> JSON {
        [.number(place.longitude.rounded(6)), .number(place.latitude.rounded(6))]
    }
}

extension Route {
    /// Returns the number of the intermediate place that a step arrives at, from 1; nil for other steps and
    /// for the destination.
    public func stop(_ step: Int) -> Int? {
        var count = 0
        for (at, leg) in legs.enumerated() {
            count += leg.steps.count
            if step < count { return step == count - 1 && at < legs.count - 1 ? at + 1 : nil }
        }
        return nil
    }

    /// The steps as lines of a list.
    public var lines: [(sign: Manoeuvre, words: String, distance: Double)] {
        steps.enumerated().map { ($1.manoeuvre, $1.instruction(stop: stop($0)), $1.distance) }
    }
}
