internal import RhumbCore
internal import Synchronization

/// Revalidation of shown tiles in the background.
extension TileEngine {
    /// Revalidates the tiles in view that are due, and schedules the next.
    func startRefreshes() {
        guard let view, let fetcher else { return }
        let now = clock.date()
        var next: UnixSeconds?
        for key in wanted.keys where refreshing[key] == nil && !substitutes.contains(key) {
            guard let mark = board.mark(of: key), let due = refreshes.due(key, mark.standing) else {
                continue
            }
            if due > now {
                next = min(next ?? due, due)
            } else if let layer = view.layers.first(where: { $0.id == key.layer }),
                layer.hasAddress(for: layer.dataTile(for: key.tile))
            {
                refresh(key, of: layer, by: fetcher)
            }
        }
        scheduleRefresh(at: next, now)
    }

    private func refresh(_ key: TileKey, of layer: TileLayer, by fetcher: any TileFetcher) {
        let reader = TileReader(layer: layer, decoder: decoder, fetcher: fetcher)
        let want = WantedTile(layer: layer, tile: key.tile)
        refreshing[key] = Task.detached {
            let reading: TileReading
            do throws(TileFailure) {
                reading = reader.reading(
                    of: try await fetcher.fetch(want, holdsStored: true), for: key.tile)
            } catch {
                reading = .failed(error)
            }
            await self.refreshed(key, reading)
        }
    }

    private func refreshed(_ key: TileKey, _ reading: TileReading) {
        guard refreshing.removeValue(forKey: key) != nil else { return }
        switch reading {
        case .ready(let raster, let mark):
            noteAsked(key, mark)
            replace(.ready(raster), mark, for: key)
        case .absent(let mark):
            noteAsked(key, mark)
            replace(.absent, mark, for: key)
        case .unchanged(let mark):
            noteAsked(key, mark)
            setMark(key) {
                $0.standing = mark.standing; $0.trouble = nil
            }
        case .failed(let failure):
            refreshes.note(key, broughtFresh: false, at: clock.date())
            let now = clock.date()
            setMark(key) { mark in
                mark.trouble = failure
                if case .fresh(let until) = mark.standing, until <= now {
                    mark.standing = .stale(since: until)
                }
            }
        case .promised, .fetch: break
        }
        startRefreshes()
        noteIdleness()
    }

    /// Records a request, so that it is not repeated at once even if the response was stale.
    func noteAsked(_ key: TileKey, _ mark: TileMark) {
        refreshes.note(key, broughtFresh: !mark.standing.isStale, at: clock.date())
    }

    private func setMark(_ key: TileKey, _ change: (inout TileMark) -> Void) {
        guard var mark = board.mark(of: key) else { return }
        change(&mark)
        board.setMark(mark, of: key)
        post(.tileShown(key))
    }

    private func scheduleRefresh(at due: UnixSeconds?, _ now: UnixSeconds) {
        refreshTimer?.cancel()
        refreshTimer = due.map { due in
            Task { [weak self, clock] in
                guard (try? await clock.sleep(.seconds(max(due.seconds(since: now), 1)))) != nil else {
                    return
                }
                await self?.renew()
            }
        }
    }

    /// Revalidates the tiles that are due when the timer fires.
    func renew() {
        startRefreshes()
        noteIdleness()
    }

    /// Cancels the revalidation of tiles that left the view.
    func dropRefreshes(of keys: some Sequence<TileKey>) {
        for key in keys {
            refreshing.removeValue(forKey: key)?.cancel()
            refreshes.forget(key)
        }
    }

    /// Requests failed and stale tiles at once, because the network is back or its configuration changed.
    /// A later `settled()` waits for them.
    public nonisolated func networkReturned() {
        hasNetworkReturned.store(true, ordering: .releasing)
        Task { await adopt() }
    }

    func forgiveFailures() {
        refreshes.forgive()
        for key in wanted.keys {
            if case .failed = board.state(of: key) {
                forget(key)
            } else if board.mark(of: key)?.omission != nil {
                apply(.forgotten, to: key)
            }
        }
        plan()
    }
}

/// The times at which shown tiles are revalidated: when they expire, or after doubling waits if a request
/// failed or the server's responses are stale on arrival.
struct RefreshSchedule {
    /// The maximum time in seconds between two revalidations of one tile.
    static let longestWait: Int64 = 3600
    /// The minimum time in seconds between two revalidations of tiles that expire.
    static let shortestWait: Int64 = 1

    private struct Past {
        var asked: UnixSeconds
        /// The number of successive responses that were not fresh.
        var fruitless = 0
    }
    private var past: [TileKey: Past] = [:]

    /// Returns the time at which a tile is to be revalidated; nil for never.
    func due(_ key: TileKey, _ standing: TileValidity) -> UnixSeconds? {
        let expiry: UnixSeconds
        switch standing {
        case .current: return nil
        case .fresh(let until): expiry = until
        case .stale(let since): expiry = since
        }
        guard let past = past[key] else { return expiry }
        let wait =
            past.fruitless == 0
            ? RefreshSchedule.shortestWait
            : min(1 << Int64(min(past.fruitless, 12)), RefreshSchedule.longestWait)
        return max(expiry, past.asked.adding(wait))
    }

    /// Records the outcome of a request.
    mutating func note(_ key: TileKey, broughtFresh: Bool, at now: UnixSeconds) {
        let fruitless = broughtFresh ? 0 : (past[key]?.fruitless ?? 0) + 1
        past[key] = Past(asked: now, fruitless: fruitless)
    }

    /// Ends all waits, because the network is back or the user asked for it.
    mutating func forgive() { past = past.mapValues { Past(asked: $0.asked.adding(-3600), fruitless: 0) } }

    mutating func forget(_ key: TileKey) { past[key] = nil }
}
