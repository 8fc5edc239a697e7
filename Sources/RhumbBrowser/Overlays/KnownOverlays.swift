internal import RhumbCore
internal import RhumbEngine

/// The state of the live layers, apart from their features.
struct KnownOverlays: Sendable {
    /// The status of each layer.
    var statuses: [TileLayer.ID: OverlayStatus] = [:]
    /// The reported faults of each layer.
    var reported: [TileLayer.ID: OverlayFaults] = [:]
    /// The time of the last status of each layer.
    var heard: [TileLayer.ID: Duration] = [:]
    /// The time when the shown ages change.
    var nextAge = Duration.zero
    /// True if the view moves to the layers' features once they are loaded.
    var awaitsFrame = false
    /// The last camera that this move has set.
    var framed: Camera?
    /// The last visited feature.
    var walked: (layer: TileLayer.ID, slot: Int)?
}

/// The position that a receiver reports, and the state of following it.
struct KnownPosition: Sendable {
    /// The last fix with a place.
    var fix: PositionFix?
    /// The time of the last fix.
    var heard = Duration.zero
    /// True if the receiver has a fix now.
    var isFixed = false
    var following = Following.off
    /// True if following is suspended, because the user has moved the view.
    var isSuspended = false
    /// The time of the next check of the fix's age.
    var nextLook = Duration.zero

    /// The location of the position in a view that follows it.
    enum Following: Sendable { case off, middle, lowerThird }

    /// The ages from which a fix is reported as old, and from which it is drawn in grey.
    static let late = Duration.seconds(5), stale = Duration.seconds(30)
}
