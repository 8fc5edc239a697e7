internal import RhumbCore
internal import RhumbEngine

/// The movement of the view: flights, earlier views, and the view of a map that is opened later.
struct Movement: Sendable {
    /// The pause between moves after which a view becomes a separate entry of the history.
    static let pauseBetweenViews = Duration.seconds(2)

    var history = ViewHistory()
    var flight: Flight?
    var lastMove = Duration.zero - Movement.pauseBetweenViews
    /// The time of the last move of the view.
    var viewMovedAt = Duration.zero
    /// The time until which the centre mark is shown.
    var centerMarkUntil = Duration.zero
    /// The view that the program began with.
    var startCamera: Camera?
    /// True while the requested map loads and another one is shown instead.
    var awaitsBase = false
    /// The initial view of the map shown instead.
    var unchosen: Camera?
    /// The camera for the requested map once it is loaded; nil for the map's own.
    var landing: Camera?
    /// Returns the camera that the user requested for a map with a camera of its own; nil if there is no such
    /// request.
    var requestedCamera: (@Sendable (Viewport, Camera) -> Camera?)?

    /// A camera flight, and its start.
    struct Flight: Sendable {
        let move: CameraMove
        let start: Duration
    }

    /// Forgets the request of a map that is opened later. It is shown now, or could not be opened.
    mutating func endOpening() {
        awaitsBase = false
        landing = nil
        requestedCamera = nil
    }
}
