public import RhumbCore
public import RhumbEngine

/// An event for the program.
public enum Event: Sendable {
    /// A key that was pressed, or the same key pressed several times.
    case key(Key, times: Int = 1)
    /// The screen's size in cells, and the height of a cell over its width if known.
    case resized(columns: Int, rows: Int, cellAspect: Double?)
    /// The time of a requested wake-up has come.
    case tick
    /// The terminal reported its background.
    case background(RGB)
    /// A picture was saved, or could not be.
    case saved(Result<String, Notice.Problem>)
    /// A requested source was opened as layers, bottom to top, or failed.
    case opened(Result<[TileLayer], Notice.Problem>, over: Bool)
    /// The named source is being fetched.
    case opening(String)
    /// A text was sent to the terminal's clipboard. `isSure` is false if the terminal may ignore it.
    case copied(String, isSure: Bool)
    /// A query was answered.
    case response(AnyResponse)
    /// Layers were drawn in other styles or in another theme, or could not be.
    case styled(Result<StyledLayers, Notice.Problem>)
    /// The files of the current styles changed and must be read again; the remark names unsupported parts.
    case styleSaved(remark: String?)
    /// The base map was reopened as layers, bottom to top; the remark names unsupported parts.
    case reopened([TileLayer], remark: String?)
    /// A tile could not be fetched.
    case tileFailed(TileFailure)
    /// The network was found to be unreachable, or reachable again.
    case network(isReachable: Bool)
    /// A server with requests in flight has sent nothing for some seconds; 0 seconds once no server is
    /// silent.
    case silence(host: String, seconds: Int)
    /// The status of a live layer.
    case overlay(OverlayStatus)
    /// The status of the shown traffic; nil for none.
    case traffic(TrafficStatus?)
    /// The requested traffic is not available.
    case trafficRefused(Notice.Problem)
    /// A problem that the user should know.
    case problem(String)
    /// A frame was drawn that uses other parts of the screen than the last one.
    case frame(FrameLayout)
    /// The terminal was measured to be on a slow line, or on a fast one again.
    case slowLine(Bool)
    /// Regions or packages changed.
    case offline(OfflineNews)

    /// True if the event is drawn at once. Frequent events during loading are drawn together.
    public var isDrawnAtOnce: Bool {
        switch self {
        case .tileFailed, .traffic, .overlay, .frame: false
        case .response(let response): response.isDrawnAtOnce
        default: true
        }
    }
}

/// A change of regions or packages.
public enum OfflineNews: Sendable {
    /// The state of all regions.
    case regions([RegionItem])
    /// The download of a region ended.
    case regionDone(Result<String, Notice.Problem>)
    /// The progress of the running operation on packages; nil for none.
    case packageProgress(PackageProgress?)
    /// A sentence about packages from earlier runs.
    case notice(String)
}

/// An action for the code that drives the program.
public enum Effect: Equatable, Sendable {
    /// Load the view, because the camera, the layers or both changed.
    case updateView
    /// Send a tick after a time.
    case wake(after: Duration)
    /// Save an image of the map, with the user's name or a generated one. The legend has the scale bar and
    /// the meaning of the traffic colours.
    case savePicture(name: String?, hasLegend: Bool = false)
    /// Put a text on the clipboard.
    case copy(String)
    /// End with the user's choice; nil for none.
    case picked(String?)
    /// Open a source by its specifier.
    case open(source: String, over: Bool)
    /// Store a line that was typed after `:`, without its credentials.
    case keepLine(String)
    /// Answer a query.
    case query(AnyQuery)
    /// Draw layers in these styles, in this theme.
    case style(StyleChoice, MapTheme)
    /// Allow or forbid use of the network.
    case setOffline(Bool)
    /// Allow or forbid region downloads, because the connection is metered.
    case setMetered(Bool)
    /// Change the enabled, prefetched and passed-through features.
    case configure(LayerConfiguration)
    /// Open shading and contours.
    case hills(HillsChoice)
    /// Show other traffic, or none.
    case showTraffic(TrafficChoice)
    case repaint
    case suspend
    case quit
}

extension Event {
    /// Returns the event for the response to a query.
    public static func response<Q: Query>(_ response: Q.Response, to query: Q) -> Event {
        .response(AnyResponse(response, to: query))
    }
}

extension Effect {
    /// Returns the effect that sends a query.
    public static func ask(_ query: some Query) -> Effect { .query(AnyQuery(query)) }
}
