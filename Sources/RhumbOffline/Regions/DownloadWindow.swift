internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore
internal import Synchronization

/// The tiles of one region part in flight, limited by the source's policy.
struct DownloadWindow {
    /// An event of the tiles.
    enum News: Sendable {
        case settled(TileID, TileOutcome)
        /// The request failed for a reason that may affect other tiles.
        case held(TileID, SupplyFailure)
        /// The previous results were written.
        case wrote
        /// Results are due to be written.
        case due
    }

    /// The number of tiles that start together.
    let batch: Int
    private let room: Int
    private let load: TileDownload
    private let requests = RequestCount()
    private let bag: TaskBag
    private let continuation: AsyncStream<News>.Continuation
    private var iterator: AsyncStream<News>.Iterator
    private var count = 0
    private var isReminded = false

    /// - Parameter earlier: The stored edition of the same source; nil if there is none.
    init(_ work: RegionDownload, _ part: RegionDownload.Part, earlier: TileOrigin?) {
        var pass = work.pass
        if part.acceptsExpired, !pass.isRefresh { pass.acceptsExpired = true }
        load = TileDownload(
            store: work.store, cache: work.cache, supply: part.supply, earlier: earlier,
            tileValidator: part.tileValidator,
            selection: part.selection, pass: pass, clock: work.clock)
        bag = work.loads
        // Twice the connection limit, so that a free connection never idles.
        let requests = max(part.supply.policy.connections, 1) * 2
        batch = part.supply.batch > 1 ? part.supply.batch : max(requests / 4, 1)
        room = part.supply.batch > 1 ? batch * 2 : requests
        let (stream, continuation) = AsyncStream.makeStream(of: News.self)
        self.continuation = continuation
        iterator = stream.makeAsyncIterator()
    }

    var hasRoom: Bool { count + batch <= room }

    mutating func start(_ tiles: [TileID]) {
        count += tiles.count
        let number = bag.nextNumber()
        bag.add(
            number,
            Task.detached { [load, requests, continuation, bag] in
                await load.run(tiles, requests) { continuation.yield($0) }
                bag.remove(number)
            })
    }

    /// Returns the next event, waiting for it if necessary; nil if no tile is in flight.
    mutating func next() async -> News? {
        guard count > 0 else { return nil }
        let news = await iterator.next(isolation: nil)
        switch news {
        case .due: isReminded = false
        case .settled, .held: count -= 1
        case .wrote, nil: break
        }
        return news
    }

    /// Posts `due` after a time, so that results are written even if no other event arrives.
    mutating func remind(after time: Duration, _ clock: EngineClock) {
        guard !isReminded else { return }
        isReminded = true
        Task.detached { [continuation] in
            try? await clock.sleep(time)
            continuation.yield(.due)
        }
    }

    /// Returns the number of requests and of transferred bytes since the last call.
    func takeRequests() -> (requests: Int, bytes: Int) { requests.take() }

    /// A function that posts `wrote`; called after each write.
    var noteWriting: @Sendable () -> Void { { [continuation] in continuation.yield(.wrote) } }

    func finish() {
        bag.cancelAll()
        continuation.finish()
    }
}

/// The numbers of requests and of transferred bytes that have not been counted yet.
final class RequestCount: Sendable {
    private let count = Atomic(0)
    private let bytes = Atomic(0)

    func add() { count.add(1, ordering: .relaxed) }
    func add(bytes: Int) { self.bytes.add(bytes, ordering: .relaxed) }
    func take() -> (requests: Int, bytes: Int) {
        (count.exchange(0, ordering: .relaxed), bytes.exchange(0, ordering: .relaxed))
    }
}

/// Loads tiles from the stores if they suffice, otherwise from the supply.
struct TileDownload: Sendable {
    let store: RegionStore
    let cache: (any ResponseStore)?
    let supply: any RegionSupply
    let earlier: TileOrigin?
    let tileValidator: TileValidator
    let selection: LayerFilter
    let pass: SyncMode
    let clock: EngineClock
    let arrivals = Arrivals()

    /// The stored responses of a tile to revalidate.
    private struct StoredCopies: Sendable {
        var stored: StoredResponse?
        var cached: StoredResponse?
        /// The response from the previous edition at the same address.
        var earlier: StoredResponse?

        var held: StoredResponse? { stored ?? cached ?? earlier }
    }

