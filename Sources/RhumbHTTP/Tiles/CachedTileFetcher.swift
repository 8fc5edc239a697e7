public import RhumbCore
public import RhumbEngine
internal import Synchronization

/// Fetches the tiles of layers through a `CachedClient`.
public final class CachedTileFetcher: TileFetcher {
    let cached: CachedClient
    /// True once the screen has reported its visible tiles; from then on an empty report counts, too.
    private let hasSpared = Mutex(false)
    private let renewsRegions: Bool
    private let onRenewal = Mutex<@Sendable (WantedTile) -> Void>({ _ in })
    private let isRenewable = Mutex<@Sendable (WantedTile, [UInt8]) -> Bool>({ _, _ in true })
    private let layers: Mutex<LayerConfiguration>
    /// The stored editions of the visible sources.
    let editions = Mutex(EditionOrder())
    let reloads = Mutex(Reloads())

    /// The cache, nil if responses are not stored, and the regions, which are searched after the cache.
    public typealias Stores = (cache: (any ResponseStore)?, regions: (any PinnedResponses)?)

    /// - Parameters:
    ///   - stores: Returns the open stores. Called for every cacheable lookup; may block while they open.
    ///   - renewsRegions: If true, fetched responses also replace those stored for regions.
    public init(
        _ transport: any Transport, stores: @escaping @Sendable () -> Stores, renewsRegions: Bool = false,
        configuration: LayerConfiguration = LayerConfiguration(),
        date: @escaping @Sendable () -> UnixSeconds = { .now }
    ) {
        cached = CachedClient(
            transport,
            stores: {
                let stores = stores()
                return (stores.cache, stores.regions)
            }, date: date)
        self.renewsRegions = renewsRegions
        layers = Mutex(configuration)
    }

    /// - Parameters:
    ///   - store: The cache; nil to store nothing.
    ///   - regions: The regions, which are searched after the cache.
    ///   - renewsRegions: If true, fetched responses also replace those stored for regions.
    public convenience init(
        _ transport: any Transport, store: (any ResponseStore)? = nil, regions: (any PinnedResponses)? = nil,
        renewsRegions: Bool = false,
        configuration: LayerConfiguration = LayerConfiguration(),
        date: @escaping @Sendable () -> UnixSeconds = { .now }
    ) {
        self.init(
            transport, stores: { (store, regions) }, renewsRegions: renewsRegions,
            configuration: configuration, date: date)
    }

    var store: (any ResponseStore)? { cached.cache }
    var regions: (any PinnedResponses)? { cached.pinned }
    package var date: @Sendable () -> UnixSeconds { cached.date }

    /// The allowed features. A change applies to the next request.
    public var configuration: LayerConfiguration {
        get { layers.withLock { $0 } }
        set { layers.withLock { $0 = newValue } }
    }

    /// Calls a function with each tile whose response may have replaced a region's.
    public func afterRenewal(_ body: @escaping @Sendable (WantedTile) -> Void) {
        onRenewal.withLock { $0 = body }
    }

    /// Sets the check of a tile's body before it replaces a region's. By default every body does.
    package func beforeRenewal(_ isRenewable: @escaping @Sendable (WantedTile, [UInt8]) -> Bool) {
        self.isRenewable.withLock { $0 = isRenewable }
    }

    private func renew(_ key: ResourceKey?, with response: StoredResponse, _ want: WantedTile) {
        guard renewsRegions, let key, let regions else { return }
        if let body = response.body, !isRenewable.withLock(\.self)(want, body) { return }
        regions.renew(key, with: response, at: date())
        onRenewal.withLock(\.self)(want)
    }

    // MARK: The cache

    /// Stores a tile that a source returned itself.
    public func store(_ answer: TileAnswer, for want: WantedTile) {
        guard let store, let key = ResourceKey(want) else { return }
        reloads.withLock { $0.end($0.pending(key), of: key) }
        let body: [UInt8]?
        switch answer {
        case .absent: body = nil
        case .bitmap(.encoded(let bytes)): body = bytes
        case .bitmap: return
        }
        let now = date()
        let freshness = Freshness(
            headers: [:], requestedAt: now, receivedAt: now, policy: want.layer.storagePolicy)
        limit(want, key)
        store.store(StoredResponse(body: body, freshness: freshness), for: key)
    }

