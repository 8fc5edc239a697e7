public import RhumbCore
internal import Synchronization

/// Live traffic over a map. It is requested on a schedule, and shown so that no picture mixes two moments of
/// one kind.
///
/// It wraps the engine: call `show(_:over:)` instead of the engine's, and draw `scene(of:over:)` instead of
/// the board's. Each set of tiles is a layer of its own, "traffic.flow.7" or "traffic.incidents.12". While a
/// new set loads, the engine loads both layers and only the old one is drawn; then only the new one. Tiles
/// are in memory only.
///
/// All methods are safe to call from any thread, and none blocks.
public final class TrafficTiles: Sendable {
    /// The engine that loads the tiles beneath the traffic.
    public let engine: TileEngine
    /// The traffic services.
    public let sources: TrafficSources
    let decoder: any ImageDecoder
    let fetcher: any TrafficFetcher
    /// The drawer of vector tiles; nil to show only pictures.
    let drawer: (any TrafficDrawer)?
    let clock: EngineClock
    /// The colours of flow; nil for the provider's own.
    let ramp: TrafficRamp?
    let state: Mutex<State>
    private let onChange: @Sendable () -> Void
    private let listener = Mutex<Task<Void, Never>?>(nil)

    struct State {
        var schedule: TrafficSchedule
        var chosen: [TrafficKind: TrafficSource] = [:]
        var records: [Int: TrafficSetRecord] = [:]
        var underWay: [SetTile: UnderWay] = [:]
        /// The style of vector tiles; nil for the default one.
        var style: Style?
        var viewport: Viewport?
        var base: [TileLayer] = []
        var course: Double?
        var timer: Task<Void, Never>?
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// - Parameters:
    ///   - engine: The engine whose board receives the tiles.
    ///   - sources: The traffic services, with their keys.
    ///   - drawer: Draws vector tiles; nil to show pictures instead.
    ///   - ramp: The colours of flow; nil for the provider's own.
    ///   - onChange: Called from any thread when there is something new to draw or report.
    public init(
        engine: TileEngine, sources: TrafficSources, decoder: any ImageDecoder,
        fetcher: any TrafficFetcher, drawer: (any TrafficDrawer)? = nil, ramp: TrafficRamp? = .standard,
        clock: EngineClock = .machine, onChange: @escaping @Sendable () -> Void = {}
    ) {
        self.engine = engine
        self.sources = sources
        self.decoder = decoder
        self.fetcher = fetcher
        self.drawer = drawer
        self.clock = clock
        self.ramp = ramp
        self.onChange = onChange
        state = Mutex(State(schedule: TrafficSchedule(rules: TrafficRules(providers: [:]))))
        listener.withLock { $0 = listen() }
    }

    deinit {
        listener.withLock { $0?.cancel() }
        state.withLock { $0.timer?.cancel() }
    }

    // MARK: View and choice

    /// Selects the traffic to show from now on, which may be none.
    /// - Throws: `SourceFailure` naming the missing key; the choice then remains unchanged.
    public func choose(_ choice: TrafficChoice) throws(SourceFailure) {
        var chosen: [TrafficKind: TrafficSource] = [:]
        let isVector = choice.isVector && drawer != nil
        if let mode = choice.flow { chosen[.flow] = try sources.flow(mode, isVector: isVector) }
        if let style = choice.incidents {
            chosen[.incidents] = try sources.incidents(style, isVector: isVector)
        }
        let next = chosen, rules = next.isEmpty ? nil : TrafficRules(providers: sources.providers)
        change { state in
            let before = state.chosen
            if let rules, before.isEmpty { state.schedule.rules = rules }
            state.chosen = next
            let restyled = next.filter { kind, source in
                before[kind].map { !$0.isDrawn(like: source) } ?? false
            }
            // The first request of a model names the view, so it waits for one.
            guard state.viewport != nil || next.isEmpty else { return [] }
            return [.visible(Set(next.keys))] + restyled.keys.map { .restyled($0) }
        }
    }

    /// Sets the current view; the engine loads it and the traffic over it.
    /// - Parameters:
    ///   - layers: All other layers, bottom to top.
    ///   - course: The course of a followed position, as in the engine.
    public func show(_ viewport: Viewport, over layers: [TileLayer], course: Double? = nil) {
        change { state in
            let isMoved = state.viewport != viewport
            let first: [TrafficSchedule.Event] =
                state.viewport == nil ? [.visible(Set(state.chosen.keys))] : []
            state.viewport = viewport
            state.base = layers
            state.course = course
            show(state)
            return first + (isMoved ? [.viewChanged] : [])
        }
    }

    /// Sets whether Rhumb is online.
    public func setOnline(_ isOnline: Bool) { change { _ in [.online(isOnline)] } }

    /// Sets the kinds that may use the network while Rhumb is offline.
    public func setPassThrough(_ features: Set<Feature>) {
        let kinds = TrafficKind.allCases.filter { features.contains($0.feature) }
        change { _ in [.passThrough(Set(kinds))] }
    }

