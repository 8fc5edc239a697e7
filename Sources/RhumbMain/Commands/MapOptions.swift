internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine
internal import RhumbTerminal

/// The map that the command line describes: its sources and its view.
struct MapOptions {
    let invocation: Invocation
    let themeRule: ThemeRule
    /// The place given instead of a map; nil if there is none.
    private let named: ParsedLocation?
    var opener: MapOpener

    init(_ invocation: Invocation, _ session: MapSession) {
        self.invocation = invocation
        named = invocation.namedPlace
        themeRule = invocation[.style].flatMap(ThemeRule.init) ?? .terminal
        let map = named == nil ? invocation.map : nil
        let laid = invocation[all: .over].compactMap { OverlayOrigin($0) }
        overlays =
            (map.flatMap { OverlayOrigin($0, isOver: false) }.map { [$0] } ?? []) + laid
            + (invocation[.gpsd].flatMap { OverlayOrigin("gpsd:\($0)") }.map { [$0] } ?? [])
        opener = session.opener
        opener.ownMaps = [EmbeddedWorld.map()]
        opener.isTMS = invocation[.tms]
        opener.detail = invocation[.detail]
        opener.tileSize = invocation[.tileSize].flatMap(Int.init).flatMap(TileSize.init)
        opener.isDoubled = invocation[.scale] == 2
        opener.onRemark = { session.report(Notice.Problem(FailureText.leftOut($1, of: $0))) }
        opener.onNote = { session.report(Notice.Problem(FailureText.unused($1, of: $0))) }
    }

    /// The shading and contours given by the options.
    /// - Throws: `UsageError` with the valid values.
    func hills() throws(UsageError) -> HillsChoice {
        let isShaded = invocation[.hills], isInFeet = invocation[.units] == Settings.Units.imperial.rawValue
        let text = invocation[.contours] ?? (isShaded ? "auto" : "off")
        guard text != "off" else { return HillsChoice(isShaded: isShaded) }
        guard let spacing = ContourSpacing(text: text, isInFeet: isInFeet) else {
            throw UsageError(
                "\(invocation.spelling(of: .contours)): expected auto, off or a distance from 1 to 5000")
        }
        return HillsChoice(isShaded: isShaded, contours: spacing)
    }

    /// The lowest zoom for coordinates in place of a map, which are not seen on a map of the world.
    private static let placeZoom = 9.0

    /// The theme in which maps are opened; nil if it isn't known yet.
    var theme: MapTheme? { if case .always(let theme) = themeRule { theme } else { nil } }

    /// The names or addresses of the maps to open, the base map first.
    var sources: [String] {
        let map =
            named == nil ? invocation.map.flatMap { OverlayOrigin($0, isOver: false) == nil ? $0 : nil } : nil
        return maps(map) + invocation[all: .over].filter { OverlayOrigin($0) == nil }
    }

    /// True if the base map is a file or folder.
    var isLocalMap: Bool { invocation.map.map { Files.exists($0) } ?? false }
    /// True if the base map is a file.
    var isMapFile: Bool { isLocalMap && invocation.map.map { !Files.isFolder($0) } ?? false }

    /// Returns the maps without overlays: a quilt with a local base map, or over another one.
    private func maps(_ map: String?) -> [String] {
        let quilt = invocation[all: .quilt].map(Files.named)
        guard !quilt.isEmpty else { return [map ?? EmbeddedWorld.name] }
        guard let map else { return [QuiltSpecifier.text(quilt)] }
        return Files.exists(map) ? [QuiltSpecifier.text([map] + quilt)] : [map, QuiltSpecifier.text(quilt)]
    }

    /// The origins of overlays, bottom to top.
    let overlays: [OverlayOrigin]

    /// Opens the overlays as live layers.
    func openOverlays(_ feeds: OverlayFeeds) throws -> [TileLayer] {
        try overlays.map { (origin) throws(Notice.Problem) in try feeds.open(origin) }
    }

    /// Returns the watch on the style that is being edited; nil if there is none.
    func styleWatch(_ inbox: Inbox, in theme: MapTheme) -> StyleWatch? {
        guard let style = invocation.watchedStyle else { return nil }
        guard invocation.watchesMap else { return StyleWatch(file: style, reopen: nil, inbox: inbox) }
        var opener = opener
        // The watch reports remarks itself.
        opener.onRemark = nil
        opener.onNote = nil
        return StyleWatch(
            file: style,
            reopen: { [opener] () async throws(MapOpenFailure) in try await opener.open(style, theme: theme)
            },
            inbox: inbox)
    }

    /// Returns the camera given by the options; nil if they specify none.
    /// - Parameters:
    ///   - screen: The size of the picture.
    ///   - home: The camera at which the map opens by default.
    func camera(on screen: Viewport, home: Camera) -> Camera? {
        if let box = invocation[.bbox] { return screen.fitted(to: box) }
        let place = invocation[.center] ?? named
        guard place != nil || invocation[.zoom] != nil || invocation[.width] != nil
        else { return nil }
        let start = screen.with(home)
        var camera = place?.camera(on: start) ?? home
        if invocation[.center] == nil, named != nil, named?.closeness == nil {
            camera = camera.zoomed(to: max(camera.zoom, Self.placeZoom))
        }
        if let zoom = invocation[.zoom] { camera = camera.zoomed(to: zoom) }
        if let metres = invocation[.width] {
            camera = screen.with(camera).camera(widthInMetres: metres)
        }
        return camera
    }

    /// Returns the settings for a terminal, with the options of the command line.
    func settings(_ profile: TerminalProfile) -> Settings {
        var settings = Settings()
        settings.symbols = profile.symbols
        settings.depth = profile.colors
        settings.unreportedTheme = profile.theme ?? settings.unreportedTheme
        settings.isUnicode = profile.isUTF8
        settings.pixels = invocation[.pixels].flatMap(PixelChoice.init) ?? .auto
        settings.themeRule = themeRule
        settings.mixesColours = invocation[.mix]
        settings.sharpness = invocation[.sharpen] ?? 0
        settings.labels = ["on": true, "off": false][invocation[.labels] ?? ""]
        settings.grid = invocation[.grid].flatMap(GridKind.init)
        settings.language = Environment.language
        settings.zone = .local
        settings.nameLanguage = invocation[.nameLanguage].flatMap(NameLanguage.init) ?? Environment.names
        settings.animates = !invocation[.noAnimation]
        settings.fadesTiles = invocation[.fade]
        settings.units = invocation[.units].flatMap(Settings.Units.init) ?? .metric
        settings.trafficColours = invocation[.trafficColors].flatMap(TrafficColours.init) ?? .standard
        return settings
    }
}

extension Invocation {
    /// The specifier of the base map; nil if none is given.
    fileprivate var map: String? { watchedStyle == nil ? operand : self[.map] ?? watchedStyle }

    /// True if the style that is being edited is the map.
    fileprivate var watchesMap: Bool { watchedStyle != nil && self[.map] == nil }

    /// The file of the style that is edited while the map is open.
    var watchedStyle: String? { command == .style(.watch) ? operand.map(Files.named) : nil }

    /// Returns the traffic given by the options; nil if there is none.
    /// - Throws: `UsageError` with the valid values.
    func traffic() throws(UsageError) -> TrafficChoice? {
        guard let text = self[.traffic] else { return nil }
        if let choice = TrafficChoice(text: text) { return choice }
        throw UsageError(
            "\(spelling(of: .traffic)): unknown value \"\(text)\"; expected "
                + "\(TrafficChoice.words.joined(separator: ", "))")
    }
}
