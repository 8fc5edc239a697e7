internal import RhumbCore
public import RhumbEngine
internal import RhumbHTTP
internal import Synchronization

/// A handle for fetching tiles into the cache, in parallel within the provider's connection limit.
public final class PrefetchTask: Sendable {
    /// The results so far.
    public struct Tally: Sendable, Equatable {
        /// The number of fetched tiles.
        public var fetched = 0
        /// The number of tiles that were already cached.
        public var present = 0
        /// The number of tiles that don't exist.
        public var absent = 0
        /// The number of failed tiles.
        public var failed = 0
        /// The first failure; nil if none.
        public var problem: TileFailure?
    }

    private let layer: TileLayer
    private let fetcher: CachedTileFetcher
    private let tiles: Mutex<RegionTiles>
    private let sums = Mutex(Tally())
    private let work = Mutex<Task<Void, Never>?>(nil)

    init(_ tiles: RegionTiles, of layer: TileLayer, through fetcher: CachedTileFetcher) {
        self.layer = layer
        self.fetcher = fetcher
        self.tiles = Mutex(tiles)
        work.withLock { $0 = Task.detached { await self.run() } }
    }

    /// The results so far.
    public var tally: Tally { sums.withLock { $0 } }

    /// Cancels fetching. Tiles that were fetched before remain.
    public func cancel() { work.withLock { $0 }?.cancel() }

    /// Waits until all tiles are fetched or the task is cancelled.
    @discardableResult
    public func finish() async -> Tally {
        await work.withLock { $0 }?.value
        return tally
    }

    private func run() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<max(layer.policy.connections, 1) {
                group.addTask {
                    while !Task.isCancelled, let tile = self.tiles.withLock({ $0.next() }) {
                        await self.fetch(tile)
                    }
                }
            }
        }
    }

    private func fetch(_ tile: TileID) async {
        let want = WantedTile(layer: layer, tile: tile, urgency: .download)
        if let kept = await BlockingExecutor.run({ fetcher.stored(want) }), !kept.standing.isStale {
            return note { $0.present += 1 }
        }
        guard layer.source.hasTile(tile, of: layer), layer.hasAddress(for: tile) else { return }
        do throws(TileFailure) {
            let fetched = try await fetcher.fetch(want, holdsKept: false)
            note { if case .new(.absent, _) = fetched { $0.absent += 1 } else { $0.fetched += 1 } }
        } catch {
            guard !Task.isCancelled else { return }
            note {
                $0.failed += 1
                $0.problem = $0.problem ?? error
            }
        }
    }

    private func note(_ change: (inout Tally) -> Void) { sums.withLock { change(&$0) } }
}