    /// Limits the size of the layer's part of the cache.
    private func limit(_ want: WantedTile, _ key: ResourceKey?) {
        guard want.layer.cacheSizeLimit > 0, case .tile(let origin, _)? = key else { return }
        store?.limit(origin, to: want.layer.cacheSizeLimit)
    }

    /// Marks the stored tiles of a layer as outdated, for this process.
    public func reload(_ layer: TileLayer) {
        guard case .tile(let origin, _)? = ResourceKey(WantedTile(layer: layer, tile: .world)) else { return }
        reloads.withLock { $0.begin(origin) }
    }

    /// Removes a tile whose body isn't a picture.
    public func discard(_ want: WantedTile) {
        if let key = ResourceKey(want) { store?.forget(key) }
    }

    /// Protects the visible tiles from eviction.
    public func protect(_ wants: [WantedTile]) {
        let keys = Set(wants.compactMap { ResourceKey($0) })
        // Without storable tiles the stores are not needed.
        guard hasSpared.withLock({ $0 }) || !keys.isEmpty else { return }
        hasSpared.withLock { $0 = true }
        store?.protect(keys)
        chooseEditions(of: wants)
    }

    /// Returns true if tiles of the layer may be fetched before they are in view. They must be cacheable
    /// until then.
    public func mayPrefetch(_ layer: TileLayer) -> Bool {
        guard ResourceKey(WantedTile(layer: layer, tile: .world)) != nil else { return false }
        return layer.policy.lookAhead && !cached.transport.isOffline
            && configuration.looksAhead(for: layer.feature)
            && store != nil
    }

    // MARK: Requests

    func mayUseNetwork(_ want: WantedTile) -> Bool {
        let configuration = configuration
        if configuration.neverOverTheAir.contains(want.layer.feature) || !want.layer.policy.viewing {
            return false
        }
        return !cached.transport.isOffline || configuration.passThroughFeatures.contains(want.layer.feature)
    }

    /// Fetches a tile through the stores.
    public func fetch(_ want: WantedTile, holdsStored: Bool) async throws(TileFailure) -> FetchedTile {
        guard !configuration.neverOverTheAir.contains(want.layer.feature) else {
            throw TileFailure(
                .refused,
                "\(want.layer.info.name) \(want.tile): \(want.layer.feature) is never downloaded, "
                    + "and neither the cache nor a region has it", retryAfter: .seconds(600))
        }
        guard want.layer.policy.viewing else { return await storedOnly(want, isShown: holdsStored) }
        let key = ResourceKey(want), reload = reloads.withLock { $0.pending(key) }
        var match: StoreMatch?
        if let key { match = await BlockingExecutor.run { self.match(key, want, isReloaded: reload != nil) } }
        limit(want, key)
        if let located = try await located(want, key, match, reload, isShown: holdsStored) { return located }
        let resource = try resource(of: want, key), response: CachedResponse
        do throws(HTTPFailure) {
            // A region's copy suffices for a prefetch, but not if browsing updates regions.
            let isShown = want.isSeen || renewsRegions && match?.location == .region
            response = try await cached.load(
                resource, isShown ? .show : .prefetch, priority: want.priority, stored: match)
        } catch {
            throw TileFailure(error)
        }
        return try settle(response, want, key, reload, isShown: holdsStored)
    }

    /// Returns the stored tile of a source that only regions request, even if it is stale. A tile that isn't
    /// stored doesn't exist for the map.
    private func storedOnly(_ want: WantedTile, isShown: Bool) async -> FetchedTile {
        guard let tile = await BlockingExecutor.run({ self.find(want) }) else {
            return .new(.absent, .current)
        }
        return isShown ? .unchanged(tile.standing) : .new(tile.answer, tile.standing)
    }

    /// Handles a response to a request for a tile.
    private func settle(
        _ response: CachedResponse, _ want: WantedTile, _ key: ResourceKey?, _ reload: Int?, isShown: Bool
    ) throws(TileFailure) -> FetchedTile {
        let stored = response.stored, now = date()
        if let failure = response.failure {
            guard !isShown else { throw TileFailure(failure) }
            return .new(stored.answer, .stale(since: min(stored.freshness.expiresAt, now)))
        }
        reloads.withLock { $0.end(reload, of: key) }
        if response.isStorable, response.origin != .carriedOver { renew(key, with: stored, want) }
        return isShown && response.origin == .revalidated
            ? .unchanged(stored.standing(at: now)) : stored.fetched(at: now)
    }

