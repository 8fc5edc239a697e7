internal import Dispatch
internal import Rhumb
internal import RhumbBrowser

/// Answers the inspector's questions away from the loop, one after another.
final class CacheAnswers: Sendable {
    private let session: MapSession
    private let inbox: Inbox
    private let queue = DispatchQueue(label: "rhumb.inspector", qos: .userInitiated)

    init(_ session: MapSession, _ inbox: Inbox) { (self.session, self.inbox) = (session, inbox) }

    func ask(_ question: CacheQuestion, layers: [TileLayer]) {
        queue.async { [self] in
            guard let cache = session.cache else { return inbox.put(.cacheOverview(nil)) }
            switch question {
            case .overview:
                let statistics = cache.statistics()
                // Sums are at hand at once; what is fresh is counted tile by tile.
                if statistics.entries > 50_000 { inbox.put(.cacheOverview(CacheOverview(statistics, nil))) }
                inbox.put(.cacheOverview(CacheOverview(statistics, cache.standings())))
            case .list(let selection, let limit):
                let order = CacheOrder(rawValue: selection.order.rawValue) ?? .use
                let rows = cache.list(CacheFilter(selection), by: order, limit: limit)
                inbox.put(.cacheItems(rows.map { CacheItem($0, at: .now) }, for: selection))
            case .spots(let id, let zoom, let box):
                guard let layer = layers.first(where: { $0.id == id }) else { return }
                inbox.put(.cacheSpots(self.heat(cache, layer, zoom, box)))
            }
        }
    }

    private func heat(_ cache: SharedCache, _ layer: TileLayer, _ zoom: Int, _ box: WorldBox) -> HeatMap {
        var states: [TileID: HeatMap.State] = [:]
        if case .tile(let origin, _)? = ResourceKey(TileWant(layer: layer, tile: .world)) {
            for spot in cache.spots(origin: origin, zoom: zoom, in: box) {
                states[spot.tile] =
                    switch spot.state {
                    case .fresh: .fresh
                    case .stale: .stale
                    case .absent: .absent
                    }
            }
            for spot in (try? session.regions())?.store.spots(origin: origin, zoom: zoom, in: box, at: .now)
                ?? []
            { states[spot.tile] = .pinned }
        }
        return HeatMap(layer: layer.id, zoom: zoom, box: box, states: states)
    }

    /// Does something to entries.
    /// - Parameter renewed: what to do when tiles were deleted or invalidated.
    func act(_ act: CacheAct, then renewed: @escaping @Sendable () -> Void) {
        queue.async { [session, inbox] in
            guard let cache = session.cache else { return }
            let outcome = Result { () throws(Notice.Problem) in try CacheAnswers.perform(act, cache) }
            renewed()
            inbox.put(.cacheChanged(outcome))
        }
    }

    private static func perform(_ act: CacheAct, _ cache: SharedCache) throws(Notice.Problem) -> String {
        do throws(StoreFailure) {
            switch act {
            case .refresh(let keys):
                try cache.invalidate(keys)
                return "Revalidating \(keys.count)"
            case .invalidate(let keys):
                try cache.invalidate(keys)
                return "Marked \(keys.count) as stale; revalidated on next use"
            case .delete(let keys):
                for key in keys { cache.forget(key) }
                cache.flush()
                return "Deleted \(keys.count)"
            case .clear(let source):
                var filter = CacheFilter()
                filter.source = source
                let gone = try cache.clear(filter)
                return
                    "Deleted \(AmountText.count(gone.entries)) from \(source), freed \(AmountText.bytes(gone.bytes)) on disk"
            }
        } catch {
            throw Notice.Problem(error)
        }
    }
}

extension CacheOverview {
    fileprivate init(_ statistics: CacheStatistics, _ standings: [TileOrigin?: [Int: CacheStanding]]?) {
        let names = OriginNames(statistics.rows.compactMap(\.origin))
        let oldest = standings?.values.flatMap(\.values).compactMap(\.oldest).min()
        self.init(
            path: statistics.path, usedBytes: statistics.usedBytes, quota: statistics.quota,
            fileBytes: statistics.fileBytes,
            counts: [
                CacheStatistics.counts(statistics.session, "since start"),
                CacheStatistics.counts(statistics.ever, "ever"),
            ].compactMap { $0 },
            oldest: oldest.map { AmountText.age(max(UnixSeconds.now.seconds(since: $0), 0)) + " ago" },
            rows: statistics.rows.map { row in
                Row(
                    name: row.origin.map(names.name) ?? row.name, zoom: row.zoom, entries: row.entries,
                    absent: row.absent,
                    bytes: row.bytes, fresh: standings.map { $0[row.origin]?[row.zoom]?.fresh ?? 0 })
            })
    }
}

extension CacheItem {
    fileprivate init(_ row: CacheRow, at now: UnixSeconds) {
        self.init(
            key: row.key, name: row.name, state: row.state(at: now).rawValue,
            age: AmountText.age(max(now.seconds(since: row.response.freshness.receivedAt), 0)),
            size: row.size.map(AmountText.bytes) ?? "", explanation: row.explanation(at: now))
    }
}

extension CacheFilter {
    fileprivate init(_ selection: CacheSelection) {
        self.init()
        source = selection.source
        zooms = selection.zoom.map { $0...$0 }
        state = selection.state.flatMap(State.init)
    }
}
