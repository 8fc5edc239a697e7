internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine
internal import Synchronization

/// `rhumb cache prefetch`: fills the cache with a box of a source, as far as the provider's
/// policy and the cache's quota allow.
@MainActor
struct CachePrefetch {
    /// Bytes assumed of a tile where none of the source is known.
    private static let usualSize = 20_000
    private let invocation: Invocation
    private let cache: SharedCache

    init(_ invocation: Invocation, _ cache: SharedCache) {
        self.invocation = invocation
        self.cache = cache
    }

    func run() async throws -> Int32 {
        guard let name = invocation[.source], let bounds = invocation[.bbox],
            let zooms = invocation[.zooms]
        else { throw UsageError("cache prefetch needs --source, --bbox and --zooms") }
        return try await invocation.withSession { session in
            try await fill(MapOptions(invocation, session).opener.openLayer(name, theme: .day), name, bounds, zooms, session)
        }
    }

    private func fill(
        _ layer: TileLayer, _ name: String, _ bounds: Bounds, _ zooms: ClosedRange<Int>, _ session: MapSession
    ) async throws -> Int32 {
        guard let source = layer.source as? any NetworkTileSource else {
            throw Notice.Problem("\(name) is on this machine already: nothing has to be fetched")
        }
        try allow(layer)
        let cover = BoxCover(bounds, zooms: zooms.clamped(to: layer.dataZooms))
        try fit(cover.count, source)
        return try await fetch(cover, layer, session)
    }

    private func allow(_ layer: TileLayer) throws {
        let policy = layer.policy, link = policy.policyURL.map { " (\($0))" } ?? ""
        switch policy.offline {
        case .allowed: return
        case .ask where invocation[.permitted]: return
        case .ask:
            throw Notice.Problem(
                "the terms of \(layer.info.name) leave it open whether tiles may be fetched in bulk\(link): "
                    + "say --permitted if the provider allows it to you")
        case .denied:
            throw Notice.Problem(
                "\(layer.info.name) does not allow areas to be fetched, only what is looked at and what lies next to it\(link): "
                    + "use a source that does, or an archive")
        }
    }

    private func fit(_ count: Int, _ source: any NetworkTileSource) throws {
        let rows = cache.statistics().rows.filter { $0.origin?.isSameSource(as: source.origin) == true }
        let known = rows.reduce(0) { $0 + $1.entries - $1.absent }, bytes = rows.reduce(0) { $0 + $1.bytes }
        let size = known > 20 ? bytes / known : CachePrefetch.usualSize
        let (needed, overflow) = count.multipliedReportingOverflow(by: size)
        guard !overflow, needed <= cache.options.quota else {
            throw Notice.Problem(
                "\(AmountText.count(count)) tiles of about \(AmountText.bytes(size)) are more than the cache's "
                    + "\(AmountText.bytes(cache.options.quota)): take fewer zooms, a smaller box, or a larger --cache-size")
        }
    }

    private func fetch(_ cover: BoxCover, _ layer: TileLayer, _ session: MapSession) async throws -> Int32 {
        let run = PrefetchRun(Array(cover.tiles), of: layer, through: session.fetcher)
        await run.finish()
        session.cache?.flush()
        return try report(run.tally)
    }

    private func report(_ tally: PrefetchRun.Tally) throws -> Int32 {
        if invocation[.json] {
            let json: JSON = [
                "fetched": .integer(tally.fetched), "kept": .integer(tally.kept), "absent": .integer(tally.absent),
                "failed": .integer(tally.failed),
            ]
            try Output.print(json.text + "\n")
        } else {
            try Output.print(
                "fetched \(AmountText.count(tally.fetched)), there already \(AmountText.count(tally.kept)), "
                    + "absent \(AmountText.count(tally.absent)), failed \(AmountText.count(tally.failed))\n")
        }
        if let problem = tally.problem { Output.say("rhumb: \(problem)") }
        return tally.failed == 0 ? ExitStatus.done : ExitStatus.gaps
    }
}

/// Fetches a list of tiles, as many at once as the source's policy allows.
private final class PrefetchRun: Sendable {
    /// What came of each tile.
    struct Tally {
        var fetched = 0, kept = 0, absent = 0, failed = 0
        var problem: String?
    }

    private let layer: TileLayer
    private let fetcher: CachedTileFetcher
    private let tiles: [TileID]
    private let state = Mutex((next: 0, tally: Tally()))

    var tally: Tally { state.withLock { $0.tally } }

    init(_ tiles: [TileID], of layer: TileLayer, through fetcher: CachedTileFetcher) {
        self.tiles = tiles
        self.layer = layer
        self.fetcher = fetcher
    }

    func finish() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<max(layer.policy.connections, 1) {
                group.addTask { while let tile = self.next() { await self.fetch(tile) } }
            }
        }
    }

    private func next() -> TileID? {
        state.withLock { state in
            guard state.next < tiles.count else { return nil }
            state.next += 1
            return tiles[state.next - 1]
        }
    }

    private func fetch(_ tile: TileID) async {
        let want = TileWant(layer: layer, tile: tile, urgency: .download)
        if let kept = fetcher.kept(want), !kept.standing.isStale { return note { $0.kept += 1 } }
        guard layer.source.hasTile(tile, of: layer), let url = layer.source.url(for: tile, of: layer) else { return }
        do throws(TileFailure) {
            let fetched = try await fetcher.fetch(url, for: want, holdsKept: false)
            note { if case .new(.absent, _) = fetched { $0.absent += 1 } else { $0.fetched += 1 } }
        } catch {
            note {
                $0.failed += 1
                $0.problem = $0.problem ?? FailureText.sentence(error)
            }
        }
    }

    private func note(_ change: (inout Tally) -> Void) { state.withLock { change(&$0.tally) } }
}
