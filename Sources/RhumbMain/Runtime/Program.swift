internal import Rhumb
internal import RhumbBrowser

/// The program without a terminal. It passes events to the browser and performs its effects. It runs on its
/// own thread and is never sent to another.
final class Program {
    let session: MapSession
    let opener: MapOpener
    let inbox: Inbox
    let overlays: OverlayFeeds
    let recent: RecentSources?
    let pictures: PictureSaver
    private let dispatcher: QueryDispatcher
    let heights: HeightSource
    private let lastView: SavedCamera?
    private let regions: RegionHandlers
    private let packages: PackageHandlers
    private let start = ContinuousClock.now
    /// The last change of style; later ones wait for it.
    private var styling: Task<Void, Never>?
    /// The map below the gaps of other maps; nil for none.
    private var backdrop: Backdrop?
    private var screenEffects: [Effect] = []
    /// The listener to the engine's events.
    private var listener: Task<Void, Never>?

    private(set) var browser: Browser
    /// The times at which ticks are due.
    private(set) var wakes: [Duration] = []
    /// The time of the last change of the view.
    private(set) var lastMove = Duration.seconds(-1000)
    /// The size of a cell in pixels if the map is drawn in pixels; nil for a map in cells.
    var cellPixels: PixelSize? {
        didSet {
            guard cellPixels != oldValue else { return }
            showLayers()
            // The distance of contours and the colours of the land depend on the zoom of the map, which tiles
            // of another size don't have.
            let drawn = Set(shownLayers.filter { $0.drawing != nil }.map(\.id))
            if !drawn.isEmpty {
                Task { [engine = session.engine] in await engine.reread { drawn.contains($0) } }
            }
        }
    }
    /// The exit status; nil while the program runs.
    var exitStatus: Int32?
    /// The user's choice; nil for none.
    private(set) var picked: String?

    /// - Parameters:
    ///   - folders: The folders of the user's files.
    ///   - lastView: Stores the view when the program ends; nil to store none.
    ///   - terrain: The source of heights, as given on the command line; nil for the default.
    init(
        session: MapSession, browser: Browser, opener: MapOpener, inbox: Inbox, overlays: OverlayFeeds,
        folders: Folders, lastView: SavedCamera?, terrain: String?
    ) {
        self.session = session
        self.browser = browser
        self.opener = opener
        self.inbox = inbox
        self.overlays = overlays
        self.lastView = lastView
        recent = RecentSources(folders)
        pictures = PictureSaver(inbox)
        backdrop = opener.ownMaps.first.map { Backdrop($0) }
        regions = RegionHandlers(session, opener, inbox)
        let heightSources = browser.stored.listedHeights
        packages = PackageHandlers(session, inbox) {
            heightSources.value.first { !$0.isLocal }?.specifier
        }
        dispatcher = QueryDispatcher { inbox.put($0) }
        let report: @Sendable (Notice.Problem) -> Void = { inbox.put(.problem($0.description)) }
        heights = HeightSource(terrain, session)
        dispatcher.register(
            session, opener, heights, recent, home: Environment.all["HOME"], report: report)
        RouteHandlers(session, opener, heights, folders, report: report).register(on: dispatcher)
        OnlineHandlers(session, opener.catalog, folders, report: report).register(on: dispatcher)
        FileHandlers(folders, report: report).register(on: dispatcher)
        regions.register(on: dispatcher)
        packages.register(on: dispatcher)
        AreaHandlers(session: session, opener: opener, folders: folders).register(on: dispatcher)
    }

    /// The time since the start.
    var now: Duration { start.duration(to: .now) }

    // MARK: Start and end

    /// Starts to load the first view.
    func begin() {
        listener = listen()
        listenToNews()
        if !browser.traffic.choice.isOff { perform([.showTraffic(browser.traffic.choice)]) }
        if !browser.appearance.hills.isOff { perform([.hills(browser.appearance.hills)]) }
        perform(browser.begin())
    }

    /// Starts the work that isn't needed for the first frame.
    func beginBackgroundWork() {
        session.openStores()
        perform([.ask(BookmarkQuery()), .ask(TypedLinesQuery())])
        regions.begin()
        packages.begin()
        Task(executorPreference: BlockingExecutor.shared) { [search = session.offlineSearch] in
            // The pages of the start and those of the search together would take 7 MB more.
            FilePages.giveBack()
            search.prepare()
            FilePages.giveBack()
        }
        session.offlineSearch.startIndexing()
    }

    /// Stores the view, and stops receiving events.
    func stopListening() {
        listener?.cancel()
        lastView?.save(browser.map.viewport.camera)
        overlays.stop()
    }

