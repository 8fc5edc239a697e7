public import RhumbGeo

/// A request for a route.
public struct RouteRequest: Hashable, Sendable {
    /// The maximum number of places, including start and end.
    public static let placeLimit = 25
    /// The maximum number of alternatives besides the best route.
    static let alternativeLimit = 3

    /// Start, intermediate places and end: two or more.
    public var places: [Coordinate]
    /// The means of travel.
    public var mode = RouteMode.car
    /// The size of the vehicle. Only used for trucks and buses.
    public var vehicle = RouteVehicle()
    /// The kinds of road to avoid.
    public var avoids: Set<RouteAvoidance> = []
    /// The number of alternatives besides the best route, 0…3. Ignored if there are intermediate places.
    public var alternatives = 0
    /// The departure time; nil to ignore traffic.
    public var departure: RouteDeparture?

    /// Creates a request for a route between two places, via others.
    public init(from start: Coordinate, to end: Coordinate, via places: [Coordinate] = []) {
        self.places = [start] + places + [end]
    }

    /// The request for the way back.
    public var reversed: RouteRequest {
        var back = self
        back.places.reverse()
        return back
    }

    /// Returns true if a response to another request also answers this one. Places may differ by less than 2
    /// m; alternatives and departure are ignored.
    public func asksTheSame(as other: RouteRequest) -> Bool {
        mode == other.mode && vehicle == other.vehicle && avoids == other.avoids
            && places.count == other.places.count
            && zip(places, other.places).allSatisfy { $0.metres(to: $1) < 2 }
    }

    /// The number of alternatives to request from the engine.
    var askedAlternatives: Int { places.count == 2 ? min(max(alternatives, 0), Self.alternativeLimit) : 0 }

    /// The sum of the great-circle distances between consecutive places, in metres.
    var crowDistance: Double { zip(places, places.dropFirst()).reduce(0) { $0 + $1.0.metres(to: $1.1) } }

    /// Maximum distance in metres between a requested place and the end of the route.
    var reach: Double { max(1000, crowDistance / 20) }

    /// Validates the request before any engine receives it.
    /// - Throws: `RouteFailure` if no engine could answer it.
    func check() throws(RouteFailure) {
        guard places.count > 1 else { throw .unsupported("a route needs two places") }
        guard places.count <= Self.placeLimit else {
            throw .unsupported("a route can have at most \(Self.placeLimit - 2) via points")
        }
        guard crowDistance >= 1 else { throw .samePlace }
    }
}
