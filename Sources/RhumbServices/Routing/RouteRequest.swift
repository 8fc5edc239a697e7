public import RhumbGeo

/// A request for a route.
public struct RouteRequest: Hashable, Sendable {
    /// The most places a route may go by, its ends among them.
    public static let placeLimit = 25
    /// The most alternatives there may be besides the best.
    public static let alternativeLimit = 3

    /// The start, the places between, and the destination: two or more.
    public var places: [Coordinate]
    /// The travel mode.
    public var mode = RouteMode.car
    /// The size of the vehicle; only used for trucks and buses.
    public var vehicle = RouteVehicle()
    /// The kinds of road to avoid.
    public var avoids: Set<RouteAvoidance> = []
    /// The number of alternative routes, from 0 to 3; only without places between.
    public var alternatives = 0
    /// When it begins; nil: traffic doesn't matter.
    public var departure: RouteDeparture?

    /// The way from one place to another, by others in between.
    public init(from start: Coordinate, to end: Coordinate, via places: [Coordinate] = []) {
        self.places = [start] + places + [end]
    }

    /// The way back.
    public var reversed: RouteRequest {
        var back = self
        back.places.reverse()
        return back
    }

    /// Returns true if a response to another request also answers this one.
    public func asksTheSame(as other: RouteRequest) -> Bool {
        mode == other.mode && vehicle == other.vehicle && avoids == other.avoids
            && places.count == other.places.count
            && zip(places, other.places).allSatisfy { $0.metres(to: $1) < 2 }
    }

    /// The number of alternatives that may be requested.
    var askedAlternatives: Int { places.count == 2 ? min(max(alternatives, 0), Self.alternativeLimit) : 0 }

    /// Metres from place to place as the crow flies.
    var crowDistance: Double { zip(places, places.dropFirst()).reduce(0) { $0 + $1.0.metres(to: $1.1) } }

    /// The largest distance in metres between a requested place and the road where the route starts.
    var reach: Double { max(1000, crowDistance / 20) }

    /// - Throws: `RouteFailure` for what no engine need be asked.
    func check() throws(RouteFailure) {
        guard places.count > 1 else { throw .unsupported("a route needs two places") }
        guard places.count <= Self.placeLimit else {
            throw .unsupported("a route can have at most \(Self.placeLimit - 2) via points")
        }
        guard crowDistance >= 1 else { throw .samePlace }
    }
}
