internal import RhumbCore
public import RhumbEngine
internal import RhumbHTTP
internal import Synchronization

/// A handle on tiles that are fetched into the cache, as many at once as their provider allows.
public final class PrefetchTask: Sendable {
    /// The counts of a prefetch.
    public struct Tally: Sendable, Equatable {
        /// Tiles that came.
        public var fetched = 0
        /// Tiles that were here already.
        public var present = 0
        /// Tiles that are known not to exist.
        public var absent = 0
        /// Tiles that failed.
        public var failed = 0
        /// Why the first of those could not.
        public var problem: TileFailure?

        mutating func add(_ other: Tally) {
            fetched = fetched + other.fetched
            present = present + other.present
            absent = absent + other.absent
            failed = failed + other.failed
            problem = problem ?? other.problem
        }
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

    /// The counts so far.
    public var tally: Tally { sums.withLock { $0 } }

    /// Ends the prefetch soon; cached tiles stay.
    public func cancel() { work.withLock { $0 }?.cancel() }

    /// Waits for the end.
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
        let want = TileWant(layer: layer, tile: tile, urgency: .download)
        if let kept = await BlockingExecutor.run({ fetcher.kept(want) }), !kept.standing.isStale {
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
