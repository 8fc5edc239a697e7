public import RhumbGeo

/// A way that is asked for.
public struct RouteRequest: Hashable, Sendable {
    /// The most places a route may go by, its ends among them.
    public static let placeLimit = 25
    /// The most alternatives there may be besides the best.
    public static let alternativeLimit = 3

    /// Where it begins, the places it goes by, and where it ends: two or more.
    public var places: [Coordinate]
    /// What moves along it.
    public var mode = RouteMode.car
    /// How large it is; only trucks and buses heed it.
    public var vehicle = RouteVehicle()
    /// What it goes round.
    public var avoids: Set<RouteAvoidance> = []
    /// How many others are wanted besides the best, 0…3; only without places in between.
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

    /// Whether an answer to another question is one to this.
    public func asksTheSame(as other: RouteRequest) -> Bool {
        mode == other.mode && vehicle == other.vehicle && avoids == other.avoids
            && places.count == other.places.count
            && zip(places, other.places).allSatisfy { $0.metres(to: $1) < 2 }
    }

    /// How many alternatives may be asked for.
    var askedAlternatives: Int { places.count == 2 ? min(max(alternatives, 0), Self.alternativeLimit) : 0 }

    /// Metres from place to place as the crow flies.
    var crowDistance: Double { zip(places, places.dropFirst()).reduce(0) { $0 + $1.0.metres(to: $1.1) } }

    /// How far from a place that is asked for a road may begin, in metres: farther away is elsewhere.
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
