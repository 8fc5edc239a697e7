public import RhumbCore
public import RhumbEngine

/// An event for the program.
public enum Event: Sendable {
    case key(Key)
    /// The screen's size in cells, and the height of a cell over its width if known.
    case resized(columns: Int, rows: Int, cellAspect: Double?)
    /// The time of a requested wake-up has come.
    case tick
    /// The terminal reported its background.
    case background(RGB)
    /// A picture was saved, or not.
    case saved(Result<String, Notice.Problem>)
    /// A requested source was opened as layers, bottom to top, or failed.
    case opened(Result<[TileLayer], Notice.Problem>, over: Bool)
    /// The streets over the built-in world map are open, as layers, or failed to open.
    case streets(Result<[TileLayer], Notice.Problem>)
    /// The streets that regions hold, as layers.
    case storedStreets([TileLayer])
    /// The named source is being fetched.
    case opening(String)
    /// The lines typed after `:`, in this run and others.
    case typedLines(LineHistory)
    /// The views marked with letters, as they are kept now.
    case bookmarks([Bookmark])
    /// A text was given to the terminal for its clipboard, which surely takes it, or perhaps.
    case copied(String, isSure: Bool)
    /// A query was answered.
    case response(AnyResponse)
    /// Layers were drawn in other styles or in another theme, or failed to be.
    case styled(Result<StyledLayers, Notice.Problem>)
    /// The files of the current styles changed and must be read again; the remark names unsupported parts.
    case styleSaved(remark: String?)
    /// The base map was reopened as layers, bottom to top; the remark names unsupported parts.
    case reopened([TileLayer], remark: String?)
    /// A tile could not be fetched.
    case tileFailed(TileFailure)
    /// The network was noticed to be gone, or to be back.
    case network(isReachable: Bool)
    /// A server with requests in flight has sent nothing for some seconds; 0 once there is none.
    case silence(host: String, seconds: Int)
    /// The status of a live layer.
    case overlay(OverlayStatus)
    /// The status of the shown traffic; nil for none.
    case traffic(TrafficStatus?)
    /// The traffic asked for is not available.
    case trafficRefused(Notice.Problem)
    /// A problem that the user should know.
    case trouble(String)
    /// The names on tiles of the base map.
    case labels(LabelAnswer)
    /// A frame was drawn that took other parts of the screen than the one before.
    case drawn(FrameLayout)
    /// A layout of labels is complete.
    case labelsLaidOut(LabelLayoutOutcome)
    /// Regions or packages changed.
    case offline(OfflineNews)
    case route(RouteNews)
    case online(OnlineNews)

    /// True if the event is drawn at once. Frequent events during loading are drawn together.
    public var isDrawnAtOnce: Bool {
        switch self {
        case .labels, .labelsLaidOut, .tileFailed, .traffic, .overlay, .drawn: false
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
    /// The view, the layers, or both changed: the engine should look there.
    case look
    /// Send a tick after a time.
    case wake(after: Duration)
    /// Save an image of the map, with the user's name or a generated one. The legend has the scale bar and
    /// the meaning of the traffic colours.
    case savePicture(name: String?, hasLegend: Bool = false)
    /// Put a text on the clipboard.
    case copy(String)
    /// Write a text to a file of that name, or of a similar name if it exists.
    case write(String, name: String)
    /// Store a change of the bookmarks; the response contains all of them.
    case bookmark(BookmarkChange)
    /// End with the user's choice; nil for none.
    case picked(String?)
    /// Open a source by the words of the command line.
    case open(source: String, over: Bool)
    /// Open the source of this name as streets; the answer is `Event.streets`.
    case openStreets(String)
    /// Open the streets that regions hold; the answer is `Event.storedStreets`.
    case openStoredStreets
    /// Store the user's choice of streets.
    case keepStreets(StreetsChoice)
    /// Store a line that was typed after `:`; the response contains all lines.
    case keepLine(String)
    /// Answer a query.
    case query(AnyQuery)
    /// Draw layers in these styles, in this theme.
    case style(StyleChoice, MapTheme)
    /// Allow or forbid use of the network.
    case setOffline(Bool)
    /// Allow or forbid region downloads, because the connection is metered.
    case setMetered(Bool)
    /// Read the labels on tiles of a layer.
    case askLabels(LabelQuestion)
    /// Lay labels out; of several tasks only the last counts.
    case layLabelsOut(LabelLayoutTask)
    /// Change the enabled, prefetched and passed-through features.
    case configure(LayerConfiguration)
    /// Show other traffic, or none.
    case showTraffic(TrafficChoice)
    case route(RouteQuestion)
    case online(OnlineQuestion)
    case repaint
    case suspend
    case quit
}