    /// Waits until files are written, for at most two seconds.
    func finishFiles() {
        session.stopWaiting(in: .seconds(2))
        pictures.finish()
        dispatcher.finish(.files, within: .seconds(2))
    }

    /// Ends all downloads.
    /// - Returns: Sentences about unfinished work.
    func close() async -> [String] { await packages.close() + regions.close() }

    /// Pauses downloads and traffic while the program is suspended.
    func setSuspended(_ isSuspended: Bool) {
        regions.setSuspended(isSuspended)
        packages.setSuspended(isSuspended)
        session.traffic.setSuspended(isSuspended)
    }

    // MARK: Events

    /// Passes an event to the browser, and performs its effects.
    func send(_ event: Event) { perform(browser.update(event, at: now)) }

    /// Forwards the events of other threads.
    /// - Returns: The number of events, and true if any of them must be drawn immediately.
    @discardableResult
    func receiveEvents() -> (count: Int, mustDraw: Bool) {
        let events = inbox.take()
        for event in events { send(event) }
        return (events.count, events.contains(where: \.isDrawnAtOnce))
    }

    /// Requests a tick after a time.
    func wake(after delay: Duration) { wakes.append(now + delay) }

    /// Sends a tick if one is due.
    func sendDueTick() -> Bool {
        let time = now
        guard wakes.contains(where: { $0 <= time }) else { return false }
        wakes.removeAll { $0 <= time }
        send(.tick)
        return true
    }

    /// Waits until all queries are answered, for tests.
    func waitUntilIdle() async { await dispatcher.waitUntilIdle() }

    // MARK: Effects

    /// Returns the effects for the terminal since the last call: `copy`, `repaint` and `suspend`.
    func takeScreenEffects() -> [Effect] {
        defer { screenEffects = [] }
        return screenEffects
    }

