internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine
internal import RhumbCore
internal import RhumbTerminal

/// `rhumb`: the map on the terminal.
enum MapCommand {
    /// An archive that is compared with the map, and the differences.
    struct Compared: Sendable {
        let path: String
        let changes: [MapComparison.Change]
        let counts: [MapComparison.Kind: Int]
        /// The features that differ, in their colours.
        let features: [OverlayFeature]
        /// The zoom from which they are shown. Farther out they would cover the map.
        let lowestZoom: Int
    }

    /// - Parameters:
    ///   - request: The user's task on the map, whose result is printed; nil for none.
    ///   - compared: The archive to compare with the map; nil for none.
    static func run(
        _ invocation: Invocation, picking request: PickRequest? = nil, comparing compared: Compared? = nil
    ) async throws -> Int32 {
        let profile = TerminalProfile.current(
            colors: invocation.colors, symbols: invocation.symbols, isControlling: request != nil)
        // The style, the drawing library and the outlines for names are loaded while the session opens. The
        // style comes first, because no thread can start while a library is loaded.
        if invocation.operand == nil {
            Task.detached {
                let theme = invocation[.style].flatMap(MapTheme.init) ?? .night
                _ = try? EmbeddedWorld.style(theme, profile.colors)
            }
        }
        Task.detached(executorPreference: BlockingExecutor.shared) {
            _ = VectorPainter.canDraw
            if invocation.operand == nil { Browser.loadLabelAreas() }
        }
        let inbox = Inbox()
        // Without a first picture, the first line of text is a search, which the stores are needed for.
        let session = try await invocation.openSession(
            asksFirst: false, opensStoresLater: invocation.operand == nil && !invocation.isPlain
        ) { silence in
            inbox.put(.silence(host: silence?.host ?? "", seconds: silence?.seconds ?? 0))
        }
        defer { session.close() }
        try invocation.checkStyle(session)
        let options = MapOptions(invocation, session)
        options.opener.styles.depth = profile.colors
        var screenOptions = ScreenOptions(mouse: !invocation[.noMouse])
        screenOptions.takesControllingTerminal = request != nil
        screenOptions.pixels = invocation[.pixels] != "off"
        screenOptions.encodePNG = { try? PNGEncoder.encode($0) }
        // The embedded map always opens, so the screen is set up while its style is read. For other maps, the
        // terminal remains untouched until they are open.
        let isEmbedded = options.sources == [EmbeddedWorld.name] && options.overlays.isEmpty
        if isEmbedded {
            // Opens the gazetteer, from which the first picture has its names.
            Task.detached(executorPreference: BlockingExecutor.shared) { [places = session.search] in
                _ = try? places.places(in: .world, minimumImportance: 0, limit: 0)
            }
        } else {
            session.openStores()
        }
        let isPlain = request == nil && compared == nil && invocation.isPlain
        let early = isEmbedded && !isPlain ? try Screen(profile, options: screenOptions) : nil
        let start = try await StartLayers(options, inbox)
        var others: [TileLayer] = []
        if let compared {
            others = try await options.opener.open(compared.path, theme: options.theme ?? .night)
        }
        let overlayTheme = LiveLayer.OverlayTheme(theme: options.theme ?? .night, depth: profile.colors)
        var differences: [TileLayer] = []
        if let features = compared?.features, !features.isEmpty {
            let live = LiveLayer(
                id: "differences", name: "differences", palette: OverlayPalette(0), overlayTheme: overlayTheme
            )
            live.index = OverlayIndex(features)
            var layer = OverlayDrawing.layer(live)
            layer.visibleZooms = ZoomSet(max(compared?.lowestZoom ?? 0, 0)...30)
            differences = [layer]
        }
        let folders = Folders(environment: Environment.all)
        let feeds = OverlayFeeds(
            session, overlayTheme: overlayTheme, timeToLive: invocation[.timeToLive],
            field: invocation[.styleBy], trackFolder: invocation[.noRecord] ? nil : folders.tracks
        ) { inbox.put(.overlay($0)) }
        let overlays = try options.openOverlays(feeds)
        await feeds.settle(within: .milliseconds(250))
        for problem in feeds.unknownField { session.report(Notice.Problem(problem)) }
        let lastView = SavedCamera(folders)
        let screen = isPlain ? nil : try early ?? Screen(profile, options: screenOptions)
        let (columns, rows) = screen?.size ?? (80, 24)
        let remembered = lastView?.load()
        var settings = options.settings(profile)
        if isPlain { (settings.animates, settings.isSpoken) = (false, true) }
        func browser(_ camera: Camera?) -> Browser {
            Browser(
                columns: columns, rows: rows, cellAspect: screen?.cellAspect,
                layers: start.layers + others + differences + overlays,
                camera: camera,
                remembered: remembered, settings: settings, awaitsBase: start.awaitsBase,
                isOffline: session.isOffline, configuration: session.configuration,
                style: options.opener.styles.choice,
                startTime: Double(UnixSeconds.now.value))
        }
        var first = browser(nil)
        if let camera = options.camera(on: first.map.viewport, home: first.home) {
            first = browser(camera)
            if start.awaitsBase {
                first.begin(requesting: { [options] in options.camera(on: $0, home: $1) })
            }
        } else if !overlays.isEmpty {
            if let home = first.overlayHome { first = browser(home) }
            first.framesOverlays()
        }
        if let time = invocation[.at] { first.begin(at: time) }
        if let choice = try invocation.traffic() { first.begin(with: choice) }
        first.begin(missingTrafficKey: options.opener.catalog.traffic.missingKey(for:))
        first.begin(with: try options.hills())
        let streets = StreetsFile(folders)
        let asked = try invocation.streets(options.opener.catalog)
        if invocation.command == .streets, let asked { try streets.save(asked) }
        let catalog = options.opener.catalog
        first.begin(
            streets: asked ?? streets.load(), offers: catalog.streetsOffers, download: catalog.streetsDownload
        )
        first.begin(services: catalog.listedServices, agreed: AcceptedTerms(folders).hosts)
        // The engine loads the first tiles while the program is set up.
        session.traffic.show(first.map.viewport, over: first.map.layers, course: first.course)
        if let request { first.begin(picking: request) }
        if let compared {
            first.begin(
                comparing: MapComparison(
                    first: start.layers, second: others,
                    names: (TileProbes.stem(options.sources[0]), TileProbes.stem(compared.path)),
                    changes: compared.changes, counts: compared.counts))
        }
        let terrain = invocation[.terrain]
        first.stored.listedHeights = Lazy { HeightSourceItem.all(terrain, catalog) }
        first.route.engines = invocation[all: .engine]
        let program = Program(
            session: session, browser: first, opener: options.opener, inbox: inbox, overlays: feeds,
            folders: folders, lastView: lastView, terrain: terrain)
        let runtime = screen.map { screen in
            Runtime(
                program, on: screen,
                budget: invocation[.bandwidth].map { .bytesPerSecond($0) } ?? .automatic)
        }
        start.takeIn(inbox)
        options.styleWatch(inbox, in: first.theme)?.begin()
        let status = await withTaskExecutorPreference(ThreadExecutor()) {
            runtime?.run() ?? PlainProgram(program).run()
        }
        for sentence in await program.close() { Output.say("rhumb: \(sentence)") }
        for path in feeds.recordedTracks {
            Output.note("rhumb: track recorded in \(SafeText.sanitised(path))")
        }
        for text in [program.picked, request == nil ? runtime?.copied : nil].compactMap(\.self) {
            try Output.print(text + "\n")
        }
        return status
    }
}