    private func resource(of want: WantedTile, _ key: ResourceKey?) throws(TileFailure) -> WebResource {
        guard var resource = want.layer.source.resource(for: want.tile, of: want.layer) else {
            throw TileFailure(
                .sourceFailed, "\(want.layer.info.name) \(want.tile): no response from the source")
        }
        let passesThrough = configuration.passThroughFeatures.contains(want.layer.feature)
        resource.passesThrough = { passesThrough }
        resource.key = key
        return resource
    }

    /// Loads a tile that the source locates, requests and stores itself.
    /// - Returns: nil if the source doesn't do so, or if the stored copy suffices.
    private func located(
        _ want: WantedTile, _ key: ResourceKey?, _ match: StoreMatch?, _ reload: Int?, isShown: Bool
    ) async throws(TileFailure) -> FetchedTile? {
        let source = want.layer.source
        if let match, case .use = CacheRules.decide(match, .show, .available, at: date()) { return nil }
        if !want.isSeen { await store?.waitForRoom() }
        do throws(TileFailure) {
            guard let response = try await source.response(for: want.tile, urgency: want.urgency) else {
                return nil
            }
            renew(ResourceKey(want), with: response, want)
            reloads.withLock { $0.end(reload, of: key) }
            return response.fetched(at: date())
        } catch {
            let now = date()
            guard !isShown, let match, CacheRules.survivesErrors(match, at: now) else { throw error }
            return .new(match.response.answer, .stale(since: min(match.response.freshness.expiresAt, now)))
        }
    }
}

/// The order in which the editions of sources are searched for a tile.
struct EditionOrder {
    private var orders: [String: [TileEdition]] = [:]

    /// - Parameters:
    ///   - editions: The available editions: the source's own, then the others, newest first.
    ///   - isWhole: Returns true if all tiles in view are stored in an edition, or can be fetched.
    mutating func note(_ origin: TileOrigin, _ editions: [TileEdition], isWhole: (TileEdition) -> Bool) {
        let first = editions.first(where: isWhole) ?? editions.first
        orders[origin.key] = [first].compactMap(\.self) + editions.filter { $0 != first }
    }

    /// Returns the editions in order; only the source's own unless others are available.
    func order(for origin: TileOrigin) -> [TileEdition] {
        guard let order = orders[origin.key] else { return [origin.edition] }
        return order.contains(origin.edition) ? order : [origin.edition] + order
    }
}

/// Looks for stored tiles in the cache, in regions and in other editions of a source.
extension CachedTileFetcher {
    /// Returns the stored tile, newest edition first, and counts the lookup.
    public func stored(_ want: WantedTile) -> CachedTile? {
        guard ResourceKey(want) != nil else { return nil }
        let found = find(want)
        if want.isSeen, !(found?.mustAsk ?? false) {
            store?.count(found.map { $0.standing.isStale ? .staleHit : .hit } ?? .miss)
        }
        return found
    }

    private func find(_ want: WantedTile) -> CachedTile? {
        guard let key = ResourceKey(want), case .tile(let origin, _) = key else { return nil }
        let isReloaded = reloads.withLock { $0.pending(key) } != nil
        let order = editions.withLock { $0.order(for: origin) }
        return order.firstNonNil { edition -> CachedTile? in
            let own = edition == origin.edition
            guard let (copy, location) = self.copy(key.of(edition), want) else { return nil }
            return self.stored(
                StoreMatch(copy, own ? location : .otherEdition, isReloaded: own && isReloaded), location,
                edition,
                want)
        }
    }

    private func stored(
        _ match: StoreMatch, _ location: StoreMatch.Location, _ edition: TileEdition, _ want: WantedTile
    ) -> CachedTile {
        let now = date(), response = match.response
        // A tile without an address comes from its source, which needs no network.
        let isOnline =
            mayUseNetwork(want)
            || match.isReloaded && !want.layer.hasAddress(for: want.tile)
        let decision = CacheRules.decide(match, .show, isOnline ? .available : .offline, at: now)
        let isCurrent = match.location != .otherEdition && !match.isReloaded && response.omits.isEmpty
        return CachedTile(
            response.answer,
            isCurrent ? response.standing(at: now) : .stale(since: min(response.freshness.expiresAt, now)),
            mustAsk: decision.isWithoutCopy, isPinned: location == .region,
            edition: match.location == .otherEdition ? edition : nil)
    }