    private func perform(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .updateView:
                lastMove = now
                showLayers()
            case .setOffline(let isOffline): session.isOffline = isOffline
            case .setMetered(let isMetered): session.client.isMetered = isMetered
            case .query(let query):
                dispatcher.submit(
                    query,
                    QueryContext(
                        layers: browser.map.layers, settings: browser.map.settings, theme: browser.theme))
            case .configure(let configuration): session.configuration = configuration
            case .showTraffic(let choice): show(choice)
            case .hills(let choice): open(choice)
            case .wake(let after): wake(after: after)
            case .savePicture(let name, let hasLegend): save(name, hasLegend: hasLegend)
            case .open(let source, let over):
                open(HomeFolder.expanded(source, Environment.all["HOME"]), over: over)
            case .picked(let text): (picked, exitStatus) = (text, text == nil ? 1 : 0)
            case .keepLine(let line): perform(browser.remember(line: CommandHistoryFile.stripped(line)))
            case .style(let choice, let theme): draw(in: choice, theme)
            case .copy, .repaint, .suspend: screenEffects.append(effect)
            case .quit: exitStatus = browser.input.isPicking ? 1 : 0
            }
        }
    }

    /// Makes the engine load the view.
    private func showLayers() {
        overlays.follow(
            browser.map.layers,
            LiveLayer.OverlayTheme(
                theme: browser.theme, depth: browser.map.settings.depth, isFine: cellPixels != nil),
            browser.map.viewport)
        session.traffic.show(browser.map.viewport, over: shownLayers, course: browser.course)
    }

    /// Draws layers in styles: immediately if the styles are loaded, or else on another thread, one change
    /// after another.
    private func draw(in choice: StyleChoice, _ theme: MapTheme) {
        opener.styles.depth = browser.map.settings.depth
        if choice == opener.styles.choice, browser.appearance.wantedStyle == nil,
            let changed = opener.themed(browser.map.layers, theme)
        {
            styleTraffic(theme)
            return send(
                .styled(.success(StyledLayers(choice, theme, changed, sets: opener.layerSets(theme)))))
        }
        styling = Task(executorPreference: BlockingExecutor.shared) {
            [
                before = styling, layers = browser.map.layers, traffic = session.traffic, opener, inbox,
                isReload = browser.appearance.wantedStyle != nil
            ] in
            await before?.value
            do throws(MapOpenFailure) {
                let changed = try await opener.setStyle(choice, of: layers, theme, isReload: isReload)
                traffic.setStyle(await opener.trafficStyle(theme))
                let styled = StyledLayers(
                    opener.styles.choice, theme, changed, sets: opener.layerSets(theme))
                inbox.put(.styled(.success(styled)))
            } catch {
                inbox.put(.styled(.failure(Notice.Problem(shown: error))))
            }
        }
    }

    // MARK: Scene

    /// The maps, with the backdrop below their gaps.
    private var shownLayers: [TileLayer] {
        let layers = backdrop?.layers(under: browser.map.layers) ?? browser.map.layers
        return cellPixels.map { cell in layers.map { $0.drawn(cellWidth: cell.width) } } ?? layers
    }

    /// True if the view can be drawn completely.
    var isViewComplete: Bool { !browser.isAwaitingLabels && scene(of: browser.map.viewport).isComplete }

    /// Returns the scene to draw, including everything that arrives before a time limit.
    /// - Parameters:
    ///   - wait: The maximum wait.
    ///   - needsLabels: True to wait for labels too.
    ///   - paint: Called at most once, when all tiles are there and labels are still awaited.
    func awaitScene(_ wait: Duration, needsLabels: Bool, paint: (Scene) -> Void = { _ in }) -> Scene {
        let deadline = now + wait
        var isPainted = false
        followTraffic()
        var scene = laidOutScene()
        while !scene.isComplete || browser.isAwaitingLayout || needsLabels && browser.isAwaitingLabels,
            now < deadline
        {
            if scene.isComplete, !isPainted {
                isPainted = true
                paint(scene)
                continue
            }
            inbox.waker.wait(milliseconds: Int32((deadline - now) / .milliseconds(1)) + 1)
            inbox.waker.clear()
            receiveEvents()
            followTraffic()
            scene = laidOutScene()
        }
        return scene
    }

    /// Returns the drawable contents of the view, with the backdrop where maps have gaps. Requests nothing
    /// for a frame without gaps. Also sends the layout of the frame to the browser, so that it places labels
    /// around panels before the frame is drawn.
    private func laidOutScene() -> Scene {
        var scene = scene(of: browser.map.viewport)
        if backdrop?.follow(
            scene, of: browser.map.layers, browser.map.viewport, browser.theme, browser.map.settings.depth)
            == true
        {
            showLayers()
            scene = self.scene(of: browser.map.viewport)
        }
        let layout = browser.use(
            of: scene.withoutBackdrop, hasBackdrop: backdrop?.isBelow(browser.map.layers) == true)
        if layout != browser.map.screenUse { send(.frame(layout)) }
        return scene
    }

    private func followTraffic() {
        if !browser.traffic.choice.isOff { send(.traffic(session.traffic.status)) }
    }

    /// Returns the drawable contents of the view.
    /// - Parameter moment: The time of a frame in which tiles fade in.
    func scene(fadingAt moment: Duration) -> Scene {
        var layers = shownLayers
        for at in layers.indices { layers[at].fadesIn = true }
        return scene(of: browser.map.viewport, layers, at: moment)
    }

    /// Returns the drawable contents of a view.
    func scene(of view: Viewport) -> Scene { scene(of: view, shownLayers, at: nil) }

    private func scene(of view: Viewport, _ layers: [TileLayer], at moment: Duration?) -> Scene {
        if browser.traffic.choice.isOff {
            return session.engine.board.scene(of: view, layers: layers, at: moment)
        }
        return session.traffic.scene(of: view, over: layers, at: moment)
    }

    /// Saves a picture of the map as currently shown.
    private func save(_ name: String?, hasLegend: Bool) {
        do throws(Notice.Problem) {
            let environment = Environment.all,
                name = name.map { HomeFolder.expanded($0, environment["HOME"]) }
            let folder = Folders(environment: environment).pictures
            let file = try PictureFile(name, of: browser.map.viewport.camera, in: folder)
            let scene = self.scene(of: MapPicture.view(browser.map.viewport, file.format))
            pictures.save(
                MapPicture(browser: browser, scene: scene, format: file.format, hasLegend: hasLegend).bytes,
                as: file)
        } catch {
            send(.saved(.failure(error)))
        }
    }
}

/// Showing the traffic that the user chooses.
extension Program {
    func show(_ choice: TrafficChoice) {
        styleTraffic(browser.theme)
        do throws(SourceFailure) {
            try session.traffic.choose(choice)
        } catch {
            send(.trafficRefused(Notice.Problem(shown: error)))
        }
    }

    /// Draws vector tiles of traffic in the chosen style, if it has layers for them.
    func styleTraffic(_ theme: MapTheme) {
        Task(executorPreference: BlockingExecutor.shared) { [opener, traffic = session.traffic] in
            traffic.setStyle(await opener.trafficStyle(theme))
        }
    }
}