    /// Loads tiles, and reports each of them once. The stores are searched for all of them in one turn on
    /// another thread, because a turn per tile would cost more than the search.
    func run(
        _ tiles: [TileID], _ requests: RequestCount, post: @escaping @Sendable (DownloadWindow.News) -> Void
    ) async {
        // The stores may be slow.
        let copies = await withTaskExecutorPreference(BlockingExecutor.shared) { await stored(tiles, post) }
        let batch = max(supply.batch, 1)
        await withDiscardingTaskGroup { group in
            for first in stride(from: 0, to: copies.count, by: batch) {
                let part = copies[first..<min(first + batch, copies.count)]
                group.addTask { await request(part, requests, post) }
            }
        }
    }

    private func request(
        _ copies: ArraySlice<(tile: TileID, found: StoredCopies)>, _ requests: RequestCount,
        _ post: @escaping @Sendable (DownloadWindow.News) -> Void
    ) async {
        let waiting = Waiting(Dictionary(uniqueKeysWithValues: copies.map { ($0.tile, $0.found) }))
        await supply.load(copies.map { SupplyRequest($0.tile, held: $0.found.held) }) { news in
            switch news {
            case .requested: requests.add()
            case .received(let bytes): requests.add(bytes: bytes)
            case .loaded(let tile, let outcome):
                if let found = waiting.take(tile) { post(self.news(tile, outcome, found)) }
            }
        }
        for tile in waiting.rest { post(.held(tile, SupplyFailure(.cancelled, "cancelled"))) }
    }

    /// Looks up tiles in the stores.
    /// - Returns: The tiles to request.
    private func stored(
        _ tiles: [TileID], _ post: @Sendable (DownloadWindow.News) -> Void
    ) async -> [(tile: TileID, found: StoredCopies)] {
        let now = clock.date(), responses = store.responses(for: tiles, of: supply.origin)
        var copies: [(tile: TileID, found: StoredCopies)] = []
        for (tile, response) in zip(tiles, responses) {
            switch await lookUp(for: tile, response, now) {
            case .settled(let outcome): post(.settled(tile, outcome))
            case .ask(let found): copies.append((tile, found))
            }
        }
        return copies
    }

    /// The requested tiles for which the supply has not reported a result.
    private final class Waiting: Sendable {
        private let copies: Mutex<[TileID: StoredCopies]>

        init(_ copies: [TileID: StoredCopies]) { self.copies = Mutex(copies) }

        func take(_ tile: TileID) -> StoredCopies? { copies.withLock { $0.removeValue(forKey: tile) } }

        var rest: [TileID] { copies.withLock { Array($0.keys) } }
    }

    private enum Lookup {
        case settled(TileOutcome)
        case ask(StoredCopies)
    }

    /// - Parameter response: The response that regions store; nil if there is none.
    private func lookUp(for tile: TileID, _ response: StoredResponse?, _ now: UnixSeconds) async -> Lookup {
        let key = ResourceKey.tile(origin: supply.origin, tile)
        // A damaged tile is fetched again without validators and not taken from the cache, which may have the
        // same body.
        if let response, response.isInvalidated { return .ask(StoredCopies()) }
        let stored = shown(response, tile)
        if let stored, await suffices(stored, .region, now) {
            if let less = selection.selected(stored, tile) { return .settled(.reused(less)) }
            return .settled(.present(bytes: stored.body?.count ?? 0, isAbsent: stored.body == nil))
        }
        let cached = shown(cache?.response(for: key), tile)
        if let cached, !pass.isRefresh, await suffices(cached, .cache, now) {
            return .settled(.reused(selected(cached, tile)))
        }
        if stored != nil || cached != nil {
            return .ask(StoredCopies(stored: stored, cached: stored == nil ? cached : nil))
        }
        return .ask(StoredCopies(earlier: answer(of: tile)))
    }

    /// Returns the tile of the previous edition if its validators apply to the new one.
    private func answer(of tile: TileID) -> StoredResponse? {
        guard let earlier, earlier.edition.addresses == supply.origin.edition.addresses else { return nil }
        // The hashes of two signed lists decide whether the tile has changed, see `TilePatch`.
        return intact(
            store.response(for: .tile(origin: earlier, tile)).flatMap { $0.isInvalidated ? nil : $0 })
    }

    /// Returns a stored response; nil if it can't be drawn or lacks layers that the region needs.
    /// - Parameter tile: The tile whose signed hash the response must have; nil for none.
    private func intact(_ response: StoredResponse?, of tile: TileID? = nil) -> StoredResponse? {
        guard let response, !response.isDamaged, selection.suffices(response) else { return nil }
        let plain = response.body.map(Self.plain)
        guard plain.flatMap(tileValidator.fault) == nil else { return nil }
        return tile.flatMap { supply.fault(of: $0, plain) } == nil ? response : nil
    }

