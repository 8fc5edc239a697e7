internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine
internal import RhumbTerminal
internal import Synchronization

/// `rhumb render`: draws one picture of the map.
struct RenderCommand {
    /// The maximum number of cells of a PNG, which then has 32 million pixels.
    private static let pngLimit = 250_000
    /// The minimum size of a map with a frame, in cells.
    private static let leastFramed = (columns: 20, rows: 6)
    let invocation: Invocation
    let session: MapSession
    let options: MapOptions
    private let profile: TerminalProfile
    let path: String?
    let format: PictureFormat
    private let traffic: TrafficChoice?
    let remarks = RemarkCount()

    static func run(_ invocation: Invocation) async throws -> Int32 {
        try await invocation.withSession(board: TileBoard(byteLimit: 256 << 20)) { session in
            try await RenderCommand(invocation, session).run()
        }
    }

    private init(_ invocation: Invocation, _ session: MapSession) throws {
        self.invocation = invocation
        self.session = session
        var options = MapOptions(invocation, session)
        options.opener.onRemark = { [remarks] in
            remarks.add()
            Output.say(FailureText.leftOut($1, of: $0))
        }
        options.opener.onNote = { if !Output.isQuiet { Output.say(FailureText.unused($1, of: $0)) } }
        profile = .current(colors: invocation.colors, symbols: invocation.symbols)
        path = Output.file(invocation[.output])
        let format = try invocation.pictureFormat(path)
        if let colors = invocation.colors, colors != .truecolor, format.hasAllColours {
            throw UsageError(
                "--colors is for text and ANSI output, but a \(format.rawValue) file always has all colours; omit --colors"
            )
        }
        try RenderCommand.checkOptions(of: invocation, format, options)
        self.options = options
        self.format = format
        traffic = try invocation.traffic()
    }

    private func run() async throws -> Int32 {
        guard invocation[.size]?.pixels == nil || format.isImageFile && !invocation[.frame] else {
            throw UsageError(
                "--size: pixels are for .png, .jpg and .webp files without --frame; give cells, such as 120x40"
            )
        }
        guard !format.hasPixels || size.columns * size.rows <= RenderCommand.pngLimit else {
            throw UsageError(
                "--size: an image can have at most \(RenderCommand.pngLimit) cells of 8 × 16 pixels; "
                    + "\(size.columns)x\(size.rows) are more, so render it in parts")
        }
        if let image = invocation[.image] { return try render(image: image) }
        // Labels and attribution are part of the image, and Cairo is needed to draw them.
        guard !format.hasPixels || VectorPainter.canDraw else {
            throw Notice.Problem(
                "images need Cairo, which is missing; install libcairo2, or write ANSI, SVG or text")
        }
        let feeds = OverlayFeeds(
            session, overlayTheme: overlayTheme, timeToLive: invocation[.timeToLive],
            field: invocation[.styleBy], reconnects: false
        ) { _ in }
        defer { feeds.stop() }
        let overlays = try options.openOverlays(feeds)
        var layers = try await layers() + overlays
        let route = try await self.route()
        layers +=
            route.map { options.opener.layers(of: $0, chosen: 0, number: 0, theme(at: nil), over: layers) }
            ?? []
        let late = await feeds.complete(within: .seconds(timeout)).map { name in
            "\(name) did not load in time; allow more with --timeout"
        }
        let problems = feeds.problems + late + feeds.unknownField
        for problem in problems + feeds.remarks { Output.say("rhumb: \(problem)") }
        let size = try mapSize()
        var viewport = Browser(columns: size.columns, rows: size.rows + 2, layers: layers)
            .map.viewport.resized(columns: size.columns, rows: size.rows)
        let plain = Browser(columns: size.columns, rows: size.rows, layers: layers),
            home = route.flatMap(plain.camera(over:)) ?? plain.overlayHome ?? plain.home
        viewport = viewport.with(options.camera(on: viewport, home: home) ?? home).keptOnMap()
        if options.themeRule == .sun {
            let theme = theme(at: viewport)
            layers = try await options.opener.drawn(layers, in: options.opener.styles.choice[theme], theme)
        }
        let scene = try await scene(of: drawn(layers), MapPicture.view(viewport, format))
        try write(scene, viewport, route, feeds.position)
        let status = report(scene.withoutBackdrop, layers)
        return problems.isEmpty && remarks.isEmpty ? status : ExitStatus.gaps
    }

