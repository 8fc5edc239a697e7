public import RhumbCore
public import RhumbEngine
internal import Synchronization

/// Fetches tiles over the air through a store of answers, by the rules of RFC 9111 for a private
/// cache, with one documented departure: where no server can be reached, whatever is stored is
/// shown and marked, also what must be asked about first.
public final class CachedTileFetcher: TileFetcher {
    private let client: HTTPClient
    private let stores: @Sendable () -> Stores
    /// Whether anything was named that is on screen: from then on also that nothing is.
    private let hasSpared = Mutex(false)
    private let renewsRegions: Bool
    private let onRenewal = Mutex<@Sendable (TileWant) -> Void>({ _ in })
    private let layers: Mutex<LayerConfiguration>
    /// The editions at hand of the sources that are looked at.
    let editions = Mutex(EditionChoice())
    let reloads = Mutex(Reloads())
    package let date: @Sendable () -> UnixSeconds

    /// Where answers are kept; a cache of nil: nowhere. Regions are looked into after it.
    public typealias Stores = (cache: (any ResponseStore)?, regions: (any PinnedResponses)?)

    /// - Parameters:
    ///   - stores: asked for whenever something is looked up that may be kept; it may wait until they are open.
    ///   - renewsRegions: whether what is fetched also takes the place of what regions hold.
    public init(
        _ client: HTTPClient, stores: @escaping @Sendable () -> Stores, renewsRegions: Bool = false,
        configuration: LayerConfiguration = LayerConfiguration(),
        date: @escaping @Sendable () -> UnixSeconds = { .now }
    ) {
        self.client = client
        self.stores = stores
        self.renewsRegions = renewsRegions
        layers = Mutex(configuration)
        self.date = date
    }

    /// - Parameters:
    ///   - store: nil: nothing is kept.
    ///   - regions: looked into after the store.
    ///   - renewsRegions: whether what is fetched also takes the place of what regions hold.
    public convenience init(
        _ client: HTTPClient, store: (any ResponseStore)? = nil, regions: (any PinnedResponses)? = nil,
        renewsRegions: Bool = false,
        configuration: LayerConfiguration = LayerConfiguration(),
        date: @escaping @Sendable () -> UnixSeconds = { .now }
    ) {
        self.init(client, stores: { (store, regions) }, renewsRegions: renewsRegions, configuration: configuration, date: date)
    }

    var store: (any ResponseStore)? { stores().cache }
    var regions: (any PinnedResponses)? { stores().regions }

    /// What is allowed; a change holds for the next request.
    public var configuration: LayerConfiguration {
        get { layers.withLock { $0 } }
        set { layers.withLock { $0 = newValue } }
    }

    /// Calls a function with each tile whose response may have renewed a region's.
    public func afterRenewal(_ body: @escaping @Sendable (TileWant) -> Void) { onRenewal.withLock { $0 = body } }

    private func renew(_ key: ResourceKey, with response: StoredResponse, _ want: TileWant) {
        guard renewsRegions, let regions else { return }
        regions.renew(key, with: response, at: date())
        onRenewal.withLock(\.self)(want)
    }

    // MARK: What is kept

    /// Keeps a tile that a source gave itself.
    public func keep(_ answer: TileAnswer, for want: TileWant) {
        guard let store, let key = ResourceKey(want) else { return }
        reloads.withLock { $0.end($0.pending(key), of: key) }
        let now = date()
        let freshness = Freshness(headers: [:], requestedAt: now, receivedAt: now, policy: want.storagePolicy)
        switch answer {
        case .absent: keep(StoredResponse(body: nil, freshness: freshness), for: key, want, in: store)
        case .bitmap(.encoded(let bytes)):
            keep(StoredResponse(body: bytes, freshness: freshness), for: key, want, in: store)
        case .bitmap: break
        }
    }

    private func keep(
        _ response: StoredResponse, for key: ResourceKey, _ want: TileWant, in store: any ResponseStore
    ) {
        if case .tile(let origin, _) = key, want.layer.cacheSizeLimit > 0 {
            store.limit(origin, to: want.layer.cacheSizeLimit)
        }
        store.keep(response, for: key)
    }