    /// Returns a body unpacked once for all checks; unchanged if it can't be unpacked.
    private static func plain(_ body: [UInt8]) -> [UInt8] {
        (try? Gzip.unwrapped(body, limit: VectorTile.sizeLimit)) ?? body
    }

    /// Returns an intact response that the source may have sent: the cache and other regions check no
    /// signatures. Tiles without some of their layers were checked before these were removed.
    private func shown(_ response: StoredResponse?, _ tile: TileID) -> StoredResponse? {
        intact(response, of: response?.omits.isEmpty == true ? tile : nil)
    }

    /// Returns true if a stored tile needs no request.
    private func suffices(
        _ response: StoredResponse, _ location: StoreMatch.Location, _ now: UnixSeconds
    ) async -> Bool {
        var match = StoreMatch(response, location)
        // `selection` has checked that the response contains the layers of the region.
        match.response.omits = []
        guard case .use = CacheRules.decide(match, pass.mode, .available, at: now) else { return false }
        return pass.acceptsExpired ? true : await supply.isCurrent(response)
    }

    private func news(
        _ tile: TileID, _ outcome: Result<SupplyResponse, SupplyFailure>, _ copies: StoredCopies
    ) -> DownloadWindow.News {
        switch outcome {
        case .success(.answer(let response)):
            let plain = response.body.map(Self.plain)
            if plain != nil { arrivals.note() }
            if pass.isRefresh, plain == nil, copies.stored?.body != nil, let failure = arrivals.noteGone() {
                return .held(tile, failure)
            }
            if let fault = supply.fault(of: tile, plain) {
                return .held(tile, SupplyFailure(.refused, fault))
            }
            if let fault = plain.flatMap(tileValidator.fault) {
                return .held(tile, SupplyFailure(.damaged, "\(fault)"))
            }
            return .settled(tile, self.outcome(.answer(response), copies, tile, plain: plain))
        case .success(.notStorable):
            return .held(tile, SupplyFailure(.server, "the server forbids storing it (no-store)"))
        case .success(let supplied):
            if copies.held?.body != nil { arrivals.note() }
            return .settled(tile, self.outcome(supplied, copies, tile))
        case .failure(let failure): return .held(tile, failure)
        }
    }

    private func outcome(
        _ supplied: SupplyResponse, _ copies: StoredCopies, _ tile: TileID, plain: [UInt8]? = nil
    ) -> TileOutcome {
        switch supplied {
        case .notStorable: return .failed(reason: "the server forbids storing it (no-store)")
        case .answer(let response):
            // The server no longer has the tile. A downloaded tile stays until the user refreshes the region.
            if response.body == nil, let body = copies.stored?.body {
                return pass.isRefresh ? .removed(response) : .present(bytes: body.count, isAbsent: false)
            }
            return .fetched(selection.selected(response, tile, plain: plain) ?? response)
        case .carried(let response): return .carried(selection.selected(response, tile) ?? response)
        case .unchanged(let freshness, let headers):
            var response = copies.held ?? StoredResponse(body: nil, freshness: freshness)
            response.freshness = freshness
            response.headers = headers
            response.isInvalidated = false
            let less = selection.selected(response, tile)
            if less == nil, copies.stored != nil {
                return .unchanged(freshness, headers, bytes: response.body?.count)
            }
            return copies.cached == nil
                ? .carried(less ?? response) : .reused(less ?? selected(response, tile))
        }
    }

    /// Returns a response of the cache, which stores tiles unpacked, as regions store it.
    private func selected(_ cached: StoredResponse, _ tile: TileID) -> StoredResponse {
        if let less = selection.selected(cached, tile) { return less }
        var packed = cached
        packed.body = cached.body.map(TileBody.packed)
        return packed
    }
}

/// Remembers whether a source has sent any tile. Until then, 404 for a stored tile may mean that the server
/// has moved.
final class Arrivals: Sendable {
    private let state = Mutex((any: false, gone: 0))
    /// The number of such responses that end an update. Each tile is requested twice, because others that are
    /// in flight may arrive meanwhile.
    private static let limit = 40

    func note() { state.withLock { $0.any = true } }

    /// Notes that the server no longer has a stored tile.
    /// - Returns: The failure if it has sent no tile yet; nil if the tile is gone.
    func noteGone() -> SupplyFailure? {
        state.withLock { state in
            guard !state.any else { return nil }
            state.gone += 1
            return SupplyFailure(
                state.gone > Arrivals.limit ? .refused : .damaged,
                "the server has none of the tiles that it had; the stored ones stay")
        }
    }
}
