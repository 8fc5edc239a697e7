public import RhumbCore
public import RhumbEngine

/// Everything that can happen to the program.
public enum Event: Sendable {
    case key(Key)
    /// The screen's size in cells, and the height of a cell over its width if known.
    case resized(columns: Int, rows: Int, cellAspect: Double?)
    /// Time has passed; sent when an effect asked to be woken.
    case tick
    /// The terminal reported its background.
    case background(RGB)
    /// A picture was saved, or not.
    case saved(Result<String, Notice.Problem>)
    /// A source that was asked for is open, as layers bottom to top, or could not be opened.
    case opened(Result<[TileLayer], Notice.Problem>, over: Bool)
    /// The streets over the built-in world map are open, as layers, or failed to open.
    case streets(Result<[TileLayer], Notice.Problem>)
    /// The streets that regions hold, as layers.
    case storedStreets([TileLayer])
    /// A source that was asked for must be fetched first; its name.
    case opening(String)
    /// The lines typed after `:`, in this run and others.
    case typedLines(LineHistory)
    /// The views marked with letters, as they are kept now.
    case bookmarks([Bookmark])
    /// A text was given to the terminal for its clipboard, which surely takes it, or perhaps.
    case copied(String, isSure: Bool)
    /// A query was answered.
    case response(AnyResponse)
    /// Layers are drawn in other styles or in another theme, or could not be.
    case styled(Result<StyledLayers, Notice.Problem>)
    /// The styles that are drawn in were changed, and are to be read anew; what of them is left out.
    case styleSaved(remark: String?)
    /// The base map was changed and opened anew, as layers bottom to top; what of it is left out.
    case reopened([TileLayer], remark: String?)
    /// A tile could not be fetched.
    case tileFailed(TileFailure)
    /// The network was noticed to be gone, or to be back.
    case network(isReachable: Bool)
    /// A server with requests in flight has sent nothing for some seconds; 0 once there is none.
    case silence(host: String, seconds: Int)
    /// How a live layer stands.
    case overlay(OverlayStatus)
    /// How the traffic shown stands; nil: none is.
    case traffic(TrafficStatus?)
    /// The traffic asked for is not available.
    case trafficRefused(Notice.Problem)
    /// Something is wrong that the person should know.
    case trouble(String)
    /// The names on tiles of the base map.
    case labels(LabelAnswer)
    /// A frame was drawn that took other parts of the screen than the one before.
    case drawn(ScreenUse)
    /// Which labels stand where, as was asked for.
    case labelsLaidOut(LabelLayoutOutcome)
    /// The plan of a drafted region, or why there is none.
    case regionPlan(Result<RegionPlan, Notice.Problem>, RegionDraft)
    /// A download that was started without a panel is not allowed; its plan, or why there is none.
    case downloadRefused(Result<RegionPlan, Notice.Problem>, RegionDraft)
    /// All regions, as they stand.
    case regions([RegionItem])
    /// The regions and packages that hold a tile, each in a few words.
    case tileHolders([String], TileHolderQuestion)
    /// What came of something that was done to a region.
    case regionDone(Result<String, Notice.Problem>)
    case packages(PackageAnswer)
    case route(RouteNews)
    case online(OnlineNews)

    /// False for events that come in numbers while a view is completed. What they change is drawn together.
    public var isDrawnAtOnce: Bool {
        switch self {
        case .labels, .labelsLaidOut, .tileFailed, .traffic, .overlay, .drawn: false
        case .response(let response): response.isDrawnAtOnce
        default: true
        }
    }
}

/// Everything the program asks of the world outside it.
public enum Effect: Equatable, Sendable {
    /// The view, the layers, or both changed: the engine should look there.
    case look
    /// Wake me with a tick after so long.
    case wake(after: Duration)
    /// Save the map as it is seen; the name is the user's, or nil for one made up. A legend is the scale bar,
    /// and what the colours of traffic mean.
    case savePicture(name: String?, hasLegend: Bool = false)
    /// Put a text on the clipboard.
    case copy(String)
    /// Write a text to a file of that name, or of one like it where there is such a file.
    case write(String, name: String)
    /// Keep a change of the bookmarks; the answer is all of them.
    case bookmark(BookmarkChange)
    /// Leave with what was picked; nil: nothing was.
    case picked(String?)
    /// Open a source by the words of the command line.
    case open(source: String, over: Bool)
    /// Open the source of this name as streets; the answer is `Event.streets`.
    case openStreets(String)
    /// Open the streets that regions hold; the answer is `Event.storedStreets`.
    case openStoredStreets
    /// Remember the user's choice of streets.
    case keepStreets(StreetsChoice)
    /// Keep a line that was typed after `:`; the answer is all lines.
    case keepLine(String)
    /// Answer a query.
    case query(AnyQuery)
    /// Draw layers in these styles, in this theme.
    case style(StyleChoice, MapTheme)
    /// Use the network, or never.
    case setOffline(Bool)
    /// Download regions, or not: the connection is metered.
    case setMetered(Bool)
    /// Which names stand on tiles of a layer?
    case askLabels(LabelQuestion)
    /// Lay labels out; of several tasks only the last counts.
    case layLabelsOut(LabelLayoutTask)
    /// Other features are enabled, looked ahead for, or let through.
    case configure(LayerConfiguration)
    /// Show other traffic, or none.
    case showTraffic(TrafficChoice)
    case region(RegionQuestion)
    case package(PackageQuestion)
    case route(RouteQuestion)
    case online(OnlineQuestion)
    /// Give a region another name.
    case renameRegion(id: String, name: String)
    case repaint
    case suspend
    case quit
}