    /// Marks the stored tiles of a layer as outdated, for this process.
    public func reload(_ layer: TileLayer) {
        guard case .tile(let origin, _)? = ResourceKey(TileWant(layer: layer, tile: .world)) else { return }
        reloads.withLock { $0.begin(origin) }
    }

    /// Forgets a tile whose body is no picture.
    public func discard(_ want: TileWant) {
        if let key = ResourceKey(want) { store?.forget(key) }
    }

    /// Names what is on screen: it is not removed to make room.
    public func spare(_ wants: [TileWant]) {
        let keys = Set(wants.compactMap { ResourceKey($0) })
        // Where nothing may be kept of what is looked at, the stores are not needed.
        guard hasSpared.withLock({ $0 }) || !keys.isEmpty else { return }
        hasSpared.withLock { $0 = true }
        store?.spare(keys)
        chooseEditions(of: wants)
    }

    /// True if tiles of the layer may be fetched before they are in view: those that can be cached until then.
    public func mayPrefetch(_ layer: TileLayer) -> Bool {
        guard ResourceKey(TileWant(layer: layer, tile: .world)) != nil else { return false }
        return layer.policy.lookAhead && !client.isOffline && configuration.looksAhead(for: layer.feature) && store != nil
    }

    // MARK: Over the air

    func mayUseNetwork(_ want: TileWant) -> Bool {
        let configuration = configuration
        if configuration.neverOverTheAir.contains(want.layer.feature) || !want.layer.policy.viewing { return false }
        return !client.isOffline || configuration.passThroughFeatures.contains(want.layer.feature)
    }

    /// Fetches a tile by way of the stores.
    public func fetch(
        _ url: String, for want: TileWant, holdsKept: Bool
    ) async throws(TileFailure) -> FetchedTile {
        guard !configuration.neverOverTheAir.contains(want.layer.feature) else {
            throw TileFailure(
                .refused, "\(want.layer.info.name) \(want.tile): \(want.layer.feature) is never downloaded, "
                    + "and neither the cache nor a region has it", retryAfter: .seconds(600))
        }
        // Only regions request tiles of such a source: a tile that none of them holds doesn't exist for the map.
        guard want.layer.policy.viewing else { return .new(.absent, .current) }
        let key = ResourceKey(want), reload = reloads.withLock { $0.pending(key) }
        var holding = Holding(isShown: holdsKept)
        if let key { holding = await BlockingExecutor.run { self.holding(key, want, isShown: holdsKept) } }
        // Another process may have stored or renewed it since it was looked for.
        if reload == nil, let key, let stored = holding.stored, stored.state(at: date()) == .fresh {
            renew(key, with: stored, want)
            return stored.fetched(at: date())
        }
        if !want.isSeen { await store?.waitForRoom() }
        do throws(TileFailure) {
            let fetched = if let source = want.layer.source as? any PartTileSource { try await ask(source, want) } else {
                try await ask(url, want, holding)
            }
            reloads.withLock { $0.end(reload, of: key) }
            return fetched
        } catch {
            let isOutdated = reload != nil || holding.stored?.isInvalidated == true
            guard !holdsKept, isOutdated, let fallback = await BlockingExecutor.run({ self.fallback(key, want) }) else { throw error }
            return fallback
        }
    }

    private func holding(_ key: ResourceKey, _ want: TileWant, isShown: Bool) -> Holding {
        let stored = store?.response(for: key).flatMap { $0.fits(want) ? $0 : nil }
        return Holding(key: key, stored: stored, isShown: isShown, earlier: stored == nil ? sameAddress(want) : nil)
    }

    /// The stored tile as stale, where only the user or the program has marked it as outdated; nil if its server
    /// forbids that.
    private func fallback(_ key: ResourceKey?, _ want: TileWant) -> FetchedTile? {
        let now = date()
        guard let key, let stored = store?.response(for: key) ?? regions?.response(for: key), stored.fits(want),
            stored.freshness.state(at: now) != .mustRevalidate
        else { return nil }
        return .new(stored.answer, .stale(since: min(stored.freshness.expiresAt, now)))
    }

