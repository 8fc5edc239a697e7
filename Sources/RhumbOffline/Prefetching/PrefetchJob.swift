internal import RhumbCore
public import RhumbEngine
internal import RhumbHTTP
internal import Synchronization

/// Fetches tiles into the cache, in parallel within the provider's connection limit.
public typealias PrefetchJob = Job<PrefetchTally, PrefetchTally, OfflineFailure>

/// The results of fetching tiles into the cache.
public struct PrefetchTally: Sendable, Equatable {
    /// The number of all tiles.
    public var planned = 0
    /// The number of fetched tiles.
    public var fetched = 0
    /// The number of tiles that were already cached.
    public var present = 0
    /// The number of tiles that don't exist.
    public var absent = 0
    /// The number of failed tiles.
    public var failed = 0
    /// The number of fetched and cached tiles that the cache has evicted again, to make room for others.
    public var evicted = 0
    /// The first failure; nil if none.
    public var problem: TileFailure?

    /// The number of failed tiles since the last one that didn't fail.
    package fileprivate(set) var failedInRow = 0

    /// The number of processed tiles.
    public var settled: Int { fetched + present + absent + failed }
}

extension Job where Progress == PrefetchTally, Value == PrefetchTally, Failure == OfflineFailure {
    /// Starts to fetch the tiles of a plan.
    static func fetching(_ plan: PrefetchPlan) -> PrefetchJob {
        let layer = plan.prefetcher.layer, fetcher = plan.prefetcher.fetcher
        let job = PrefetchJob(PrefetchTally(planned: plan.tiles))
        let tiles = RemainingTiles(plan.cover.tiles())
        job.start {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<max(layer.policy.connections, 1) {
                    group.addTask {
                        while !job.isCancelled, job.progress.failedInRow < Self.failureLimit,
                            let tile = tiles.next()
                        {
                            await job.waitWhilePaused()
                            await job.fetch(tile, of: layer, through: fetcher)
                        }
                    }
                }
            }
            if let stop = job.state.stop { return (.stopped(stop), .failure(.cancelled)) }
            let evicted = await BlockingExecutor.run { plan.countEvicted(job.progress) }
            job.report { $0.evicted = evicted }
            let tally = job.progress
            return (tally.failed + evicted > 0 ? .withGaps : .complete, .success(tally))
        }
        return job
    }

    /// The number of tiles in a row whose failure ends the job. Each was requested several times.
    private static var failureLimit: Int { 4 }

    private func fetch(_ tile: TileID, of layer: TileLayer, through fetcher: CachedTileFetcher) async {
        let want = WantedTile(layer: layer, tile: tile, urgency: .download)
        if let stored = await BlockingExecutor.run({ fetcher.stored(want) }), !stored.standing.isStale {
            return report { $0.present += 1 }
        }
        guard layer.source.hasTile(tile, of: layer), layer.hasAddress(for: tile) else { return }
        do throws(TileFailure) {
            let fetched = try await fetcher.fetch(want, holdsStored: false)
            let isAbsent = if case .new(.absent, _) = fetched { true } else { false }
            if !isAbsent, await BlockingExecutor.run({ fetcher.stored(want) == nil }) {
                throw TileFailure(
                    .refused,
                    "\(layer.info.name) \(tile): the tile can't be stored: the server forbids it "
                        + "(no-store), or the cache has no room")
            }
            report {
                $0.failedInRow = 0
                if isAbsent { $0.absent += 1 } else { $0.fetched += 1 }
            }
        } catch {
            guard !isCancelled else { return }
            report {
                $0.failed += 1
                $0.failedInRow += 1
                $0.problem = $0.problem ?? error
            }
        }
    }
}

/// Tiles that several tasks take in turn.
private final class RemainingTiles: Sendable {
    private let tiles: Mutex<RegionTiles>

    init(_ tiles: RegionTiles) { self.tiles = Mutex(tiles) }

    func next() -> TileID? { tiles.withLock { $0.next() } }
}
