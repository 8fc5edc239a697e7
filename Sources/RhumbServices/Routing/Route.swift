public import RhumbBase
public import RhumbGeo

/// A route between places, as returned by an engine.
public struct Route: Hashable, Sendable {
    /// The maximum number of corners read from a response.
    public static let cornerLimit = Polyline.pointLimit

    /// The corners from start to end, at least two.
    public var line: [Coordinate]
    /// The legs between the places of the request.
    public var legs: [RouteLeg]
    /// Distance in metres.
    public var distance: Double
    /// Travel time in seconds, including delays.
    public var duration: Double
    /// Delay by traffic in seconds; nil if the engine has no traffic data.
    public var delay: Double?
    /// Metres above sea level, one for each corner, NaN if unknown; empty if none is known.
    public var heights: [Float] = []
    /// The source of the heights, sanitised for terminals; empty if it is the engine that found the route.
    public var heightCredit = ""
    /// Notices of the engine, sanitised for terminals.
    public var remarks: [String] = []

    /// Creates a route from its legs.
    public init(
        line: [Coordinate], legs: [RouteLeg], distance: Double, duration: Double, delay: Double? = nil
    ) {
        self.line = line
        self.legs = legs
        self.distance = distance
        self.duration = duration
        self.delay = delay
    }

    /// The steps of all legs, in order.
    public var steps: [RouteStep] { legs.flatMap(\.steps) }

    /// The line with its heights.
    public var path: OverlayPath { OverlayPath(line, heights: heights) }

    /// Total ascent and descent in metres, without small changes; nil if no heights are known.
    public var climb: (up: Double, down: Double)? {
        guard !heights.isEmpty else { return nil }
        let figures = statistics
        return figures.ascent.flatMap { up in figures.descent.map { (up, $0) } }
    }

    /// The climb in words, such as "120 m up, 40 m down"; nil if no heights are known. Also has the length of
    /// the parts without heights.
    public var climbWords: String? {
        climb.map {
            let gap = distanceWithoutHeights.map { ", \(TrackStatistics.length($0)) without heights" } ?? ""
            return "\(Int(clamping: $0.up)) m up, \(Int(clamping: $0.down)) m down\(gap)"
        }
    }

    /// Length in metres without heights, of a route that has heights elsewhere; nil if there is none.
    public var distanceWithoutHeights: Double? { heights.isEmpty ? nil : statistics.partWithoutHeights }

    private var statistics: TrackStatistics { TrackStatistics([path]) }

    /// The bounding box of the route; nil without corners.
    public var bounds: Bounds? { Bounds(along: line) }

    /// Returns the corridor along the route.
    /// - Parameter width: Full width of the corridor, in metres.
    /// - Throws: `RegionGeometryFailure`
    public func corridor(width: Double) throws(RegionGeometryFailure) -> RegionGeometry {
        try RegionGeometry([.corridor(line.map { Position($0) }, halfWidth: width / 2)])
    }
}

/// The part of a route between two consecutive places of the request.
public struct RouteLeg: Hashable, Sendable {
    /// Distance in metres.
    public var distance: Double
    /// Travel time in seconds.
    public var duration: Double
    /// The steps, from departure to arrival.
    public var steps: [RouteStep]

    /// Creates a leg from its steps.
    public init(distance: Double, duration: Double, steps: [RouteStep]) {
        self.distance = distance
        self.duration = duration
        self.steps = steps
    }
}

/// A manoeuvre on a route and the road that follows it. All texts are sanitised for terminals.
public struct RouteStep: Hashable, Sendable {
    /// The manoeuvre.
    public var manoeuvre: Manoeuvre
    /// The name of the road after the manoeuvre; may be empty.
    public var name = ""
    /// The number of that road, such as "A8"; may be empty.
    public var reference = ""
    /// The destinations on the signs; may be empty.
    public var destinations = ""
    /// The number of a motorway's exit; may be empty.
    public var exits = ""
    /// An instruction that the other properties can't express, such as that of an engine that sends no names;
    /// nil if Rhumb composes one.
    public var sentence: String?
    /// Distance to the next step, in metres.
    public var distance: Double
    /// Time to the next step, in seconds.
    public var duration: Double
    /// The index of the step's corner in the route's line.
    public var corner: Int

