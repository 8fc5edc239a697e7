public import RhumbCore
package import RhumbEngine
package import RhumbHTTP
package import RhumbStore

/// Plans to fetch tiles of a layer into the shared cache before they are displayed. Unlike tiles of regions
/// and packages, they may be evicted.
public struct MapPrefetcher: Sendable {
    let layer: TileLayer
    let fetcher: CachedTileFetcher
    let cache: SharedCache?

    /// The allowed radius around a location, in metres.
    public static let radii = 1_000.0...50_000.0

    package init(_ layer: TileLayer, _ fetcher: CachedTileFetcher, _ cache: SharedCache?) {
        self.layer = layer
        self.fetcher = fetcher
        self.cache = cache
    }

    /// Plans to fetch an area, excluding tiles that are already cached.
    /// - Throws: `OfflineFailure`, also if the source's feature is off or the tiles would exceed the cache's
    ///   quota.
    public func plan(_ geometry: RegionGeometry, zooms: ZoomRange) throws(OfflineFailure) -> PrefetchPlan {
        try requireFeature()
        guard let origin = layer.source.origin(of: layer) else { throw .local(layer.info.name) }
        guard let cache else { throw .noCache }
        let cover = RegionTileSet(
            geometry, zooms: zooms, available: layer.dataZooms, bounds: layer.info.bounds, packing: .exact)
        let all = cover.counts(), room = cache.quota
        let samples = cache.samples(origin: origin)
        // This many tiles exceed the quota even if some are cached, so the cached ones are not counted.
        guard all.total <= max(room / 100, 1000) else {
            throw .tooLarge(tiles: all.total, bytes: bytes(all.rows, samples), room: room)
        }
        var missing: [Int: Int] = [:]
        for tile in cover.tiles() where !isHere(tile) { missing[tile.zoom, default: 0] += 1 }
        let needed = bytes(missing.map { ($0.key, $0.value) }, samples), tiles = missing.values.reduce(0, +)
        guard needed <= room else { throw .tooLarge(tiles: tiles, bytes: needed, room: room) }
        return PrefetchPlan(
            tiles: all.total, present: all.total - tiles, bytes: needed, room: room, cover: cover,
            prefetcher: self)
    }

    private func bytes(_ rows: [(zoom: Int, count: Int)], _ samples: [Int: ByteSample]) -> Int {
        rows.reduce(0) { sum, row in
            let (bytes, isTooMuch) = sum.addingReportingOverflow(
                ByteEstimate(tiles: row.count, zoom: row.zoom, samples: samples).bytes)
            return isTooMuch ? .max : bytes
        }
    }

    /// Returns a circle around a location.
    /// - Parameter radius: The radius in metres, within `radii`.
    /// - Throws: `OfflineFailure.radius`, `.geometry`
    public static func ground(
        around place: Coordinate, radius: Double
    ) throws(OfflineFailure) -> RegionGeometry {
        guard radii.contains(radius) else { throw .radius }
        return try converting(.circle(around: place, radius: radius), to: OfflineFailure.geometry)
    }

    private func isHere(_ tile: TileID) -> Bool {
        guard let stored = fetcher.stored(WantedTile(layer: layer, tile: tile, urgency: .download)) else {
            return false
        }
        return !stored.standing.isStale
    }

    private func requireFeature() throws(OfflineFailure) {
        let configuration = fetcher.configuration
        try converting(configuration.require(layer.feature, for: layer.info.name), to: OfflineFailure.feature)
        if configuration.neverOverTheAir.contains(layer.feature) {
            throw .regionsOnly(layer.info.name, layer.feature)
        }
    }
}

/// The plan to fetch an area into the cache, with its cost.
public struct PrefetchPlan: OfflinePlan {
    /// The number of tiles in the area.
    public let tiles: Int
    /// The number of tiles that are already cached or stored, and fresh.
    public let present: Int
    /// The estimated bytes of the missing tiles.
    public let bytes: Int
    /// The cache's quota in bytes.
    public let room: Int
    /// True if the user confirmed that the provider allows it. Needed only if its terms leave this open.
    public var isPermitted = false
    let cover: RegionTileSet
    let prefetcher: MapPrefetcher

    /// The number of tiles to fetch.
    public var missing: Int { tiles - present }

    /// Writes the cache, and returns the number of processed tiles that it has evicted. The plan compares the
    /// tiles alone with the quota; small ones take up to twice their size on disk.
    func countEvicted(_ tally: PrefetchTally) -> Int {
        let layer = prefetcher.layer, fetcher = prefetcher.fetcher
        prefetcher.cache?.flush()
        let kept = cover.tiles().count {
            fetcher.stored(WantedTile(layer: layer, tile: $0, urgency: .download)) != nil
        }
        return max(tally.fetched + tally.present - kept, 0)
    }

    /// Starts to fetch the missing tiles, nearest tiles and lowest zooms first.
    /// - Throws: `OfflineFailure` if the provider does not allow it.
    public func start() async throws(OfflineFailure) -> PrefetchJob {
        let layer = prefetcher.layer
        switch layer.policy.offline {
        case .allowed: break
        case .ask where isPermitted: break
        case .ask: throw .unsaid(layer.info.name, layer.policy.policyURL)
        case .denied: throw .prefetchDenied(layer.info.name, layer.policy.policyURL)
        }
        return .fetching(self)
    }
}
