public import RhumbCore
internal import Synchronization

/// An engine that moves tiles from data sources to the board from which they are drawn. It requests the tiles
/// of a view from the middle outwards, drops those that leave the view before they start, and decodes each
/// tile once. It remembers absent tiles, and failed ones until a retry may help.
///
/// Set the view with `show(_:layers:)`, and draw `board.scene(of:layers:)` whenever `events()` reports a
/// change. Layers are identified by their `id`; after replacing the source of a layer, call `reload(layer:)`.
public actor TileEngine {
    /// The decoded tiles, readable from any thread.
    public nonisolated let board: TileBoard

    let decoder: any ImageDecoder
    let fetcher: (any TileFetcher)?
    let clock: EngineClock
    private let desired = Mutex<View?>(nil)
    /// True if failed tiles must be requested again.
    let hasNetworkReturned = Atomic(false)

    private(set) var view: View?
    /// The tiles that the view needs, ranked by distance from the middle.
    var wanted: [TileKey: Int] = [:]
    /// The wanted tiles that only replace others whose server fails. They are read from the stores.
    private(set) var substitutes: Set<TileKey> = []
    /// The tiles that the view does not need yet. They are drawn when nothing else waits.
    var ahead: Set<TileKey> = []
    private var lifecycles: [TileKey: TileLifecycle] = [:]
    var queued: Set<TileKey> = []
    var work = WorkInFlight()
    private let listeners = Broadcast<EngineEvent>()
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private(set) var isIdle = true
    /// The tiles in view that are being revalidated.
    var refreshing: [TileKey: Task<Void, Never>] = [:]
    var refreshes = RefreshSchedule()
    var refreshTimer: Task<Void, Never>?
    /// The tiles that are likely to be viewed next, the likeliest first, and the requests for them.
    var prefetchQueue: [TileKey] = []
    var prefetching: [TileKey: Task<Void, Never>] = [:]
    var prefetchLimits: PrefetchLimits
    var prefetchBytes = 0
    var nextPrefetch = Duration.zero
    var motion = (x: 0.0, y: 0.0)
    /// True if the view moves sideways or back relative to its previous move.
    var hasTurned = false
    /// The number of the current view. Tiles of the newest view come first.
    private(set) var viewNumber = 0

    struct View: Sendable {
        var viewport: Viewport
        var layers: [TileLayer]
        var course: Double?
    }

    /// - Parameters:
    ///   - decoder: Decodes the images of tiles.
    ///   - fetcher: Fetches tiles from URLs. Without a fetcher, such tiles fail with an explanation.
    ///   - board: The memory for decoded tiles.
    ///   - clock: The clock; tests pass their own.
    ///   - prefetch: The limits of prefetching.
    public init(
        decoder: any ImageDecoder, fetcher: (any TileFetcher)? = nil, board: TileBoard = TileBoard(),
        clock: EngineClock = .machine, prefetch: PrefetchLimits = PrefetchLimits()
    ) {
        self.decoder = decoder
        self.fetcher = fetcher.map { SharedFetcher($0, clock: clock) }
        self.board = board
        self.clock = clock
        prefetchLimits = prefetch
    }

    deinit { refreshTimer?.cancel() }

    /// Sets the current view, from any thread and without waiting; the latest call wins.
    /// - Parameter course: The direction of a followed position, in degrees clockwise from north; nil to
    ///   predict the next view by the movement of the view.
    public nonisolated func show(_ viewport: Viewport, layers: [TileLayer], course: Double? = nil) {
        desired.withLock { $0 = View(viewport: viewport, layers: layers, course: course) }
        Task { await adopt() }
    }

    /// Returns when every tile of the last `show` is loaded, absent or failed. A pending retry does not
    /// count.
    public func settled() async {
        adopt()
        if isIdle { return }
        await withCheckedContinuation { waiters.append($0) }
    }

    /// Returns the events from now on. Several listeners are allowed; a slow one loses the oldest events
    /// beyond a thousand.
    public func events() -> AsyncStream<EngineEvent> {
        listeners.stream(startingWith: view == nil ? nil : .ready, buffering: .bufferingNewest(1000))
    }

    /// Discards a layer's tiles and failures, and requests those in view again from its source. A tile with
    /// an address is requested from the server, conditionally if a store has it; if that fails, the stored
    /// tile is shown as stale. Tiles out of view are requested again when they come into view.
    public func reload(layer id: TileLayer.ID) { reload { $0 == id } }

    /// Reloads all matching layers of the view; see `reload(layer:)`.
    public func reload(where isMeant: (TileLayer.ID) -> Bool) {
        for layer in view?.layers ?? [] where isMeant(layer.id) { fetcher?.reload(layer) }
        reread(where: isMeant)
    }

    /// Discards the tiles and failures of all matching layers, and reads those in view again: from the
    /// stores, or from the source if no store has a usable tile.
    public func reread(where isMeant: (TileLayer.ID) -> Bool) {
        for layer in view?.layers ?? [] where isMeant(layer.id) {
            layer.forgetTiles()
            work.outdate(layer.id)
        }
        dropRefreshes(of: refreshing.keys.filter { isMeant($0.layer) })
        for key in board.forgetLayers(where: isMeant) { forget(key) }
        plan()
    }

    /// Draws the pictures of a layer again because their contents changed; the shown ones stay until then.
    public func redraw(layer id: TileLayer.ID) {
        work.outdate(id)
        for key in board.forgetTiles(where: { $0.layer == id && wanted[$0] == nil }) {
            apply(.forgotten, to: key)
        }
        for key in wanted.keys where key.layer == id { apply(.forgotten, to: key) }
        plan()
    }

    func adopt() {
        defer {
            if hasNetworkReturned.exchange(false, ordering: .acquiringAndReleasing) { forgiveFailures() }
        }
        guard let latest = desired.withLock({ $0.take() }) else { return }
        let previous = view
        view = latest
        viewNumber += 1
        let present = Set(latest.layers.map(\.id))
        for key in board.forgetLayers(where: { !present.contains($0) }) { forget(key) }
        work.forgetQueues(except: present)
        if previous == nil { listeners.send(.ready) }
        if previous?.viewport != latest.viewport { listeners.send(.cameraChanged(latest.viewport)) }
        if let course = latest.course {
            noteMotion(along: course, in: latest.viewport)
        } else if let old = previous?.viewport {
            noteMotion(from: old, to: latest.viewport)
        }
        plan()
        planPrefetch()
        continuePrefetch()
    }

    /// Sets the limits of prefetching.
    public func limitPrefetch(to limits: PrefetchLimits) { prefetchLimits = limits }

    // MARK: Wanted tiles

    func plan() {
        guard let view else { return }
        var wishes = Wishes()
        for layer in view.layers {
            for (rank, placed) in layer.cover(of: view.viewport).enumerated() {
                want(placed.tile, of: layer, rank: rank, in: &wishes)
                redraw(placed, of: layer, ifNotDrawnFor: view.viewport)
            }
        }
        for key in substitutes where wishes.isRequested(key) && board.state(of: key)?.hasFailed == true {
            forget(key)
        }
        substitutes = wishes.substitutes
        var fresh = wishes.ranks
        ahead = ahead.filter { fresh[$0] != nil && board.mark(of: $0)?.drawnPart != nil }
        for key in drawnAhead(of: view) where fresh[key] == nil {
            fresh[key] = fresh.count
            ahead.insert(key)
        }
        let left = wanted.keys.filter { fresh[$0] == nil }
        if left.count > 0 || wanted.count != fresh.count { protect(fresh.keys, of: view.layers) }
        wanted = fresh
        board.use(fresh.keys)
        for key in left { apply(.unwanted, to: key) }
        dropRefreshes(of: left)
        for key in fresh.keys { apply(.wanted, to: key) }
        startJobs()
        startRefreshes()
        noteIdleness()
    }

    private func protect(_ keys: some Sequence<TileKey>, of layers: [TileLayer]) {
        fetcher?.protect(
            keys.compactMap { key in
                layers.first { $0.id == key.layer }.map { WantedTile(layer: $0, tile: key.tile) }
            })
    }

    /// The number of zooms between a failed tile and the stored descendants that replace it.
    static let descendantReach = 2

    /// Requests a tile. If it has no picture of its own, its nearest ancestor replaces it, and if it failed,
    /// its descendants do as well.
    private func want(
        _ tile: TileID, of layer: TileLayer, rank: Int, isStoredOnly: Bool = false, in wishes: inout Wishes
    ) {
        let key = TileKey(layer: layer.id, tile: tile)
        wishes.add(key, rank: rank, isStoredOnly: isStoredOnly)
        guard layer.hasFallback, let view, let state = board.state(of: key), state.needsSubstitute else {
            return
        }
        let isStoredOnly = isStoredOnly || state.hasFailedOnline
        let zoom = layer.tileZoom(at: view.viewport.camera.zoom)
        if tile.zoom <= zoom, let up = tile.parent, up.zoom >= layer.sourceZooms.lowerBound {
            want(up, of: layer, rank: rank, isStoredOnly: isStoredOnly, in: &wishes)
        }
        let deepest = min(zoom + Self.descendantReach, layer.sourceZooms.upperBound)
        guard state.hasFailed, layer.hillGround == nil, (zoom..<max(deepest, zoom)).contains(tile.zoom) else {
            return
        }
        for child in tile.children {
            want(child, of: layer, rank: rank, isStoredOnly: isStoredOnly, in: &wishes)
        }
    }

    /// Requests the substitutes of a tile in view that turned out to be absent or failed.
    private func wantSubstitutes(of key: TileKey) {
        guard let rank = wanted[key], let layer = view?.layers.first(where: { $0.id == key.layer }) else {
            return
        }
        var wishes = Wishes()
        want(key.tile, of: layer, rank: rank, isStoredOnly: substitutes.contains(key), in: &wishes)
        for (key, rank) in wishes.ranks where wanted[key] == nil {
            wanted[key] = rank
            if !wishes.isRequested(key) { substitutes.insert(key) }
            apply(.wanted, to: key)
        }
        startJobs()
    }

    // MARK: Lifecycles

    func apply(
        _ event: TileLifecycle.Event, to key: TileKey, storing outcome: (TileState, TileMark)? = nil
    ) {
        var life = lifecycles[key] ?? .idle
        let effects = life.apply(event)
        lifecycles[key] = life == .idle ? nil : life
        for effect in effects { perform(effect, for: key, storing: outcome) }
    }

    private func perform(
        _ effect: TileLifecycle.Effect, for key: TileKey, storing outcome: (TileState, TileMark)?
    ) {
        switch effect {
        case .enqueue: queued.insert(key)
        case .dequeue: queued.remove(key)
        case .cancel(let job): abandon(job)
        case .store, .storeFailure: if let outcome { replace(outcome.0, outcome.1, for: key) }
        case .scheduleRetry(let delay): scheduleRetry(of: key, after: delay)
        }
    }

    /// Stores the state of a tile, and reports it.
    func replace(_ state: TileState, _ mark: TileMark, for key: TileKey) {
        for gone in board.store(state, mark, for: key) { forget(gone) }
        switch state {
        case .ready:
            listeners.send(.tileShown(key))
            if let omission = mark.omission {
                listeners.send(.tileIncomplete(key, omission))
                // When the network is back, all incomplete tiles are made again.
                if omission.reason != .offline { scheduleCompletion(of: key, after: omission.retryAfter) }
            }
        case .failed(let failure):
            if !substitutes.contains(key) { listeners.send(.tileFailed(key, failure)) }
        case .absent: listeners.send(.tileAbsent(key))
        }
        if state.needsSubstitute { wantSubstitutes(of: key) }
    }

    func post(_ event: EngineEvent) { listeners.send(event) }

    func forget(_ key: TileKey) {
        board.forget(key)
        apply(.forgotten, to: key)
    }

    private func scheduleRetry(of key: TileKey, after delay: Duration) {
        Task { [weak self, clock] in
            try? await clock.sleep(delay)
            await self?.retry(key)
        }
    }

    private func retry(_ key: TileKey) {
        let isWanted = wanted[key] != nil
        if !isWanted { board.forget(key) }
        apply(.retryDue(isWanted: isWanted), to: key)
        startJobs()
        noteIdleness()
    }

    /// Makes a tile from heights of a server again, because coarser ones replaced those that failed.
    private func scheduleCompletion(of key: TileKey, after delay: Duration) {
        guard view?.layers.first(where: { $0.id == key.layer })?.hillGround?.isFromWeb == true else { return }
        Task { [weak self, clock] in
            try? await clock.sleep(delay)
            await self?.complete(key)
        }
    }

    private func complete(_ key: TileKey) {
        guard board.mark(of: key)?.omission != nil else { return }
        guard wanted[key] != nil else { return forget(key) }
        apply(.forgotten, to: key)
        apply(.wanted, to: key)
        startJobs()
        noteIdleness()
    }

    // MARK: Idleness

    /// Reports once when the last tile in view has arrived, and resumes the callers that wait for it.
    func noteIdleness() {
        let isBusy = isViewAwaited || !refreshing.isEmpty
        let hasFallenIdle = !isBusy && !isIdle
        isIdle = !isBusy
        if hasFallenIdle { listeners.send(.idle) }
        guard isIdle else { return }
        for waiter in waiters { waiter.resume() }
        waiters = []
        completePictures()
        continuePrefetch()
    }

    /// True if a tile in view is loading.
    var isViewAwaited: Bool {
        queued.contains { !ahead.contains($0) }
            || work.keys.contains { wanted[$0] != nil && !ahead.contains($0) }
    }
}