    /// The appearance of live layers.
    private var overlayTheme: LiveLayer.OverlayTheme {
        LiveLayer.OverlayTheme(
            theme: theme(at: nil), depth: format.hasPixels ? .truecolor : settings.depth,
            isFine: format.hasPixels)
    }

    /// Returns the route given by the options; nil if there is none.
    private func route() async throws -> RouteAnswer? {
        guard let specifier = invocation[.shownRoute] else { return nil }
        do {
            return try await PictureRoute(specifier, invocation, session).answer()
        } catch let failure as RouteFailure {
            throw Notice.Problem(FailureText.sentence(failure))
        }
    }

    /// Returns the layers, bottom to top, including those whose documents must be fetched first.
    private func layers() async throws -> [TileLayer] {
        options.opener.styles.depth = format.hasPixels ? .truecolor : settings.depth
        var layers: [TileLayer] = []
        for (index, specifier) in options.sources.enumerated() {
            let opening = await outcome(within: .seconds(timeout)) {
                [opener = options.opener, theme = theme(at: nil)] in
                await Result(awaiting: { () async throws(MapOpenFailure) in
                    try await opener.open(specifier, theme: theme)
                })
            }
            guard let opened = try opening?.get() else {
                throw Notice.Problem(
                    "\(specifier) did not load within \(Int(clamping: timeout)) s; try again later")
            }
            layers += index == 0 ? opened : opened.map(\.laidOver)
        }
        // Maps drawn without a style don't load it, but routes and the position are drawn in it.
        let theme = theme(at: nil)
        let choice = options.opener.styles.choice
        _ = try await options.opener.drawn([], in: choice[theme], theme)
        if layers.contains(where: options.opener.isStyled),
            let faults = try await options.opener.faults(of: choice, theme)
        {
            options.opener.onRemark?(faults.location, faults.sentences)
        }
        layers += try await streets(over: layers)
        let hills = try options.hills()
        guard !hills.isOff else {
            if invocation[.terrain] != nil { Output.say("rhumb: --terrain is only used with --hills") }
            return layers
        }
        return try await layers + self.hills(hills, over: layers)
    }

    /// Returns the streets given by the options if the map is the built-in world.
    private func streets(over layers: [TileLayer]) async throws -> [TileLayer] {
        guard layers.first?.openedBy == EmbeddedWorld.name else { return [] }
        let regions = (try? session.regions().store.regions()) ?? []
        let stored = await options.opener.openStoredStreets(regions, theme: theme(at: nil))
        guard case .source(let name)? = try invocation.streets(options.opener.catalog) else { return stored }
        let opening = await outcome(within: .seconds(timeout)) {
            [opener = options.opener, theme = theme(at: nil)] in
            await Result(awaiting: { () async throws(MapOpenFailure) in
                try await opener.openStreets(name, theme: theme)
            })
        }
        guard let opened = try opening?.get() else {
            throw Notice.Problem(
                "No streets: \(name) didn't answer within \(Int(clamping: timeout)) s. Allow more with --timeout."
            )
        }
        return opened + stored
    }

    private var timeout: Double { invocation[.timeout] ?? 30 }

    /// Returns the theme of the picture. Image files are printed and sent, so they have the day theme.
    /// Without colours it is the day theme, too, because its tones differ more.
    /// - Parameter view: The view; nil if it is not known yet.
    func theme(at view: Viewport?) -> Settings.Theme {
        if let theme = options.theme { return theme }
        if options.themeRule == .sun, let place = view?.camera.coordinate {
            return Sun.isUp(at: place, time: Double(UnixSeconds.now.value)) ? .day : .night
        }
        let isFile = format.hasAllColours && !format.ending.isEmpty
        return isFile || !format.hasPixels && settings.depth == .mono ? .day : .night
    }

