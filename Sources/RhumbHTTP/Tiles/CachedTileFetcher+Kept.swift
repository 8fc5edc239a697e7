internal import RhumbCore
public import RhumbEngine
internal import Synchronization

/// Looks for stored tiles in the cache, in regions and in other editions of a source.
extension CachedTileFetcher {
    /// Returns the stored tile, newest edition first.
    public func stored(_ want: WantedTile) -> CachedTile? {
        guard let key = ResourceKey(want), case .tile(let origin, _) = key else { return nil }
        let isReloaded = reloads.withLock { $0.pending(key) } != nil
        let order = editions.withLock { $0.order(for: origin) }
        let found = order.lazy.compactMap { edition -> CachedTile? in
            let own = edition == origin.edition
            guard let (copy, place) = self.copy(key.of(edition), want) else { return nil }
            return self.stored(
                StoreMatch(copy, own ? place : .otherEdition, isReloaded: own && isReloaded), place, edition,
                want)
        }.first
        if want.isSeen, !(found?.mustAsk ?? false) {
            store?.count(found.map { $0.standing.isStale ? .staleHit : .hit } ?? .miss)
        }
        return found
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
        if let (response, place) = copy, place == .cache || isReloaded || response.omits.isEmpty {
            return StoreMatch(response, place, isReloaded: isReloaded)
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
