public import RhumbCore
public import RhumbEngine

/// The state that all features share: the size of the screen, the view, the layers, the settings, the
/// messages, the clock and the network.
public struct MapState: Sendable {
    /// The number of columns of the screen.
    public internal(set) var columns: Int
    /// The number of rows of the screen.
    public internal(set) var rows: Int
    /// The view of the map, in the rows above the status line.
    public internal(set) var viewport: Viewport
    /// The layers, from bottom to top.
    public internal(set) var layers: [TileLayer]
    /// The user's settings.
    public internal(set) var settings: Settings
    /// The messages so far.
    public internal(set) var notices = Notices()
    /// The program's clock, as of the last event.
    public internal(set) var now = Duration.zero
    /// The parts of the screen that the last frame used.
    public internal(set) var screenUse = FrameLayout()
    /// True if the user has switched the network off.
    public internal(set) var isOffline: Bool
    /// True if the program was started offline, so that a key doesn't go online without a question.
    var asksBeforeOnline: Bool
    /// True if the network was reachable at its last use.
    public internal(set) var isNetworkThere = true
    /// True if the terminal takes so few bytes per second that flights only delay the view.
    public internal(set) var isLineSlow = false
    /// The server that does not reply, and the seconds of its silence; nil for none.
    var silence: (host: String, seconds: Int)?
}
