public import RhumbCore
public import RhumbEngine

/// The whole program as a value, without a terminal. `update` handles events and returns effects, and `view`
/// returns the screen.
public struct Browser: Sendable {
    /// The minimum size of the screen. A smaller one only shows a message that it is too small.
    public static let smallest = (columns: 24, rows: 4)

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
    /// The keys and their commands.
    public internal(set) var keymap: Keymap
    var panels = PanelStack()
    /// The sources to choose from; empty until they are listed.
    public internal(set) var sources: [SourceChoice] = []
    /// The prompt in the bottom line; nil if there is none.
    public internal(set) var prompt: Prompt?
    /// The request whose failure opens a prompt or panel; nil after the next key.
    var retryable: RetryableRequest?
    /// The lines typed after `:`.
    public internal(set) var typedLines = LineHistory()
    var outsideWords = Loadable<CompletionQuestion, [Completion]>()
    /// The messages so far.
    public internal(set) var notices = Notices()
    /// The program's clock, as of the last event.
    public internal(set) var now = Duration.zero
    /// True if the user has switched the network off.
    public internal(set) var isOffline = false
    /// True if the network was reachable at its last use.
    public internal(set) var isNetworkThere = true
    /// The server that does not reply, and the seconds of its silence; nil for none.
    var silence: (host: String, seconds: Int)?
    /// The chosen shading and contours.
    public internal(set) var hills = HillsChoice()
    /// The displayed traffic.
    public internal(set) var traffic = TrafficChoice.off
    var trafficStatus: TrafficStatus?
    /// The features that are enabled, prefetched, and passed through while offline.
    public internal(set) var configuration = LayerConfiguration()
    var cache = CacheAnswers()
    var tiles = KnownTiles()
    var placeLabels = KnownPlaceLabels()
    var labels = KnownLabels()
    var overlays = KnownOverlays()
    var position = KnownPosition()
    /// The parts of the screen that the last frame used.
    public internal(set) var screenUse = FrameLayout()
    /// The regions as last reported.
    public internal(set) var regions: [RegionItem] = []
    var packages = KnownPackages()
    var route = RoutePlan()
    /// The routing engines to query, by name or address; empty for the best one available.
    public var routeEngines: [String] = []
    /// The online search service to query, by name, or by kind and address; empty for the default.
    var searchService = ""
    var streets = Streets()
    /// The sources of heights for downloads, the default first; not empty.
    public var heightSources = [HeightSourceItem.standard]
    /// The search results that are marked on the map.
    var foundMarks = SearchMarkers()
    /// The settlement near the view.
    var whereabouts = Loadable<Camera, PlaceBearing?>()
    /// The time of the last move of the view.
    var viewMovedAt = Duration.zero
    /// The background colour that the terminal reported.
    public internal(set) var terminalBackground: RGB?
    /// The styles in which maps of vector tiles are drawn.
    public internal(set) var style: StyleChoice
    /// The own layer sets of the chosen style; nil if it has none.
    var chosenSets: LayerSetStyle?
    /// The styles that are being loaded; nil for none.
    public internal(set) var wantedStyle: StyleChoice?
    /// The message for when the requested style is loaded; nil for its name.
    var styleRemark: String?
    /// The theme last requested for the layers.
    var drawnTheme = Settings.Theme.night
    var drawnDepth = ColorDepth.truecolor
    var sun = SunWatch()
    var daylight = DaylightWatch()
    /// The measured path.
    public internal(set) var trail = MeasuredPath()
    /// The bookmarks, sorted by their letters.
    public internal(set) var bookmarks: [Bookmark] = []
    /// True if a command waits for the user's choice on the map.
    public internal(set) var isPicking = false
    /// The time until which the centre mark is shown.
    public internal(set) var centerMarkUntil = Duration.zero

    var history = ViewHistory()
    var flight: Flight?
    var drag: MouseDrag?
    var lastClick: MouseClick?
    /// The last clicked points, at most two.
    var marks: [WorldPoint] = []
    /// The feature or label at the last clicked point.
    var clicked = ClickedThing()
    /// The last search result that the map moved to; nil for none.
    var found: (name: String, place: Coordinate)?
    /// The number typed to repeat the next key; nil for none.
    var repeatCount: Int?
    /// The cell that `i` describes, such as the last clicked one; nil for the centre of the view.
    var pointer: (column: Int, row: Int)?
    /// True while the requested map loads and another one is shown instead.
    var awaitsBase = false
    /// The camera for the requested map once it is loaded; nil for the map's own.
    var landing: Camera?
    /// The initial view of the map shown instead.
    private var unchosen: Camera?
    /// Returns the camera that the user requested for a map with a camera of its own; nil if there is no such
    /// request.
    var requestedCamera: (@Sendable (Viewport, Camera) -> Camera?)?
    /// The view that the program began with.
    private(set) var startCamera: Camera?
    /// The pause between moves after which a view becomes a separate entry of the history.
    static let pauseBetweenViews = Duration.seconds(2)
    var lastMove = Duration.zero - Browser.pauseBetweenViews