    /// A part of a file: its source asks the server and keeps what comes.
    private func ask(_ source: any PartTileSource, _ want: TileWant) async throws(TileFailure) -> FetchedTile {
        let answer = try await source.answer(of: want.tile, priority: want.priority)
        renew(.tile(origin: source.origin, want.tile), with: answer, want)
        return answer.fetched(at: date())
    }

    /// The stored copy of a requested tile.
    private struct Holding {
        var key: ResourceKey?
        var stored: StoredResponse?
        let isShown: Bool
        /// The copy of another edition at the same address, if there is no other.
        var earlier: StoredResponse?
    }

    private func ask(_ url: String, _ want: TileWant, _ holding: Holding) async throws(TileFailure) -> FetchedTile {
        let request = request(url, want, (holding.stored ?? holding.earlier)?.validators ?? Validators())
        do throws(HTTPFailure) {
            let response = try await client.load(request)
            if response.isNotModified, let key = holding.key, let earlier = holding.earlier {
                return carry(earlier, to: key, by: response, want)
            }
            if response.isNotModified, let key = holding.key, let stored = holding.stored {
                return prolong(stored, under: key, by: response, want, isShown: holding.isShown)
            }
            return take(response, request, want, holding)
        } catch {
            if error.kind != .cancelled { store?.count(.failure) }
            if let stored = holding.stored, !holding.isShown, error.fault?.meansNoServer == true {
                return .new(stored.answer, .stale(since: min(stored.freshness.expiresAt, date())))
            }
            throw TileFailure(error)
        }
    }

    private func request(_ url: String, _ want: TileWant, _ validators: Validators) -> HTTPRequest {
        var request: HTTPRequest
        if let source = want.layer.source as? WebTileSource {
            request = source.request(for: want.tile, priority: want.priority, validators: validators)
        } else {
            let address = HTTPAddress(url), policy = want.layer.policy
            request = HTTPRequest(
                address, expecting: want.layer.drawing?.content ?? .imageTile, priority: want.priority,
                rules: SourceRules(
                    id: address.host, connections: policy.connections, requestsPerSecond: policy.requestsPerSecond))
            request.validators = validators
        }
        request.passesThrough = configuration.passThroughFeatures.contains(want.layer.feature)
        return request
    }

    /// Handles a 304 for the stored tile. One with `no-store` removes it from the cache; regions keep theirs.
    private func prolong(
        _ held: StoredResponse, under key: ResourceKey, by response: HTTPResponse, _ want: TileWant, isShown: Bool
    ) -> FetchedTile {
        let stored = held.confirmed(by: response, want.storagePolicy)
        store?.count(.revalidation)
        if response.forbidsStoring {
            store?.forget(key)
        } else {
            store?.prolong(key, stored.freshness, headers: stored.headers)
            renew(key, with: stored, want)
        }
        return isShown ? .unchanged(stored.standing(at: date())) : stored.fetched(at: date())
    }

    /// Handles a 304 for the tile of another edition: the new one has the same body.
    private func carry(
        _ earlier: StoredResponse, to key: ResourceKey, by response: HTTPResponse, _ want: TileWant
    ) -> FetchedTile {
        let carried = earlier.confirmed(by: response, want.storagePolicy)
        store?.count(.revalidation)
        if let store, !response.forbidsStoring { keep(carried, for: key, want, in: store) }
        return carried.fetched(at: date())
    }

    private func take(
        _ response: HTTPResponse, _ request: HTTPRequest, _ want: TileWant, _ holding: Holding
    ) -> FetchedTile {
        let new = StoredResponse(response, to: request, want.storagePolicy)
        store?.count(want.isSeen ? .download : .prefetch)
        store?.count(.bytes, response.wireBytes)
        if let key = holding.key, let store {
            switch response.storageVerdict(for: request) {
            case .body, .absent:
                keep(new, for: key, want, in: store)
                renew(key, with: new, want)
            case .no: if holding.stored != nil { store.forget(key) }
            }
        }
        return new.fetched(at: date())
    }
}