    /// The size given by the options, or else that of the terminal, minus a line for the prompt.
    var size: (columns: Int, rows: Int) {
        if let asked = invocation[.size] { return (asked.columns, asked.rows) }
        guard let window = Output.window(STDOUT_FILENO) else { return (80, 24) }
        return (Int(window.ws_col), max(Int(window.ws_row) - 1, 1))
    }

    /// Returns the size of the map without its frame.
    /// - Throws: `UsageError` if it is too small.
    private func mapSize() throws(UsageError) -> (columns: Int, rows: Int) {
        guard invocation[.frame] else { return size }
        let inner = (
            columns: size.columns - 2 * CoordinateFrame.columns, rows: size.rows - 2 * CoordinateFrame.rows
        )
        guard inner.columns >= RenderCommand.leastFramed.columns, inner.rows >= RenderCommand.leastFramed.rows
        else {
            let least = RenderCommand.leastFramed
            throw UsageError(
                "--frame: \(size.columns)x\(size.rows) leaves too little room for the map; use --size "
                    + "\(least.columns + 2 * CoordinateFrame.columns)x\(least.rows + 2 * CoordinateFrame.rows) "
                    + "or larger")
        }
        return inner
    }

    /// Loads all tiles of the view within the time limit, and the embedded world where the maps have gaps.
    private func scene(of layers: [TileLayer], _ view: Viewport) async throws -> Scene {
        let engine = session.engine, tiles = session.traffic
        let maps: Scene
        if let choice = traffic {
            tiles.setStyle(await options.opener.trafficStyle(theme(at: view)))
            try tiles.choose(choice)
            tiles.show(view, over: layers)
            await showLoading {
                tiles.scene(of: view, over: layers)
            } during: {
                await tiles.settled()
            }
            if let problem = tiles.status?.problem { Output.say("rhumb: \(problem)") }
            if let leftOut = tiles.status?.leftOut { Output.say("rhumb: \(leftOut)") }
            maps = tiles.scene(of: view, over: layers)
        } else {
            engine.show(view, layers: layers)
            await showLoading {
                engine.board.scene(of: view, layers: layers)
            } during: {
                await engine.settled()
            }
            maps = engine.board.scene(of: view, layers: layers)
        }
        return await backed(maps, layers, view)
    }

    /// Waits for tiles within the time limit, also through the pauses of servers that limit their rate. Shows
    /// how many of the initially missing tiles have loaded.
    private func showLoading(
        _ scene: @escaping @Sendable () -> Scene, during settled: @escaping @Sendable () async -> Void
    ) async {
        let total = Mutex(0), end = ContinuousClock.now + .seconds(timeout)
        func settle() async {
            while ContinuousClock.now < end {
                _ = await outcome(within: end - .now) { await settled() }
                guard let pause = scene().retryPause, ContinuousClock.now + pause < end else { return }
                // The engine requests the tiles again when the pause is over.
                try? await Task.sleep(for: pause + .milliseconds(100))
            }
        }
        await ProgressMeter.watch("loading", .count("tiles"), during: settle) {
            let left = scene().loadingCount
            return total.withLock { total in
                total = max(total, left)
                return (total - left, total)
            }
        }
    }

    /// Returns the maps with the embedded world below their gaps, and without it where streets fill the view.
    private func backed(_ maps: Scene, _ layers: [TileLayer], _ view: Viewport) async -> Scene {
        guard var backdrop = options.opener.ownMaps.first.map({ Backdrop($0) }),
            backdrop.follow(maps, of: layers, view, theme(at: view), options.opener.styles.depth)
        else { return maps }
        let engine = session.engine, shown = drawn(backdrop.layers(under: layers)),
            added = shown.filter(Backdrop.isBackdrop)
        engine.show(view, layers: added)
        _ = await outcome(within: .seconds(30)) { await engine.settled() }
        let covered = Set(layers.map(\.id)).subtracting(shown.map(\.id))
        let world = engine.board.scene(of: view, layers: added)
        return Scene(layers: world.layers + maps.layers.filter { !covered.contains($0.layer.id) })
    }