    /// A camera flight, and its start.
    struct Flight: Sendable {
        let move: CameraMove
        let start: Duration
    }

    /// Creates a browser.
    /// - Parameters:
    ///   - camera: The initial camera; nil for the layers' own.
    ///   - remembered: The last view of the previous run, to which `u` returns.
    ///   - awaitsBase: True if the lowest layer is shown in place of a map that is opened later.
    ///   - style: The style of the layers.
    ///   - startTime: The start of the program's clock in seconds since 1970 in UTC; nil if unknown, which
    ///       means night.
    public init(
        columns: Int, rows: Int, cellAspect: Double? = nil, layers: [TileLayer],
        camera: Camera? = nil, remembered: Camera? = nil, settings: Settings = Settings(),
        keymap: Keymap = .standard, awaitsBase: Bool = false, isOffline: Bool = false,
        configuration: LayerConfiguration = LayerConfiguration(), style: StyleChoice = .standard,
        startTime: Double? = nil
    ) {
        self.style = style
        self.configuration = configuration
        self.isOffline = isOffline
        self.columns = columns
        self.rows = rows
        self.layers = layers.stacked
        self.settings = settings
        self.keymap = keymap
        let blank = Viewport(
            camera: Camera(center: WorldPoint(x: 0.5, y: 0.5), zoom: 0), columns: columns,
            rows: Browser.mapRows(of: rows, settings),
            cellAspect: cellAspect ?? Viewport.usualCellAspect)
        viewport = blank
        viewport = blank.with(camera ?? home).keptOnMap()
        self.awaitsBase = awaitsBase
        unchosen = camera == nil ? viewport.camera : nil
        startCamera = viewport.camera
        if let remembered, remembered != viewport.camera { history.push(remembered) }
        sun = SunWatch(startTime: startTime)
        followSun()
        drawnTheme = theme
        drawnDepth = settings.depth
    }

    /// Sets the request of a camera that depends on the map, such as a centre without a zoom, for a map that
    /// is opened later.
    /// - Parameter camera: Returns the camera for the screen and the map's own camera; nil for the latter.
    public mutating func begin(requesting camera: @escaping @Sendable (Viewport, Camera) -> Camera?) {
        requestedCamera = camera
        unchosen = viewport.camera
    }

    /// Returns the number of rows for the map: all but the status line, and on taller screens the hint line.
    static func mapRows(of rows: Int, _ settings: Settings) -> Int {
        max(rows - (hasHintLine(rows, settings) ? 2 : 1), 1)
    }

    static func hasHintLine(_ rows: Int, _ settings: Settings) -> Bool {
        rows >= 16 && settings.showsHints
    }

    /// True if the screen is too small for a map.
    public var isTooSmall: Bool {
        columns < Browser.smallest.columns || rows < Browser.smallest.rows
    }

    /// The initial camera, to which `0` returns: the base map's own area, or for a world map a view centred
    /// on land.
    public var home: Camera {
        guard let info = ground?.info else { return worldCamera }
        if let bounds = info.bounds, !bounds.isWorldwide { return home(of: bounds, info) }
        if let center = info.center, let zoom = info.centerZoom, zoom >= 3 {
            return Camera(center: center, zoom: zoom)
        }
        return worldCamera
    }

    /// True if a newly opened base map may move the view. The awaited map may do so unless the user has moved
    /// the view. Any other map may do so unless it is a world map.
    var mayMoveView: Bool {
        if awaitsBase { return viewport.camera == unchosen }
        return ground?.info.bounds.map { !$0.isWorldwide } ?? (ground?.info.center != nil)
    }

    private func home(of bounds: Bounds, _ info: TileSourceInfo) -> Camera {
        let fitted = viewport.fitted(to: bounds, margin: 0.95)
        let lowest = Double(info.zooms.lowerBound - info.tileSize.zoomOffset)
        guard fitted.zoom < lowest - TileLayer.shrinkReach else { return fitted }
        return fitted.zoomed(to: lowest)
    }

    /// The camera that shows the whole world across the screen, with Europe and Africa at the centre. High
    /// latitudes may be beyond the edges.
    private var worldCamera: Camera {
        let widest = Camera.zoom(worldPixels: viewport.width)
        let tallest = Camera.zoom(worldPixels: viewport.height / Browser.settledHeight)
        return Camera(center: Coordinate(latitude: 28, longitude: 12), zoom: min(widest, tallest))
    }

    /// The part of the Mercator square's height between Tierra del Fuego and the middle of Greenland.
    private static let settledHeight = 0.515
}

extension Bounds {
    /// True if the box covers almost the whole world.
    var isWorldwide: Bool { !crossesAntimeridian && east - west > 350 && north - south > 120 }
}
