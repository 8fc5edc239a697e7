internal import Glibc
internal import RhumbCore

/// Prefetching into the cache while no tile in view is missing.
extension TileEngine {
    /// Updates the prefetch queue after the view changed. Drops far tiles and queues new ones.
    func planPrefetch() {
        guard let view, let fetcher else { return }
        prefetchQueue = view.layers.filter { $0.isVisible && fetcher.mayPrefetch($0) }.flatMap { layer in
            LookAhead.tiles(around: view.viewport, motion: motion, of: layer)
                .map { TileKey(layer: layer.id, tile: $0) }
        }
        let near = Set(prefetchQueue)
        for (key, task) in prefetching where !near.contains(key) && wanted[key] == nil { task.cancel() }
    }

    /// Records the direction of a move, if the two views overlap.
    func noteMotion(from old: Viewport, to new: Viewport) {
        let side = new.camera.worldPixels
        let dx = (new.camera.center.x - old.camera.center.x) * side
        let dy = (new.camera.center.y - old.camera.center.y) * side
        let isPan = old.camera.zoom == new.camera.zoom && abs(dx) < new.width && abs(dy) < new.height
        guard isPan else {
            motion = (0, 0)
            hasTurned = false
            return
        }
        guard dx != 0 || dy != 0 else { return }
        hasTurned = motion != (0, 0) && motion.x * dx + motion.y * dy <= 0
        motion = (dx, dy)
    }

    /// Sets the expected motion to one length of the view along the course of a followed position.
    func noteMotion(along course: Double, in viewport: Viewport) {
        let turn = course.radians, length = max(viewport.width, viewport.height)
        motion = (sin(turn) * length, -cos(turn) * length)
        hasTurned = false
    }

    /// Fetches the next few tiles if no tile in view is pending.
    func continuePrefetch() {
        guard let view, let fetcher, isIdle, prefetchBytes < prefetchLimits.bytesPerSession else { return }
        while prefetching.count < prefetchLimits.atOnce, let key = prefetchQueue.first {
            prefetchQueue.removeFirst()
            guard prefetching[key] == nil, board.state(of: key) == nil, wanted[key] == nil,
                let layer = view.layers.first(where: { $0.id == key.layer }),
                case let want = WantedTile(layer: layer, tile: key.tile, urgency: .prefetch),
                layer.source.hasTile(want.tile, of: layer), layer.hasAddress(for: want.tile)
            else { continue }
            guard fetcher.stored(want)?.standing.isStale ?? true else { continue }
            let wait = prefetchPace()
            prefetching[key] = Task.detached { [clock] in
                if wait > .zero, (try? await clock.sleep(wait)) == nil {
                    return await self.prefetched(key, 0)
                }
                let fetched = try? await fetcher.fetch(want, holdsStored: false)
                await self.prefetched(key, fetched?.byteCount ?? 0)
            }
        }
    }

    /// Returns the wait before the next request, so that requests are evenly spaced.
    private func prefetchPace() -> Duration {
        let now = clock.now()
        let start = max(nextPrefetch, now)
        nextPrefetch = start + .seconds(1 / prefetchLimits.requestsPerSecond)
        return start - now
    }

    private func prefetched(_ key: TileKey, _ bytes: Int) {
        prefetching[key] = nil
        prefetchBytes += bytes
        continuePrefetch()
    }
}

extension FetchedTile {
    fileprivate var byteCount: Int {
        if case .new(.bitmap(.encoded(let bytes)), _) = self { bytes.count } else { 0 }
    }
}
