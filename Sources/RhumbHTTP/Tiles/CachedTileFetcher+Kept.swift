internal import RhumbCore
public import RhumbEngine
internal import Synchronization

/// What is at hand of a tile: in the store, in a region, or of another edition of its source.
extension CachedTileFetcher {
    /// What the cache or a region has of a tile.
    public func kept(_ want: TileWant) -> KeptTile? {
        guard let key = ResourceKey(want), case .tile(let origin, _) = key else { return nil }
        let order = editions.withLock { $0.order(for: origin) }
        let found = order.lazy.compactMap { edition in self.kept(key.of(edition), want, of: edition, in: origin) }.first
        if want.isSeen, !(found?.mustAsk ?? false) {
            store?.count(found.map { $0.standing.isStale ? .staleHit : .hit } ?? .miss)
        }
        return found
    }

    /// What a region holds is shown whatever its age, and renewed behind; what is of another edition
    /// too.
    private func kept(
        _ key: ResourceKey, _ want: TileWant, of edition: TileEdition, in origin: TileOrigin
    ) -> KeptTile? {
        let now = date(), isOlder = edition != origin.edition
        let isReloading = reloads.withLock { $0.pending(key) } != nil
        if let response = store?.response(for: key), response.fits(want) {
            if isOlder { return older(response, edition, now, isPinned: false) }
            if isReloading { return outdated(response, want, now, isPinned: false) }
            let mustAsk = response.state(at: now) == .mustRevalidate && mayUseNetwork(want)
            return KeptTile(response.answer, response.standing(at: now), mustAsk: mustAsk)
        }
        guard let response = regions?.response(for: key), response.fits(want) else { return nil }
        if isOlder { return older(response, edition, now, isPinned: true) }
        if isReloading { return outdated(response, want, now, isPinned: true) }
        // Without the data of some features it is shown until all of it comes.
        let standing = response.omits.isEmpty ? response.standing(at: now) : .stale(since: min(response.freshness.expiresAt, now))
        return KeptTile(response.answer, standing, isPinned: true)
    }

    /// A stored tile of a source that is being reloaded. Offline it is used, if its source has only an address.
    private func outdated(
        _ response: StoredResponse, _ want: TileWant, _ now: UnixSeconds, isPinned: Bool
    ) -> KeptTile {
        let hasAddress = want.layer.source.url(for: want.tile, of: want.layer) != nil
        return KeptTile(
            response.answer, .stale(since: min(response.freshness.expiresAt, now)),
            mustAsk: !hasAddress || mayUseNetwork(want), isPinned: isPinned)
    }

    private func older(
        _ response: StoredResponse, _ edition: TileEdition, _ now: UnixSeconds, isPinned: Bool
    ) -> KeptTile {
        KeptTile(
            response.answer, .stale(since: min(response.freshness.expiresAt, now)), isPinned: isPinned, edition: edition)
    }

    /// Finds the editions at hand of what is looked at. Where no network brings the newest, the newest
    /// that is whole for the view is shown.
    func chooseEditions(of wants: [TileWant]) {
        var choice = EditionChoice()
        let groups = Dictionary(grouping: wants) { ($0.layer.source as? any NetworkTileSource)?.origin }
        for case (let origin?, let wants) in groups {
            var known = [origin.edition]
            for edition in (regions?.editions(of: origin) ?? []) + (store?.editions(of: origin) ?? [])
            where !known.contains(edition) { known.append(edition) }
            guard known.count > 1 else { continue }
            let isOffline = wants.first.map { !mayUseNetwork($0) } ?? false
            choice.note(origin, known) { edition in
                !isOffline || wants.allSatisfy { self.has(ResourceKey($0)?.of(edition)) }
            }
        }
        editions.withLock { $0 = choice }
    }

    private func has(_ key: ResourceKey?) -> Bool {
        guard let key else { return false }
        return store?.response(for: key) != nil || regions?.response(for: key) != nil
    }

    /// What is kept of a tile in another edition that has it at the same address.
    func sameAddress(_ want: TileWant) -> StoredResponse? {
        guard let key = ResourceKey(want), case .tile(let origin, _) = key else { return nil }
        let others = editions.withLock { $0.order(for: origin) }.filter {
            $0 != origin.edition && $0.addresses == origin.edition.addresses
        }
        return others.lazy.compactMap { edition in
            self.store?.response(for: key.of(edition)) ?? self.regions?.response(for: key.of(edition))
        }.first { $0.fits(want) && $0.body != nil && $0.omits.isEmpty }
    }
}

extension ResourceKey {
    /// The same tile in another edition.
    func of(_ edition: TileEdition) -> ResourceKey {
        guard case .tile(let origin, let tile) = self else { return self }
        return .tile(origin: origin.of(edition), tile)
    }
}
