internal import Rhumb
internal import RhumbBrowser

extension QueryDispatcher {
    /// Registers the handlers that measure tiles.
    func registerTiles(_ session: MapSession) {
        let tiles = StoredTiles(session)
        handle(TileValueQuery.self) { query, context, reply in
            guard let layer = context.layers.first(where: { $0.id == query.layer }) else { return }
            reply(tiles.values(query, of: layer))
        }
        handle(TileRankingQuery.self) { query, context, reply in
            guard let layer = context.layers.first(where: { $0.id == query.layer }) else { return }
            do {
                reply(try tiles.ranking(query, of: layer))
            } catch is CancellationError {
                return
            } catch {
                reply(TileRanking(tiles: [], problem: FailureText.notice(error)))
            }
        }
        handle(TileLayersQuery.self) { query, context, reply in
            guard let layer = context.layers.first(where: { $0.id == query.layer }) else { return }
            reply(tiles.layers(of: query.tile, layer))
        }
        handle(FetchStreetsQuery.self) { query, context, reply in
            guard let layer = context.layers.first(where: { $0.id == query.layer }) else { return }
            reply(await tiles.fetch(query, of: layer))
        }
    }
}

/// Reads tiles of archives, and stored tiles of web sources. Only `fetch` uses the network.
private struct StoredTiles: Sendable {
    private let session: MapSession
    /// Maximum number of tiles in a view.
    private static let viewLimit = 4096
    /// Maximum number of tiles of each zoom that are measured for a list.
    private static let sample = 20_000
    private static let listLimit = 100

    init(_ session: MapSession) { self.session = session }

    /// Fetches the tiles of a view into the cache, where they are indexed for searches.
    func fetch(_ query: FetchStreetsQuery, of layer: TileLayer) async -> Result<Int, Notice.Problem> {
        do {
            let plan = try session.offline.prefetcher(of: layer).plan(
                .box(query.box), zooms: try ZoomRange(query.zoom, query.zoom))
            let job = try await plan.start()
            _ = await job.finish()
            let tally = job.progress
            if tally.fetched + tally.present == 0, let problem = tally.problem {
                return .failure(Notice.Problem(shown: problem))
            }
            session.offlineSearch.startIndexing()
            return .success(tally.fetched)
        } catch {
            return .failure(Notice.Problem(shown: error))
        }
    }

    func values(_ query: TileValueQuery, of layer: TileLayer) -> TileValues {
        var values: [TileID: Int] = [:]
        for tile in query.tiles.prefix(Self.viewLimit) where !Task.isCancelled {
            values[tile] = value(of: tile, layer, query.measure)
        }
        let lacksAges = query.measure == .age && layer.source is any TileArchive
        return TileValues(
            values: values,
            problem: lacksAges ? "\(layer.info.name) does not store the ages of its tiles" : nil)
    }

    private func value(of tile: TileID, _ layer: TileLayer, _ measure: TileMeasure) -> Int? {
        if let archive = layer.source as? any TileArchive {
            return (try? archive.value(of: tile, by: measure)) ?? nil
        }
        guard let key = ResourceKey(WantedTile(layer: layer, tile: tile)),
            let stored = session.cache?.response(for: key), let body = stored.body
        else { return nil }
        guard measure == .age else { return TileValue.value(of: body, by: measure) }
        return max(Int(clamping: UnixSeconds.now.seconds(since: stored.freshness.receivedAt)), 0)
    }

    func ranking(_ query: TileRankingQuery, of layer: TileLayer) throws -> TileRanking {
        let listable = layer.source as? any TileArchive ?? (layer.source as? RemoteArchive)?.listable
        guard let archive = listable else {
            return TileRanking(
                tiles: [], problem: "Only the tiles of local archives and small remote ones can be listed")
        }
        let found = try archive.largestTiles(
            by: query.measure, limit: Self.listLimit, sample: query.measure == .bytes ? nil : Self.sample)
        return TileRanking(
            tiles: found.map { ListedTile(tile: $0.tile, text: query.measure.text($0.value)) })
    }

    func layers(of tile: TileID, _ layer: TileLayer) -> [TileLayersQuery.Row] {
        var body: [UInt8]?
        if let archive = layer.source as? any TileArchive {
            if case .bitmap(.encoded(let bytes))? = try? archive.tile(tile) { body = bytes }
        } else {
            let want = WantedTile(layer: layer, tile: tile, urgency: .prefetch)
            if case .bitmap(.encoded(let bytes))? = session.fetcher.stored(want)?.answer { body = bytes }
        }
        guard let body, let plain = try? Gzip.unwrapped(body, limit: VectorTile.sizeLimit),
            let content = try? VectorTile(plain)
        else { return [] }
        return content.layerNames.enumerated().compactMap { index, name in
            guard let size = try? content.size(ofLayer: index) else { return nil }
            let fields = Set(content.keys(ofLayer: index)).count
            return .init(name: SafeText.sanitised(name, limit: 40), size: size, fields: fields)
        }.sorted { ($0.size.bytes, $1.name) > ($1.size.bytes, $0.name) }
    }
}

extension TileValueQuery {
    /// The tiles in view, row by row.
    fileprivate var tiles: some Sequence<TileID> {
        let side = Double(1 << zoom)
        let columns = Int((box.minX * side).rounded(.down))...Int((box.maxX * side).rounded(.down))
        let rows = Int((box.minY * side).rounded(.down))...Int((box.maxY * side).rounded(.down))
        return rows.lazy.flatMap { y in
            columns.lazy.compactMap { x in TileID(zoom: zoom, wrappingX: x, y: y) }
        }
    }
}
