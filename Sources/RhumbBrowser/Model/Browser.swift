public import RhumbCore
public import RhumbEngine

/// The whole program as a value, without a terminal. `update` handles events and returns effects, and `view`
/// returns the screen.
public struct Browser: Sendable {
    /// The minimum size of the screen. A smaller one only shows a message that it is too small.
    public static let smallest = (columns: 24, rows: 4)

    /// The state that all features share.
    public internal(set) var map: MapState
    /// The keys, the bottom line and the mouse.
    package internal(set) var input: InputState
    var panels = PanelStack()
    var movement = Movement()
    /// The places that the user points at.
    package internal(set) var pointing = Pointing()
    /// The style of the layers and their theme.
    package internal(set) var appearance: Appearance
    /// The stored data, and the sources of more.
    package var stored: StoredMaps
    /// The displayed traffic.
    package internal(set) var traffic = TrafficState()
    /// The search results on the map, and the service that is asked.
    var search = SearchState()
    /// The planned route and the shown one.
    package var route = RoutePlan()
    var tiles = TileViewState()
    var labels = LabelState()
    var overlays = OverlayState()
    var position = PositionState()
    var streets = Streets()

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
        let blank = Viewport(
            camera: Camera(center: WorldPoint(x: 0.5, y: 0.5), zoom: 0), columns: columns,
            rows: Browser.mapRows(of: rows, settings),
            cellAspect: cellAspect ?? Viewport.usualCellAspect)
        map = MapState(
            columns: columns, rows: rows, viewport: blank, layers: layers.stacked, settings: settings,
            isOffline: isOffline, asksBeforeOnline: isOffline)
        input = InputState(keymap: keymap)
        appearance = Appearance(style: style)
        stored = StoredMaps(configuration: configuration)
        map.viewport = blank.with(camera ?? home).keptOnMap()
        movement.awaitsBase = awaitsBase
        movement.unchosen = camera == nil ? map.viewport.camera : nil
        movement.startCamera = map.viewport.camera
        if let remembered, remembered != map.viewport.camera { movement.history.push(remembered) }
        appearance.sun = SunWatch(startTime: startTime)
        followSun()
        appearance.drawnTheme = theme
        appearance.drawnDepth = settings.depth
    }

    /// Sets the request of a camera that depends on the map, such as a centre without a zoom, for a map that
    /// is opened later.
    /// - Parameter camera: Returns the camera for the screen and the map's own camera; nil for the latter.
    public mutating func begin(requesting camera: @escaping @Sendable (Viewport, Camera) -> Camera?) {
        movement.requestedCamera = camera
        movement.unchosen = map.viewport.camera
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
        map.columns < Browser.smallest.columns || map.rows < Browser.smallest.rows
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
        if movement.awaitsBase { return map.viewport.camera == movement.unchosen }
        return ground?.info.bounds.map { !$0.isWorldwide } ?? (ground?.info.center != nil)
    }

    private func home(of bounds: Bounds, _ info: TileSourceInfo) -> Camera {
        let fitted = map.viewport.fitted(to: bounds, margin: 0.95)
        let lowest = Double(info.zooms.lowerBound - info.tileSize.zoomOffset)
        guard fitted.zoom < lowest - TileLayer.shrinkReach else { return fitted }
        return fitted.zoomed(to: lowest)
    }

    /// The camera that shows the whole world across the screen, with Europe and Africa at the centre. High
    /// latitudes may be beyond the edges.
    private var worldCamera: Camera {
        let widest = Camera.zoom(worldPixels: map.viewport.width)
        let tallest = Camera.zoom(worldPixels: map.viewport.height / Browser.settledHeight)
        return Camera(center: Coordinate(latitude: 28, longitude: 12), zoom: min(widest, tallest))
    }

    /// The part of the Mercator square's height between Tierra del Fuego and the middle of Greenland.
    private static let settledHeight = 0.515
}

extension Bounds {
    /// True if the box covers almost the whole world.
    var isWorldwide: Bool { !crossesAntimeridian && east - west > 350 && north - south > 120 }
}

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

/// Light or dark colours.
extension Browser {
    /// The theme of the map, according to the user's rule. If it follows a terminal without colours, the
    /// theme is day, because its tones differ more.
    public var theme: Settings.Theme {
        switch map.settings.themeRule {
        case .always(let theme): return theme
        case .sun: return appearance.sun.isUp ? .day : .night
        case .terminal: return map.settings.depth == .mono ? .day : terminalTheme
        }
    }

    /// The theme that fits the terminal's background, or the theme of the settings if the terminal has not
    /// reported it.
    var terminalTheme: Settings.Theme {
        guard let background = appearance.terminalBackground else { return map.settings.unreportedTheme }
        let light = 3 * Int(background.red) + 6 * Int(background.green) + Int(background.blue)
        return light > 1280 ? .day : .night
    }

    /// Returns the effects to perform at the start of the program.
    public mutating func begin() -> [Effect] {
        [.style(appearance.style, theme), .updateView] + viewMoved() + watchSun()
    }

