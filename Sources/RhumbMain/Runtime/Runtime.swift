internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbTerminal

/// The loop of the program on a terminal: it waits, handles all events, performs the browser's effects, and
/// draws once. It has its thread to itself, and nothing here is sent to another.
final class Runtime {
    /// A picture waits this long for tiles that come at once from memory or disk, so that a pan
    /// is drawn whole the first time.
    static let patience = Duration.milliseconds(12)
    /// The same for the first picture.
    static let firstPatience = Duration.milliseconds(150)
    /// Tiles that trickle in are drawn together, this often.
    static let trickle = Duration.milliseconds(40)

    let screen: Screen
    let session: MapSession
    let opener: MapOpener
    let recent: RecentSources?
    private let dispatcher: QueryDispatcher
    private let lastView: SavedCamera?
    let inbox: Inbox
    private let regions: RegionHandlers
    private let packages: PackageHandlers
    let pictures: PictureSaver
    let overlays: OverlayFeeds
    private let start = ContinuousClock.now

    var browser: Browser
    var painters: [BandwidthGovernor.Tier: MapPainter] = [:]
    var governor: BandwidthGovernor
    var lastMove = Duration.seconds(-1000)
    /// The times of the requested ticks.
    var wakes: [Duration] = []
    var lastDrawing = Duration.zero
    var hasUndrawnTiles = false
    /// True if something was received that is drawn without waiting for tiles and labels.
    var hasUndrawnAnswer = false
    /// True if the last frame responded to a key: its missing parts are drawn as soon as all of them are
    /// available.
    private var isAnswering = true
    /// The map below the gaps of other maps; nil for none.
    var backdrop: Backdrop?
    /// The last change of style, until it is done.
    private var styling: Task<Void, Never>?
    private var exitStatus: Int32?
    /// The user's choice; nil for none.
    private(set) var picked: String?
    /// The text copied last, where the terminal did not say that it takes such.
    var copied: String?

    init(
        screen: Screen, session: MapSession, browser: Browser, opener: MapOpener, inbox: Inbox,
        overlays: OverlayFeeds,
        lastView: SavedCamera?, budget: BandwidthGovernor.Budget,
        terrain: String?
    ) {
        self.screen = screen
        self.session = session
        self.inbox = inbox
        self.overlays = overlays
        regions = RegionHandlers(session, opener, inbox)
        packages = PackageHandlers(session, inbox)
        let terrain = HeightSource(terrain, session)
        pictures = PictureSaver(inbox)
        self.browser = browser
        self.opener = opener
        backdrop = opener.ownMaps.first.map { Backdrop($0) }
        let folders = Folders(environment: Environment.all)
        recent = RecentSources(folders)
        dispatcher = QueryDispatcher { inbox.put($0) }
        let report: @Sendable (Notice.Problem) -> Void = { inbox.put(.problem($0.description)) }
        dispatcher.register(
            session, opener, terrain, recent, home: Environment.all["HOME"], report: report)
        RouteHandlers(session, opener, terrain, folders, report: report).register(on: dispatcher)
        OnlineHandlers(session, opener.catalog, folders, report: report).register(on: dispatcher)
        FileHandlers(folders, report: report).register(on: dispatcher)
        regions.register(on: dispatcher)
        packages.register(on: dispatcher)
        self.lastView = lastView
        governor = BandwidthGovernor(budget)
    }

    /// Runs until the person quits or the terminal goes away.
    /// - Returns: the exit status.
    func run() -> Int32 {
        CrashReport.prepareThread()
        let listener = listen()
        listenToNews()
        if !browser.traffic.isOff { perform([.showTraffic(browser.traffic)]) }
        perform(browser.begin())
        draw(patience: Runtime.firstPatience, needsLabels: true)
        // The terminal may take the picture bit by bit.
        while exitStatus == nil, screen.isDrawing, now - lastDrawing < Runtime.firstPatience {
            wakes.append(now + Runtime.patience)
            turn()
        }
        beginBackgroundWork()
        while exitStatus == nil { turn() }
        listener.cancel()
        lastView?.save(browser.viewport.camera)
        overlays.stop()
        screen.close()
        session.stopWaiting(in: .seconds(2))
        pictures.finish()
        dispatcher.finish(.files, within: .seconds(2))
        return exitStatus ?? 0
    }

    /// Ends the downloads.
    /// - Returns: Sentences about unfinished work.
    func close() async -> [String] { await packages.close() + regions.close() }

    /// Starts the work that the first frame does not need.
    private func beginBackgroundWork() {
        perform([.ask(BookmarkQuery()), .ask(TypedLinesQuery())])
        regions.begin()
        packages.begin()
        Task(executorPreference: BlockingExecutor.shared) { [search = session.offlineSearch] in
            search.prepare()
            FilePages.giveBack()
        }
        session.offlineSearch.startIndexing()
    }

    var now: Duration { start.duration(to: .now) }