    /// Sets whether the program is stopped or in the background.
    public func setSuspended(_ isSuspended: Bool) { change { _ in [.suspended(isSuspended)] } }

    /// Returns the drawable contents: for each kind of traffic, the tiles of one set, paler with age. Failed
    /// traffic is not drawn; `status` reports it.
    /// - Parameters:
    ///   - layers: All other layers, bottom to top.
    ///   - now: The time of a frame in a sequence; nil for a single frame.
    public func scene(of viewport: Viewport, over layers: [TileLayer], at now: Duration? = nil) -> Scene {
        state.withLock { state in
            let shown = shownLayers(state)
            var scene = engine.board.scene(of: viewport, layers: layers + shown, at: now)
            for at in scene.layers.indices where shown.contains(where: { $0.id == scene.layers[at].layer.id })
            {
                scene.layers[at].gaps.removeAll(where: \.isFailed)
                if scene.layers[at].layer.role == .trafficIncidents {
                    scene.layers[at].signs = signs(in: viewport, state)
                }
            }
            return scene
        }
    }

    /// The traffic layers that are drawn now.
    public var layers: [TileLayer] { state.withLock { shownLayers($0) } }

    /// The status; nil while no traffic is chosen.
    public var status: TrafficStatus? {
        state.withLock { state in
            guard !state.chosen.isEmpty else { return nil }
            let kinds = state.chosen.keys
            let now = clock.now()
            let ages = kinds.compactMap { state.schedule.age($0, at: now) }
            let shownFlow = state.schedule.shown(.flow).flatMap { state.records[$0.number] }
            var status = TrafficStatus(
                age: ages.max { ($0.isStale ? 1 : 0, $0.age) < ($1.isStale ? 1 : 0, $1.age) },
                isLoading: kinds.contains { state.schedule.isLoading($0) },
                problem: kinds.compactMap { state.schedule.problem($0, at: now) }.first,
                legend: shownFlow?.source.legend)
            describe(&status, state)
            return status
        }
    }

    /// Returns when all chosen traffic is loaded or has failed, and the engine is idle. Used for single
    /// pictures.
    public func settled() async {
        await withCheckedContinuation { waiter in
            change { state in
                state.waiters.append(waiter)
                return []
            }
        }
        await engine.settled()
    }

    // MARK: The schedule

    /// Changes the state and performs the actions that follow. The engine is called while the lock is held,
    /// so that calls keep their order.
    func change(_ body: (inout State) -> [TrafficSchedule.Event]) {
        let (isChanged, released) = state.withLock { state in
            var isChanged = false
            for event in body(&state) { isChanged = apply(event, &state) || isChanged }
            while let number = completed(state) {
                isChanged = apply(.setComplete(number), &state) || isChanged
            }
            return (isChanged, takeWaiters(&state))
        }
        for waiter in released { waiter.resume() }
        if isChanged { onChange() }
    }

    /// - Returns: True if there is something new to draw or report.
    private func apply(_ event: TrafficSchedule.Event, _ state: inout State) -> Bool {
        let effects = state.schedule.apply(event, at: clock.now())
        if case .setComplete(let number) = event { state.records[number]?.isWhole = true }
        for effect in effects { perform(effect, &state) }
        let isOther = effects.contains { effect in
            switch effect {
            case .fetch, .swap, .drop: true
            case .poll, .sleep: false
            }
        }
        if isOther { show(state) }
        return isOther || (event != .tick && event != .viewChanged)
    }

    private func perform(_ effect: TrafficSchedule.Effect, _ state: inout State) {
        switch effect {
        case .poll(let isSmall):
            poll(
                isSmall ? nil : state.viewport,
                passesThrough: state.schedule.passesThrough.contains(.incidents))
        case .fetch(let set): state.records[set.number] = record(of: set, state)
        case .swap: break
        case .drop(let set): state.records[set.number] = nil
        case .sleep(let moment):
            state.timer?.cancel()
            state.timer = moment.map(timer)
        }
    }

    private func record(of set: TrafficSet, _ state: State) -> TrafficSetRecord? {
        state.chosen[set.kind].map { source in
            let tiles = TrafficSetTiles(zooms: source.definition.zooms) { [weak self] tile in
                self?.state.withLock { $0.records[set.number]?.cached[tile]?.answer }
            } take: { [weak self] request in
                guard let self else { return _ = request.cancel() }
                begin(request, ofSet: set.number)
            }
            return TrafficSetRecord(set, source, drawing(of: source, state), tiles)
        }
    }

    private func timer(at moment: Duration) -> Task<Void, Never> {
        Task { [weak self, clock] in
            repeat {
                guard (try? await clock.sleep(moment - clock.now())) != nil else { return }
            } while clock.now() < moment
            self?.change { _ in [.tick] }
        }
    }

