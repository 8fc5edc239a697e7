public import RhumbCore
internal import RhumbEngine

/// A response as shown to the user.
public struct FoundRoute: Sendable {
    /// The response.
    public internal(set) var answer: RouteAnswer
    /// The local time of arrival of each route, for a departure now.
    public let arrivals: [String]
    /// The age in seconds; nil for a new response.
    public let age: Int64?

    /// Combines a response with the times of arrival.
    public init(_ answer: RouteAnswer, arrivals: [String], age: Int64? = nil) {
        self.answer = answer
        self.arrivals = arrivals
        self.age = age
    }
}

/// A place of a planned route.
struct RouteStop: Equatable, Sendable {
    let place: Coordinate
    let name: String
}

/// A field of the route's form.
enum RouteField: Sendable { case from, via, to }

/// The place of a route that the mouse drags.
enum RouteHold: Equatable, Sendable {
    case from, to
    /// An intermediate place, counted from 0.
    case via(Int)
}

/// The planned route and the shown one.
package struct RoutePlan: Sendable {
    /// The routing engines to query, by name or address; empty for the best one available.
    package var engines: [String] = []
    var from: RouteStop?
    var via: [RouteStop] = []
    var to: RouteStop?
    /// True if the start is where the user was when the route was requested, and was not chosen.
    var startsHere = false
    var mode = RouteMode.car
    var avoids: Set<RouteAvoidance> = []
    /// The dimensions of a truck or bus.
    var vehicle = RouteVehicle()
    var departure: RouteDeparture?
    /// The shown response; nil for none.
    var found: FoundRoute?
    /// The places of the shown response, which may differ from the planned ones.
    var shownStops: [RouteStop] = []
    /// The index of the selected route.
    var chosen = 0
    /// The index of the selected step; nil while the whole route is shown.
    var step: Int?
    /// The height profile; nil if unknown.
    var profile: RouteProfile?
    /// The guide along the route; nil before the position reaches it.
    var guide: RouteGuide?
    /// The place that the mouse drags; nil for none.
    var held: RouteHold?
    /// The number of the running request; nil for none.
    var asked: Int?
    var count = 0
    /// The running request for heights: the response and the route in it; nil for none.
    var heightsAsked: (number: Int, chosen: Int)?
    /// The reason why there is no route; nil for none.
    var problem: RouteFailure?
    /// The stored responses.
    var stored: [FoundRoute] = []
    /// The engines that can be chosen without a key.
    var offers: [ServiceOffer] = []

    /// The request; nil before the route has two ends.
    var request: RouteRequest? {
        guard let from, let to else { return nil }
        var request = RouteRequest(from: from.place, to: to.place, via: via.map(\.place))
        request.mode = mode
        request.avoids = avoids
        request.alternatives = via.isEmpty ? 2 : 0
        if mode == .truck || mode == .bus { request.vehicle = vehicle }
        request.departure = departure
        return request
    }

    /// Returns the query for the route, once it has a start and a destination.
    /// - Parameter source: The source whose terms the user accepts; nil for none.
    mutating func ask(acceptingTermsOf source: String? = nil) -> [Effect] {
        guard let request else { return [] }
        count += 1
        asked = count
        problem = nil
        return [
            .ask(RouteQuery(request: request, engines: engines, acceptedTerms: source, number: count))
        ]
    }

    /// Returns the query for the layers of the route.
    mutating func draw() -> [Effect] {
        guard let found else { return [] }
        guide = nil
        profile = route.flatMap { RouteProfile($0) }
        return [.ask(RouteLayersQuery(answer: found.answer, chosen: chosen))]
    }

    mutating func set(_ field: RouteField, _ stop: RouteStop) {
        switch field {
        case .from: (from, startsHere) = (stop, false)
        case .to: to = stop
        case .via: addVia(stop)
        }
    }

    /// Inserts a place where it lengthens the route least.
    private mutating func addVia(_ stop: RouteStop) {
        guard via.count < RouteRequest.placeLimit - 2 else { return }
        let ends = [from ?? stop] + via + [to ?? stop]
        let costs = zip(ends, ends.dropFirst()).map { before, after in
            before.place.metres(to: stop.place) + stop.place.metres(to: after.place)
                - before.place.metres(to: after.place)
        }
        let best = costs.indices.min { costs[$0] < costs[$1] } ?? 0
        via.insert(stop, at: min(best, via.count))
    }

    mutating func turnRound() {
        (from, to) = (to, from)
        startsHere = false
        via.reverse()
    }

    /// The selected route.
    var route: Route? {
        found.flatMap { $0.answer.routes.indices.contains(chosen) ? $0.answer.routes[chosen] : nil }
    }

    /// The places of the shown route that have a mark.
    var markedPlaces: [Coordinate] {
        guard let route else { return [] }
        let ends = [
            held == .from ? from?.place : route.line.first, held == .to ? to?.place : route.line.last,
        ]
        return (ends + [stepPlace]).compactMap(\.self) + via.map(\.place)
    }

    /// The position of the selected step.
    var stepPlace: Coordinate? {
        guard let route, let step, route.steps.indices.contains(step) else { return nil }
        let corner = route.steps[step].corner
        return route.line.indices.contains(corner) ? route.line[corner] : nil
    }
}

/// The height profile of the shown route.
struct RouteProfile: Sendable {
    let profile: TrackProfile
    /// The ascent and descent, such as "120 m up, 40 m down".
    let climb: String

    /// - Returns: Nil if no heights are known.
    init?(_ route: Route) {
        guard let climb = route.climbWords, let profile = TrackProfile([route.path]) else { return nil }
        self.profile = profile
        self.climb = climb
    }
}