    /// Writes the picture. Files include labels and attribution; for standard output, the attribution is
    /// printed separately.
    private func write(
        _ scene: Scene, _ view: Viewport, _ route: RouteAnswer?, _ position: PositionFix?
    ) throws {
        let theme = theme(at: view), maps = scene.withoutBackdrop
        var settings = settings
        settings.daylight = daylight(view)
        let labels = PictureLabels(
            settings: settings, session: session, maps: maps, hasBackdrop: scene.hasBackdrop,
            isCut: format.hasPixels && invocation[.size]?.pixels != nil, traffic: traffic ?? .off,
            route: route, position: position, sets: options.opener.layerSets(theme))
        let browser = labels.browser(view, theme)
        let picture = MapPicture(
            browser: browser, scene: scene, format: format, isBare: path == nil,
            hasLegend: invocation[.legend], size: invocation[.size]?.pixels)
        var bytes = try picture.bytes()
        if format == .text, invocation[.legend], settings.depth == .mono {
            bytes += browser.legendOfNames.flatMap { Array(($0 + "\n").utf8) }
        }
        try Output.write(bytes, to: path)
    }

    /// Returns day and night at the requested time; nil if they aren't shown.
    private func daylight(_ view: Viewport) -> Daylight? {
        let strength = Browser.daylightStrength(at: view.camera.zoom)
        guard let time = invocation[.at] else { return nil }
        guard strength > 0 else {
            Output.note("rhumb: --at has no effect at zoom \(view.camera.zoom.decimals(1)), only farther out")
            return nil
        }
        return Daylight(
            time: time.seconds(now: Double(UnixSeconds.now.value)), strength: strength,
            lights: session.search.lights,
            zoom: view.camera.zoom)
    }

    /// The settings of the picture. Unless the user chose otherwise, a pipe gets all colours and text gets
    /// none. Text uses braille unless the user chose symbols.
    var settings: Settings {
        var settings = options.settings(profile)
        settings.colourBits = 8
        settings.hasFrame = invocation[.frame]
        if format == .text {
            settings.show(in: .mono)
            settings.symbols = invocation.symbols ?? settings.symbols
        } else if format.hasAllColours {
            settings.depth = .truecolor
        } else if isatty(STDOUT_FILENO) != 1 && invocation.colors == nil {
            settings.depth = .truecolor
        }
        return settings
    }

    private func report(_ scene: Scene, _ layers: [TileLayer]) -> Int32 {
        let drawn = Set(scene.layers.map(\.layer.id)), hasStreets = layers.contains(where: \.refinesBase)
        let credited = layers.filter {
            !hasStreets || drawn.contains($0.id) || $0.openedBy != EmbeddedWorld.name
        }
        let isSilent = Output.isQuiet && path != nil
        for credit in Set(credited.map(\.info.attribution)).sorted() where !credit.isEmpty && !isSilent {
            Output.say(credit)
        }
        let omissions = scene.omissions
        guard scene.loadingCount + scene.failedCount + omissions.count > 0 else { return ExitStatus.done }
        if scene.loadingCount > 0 {
            Output.say(
                "rhumb: \(AmountText.count(scene.loadingCount, "tile")) did not load in time; allow more with --timeout"
            )
        }
        if scene.failedCount > 0 {
            Output.say(
                "rhumb: \(AmountText.count(scene.failedTiles.count, "tile")) failed: \(scene.firstFailure ?? "")"
            )
        }
        if let first = omissions.first {
            let count = AmountText.count(omissions.count, "tile")
            Output.say("rhumb: \(count) incomplete: \(FailureText.sentence(first))")
        }
        return ExitStatus.gaps
    }
}
