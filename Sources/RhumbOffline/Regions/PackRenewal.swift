internal import RhumbCore
package import RhumbEngine
package import RhumbHTTP
package import RhumbStore
internal import Synchronization

/// Updates whole packs of regions while browsing. After a tile is renewed in a pack that a region stores
/// completely, the other tiles of the pack are renewed too, unless they are fresh.
package final class PackRenewal: Sendable {
    private struct Pack: Hashable {
        let origin: TileOrigin
        let pack: TilePack
    }

    private let store: @Sendable () -> RegionStore?
    private let fetcher: CachedTileFetcher
    private let running = Mutex<[Pack: Task<Void, Never>]>([:])

    /// Creates the updates of a fetcher, which from then on replaces no tile of a region by a damaged one.
    /// - Parameter store: Returns the region store; nil if there is none.
    package init(_ fetcher: CachedTileFetcher, store: @escaping @Sendable () -> RegionStore?) {
        self.fetcher = fetcher
        self.store = store
        fetcher.beforeRenewal { want, body in TileValidator(want.layer.tileBodyKind).fault(in: body) == nil }
    }

    /// Starts to load the pack of a tile that was just renewed, unless it is already being loaded.
    package func begin(after want: WantedTile) {
        guard case .tile(let origin, let tile)? = ResourceKey(want) else { return }
        let pack = Pack(origin: origin, pack: TilePack(containing: tile))
        running.withLock { running in
            guard running[pack] == nil else { return }
            running[pack] = Task(executorPreference: BlockingExecutor.shared) { [weak self] in
                await self?.load(pack, want.layer)
                self?.running.withLock { $0[pack] = nil }
            }
        }
    }

    /// Waits for all loads that are currently running.
    func finish() async {
        for task in running.withLock({ Array($0.values) }) { await task.value }
    }

    /// Cancels all loads.
    package func cancel() {
        for task in running.withLock({ Array($0.values) }) { task.cancel() }
    }

    private func load(_ pack: Pack, _ layer: TileLayer) async {
        guard let store = store(), store.holdsWhole(pack.pack, of: pack.origin) else { return }
        let tiles = Array(pack.pack.tiles(of: layer.dataZooms)), workers = max(layer.policy.connections, 1)
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<workers {
                group.addTask {
                    for at in stride(from: worker, to: tiles.count, by: workers) where !Task.isCancelled {
                        guard await self.renew(tiles[at], pack.origin, layer, store) else { return }
                    }
                }
            }
        }
    }

    /// - Returns: False if the server can't be reached.
    private func renew(
        _ tile: TileID, _ origin: TileOrigin, _ layer: TileLayer, _ store: RegionStore
    ) async -> Bool {
        let isFresh = store.response(for: .tile(origin: origin, tile))?.state(at: fetcher.date()) == .fresh
        guard !isFresh, layer.source.hasTile(tile, of: layer), layer.hasAddress(for: tile) else {
            return true
        }
        do throws(TileFailure) {
            _ = try await fetcher.fetch(
                WantedTile(layer: layer, tile: tile, urgency: .download), holdsStored: false)
            return true
        } catch {
            return false
        }
    }
}