/// The tiles that a view needs.
private struct Wishes {
    /// The tiles, ranked by distance from the middle.
    private(set) var ranks: [TileKey: Int] = [:]
    /// Those that are only read from the stores.
    private(set) var substitutes: Set<TileKey> = []

    mutating func add(_ key: TileKey, rank: Int, isStoredOnly: Bool) {
        if !isStoredOnly { substitutes.remove(key) } else if ranks[key] == nil { substitutes.insert(key) }
        ranks[key] = min(ranks[key] ?? rank, rank)
    }

    /// Returns true if the tile is requested if it is not stored.
    func isRequested(_ key: TileKey) -> Bool { ranks[key] != nil && !substitutes.contains(key) }
}

/// An event of the engine; see `TileEngine.events()`.
public enum EngineEvent: Sendable {
    /// The engine has layers and a view, and is running.
    case ready
    case cameraChanged(Viewport)
    /// A tile in view can be drawn now.
    case tileShown(TileKey)
    /// A tile in view can be drawn without some of its parts.
    case tileIncomplete(TileKey, TileFailure)
    /// A tile in view is known not to exist.
    case tileAbsent(TileKey)
    /// A tile in view failed.
    case tileFailed(TileKey, TileFailure)
    /// No work is in flight any more.
    case idle
}
