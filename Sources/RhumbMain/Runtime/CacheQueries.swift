internal import Rhumb
internal import RhumbBrowser

extension QueryDispatcher {
    /// Registers the handlers that read and change the shared cache, which may still be being opened.
    func registerCache(_ session: MapSession) {
        handle(CacheOverviewQuery.self) { _, _, reply in
            guard let cache = session.cache else { return reply(nil) }
            let statistics = cache.statistics()
            // Totals are available immediately, whereas fresh entries must be counted.
            if statistics.entries > 50_000 { reply(CacheOverview(statistics, nil)) }
            reply(CacheOverview(statistics, cache.standings()))
        }
        handle(CacheListQuery.self) { query, _, reply in
            let order = CacheOrder(rawValue: query.selection.order.rawValue) ?? .use
            let rows = session.cache?.list(CacheFilter(query.selection), by: order, limit: query.limit) ?? []
            reply(rows.map { CacheItem($0, at: .now) })
        }
        handle(HeatQuestion.self) { query, context, reply in
            guard let cache = session.cache,
                let layer = context.layers.first(where: { $0.id == query.layer })
            else { return }
            reply(query.heat(of: layer, cache, try? session.regions().store))
        }
        handle(CacheChange.self) { change, context, reply in
            guard let cache = session.cache else { return }
            let outcome = Result { () throws(Notice.Problem) in try perform(change.act, cache) }
            let ids = context.layers.map(\.id)
            await session.engine.reread { ids.contains($0) }
            reply(outcome)
        }
    }
}

extension HeatQuestion {
    /// Returns the stored tiles of a layer, both in the cache and in regions.
    fileprivate func heat(of layer: TileLayer, _ cache: SharedCache, _ regions: RegionStore?) -> HeatMap {
        var states: [TileID: HeatMap.State] = [:]
        if case .tile(let origin, _)? = ResourceKey(WantedTile(layer: layer, tile: .world)) {
            for spot in cache.spots(origin: origin, zoom: zoom, in: box) {
                states[spot.tile] =
                    switch spot.state {
                    case .fresh: .fresh
                    case .stale: .stale
                    case .absent: .absent
                    }
            }
            for spot in regions?.spots(origin: origin, zoom: zoom, in: box, at: .now) ?? [] {
                states[spot.tile] = .pinned
            }
        }
        return HeatMap(layer: layer.id, zoom: zoom, box: box, states: states)
    }
}

private func perform(_ act: CacheAct, _ cache: SharedCache) throws(Notice.Problem) -> String {
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
        throw Notice.Problem(shown: error)
    }
}

extension CacheOverview {
    fileprivate init(_ statistics: CacheStatistics, _ standings: [TileOrigin?: [Int: CacheEntryCounts]]?) {
        let names = OriginNames(statistics.rows.compactMap(\.origin))
        let oldest = standings?.values.flatMap(\.values).compactMap(\.oldest).min()
        self.init(
            path: statistics.path, usedBytes: statistics.usedBytes, quota: statistics.quota,
            fileBytes: statistics.fileBytes,
            counts: [
                // Failures of this run are messages.
                CacheStatistics.counts(statistics.session.filter { $0.key != .failure }, "since start"),
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
