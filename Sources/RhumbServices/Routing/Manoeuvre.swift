internal import RhumbOverlays

/// What is to be done at a point of a route. The kinds are those of OSRM's interface; what is unknown there
/// is a turn.
public struct Manoeuvre: Hashable, Sendable {
    /// What it is.
    public enum Kind: String, Sendable, CaseIterable {
        case depart, arrive, turn, merge, fork, ferry
        /// The road goes on under another name.
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

    /// What it is.
    public var kind: Kind
    /// Which way; nil: it is not said.
    public var direction: Direction?
    /// The exit of a roundabout, 1…99; nil if unknown.
    public var exit: Int?
    /// The direction after the manoeuvre, in degrees clockwise from north; nil if unknown.
    public var bearing: Double?
    /// Whether traffic keeps to the left.
    public var keepsLeft = false

    /// A manoeuvre. An exit outside 1…99 and a bearing beyond a full turn count as unknown.
    public init(_ kind: Kind, _ direction: Direction? = nil, exit: Int? = nil, bearing: Double? = nil) {
        self.kind = kind
        self.direction = direction
        self.exit = exit.flatMap { 1...99 ~= $0 ? $0 : nil }
        self.bearing = bearing?.plausibleBearing
    }
}