    /// Updates the theme for the sun, unless the view is in flight.
    mutating func followSun() {
        guard map.settings.themeRule == .sun, movement.flight == nil, let startTime = appearance.sun.startTime
        else { return }
        appearance.sun.isUp = Sun.isUp(
            at: map.viewport.camera.coordinate, time: startTime + map.now / .seconds(1))
    }

    /// Schedules the next update of the theme.
    mutating func watchSun() -> [Effect] {
        guard map.settings.themeRule == .sun, map.now - appearance.sun.time >= SunWatch.pace else {
            return []
        }
        appearance.sun.time = map.now
        return [.wake(after: SunWatch.pace)]
    }

    /// Requests the layers in the current theme and colour depth, unless this was done before.
    mutating func followTheme() -> [Effect] {
        followSun()
        guard theme != appearance.drawnTheme || map.settings.depth != appearance.drawnDepth else { return [] }
        appearance.drawnTheme = theme
        appearance.drawnDepth = map.settings.depth
        return [.style(appearance.wantedStyle ?? appearance.style, theme)]
    }

    mutating func setTheme(_ rule: ThemeRule) -> [Effect] {
        map.settings.themeRule = rule
        appearance.sun.time = map.now - SunWatch.pace
        return watchSun()
    }
}

/// A query for the lights of cities at night.
public struct CityLightsQuery: Query {
    /// Queries about cities run in order.
    public static var scheduling: QueryScheduling { .inOrder("places") }
    /// False, because the lights are drawn together with other parts of the view.
    public static var isDrawnAtOnce: Bool { false }

    public typealias Response = [Daylight.Light]
}

/// Day and night on a map of the whole world.
extension Browser {
    /// The zoom from which day and night are hidden.
    static let daylightEnd = 4.25
    /// The number of zooms over which day and night fade out.
    private static let daylightFade = 1.0

    /// Sets the time of day and night with which the program starts.
    public mutating func begin(at time: MapTime) { appearance.daylight.time = time }

    /// Returns the strength of day and night at a zoom, from 0 to 1.
    public static func daylightStrength(at zoom: Double) -> Double {
        min(max((daylightEnd - zoom) / daylightFade, 0), 1)
    }

    mutating func setDaylight(_ time: MapTime?) -> [Effect] {
        appearance.daylight.time = time
        appearance.daylight.minute = -1
        appearance.daylight.due = map.now
        if time == nil { map.settings.daylight = nil }
        return time != nil && map.viewport.camera.zoom >= Browser.daylightEnd
            ? say(NoticesText.daylight) : []
    }

    /// Updates day and night for the view and the clock.
    mutating func followDaylight() -> [Effect] {
        guard let time = appearance.daylight.time else { return [] }
        let strength = Browser.daylightStrength(at: map.viewport.camera.zoom)
        guard strength > 0 else {
            map.settings.daylight = nil
            appearance.daylight.minute = -1
            return []
        }
        let seconds = time.seconds(now: (appearance.sun.startTime ?? 0) + map.now / .seconds(1))
        let minute = Int(clamping: (seconds / 60).rounded(.down))
        if minute != appearance.daylight.minute || map.viewport.camera.zoom != appearance.daylight.zoom {
            let zoom = map.viewport.camera.zoom
            map.settings.daylight = Daylight(
                time: Double(minute) * 60, strength: strength, lights: appearance.daylight.lights, zoom: zoom)
            appearance.daylight.minute = minute
            appearance.daylight.zoom = zoom
        }
        return askLights() + watchClock(time)
    }

    private mutating func askLights() -> [Effect] {
        guard !appearance.daylight.hasAskedLights else { return [] }
        appearance.daylight.hasAskedLights = true
        return [.ask(CityLightsQuery())]
    }

    private mutating func watchClock(_ time: MapTime) -> [Effect] {
        guard time == .now, map.now >= appearance.daylight.due else { return [] }
        appearance.daylight.due = map.now + SunWatch.pace
        return [.wake(after: SunWatch.pace)]
    }
}

/// The places that the user points at: marks, the measured path, and the features there.
package struct Pointing: Sendable {
    package internal(set) var trail = MeasuredPath()
    /// The last clicked points, at most two.
    var marks: [WorldPoint] = []
    /// The feature or label at the last clicked point.
    var clicked = ClickedThing()
    /// The cell that `i` describes, such as the last clicked one; nil for the centre of the view.
    var pointer: (column: Int, row: Int)?
    /// The settlement near the view.
    var whereabouts = Loadable<Camera, Whereabouts>()
}

/// The feature or label at the last clicked point.
struct ClickedThing: Sendable {
    /// The clicked label; nil for none.
    var label: String?
    var features = Loadable<FeatureQuestion, Result<[MapFeature], Notice.Problem>>()

    /// The label, or the name of the first feature that has one; nil if there is none or it is not known yet.
    var name: String? {
        if let label { return label }
        guard case .success(let found)? = features.current else { return nil }
        return found.lazy.flatMap(\.attributes).first { $0.name == "name" }?.value
    }
}

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