    /// Returns the copy of the cache or else that of a region.
    private func copy(_ key: ResourceKey, _ want: WantedTile) -> (StoredResponse, StoreMatch.Location)? {
        if let response = store?.response(for: key), response.fits(want) { return (response, .cache) }
        if let response = regions?.response(for: key), response.fits(want) { return (response, .region) }
        return nil
    }

    /// Returns the copy to revalidate. An incomplete copy of a region is fetched again, but replaces a
    /// failed response if the user reloads the source.
    func match(_ key: ResourceKey, _ want: WantedTile, isReloaded: Bool) -> StoreMatch? {
        let copy = copy(key, want)
        if let (response, location) = copy, location == .cache || isReloaded || response.omits.isEmpty {
            return StoreMatch(response, location, isReloaded: isReloaded)
        }
        return sameAddress(key, want).map { StoreMatch($0, .otherEdition) }
    }

    /// Finds the available editions of the tiles in view. Without a network, the newest edition that is
    /// complete for the view is shown.
    func chooseEditions(of wants: [WantedTile]) {
        var choice = EditionOrder()
        let groups = Dictionary(grouping: wants) { $0.layer.source.origin(of: $0.layer) }
        for case (let origin?, let wants) in groups {
            var editions = [origin.edition]
            for edition in (regions?.editions(of: origin) ?? []) + (store?.editions(of: origin) ?? [])
            where !editions.contains(edition) { editions.append(edition) }
            guard editions.count > 1 else { continue }
            let isOffline = wants.first.map { !mayUseNetwork($0) } ?? false
            choice.note(origin, editions) { edition in
                !isOffline || wants.allSatisfy { self.has(ResourceKey($0)?.of(edition)) }
            }
        }
        editions.withLock { $0 = choice }
    }

    private func has(_ key: ResourceKey?) -> Bool {
        guard let key else { return false }
        return store?.response(for: key) != nil || regions?.response(for: key) != nil
    }

    /// Returns the complete copy of a tile in another edition that has it at the same address.
    private func sameAddress(_ key: ResourceKey, _ want: WantedTile) -> StoredResponse? {
        guard case .tile(let origin, _) = key else { return nil }
        let others = editions.withLock { $0.order(for: origin) }.filter {
            $0 != origin.edition && $0.addresses == origin.edition.addresses
        }
        return others.lazy.compactMap { edition in
            self.store?.response(for: key.of(edition)) ?? self.regions?.response(for: key.of(edition))
        }.first { $0.fits(want) && $0.body != nil && $0.omits.isEmpty }
    }
}

extension ResourceKey {
    /// Returns the same tile in another edition.
    func of(_ edition: TileEdition) -> ResourceKey {
        guard case .tile(let origin, let tile) = self else { return self }
        return .tile(origin: origin.of(edition), tile)
    }
}

/// The sources that a program has reloaded, and the tiles received from each since.
struct Reloads {
    private struct Reload {
        let number: Int
        var received: Set<TileID> = []
    }
    private var reloads: [TileOrigin: Reload] = [:]
    private var last = 0

    /// Begins a reload of a source: its stored tiles count as outdated until they are received again.
    mutating func begin(_ origin: TileOrigin) {
        last += 1
        reloads[origin] = Reload(number: last)
    }

    /// Returns the reload for which a tile must be requested; nil if there is none.
    func pending(_ key: ResourceKey?) -> Int? {
        guard case .tile(let origin, let tile)? = key, let reload = reloads[origin] else { return nil }
        return reload.received.contains(tile) ? nil : reload.number
    }

    /// Records a tile as received, unless its source was reloaded again since its request.
    mutating func end(_ number: Int?, of key: ResourceKey?) {
        guard case .tile(let origin, let tile)? = key, let number, reloads[origin]?.number == number else {
            return
        }
        reloads[origin]?.received.insert(tile)
    }
}
