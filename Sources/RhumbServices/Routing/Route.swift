public import RhumbBase
public import RhumbGeo
public import RhumbOverlays

/// A way from place to place, as an engine found it.
public struct Route: Hashable, Sendable {
    /// The maximum number of corners read from a response.
    public static let cornerLimit = Polyline.pointLimit

    /// Its corners from beginning to end, at least two.
    public var line: [Coordinate]
    /// From place to place.
    public var legs: [RouteLeg]
    /// In metres.
    public var distance: Double
    /// In seconds, with delays.
    public var duration: Double
    /// Seconds of it that traffic costs; nil: the engine knows no traffic.
    public var delay: Double?
    /// Metres above the sea, one for each corner, NaN where unknown; empty where none is known.
    public var heights: [Float] = []
    /// The attribution of the heights, safe for a terminal; empty if they come from the routing engine.
    public var heightCredit = ""
    /// Notes of the engine, safe for a terminal.
    public var remarks: [String] = []

    /// A route of these legs.
    public init(
        line: [Coordinate], legs: [RouteLeg], distance: Double, duration: Double, delay: Double? = nil
    ) {
        self.line = line
        self.legs = legs
        self.distance = distance
        self.duration = duration
        self.delay = delay
    }

    /// Everything that is to be done, in order.
    public var steps: [RouteStep] { legs.flatMap(\.steps) }

    /// Returns the route as an overlay line with its heights.
    public func feature(named name: String) -> OverlayFeature {
        OverlayFeature(.line([OverlayPath(line, heights: heights)]), name: name)
    }

    /// Metres up and down, small changes left out; nil where no heights are known.
    public var climb: (up: Double, down: Double)? {
        guard !heights.isEmpty else { return nil }
        let figures = TrackStatistics([OverlayPath(line, heights: heights)])
        return figures.ascent.flatMap { up in figures.descent.map { (up, $0) } }
    }

    /// "120 m up, 40 m down"; nil where no heights are known.
    public var climbWords: String? {
        climb.map { "\(Int($0.up.rounded())) m up, \(Int($0.down.rounded())) m down" }
    }

    /// The ground it covers; nil without corners.
    public var bounds: Bounds? { Bounds(along: line) }

    /// The strip of ground along it.
    /// - Parameter width: from edge to edge, in metres.
    /// - Throws: `RegionGeometryFailure`
    public func corridor(width: Double) throws(RegionGeometryFailure) -> RegionGeometry {
        try RegionGeometry([.corridor(line.map { Position($0) }, halfWidth: width / 2)])
    }
}

/// The part of a route between two of the places it goes by.
public struct RouteLeg: Hashable, Sendable {
    /// In metres.
    public var distance: Double
    /// In seconds.
    public var duration: Double
    /// The steps, from departure to arrival.
    public var steps: [RouteStep]

    /// A leg of these steps.
    public init(distance: Double, duration: Double, steps: [RouteStep]) {
        self.distance = distance
        self.duration = duration
        self.steps = steps
    }
}

/// Something to be done on a route, and the way on from there. All texts are harmless to a terminal.
public struct RouteStep: Hashable, Sendable {
    /// The manoeuvre.
    public var manoeuvre: Manoeuvre
    /// Of the road on; may be empty.
    public var name = ""
    /// Its number, as "A8"; may be empty.
    public var reference = ""
    /// The destinations on signs; may be empty.
    public var destinations = ""
    /// The number of a motorway's exit; may be empty.
    public var exits = ""
    /// The engine's own sentence, for engines that give no names; nil: Rhumb composes one.
    public var sentence: String?
    /// Metres to the next step.
    public var distance: Double
    /// Seconds to the next step.
    public var duration: Double
    /// The corner of the route's line where it is.
    public var corner: Int

    /// A step on a road without a name.
    public init(_ manoeuvre: Manoeuvre, distance: Double, duration: Double, corner: Int) {
        self.manoeuvre = manoeuvre
        self.distance = distance
        self.duration = duration
        self.corner = corner
    }
}

/// The complete response of an engine.
public struct RouteAnswer: Hashable, Sendable {
    /// The request.
    public let request: RouteRequest
    /// The best first; never empty.
    public var routes: [Route]
    /// The name of the provider.
    public let provider: String
    /// The attribution; may be empty.
    public let attribution: String
    /// When it came.
    public let time: UnixSeconds
    /// True if the response may be stored.
    public let mayBeKept: Bool

    /// An answer to a request.
    public init(
        _ request: RouteRequest, _ routes: [Route], provider: String, attribution: String, time: UnixSeconds,
        mayBeKept: Bool
    ) {
        self.request = request
        self.routes = routes
        self.provider = provider
        self.attribution = attribution
        self.time = time
        self.mayBeKept = mayBeKept
    }

    /// The ground that all of its routes cover; nil without corners.
    public var bounds: Bounds? { Bounds(along: routes.flatMap(\.line)) }
}

extension Bounds {
    /// Returns the bounds of a line, which may continue beyond ±180°; nil for a line without points.
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
