public import RhumbCore
public import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// Fills the shared cache with tiles of a layer before they are looked at, as far as their provider
/// allows it. What it fetches may be removed again to make room: regions and packages are kept.
public struct MapPrefetcher: Sendable {
    private let layer: TileLayer
    private let fetcher: CachedTileFetcher
    private let cache: SharedCache?

    /// The radius around a place, in metres.
    public static let radii = 1_000.0...50_000.0

    /// A prefetcher that fills a session's cache with the tiles of a layer. Waits until the session's stores
    /// are open.
    public init(_ session: any OfflineServices, _ layer: TileLayer) {
        self.init(layer, session.fetcher, session.cache)
    }

    init(_ layer: TileLayer, _ fetcher: CachedTileFetcher, _ cache: SharedCache?) {
        self.layer = layer
        self.fetcher = fetcher
        self.cache = cache
    }

    /// The size of a prefetch.
    public struct Estimate: Sendable, Equatable {
        /// All tiles of the area.
        public let tiles: Int
        /// Tiles that are cached and fresh.
        public let present: Int
        /// Of those that are not, about.
        public let bytes: Int
        /// The size limit of the cache, in bytes.
        public let room: Int

        /// Tiles to be fetched.
        public var missing: Int { tiles - present }
    }

    /// Returns what fetching the tiles on some ground would cost, without the tiles that are cached already.
    /// - Throws: `PrefetchFailure`, also if the source's feature is off or the cache could not hold the
    ///   tiles.
    public func estimate(_ geometry: RegionGeometry, zooms: ZoomRange) throws(PrefetchFailure) -> Estimate {
        try requireFeature()
        guard let origin = layer.source.origin(of: layer) else { throw .here(layer.info.name) }
        guard let cache else { throw .noCache }
        let cover = cover(geometry, zooms), all = cover.counts(), room = cache.options.quota
        let samples = cache.samples(origin: origin)
        // So many tiles do not fit, whatever is cached already.
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

    /// Begins to fetch the tiles on some ground that are not here, nearest and lowest zooms first.
    /// - Parameter isPermitted: the person says that the provider allows it, where its terms leave it open.
    /// - Throws: `PrefetchFailure`, where the provider or the cache does not allow it.
    public func start(
        _ geometry: RegionGeometry, zooms: ZoomRange, isPermitted: Bool = false
    ) throws(PrefetchFailure) -> PrefetchTask {
        try allow(isPermitted)
        _ = try estimate(geometry, zooms: zooms)
        return PrefetchTask(cover(geometry, zooms).tiles(), of: layer, through: fetcher)
    }

    /// Fetches the ground ahead of somebody who moves along a way, part by part, until his positions or
    /// the way come to an end.
    /// - Parameters:
    ///   - positions: where he is, as he moves.
    ///   - isPermitted: as of `start`.
    /// - Returns: what came of all parts.
    /// - Throws: `PrefetchFailure`; what was fetched before stays.
    public func follow(
        _ corridor: MovingCorridor, zooms: ZoomRange, positions: AsyncStream<Coordinate>,
        isPermitted: Bool = false
    ) async throws(PrefetchFailure) -> PrefetchTask.Tally {
        var corridor = corridor, tally = PrefetchTask.Tally(), iterator = positions.makeAsyncIterator()
        while !corridor.isAtEnd, let place = await iterator.next(isolation: nil) {
            guard let ground = corridor.next(at: place) else { continue }
            tally.add(await (try start(ground, zooms: zooms, isPermitted: isPermitted)).finish())
        }
        return tally
    }

    /// Fetches the ground ahead of somebody who moves without a way, as his course tells, until his positions
    /// come to an end.
    /// - Parameters:
    ///   - fixes: where he is and where he is heading; those without a place or a heading are passed.
    ///   - isPermitted: as of `start`.
    /// - Returns: what came of all parts.
    /// - Throws: `PrefetchFailure`; what was fetched before stays.
    public func follow(
        _ corridor: CourseCorridor, zooms: ZoomRange, fixes: AsyncStream<PositionFix>,
        isPermitted: Bool = false
    ) async throws(PrefetchFailure) -> PrefetchTask.Tally {
        var corridor = corridor, tally = PrefetchTask.Tally(), iterator = fixes.makeAsyncIterator()
        while let fix = await iterator.next(isolation: nil) {
            guard let place = fix.place, let course = fix.heading,
                let ground = corridor.next(at: place, course: course)
            else { continue }
            tally.add(await (try start(ground, zooms: zooms, isPermitted: isPermitted)).finish())
        }
        return tally
    }

    /// The ground round a place.
    /// - Parameter radius: metres, within `radii`.
    /// - Throws: `PrefetchFailure.radius`, `.geometry`
    public static func ground(
        around place: Coordinate, radius: Double
    ) throws(PrefetchFailure) -> RegionGeometry {
        guard radii.contains(radius) else { throw .radius }
        do throws(RegionGeometryFailure) { return try .circle(around: place, radius: radius) } catch {
            throw .geometry(error)
        }
    }

    private func cover(_ geometry: RegionGeometry, _ zooms: ZoomRange) -> RegionCover {
        RegionCover(
            geometry, zooms: zooms, available: layer.dataZooms, bounds: layer.info.bounds, packing: .exact)
    }

    private func isHere(_ tile: TileID) -> Bool {
        guard let kept = fetcher.kept(TileWant(layer: layer, tile: tile, urgency: .download)) else {
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