    /// Returns the number of a set whose last visible tile has arrived; nil if there is none.
    private func completed(_ state: State) -> Int? {
        guard let viewport = state.viewport else { return nil }
        return state.records.values.first { record in
            !record.isWhole && record.isComplete(on: engine.board, in: viewport)
        }?.set.number
    }

    private func takeWaiters(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        guard !state.waiters.isEmpty else { return [] }
        let now = clock.now()
        let isBusy = state.chosen.keys.contains { kind in
            state.schedule.isLoading(kind) && state.schedule.problem(kind, at: now) == nil
                && !isLost(kind, state)
        }
        guard !isBusy else { return [] }
        defer { state.waiters = [] }
        return state.waiters
    }

    /// Returns true if no tile of the loading set is readable.
    private func isLost(_ kind: TrafficKind, _ state: State) -> Bool {
        let set = state.schedule.pending(kind) ?? state.schedule.shown(kind)
        guard let set, let viewport = state.viewport else { return false }
        return state.records[set.number]?.isLost(on: engine.board, in: viewport) ?? false
    }

    /// Updates the sets whenever the engine has received a tile.
    private func listen() -> Task<Void, Never> {
        Task { [weak self, engine] in
            let events = await engine.events()
            // Tiles may have arrived before the first listener.
            self?.change { _ in [] }
            for await event in events {
                switch event {
                case .tileShown(let key), .tileAbsent(let key), .tileFailed(let key, _):
                    if key.layer.hasPrefix("traffic.") { self?.change { _ in [] } }
                case .idle: self?.change { _ in [] }
                case .ready, .cameraChanged, .tileIncomplete: break
                }
                if self == nil { return }
            }
        }
    }

    // MARK: Layers

    func shownLayers(_ state: State) -> [TileLayer] {
        let now = clock.now()
        return TrafficKind.allCases.compactMap { kind in
            guard let set = state.schedule.shown(kind) else { return nil }
            var layer = state.records[set.number]?.layer
            layer?.opacity = state.schedule.age(kind, at: now)?.strength ?? 1
            return layer
        }
    }

    func show(_ state: State) {
        guard let viewport = state.viewport else { return }
        engine.show(viewport, layers: state.base + state.records.values.map(\.layer), course: state.course)
    }
}

/// The drawing of vector tiles, and their other contents.
extension TrafficTiles {
    /// Draws vector tiles in a style that draws traffic, or in the default style, without requesting them
    /// again.
    /// - Parameter style: The user's style; nil for the default.
    public func setStyle(_ style: Style?) {
        change { state in
            guard style != nil || state.style != nil else { return [] }
            state.style = style
            for (number, record) in state.records {
                if let drawing = drawing(of: record.source, state) {
                    state.records[number]?.draw(by: drawing)
                }
            }
            show(state)
            return []
        }
    }

    /// Returns the drawing of a source's tiles; nil for images.
    func drawing(of source: TrafficSource, _ state: State) -> (any TileDrawing)? {
        source.isVector ? drawer?.drawing(of: source, in: state.style) : nil
    }

    /// Returns the marks of the incidents shown in a view.
    func signs(in viewport: Viewport, _ state: State) -> [TrafficSign] {
        let shown = state.schedule.shown(.incidents).flatMap { state.records[$0.number] }
        return shown?.signs(in: viewport) ?? []
    }

    func describe(_ status: inout TrafficStatus, _ state: State) {
        let marked = Set(
            state.viewport.map { view in
                signs(in: view, state).filter { view.shows($0.place) }.map(\.category)
            } ?? [])
        status.categories = TrafficIncident.Category.allCases.filter(marked.contains)
        if state.chosen[.flow]?.isVector == true, state.style?.source(ofTraffic: .flow) != nil {
            status.legend = nil
        }
        status.described = shownLayers(state).reversed().filter(\.isDescribed).map(\.id)
        // New sets count too, because they may never be shown.
        let sets = state.records.values
        status.leftOut = TrafficTiles.leftOut(
            tiles: sets.reduce(0) { $0 + $1.damaged.count }, things: sets.reduce(0) { $0 + $1.unknownCount })
    }

    private static func leftOut(tiles: Int, things: Int) -> String? {
        let parts = [
            tiles > 0 ? "\(AmountText.count(tiles, "tile")) damaged" : nil,
            things > 0
                ? "\(AmountText.count(things, "feature")) damaged, or without a level or kind"
                : nil,
        ].compactMap(\.self)
        return parts.isEmpty ? nil : "traffic skipped: " + parts.joined(separator: ", ")
    }
}

extension Viewport {
    /// Returns true if a position is in view, in the copy of the world nearest to the centre.
    fileprivate func shows(_ place: WorldPoint) -> Bool {
        let box = box, x = place.x + (camera.center.x - place.x).rounded()
        return (box.minX...box.maxX).contains(x) && (box.minY...box.maxY).contains(place.y)
    }
}
