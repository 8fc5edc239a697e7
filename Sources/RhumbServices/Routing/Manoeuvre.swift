internal import RhumbOverlays

/// A manoeuvre at a point of a route. The kinds are those of OSRM's API; an unknown one is read as a turn.
public struct Manoeuvre: Hashable, Sendable {
    /// The kind of a manoeuvre.
    public enum Kind: String, Sendable, CaseIterable {
        case depart, arrive, turn, merge, fork, ferry
        /// The road continues under another name.
        case newName
        /// On along the same road, perhaps round a corner.
        case proceed
        case onRamp, offRamp, endOfRoad
        /// Into a roundabout and out of it.
        case roundabout
        case exitRoundabout
        /// A roundabout so small that it is a crossing.
        case roundaboutTurn
    }

    /// Which way.
    public enum Direction: String, Sendable, CaseIterable {
        case straight, slightRight, right, sharpRight, uTurn, sharpLeft, left, slightLeft
    }

    /// The kind.
    public var kind: Kind
    /// Which way; nil: it is not said.
    public var direction: Direction?
    /// The exit of a roundabout, 1…99; nil if unknown.
    public var exit: Int?
    /// The direction after the manoeuvre, in degrees clockwise from north; nil if unknown.
    public var bearing: Double?
    /// True for left-hand traffic.
    public var keepsLeft = false

    /// A manoeuvre. An exit outside 1…99 and a bearing beyond a full turn count as unknown.
    public init(_ kind: Kind, _ direction: Direction? = nil, exit: Int? = nil, bearing: Double? = nil) {
        self.kind = kind
        self.direction = direction
        self.exit = exit.flatMap { 1...99 ~= $0 ? $0 : nil }
        self.bearing = bearing?.plausibleBearing
    }
}
