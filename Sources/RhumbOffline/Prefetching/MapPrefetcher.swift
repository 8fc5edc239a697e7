public import RhumbCore
public import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// Fetches tiles of a layer into the shared cache before they are displayed, if the provider allows it.
/// Unlike tiles of regions and packages, they may be evicted.
public struct MapPrefetcher: Sendable {
    private let layer: TileLayer
    private let fetcher: CachedTileFetcher
    private let cache: SharedCache?

    /// The allowed radius around a location, in metres.
    public static let radii = 1_000.0...50_000.0

    /// Creates a prefetcher for a session's cache. Waits until the session's stores are open.
    public init(_ session: any OfflineServices, _ layer: TileLayer) {
        self.init(layer, session.fetcher, session.cache)
    }

    init(_ layer: TileLayer, _ fetcher: CachedTileFetcher, _ cache: SharedCache?) {
        self.layer = layer
        self.fetcher = fetcher
        self.cache = cache
    }

    /// The cost of fetching an area.
    public struct Estimate: Sendable, Equatable {
        /// The number of tiles in the area.
        public let tiles: Int
        /// The number of tiles that are already cached or stored, and fresh.
        public let present: Int
        /// The estimated bytes of the missing tiles.
        public let bytes: Int
        /// The cache's quota in bytes.
        public let room: Int

        /// The number of tiles to fetch.
        public var missing: Int { tiles - present }
    }

    /// Returns the cost of fetching an area, excluding tiles that are already cached.
    /// - Throws: `PrefetchFailure`, also if the source's feature is off or the tiles would exceed the cache's
    ///   quota.
    public func estimate(_ geometry: RegionGeometry, zooms: ZoomRange) throws(PrefetchFailure) -> Estimate {
        try requireFeature()
        guard let origin = layer.source.origin(of: layer) else { throw .here(layer.info.name) }
        guard let cache else { throw .noCache }
        let cover = cover(geometry, zooms), all = cover.counts(), room = cache.options.quota
        let samples = cache.samples(origin: origin)
        // This many tiles exceed the quota even if some are cached, so the cached ones are not counted.
        guard all.total <= max(room / 100, 1000) else {
            throw .tooLarge(tiles: all.total, bytes: bytes(all.rows, samples), room: room)
        }
        var missing: [Int: Int] = [:]
        for tile in cover.tiles() where !isHere(tile) { missing[tile.zoom, default: 0] += 1 }
        let needed = bytes(missing.map { ($0.key, $0.value) }, samples), tiles = missing.values.reduce(0, +)
        guard needed <= room else { throw .tooLarge(tiles: tiles, bytes: needed, room: room) }
        return Estimate(tiles: all.total, present: all.total - tiles, bytes: needed, room: room)
    }

    private func bytes(_ rows: [(zoom: Int, count: Int)], _ samples: [Int: ByteSample]) -> Int {
        rows.reduce(0) { sum, row in
            let (bytes, isTooMuch) = sum.addingReportingOverflow(
                ByteEstimate(tiles: row.count, zoom: row.zoom, samples: samples).bytes)
            return isTooMuch ? .max : bytes
        }
    }

    /// Starts to fetch the missing tiles of an area, nearest tiles and lowest zooms first.
    /// - Parameter isPermitted: True if the user confirmed that the provider allows it. Needed only if its
    ///   terms leave this open.
    /// - Throws: `PrefetchFailure` if the provider or the cache does not allow it.
    public func start(
        _ geometry: RegionGeometry, zooms: ZoomRange, isPermitted: Bool = false
    ) throws(PrefetchFailure) -> PrefetchJob {
        try allow(isPermitted)
        _ = try estimate(geometry, zooms: zooms)
        return .fetching(cover(geometry, zooms).tiles(), of: layer, through: fetcher)
    }

    /// Returns a circle around a location.
    /// - Parameter radius: The radius in metres, within `radii`.
    /// - Throws: `PrefetchFailure.radius`, `.geometry`
    public static func ground(
        around place: Coordinate, radius: Double
    ) throws(PrefetchFailure) -> RegionGeometry {
        guard radii.contains(radius) else { throw .radius }
        do throws(RegionGeometryFailure) { return try .circle(around: place, radius: radius) } catch {
            throw .geometry(error)
        }
    }

    private func cover(_ geometry: RegionGeometry, _ zooms: ZoomRange) -> RegionTileSet {
        RegionTileSet(
            geometry, zooms: zooms, available: layer.dataZooms, bounds: layer.info.bounds, packing: .exact)
    }

    private func isHere(_ tile: TileID) -> Bool {
        guard let kept = fetcher.stored(WantedTile(layer: layer, tile: tile, urgency: .download)) else {
            return false
        }
        return !kept.standing.isStale
    }

    private func requireFeature() throws(PrefetchFailure) {
        let configuration = fetcher.configuration
        do throws(FeatureFailure) { try configuration.require(layer.feature, for: layer.info.name) } catch {
            throw .feature(error)
        }
        if configuration.neverOverTheAir.contains(layer.feature) {
            throw .regionsOnly(layer.info.name, layer.feature)
        }
    }

    private func allow(_ isPermitted: Bool) throws(PrefetchFailure) {
        switch layer.policy.offline {
        case .allowed: return
        case .ask where isPermitted: return
        case .ask: throw .unsaid(layer.info.name, layer.policy.policyURL)
        case .denied: throw .denied(layer.info.name, layer.policy.policyURL)
        }
    }
}
