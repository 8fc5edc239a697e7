internal import RhumbOverlays

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
    public var keepsLeft = false

    /// Creates a manoeuvre. An exit outside 1…99 or an implausible bearing counts as unknown.
    public init(_ kind: Kind, _ direction: Direction? = nil, exit: Int? = nil, bearing: Double? = nil) {
        self.kind = kind
        self.direction = direction
        self.exit = exit.flatMap { 1...99 ~= $0 ? $0 : nil }
        self.bearing = bearing?.plausibleBearing
    }
}
