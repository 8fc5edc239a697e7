internal import RhumbBase

/// The plan of a download, before its first request: tiles, bytes, time, and the verdict.
public struct RegionPlan: Hashable, Sendable {
    /// The maximum number of tiles in a region.
    public static let tileLimit = 100_000_000

    /// The tiles of one zoom of one source.
    public struct Row: Hashable, Sendable {
        /// The id of the source.
        public let source: String
        /// The zoom of the tiles.
        public let zoom: Int
        /// The number of the region's tiles at this zoom.
        public let tiles: Int
        /// The number of stored fresh tiles among them, which are not fetched again.
        public let stored: Int
        /// The estimated size of the tiles to fetch.
        public let size: ByteEstimate
        /// The estimated size on the disk of these tiles, and of those that are copied from the cache.
        public let storedSize: ByteEstimate

        /// The number of tiles to fetch.
        public var toFetch: Int { tiles - stored }
    }

    /// The zooms of the region.
    public let zooms: ZoomRange
    /// The mode of packing: whole packs or exact tiles.
    public let packing: RegionTileSet.Packing
    /// The part of the plan for each source.
    public let sources: [PlanSource]
    /// The rows in the order of sources, then of zooms.
    public let rows: [Row]
    /// The free disk space in bytes; nil if unknown.
    public let freeDisk: Int?
    /// The decision whether the region may be downloaded.
    public let verdict: PlanVerdict

    /// Creates a plan and its verdict.
    public init(
        zooms: ZoomRange, packing: RegionTileSet.Packing = .exact, sources: [PlanSource], freeDisk: Int? = nil
    ) {
        self.zooms = zooms
        self.packing = packing
        self.sources = sources
        self.freeDisk = freeDisk
        rows = sources.flatMap(RegionPlan.rows)
        verdict = PlanVerdict(
            RegionPlan.Limits(
                zooms: zooms, packing: packing, sources: sources, rows: rows, freeDisk: freeDisk))
    }

    /// Returns the size of a source's tiles to fetch; nil if the plan doesn't have the source.
    /// - Parameter source: The name of the source on the command line.
    public func size(of source: String) -> ByteEstimate? {
        guard sources.contains(where: { $0.id == source }) else { return nil }
        return rows.filter { $0.source == source }.reduce(ByteEstimate(bytes: 0, margin: 0)) { $0 + $1.size }
    }

    private static func rows(of source: PlanSource) -> [Row] {
        source.counts.rows.map { zoom, tiles in
            let stored = min(max(source.stored[zoom] ?? 0, 0), tiles)
            let size = ByteEstimate(tiles: tiles - stored, zoom: zoom, samples: source.samples)
            return Row(
                source: source.id, zoom: zoom, tiles: tiles, stored: stored, size: size,
                storedSize: ByteEstimate(
                    tiles: tiles - stored + min(source.cached[zoom] ?? 0, stored), zoom: zoom,
                    samples: source.samples
                ).times(source.storedRatio))
        }
    }

    /// True if all counts are exact; false if they are upper limits.
    public var isExact: Bool { sources.allSatisfy(\.counts.isExact) }
    /// The number of tiles in the region.
    public var tiles: Int { rows.reduce(0) { $0.saturatingAdd($1.tiles) } }
    /// The number of stored fresh tiles.
    public var stored: Int { rows.reduce(0) { $0.saturatingAdd($1.stored) } }
    /// The number of tiles to fetch.
    public var toFetch: Int { rows.reduce(0) { $0.saturatingAdd($1.toFetch) } }
    /// The number of tiles that whole packs add to those that the area touches; nil if unknown.
    public var packSurplus: Int? {
        let known = sources.compactMap(\.packSurplus)
        return known.count == sources.count ? known.reduce(0) { $0.saturatingAdd($1) } : nil
    }
    /// The estimated size of the tiles to fetch.
    public var size: ByteEstimate { rows.reduce(ByteEstimate(bytes: 0, margin: 0)) { $0 + $1.size } }

    /// The estimated size that the region adds on the disk.
    public var storedSize: ByteEstimate {
        rows.reduce(ByteEstimate(bytes: 0, margin: 0)) { $0 + $1.storedSize }
    }

    /// The minimum time in seconds at the allowed and known rates. Sources are downloaded in parallel. Nil if
    /// no rate is known.
    public var seconds: Double? {
        sources.compactMap { source -> Double? in
            let own = rows.filter { $0.source == source.id }
            let fetched = own.reduce(0.0) { $0 + Double($1.toFetch) }
            let bytes = own.reduce(0.0) { $0 + Double($1.size.bytes) }
            let times = [(fetched, source.requestsPerSecond), (bytes, source.bytesPerSecond)]
            return times.compactMap { amount, rate in rate.flatMap { $0 > 0 ? amount / $0 : nil } }.max()
        }.max()
    }
}