    /// Creates a step on a road without a name.
    public init(_ manoeuvre: Manoeuvre, distance: Double, duration: Double, corner: Int) {
        self.manoeuvre = manoeuvre
        self.distance = distance
        self.duration = duration
        self.corner = corner
    }
}

/// The complete response of a routing engine.
public struct RouteAnswer: Hashable, Sendable {
    /// The request.
    public let request: RouteRequest
    /// The routes, best first; never empty.
    public var routes: [Route]
    /// The name of the provider.
    public let provider: String
    /// The attribution that must be shown; may be empty.
    public let attribution: String
    /// The time at which the response arrived.
    public let time: UnixSeconds
    /// True if the provider's terms allow storing the response.
    public let mayBeStored: Bool

    /// Creates the response to a request.
    public init(
        _ request: RouteRequest, _ routes: [Route], provider: String, attribution: String, time: UnixSeconds,
        mayBeStored: Bool
    ) {
        self.request = request
        self.routes = routes
        self.provider = provider
        self.attribution = attribution
        self.time = time
        self.mayBeStored = mayBeStored
    }

    /// The bounding box of all routes; nil without corners.
    public var bounds: Bounds? { Bounds(along: routes.flatMap(\.line)) }
}

extension Bounds {
    /// Creates the bounding box of a line, which may cross the antimeridian; nil without corners.
    fileprivate init?(along line: [Coordinate]) {
        guard let first = line.first else { return nil }
        var east = first.longitude
        var west = first.longitude
        var at = first.longitude
        var north = first.latitude
        var south = first.latitude
        for place in line {
            at += Coordinate.wrapped(longitude: place.longitude - at)
            west = min(west, at)
            east = max(east, at)
            south = min(south, place.latitude)
            north = max(north, place.latitude)
        }
        let isAround = east - west >= 360
        self.init(
            west: isAround ? -180 : Coordinate.wrapped(longitude: west), south: south,
            east: isAround ? 180 : Coordinate.wrapped(longitude: east), north: north)
    }
}

extension Route {
    /// True if every length is at most 1e9 m (25 times round the Earth) and every time at most 1e9 s (30
    /// years).
    var isPlausible: Bool {
        let lengths = [distance] + legs.map(\.distance) + steps.map(\.distance)
        let times = [duration, abs(delay ?? 0)] + legs.map(\.duration) + steps.map(\.duration)
        return (lengths + times).allSatisfy { (0...1e9).contains($0) }
    }
}

/// A manoeuvre on a route. The kinds are those of OSRM's API; unknown ones become turns.
public struct Manoeuvre: Hashable, Sendable {
    /// The kind of a manoeuvre.
    public enum Kind: String, Sendable, CaseIterable {
        case depart, arrive, turn, merge, fork, ferry
        /// The road continues under another name.
        case newName
        /// Continue along the same road, perhaps around a corner.
        case proceed
        case onRamp, offRamp, endOfRoad
        /// Enter a roundabout and leave it.
        case roundabout
        case exitRoundabout
        /// A roundabout so small that it counts as a junction.
        case roundaboutTurn
    }

    /// The direction of a manoeuvre.
    public enum Direction: String, Sendable, CaseIterable {
        case straight, slightRight, right, sharpRight, uTurn, sharpLeft, left, slightLeft
    }

    /// The kind of the manoeuvre.
    public var kind: Kind
    /// The direction; nil if the engine gave none.
    public var direction: Direction?
    /// The exit of a roundabout, 1…99; nil if unknown.
    public var exit: Int?
    /// The bearing after the manoeuvre, in degrees clockwise from north; nil if unknown.
    public var bearing: Double?
    /// True where traffic keeps to the left.
    var keepsLeft = false

    /// Creates a manoeuvre. An exit outside 1…99 or an implausible bearing counts as unknown.
    public init(_ kind: Kind, _ direction: Direction? = nil, exit: Int? = nil, bearing: Double? = nil) {
        self.kind = kind
        self.direction = direction
        self.exit = exit.flatMap { 1...99 ~= $0 ? $0 : nil }
        self.bearing = bearing?.plausibleBearing
    }
}
