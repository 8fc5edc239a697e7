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
    var tiles = KnownTiles()
    var labels = KnownLabels()
    var overlays = KnownOverlays()
    var position = KnownPosition()
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