extension Invocation {
    /// True to run as lines of text.
    fileprivate var isPlain: Bool {
        let environment = Environment.all
        let isAsked = !["", "0"].contains(environment["RHUMB_PLAIN"] ?? "")
        return self[.plain] || isAsked || environment["TERM"] == "dumb"
    }
}

/// The first layers of the map: those that are available at once, and those from servers.
private struct StartLayers {
    private typealias Opening = Task<Result<[TileLayer], Notice.Problem>, Never>

    /// The layers, bottom to top. The embedded world replaces a base map that is not open yet.
    private(set) var layers: [TileLayer] = []
    private(set) var awaitsBase = false
    private var awaited: [(opening: Opening, over: Bool)] = []
    /// The time limit for opening a local map, such as a file on a slow disk.
    private static let timeLimit = Duration.seconds(1)

    /// - Throws: A sentence if a local map can't be opened.
    init(_ options: MapOptions, _ inbox: Inbox) async throws {
        let theme = options.theme ?? .night, opener = options.opener
        let begun = options.sources.map { StartLayers.begin($0, opener, theme, inbox) }
        for (index, (opening, isLate)) in begun.enumerated() {
            let over = index > 0
            if let opened = await StartLayers.first(opening, isLate) {
                layers += try over ? opened.get().map(\.laidOver) : opened.get()
            } else {
                awaited.append((opening, over))
                if !over {
                    awaitsBase = true
                    layers = try await opener.open(EmbeddedWorld.name, theme: theme)
                }
            }
        }
    }

    /// Starts to open a map, and signals when a server must be contacted.
    private static func begin(
        _ specifier: String, _ opener: MapOpener, _ theme: MapTheme, _ inbox: Inbox
    ) -> (Opening, AsyncStream<Void>) {
        let (isLate, late) = AsyncStream.makeStream(of: Void.self)
        let opening = Opening {
            await Result(awaiting: { () async throws(MapOpenFailure) in
                try await opener.open(specifier, theme: theme) { name in
                    inbox.put(.opening(name))
                    late.yield()
                }
            }).mapError { Notice.Problem($0) }
        }
        return (opening, isLate)
    }

    /// Returns the opened map; nil if opening it takes long.
    private static func first(
        _ opening: Opening, _ isLate: AsyncStream<Void>
    ) async -> Result<[TileLayer], Notice.Problem>? {
        let (outcomes, arrivals) = AsyncStream.makeStream(of: Result<[TileLayer], Notice.Problem>?.self)
        Task { arrivals.yield(await opening.value) }
        Task { if await isLate.first(where: { true }) != nil { arrivals.yield(nil) } }
        return await outcome(within: timeLimit) { await outcomes.first { _ in true } ?? nil } ?? nil
    }

    /// Posts the remaining layers in order. Otherwise, a base map that arrives after its overlays would
    /// replace them.
    func takeIn(_ inbox: Inbox) {
        Task.detached { [awaited] in
            for (opening, over) in awaited { inbox.put(.opened(await opening.value, over: over)) }
        }
    }
}

/// Runs each job on its own thread. The main loop runs on one, because it waits for the terminal throughout
/// the run, and would otherwise occupy a thread of a pool.
final class ThreadExecutor: TaskExecutor {
    /// Starts a thread for a job. If the system has no thread left, the calling thread runs the job.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let run = { @Sendable [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
        if !SystemThread.detach(run) { run() }
    }
}