    private func turn() {
        let happened = screen.wait(upTo: timeout, wakeup: inbox.waker.descriptor)
        var needsDrawing = takeDue()
        for event in happened {
            switch event {
            case .woken: hasUndrawnTiles = true
            case .key(let key):
                send(.key(key))
                needsDrawing = true
            case .resized(let columns, let rows):
                send(.resized(columns: columns, rows: rows, cellAspect: screen.cellAspect))
                needsDrawing = true
            case .background(let colour): send(.background(colour))
            case .resumed:
                sendSize()
                needsDrawing = true
            case .terminated(let signal): exitStatus = 128 + signal
            }
            if exitStatus != nil { return }
        }
        takeAnswers()
        if needsDrawing {
            draw(patience: Runtime.patience)
            isAnswering = true
        } else if hasUndrawnTiles, !screen.isDrawing,
            hasUndrawnAnswer || now - lastDrawing >= Runtime.trickle || isAnswering && isWhole
        {
            isAnswering = isAnswering && hasUndrawnAnswer
            draw(patience: .zero)
        }
    }

    /// True if the view is drawn completely.
    private var isWhole: Bool { !browser.isAwaitingLabels && scene(of: browser.viewport).isComplete }

    /// The longest wait for an event; nil for no limit.
    private var timeout: Duration? {
        let due =
            wakes
            + (hasUndrawnTiles
                ? [max(lastDrawing + Runtime.trickle, now + (screen.isDrawing ? Runtime.patience : .zero))]
                : [])
        return due.min().map { max($0 - now, .zero) }
    }

    /// Sends a tick if one is due.
    private func takeDue() -> Bool {
        let time = now
        guard wakes.contains(where: { $0 <= time }) else { return false }
        wakes.removeAll { $0 <= time }
        send(.tick)
        return true
    }

    func takeAnswers() {
        let events = inbox.take()
        for event in events { send(event) }
        hasUndrawnTiles = hasUndrawnTiles || !events.isEmpty
        hasUndrawnAnswer = hasUndrawnAnswer || events.contains(where: \.isDrawnAtOnce)
    }

    /// The terminal may have another size when the program comes back to it.
    private func sendSize() {
        let (columns, rows) = screen.size
        send(.resized(columns: columns, rows: rows, cellAspect: screen.cellAspect))
    }

    // MARK: Effects

    func send(_ event: Event) { perform(browser.update(event, at: now)) }

    private func perform(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .updateView: updateView()
            case .setOffline(let isOffline):
                session.isOffline = isOffline
            case .setMetered(let isMetered): session.client.isMetered = isMetered
            case .query(let query):
                dispatcher.submit(
                    query,
                    QueryContext(layers: browser.layers, settings: browser.settings, theme: browser.theme))
            case .configure(let configuration):
                session.configuration = configuration
            case .showTraffic(let choice): show(choice)
            case .wake(let after): wakes.append(now + after)
            case .savePicture(let name, let hasLegend): save(name, hasLegend: hasLegend)
            case .open(let source, let over):
                open(HomeFolder.expanded(source, Environment.all["HOME"]), over: over)
            case .copy(let text): copy(Output.hidden(text))
            case .picked(let text): (picked, exitStatus) = (text, text == nil ? 1 : 0)
            case .keepLine(let line): perform(browser.remember(line: CommandHistoryFile.stripped(line)))
            case .style(let choice, let theme): draw(in: choice, theme)
            case .repaint: screen.redraw()
            case .suspend:
                regions.setSuspended(true)
                packages.setSuspended(true)
                session.traffic.setSuspended(true)
                screen.suspend()
                regions.setSuspended(false)
                packages.setSuspended(false)
                session.traffic.setSuspended(false)
                sendSize()
            case .quit: exitStatus = browser.isPicking ? 1 : 0
            }
        }
    }

    /// The engine looks where the browser does.
    private func updateView() {
        lastMove = now
        showLayers()
    }

    /// Has the engine load the view.
    func showLayers() {
        overlays.follow(
            browser.layers, LiveLayer.OverlayTheme(theme: browser.theme, depth: browser.settings.depth),
            browser.viewport)
        session.traffic.show(browser.viewport, over: shownLayers, course: browser.course)
    }

    /// The maps, with the backdrop below their gaps.
    var shownLayers: [TileLayer] { backdrop?.layers(under: browser.layers) ?? browser.layers }

    /// Draws layers in styles: at once if these are loaded, or else on another thread, one change after the
    /// other.
    private func draw(in choice: StyleChoice, _ theme: MapTheme) {
        opener.styles.depth = browser.settings.depth
        if choice == opener.styles.choice, browser.wantedStyle == nil,
            let changed = opener.themed(browser.layers, theme)
        {
            styleTraffic(theme)
            return send(
                .styled(.success(StyledLayers(choice, theme, changed, sets: opener.layerSets(theme)))))
        }
        styling = Task.detached(executorPreference: BlockingExecutor.shared) {
            [before = styling, layers = browser.layers, traffic = session.traffic, opener, inbox] in
            await before?.value
            do throws(MapOpenFailure) {
                let changed = try await opener.setStyle(choice, of: layers, theme)
                traffic.setStyle(await opener.trafficStyle(theme))
                inbox.put(
                    .styled(
                        .success(
                            StyledLayers(opener.styles.choice, theme, changed, sets: opener.layerSets(theme)))
                    ))
            } catch {
                inbox.put(.styled(.failure(Notice.Problem(error))))
            }
        }
    }
}
