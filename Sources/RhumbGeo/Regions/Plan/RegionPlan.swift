internal import RhumbBase

/// What a download will be, before its first request: tiles, bytes, time, and whether it may.
public struct RegionPlan: Hashable, Sendable {
    /// The most tiles a region may have.
    public static let tileLimit = 100_000_000

    /// The tiles of one zoom of one source.
    public struct Row: Hashable, Sendable {
        /// The id of the source.
        public let source: String
        /// The zoom of the tiles.
        public let zoom: Int
        /// How many tiles the region has there.
        public let tiles: Int
        /// Of these, stored and fresh: they are not fetched again.
        public let stored: Int
        /// What the others weigh.
        public let size: ByteEstimate

        /// How many tiles are still to come.
        public var toFetch: Int { tiles - stored }
    }

    /// The zooms of the region.
    public let zooms: ZoomRange
    /// Whether packs are taken whole.
    public let packing: RegionTileSet.Packing
    /// What each source adds.
    public let sources: [PlanSource]
    /// By source, then by zoom.
    public let rows: [Row]
    /// Room on the disk in bytes; nil if unknown.
    public let freeDisk: Int?
    /// Whether the region may be downloaded.
    public let verdict: PlanVerdict

    /// A plan, with a verdict on it.
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

    private static func rows(of source: PlanSource) -> [Row] {
        source.counts.rows.map { zoom, tiles in
            let stored = min(max(source.stored[zoom] ?? 0, 0), tiles)
            let size = ByteEstimate(tiles: tiles - stored, zoom: zoom, samples: source.samples)
            return Row(source: source.id, zoom: zoom, tiles: tiles, stored: stored, size: size)
        }
    }

    /// Whether all counts are exact; if not, they are upper limits.
    public var isExact: Bool { sources.allSatisfy(\.counts.isExact) }
    /// How many tiles the region has.
    public var tiles: Int { rows.reduce(0) { $0.saturatingAdd($1.tiles) } }
    /// How many of them are stored and fresh.
    public var stored: Int { rows.reduce(0) { $0.saturatingAdd($1.stored) } }
    /// How many are to be fetched.
    public var toFetch: Int { rows.reduce(0) { $0.saturatingAdd($1.toFetch) } }
    /// Tiles that whole packs have beyond those that the ground touches at these zooms; nil: not known.
    public var packSurplus: Int? {
        let known = sources.compactMap(\.packSurplus)
        return known.count == sources.count ? known.reduce(0) { $0.saturatingAdd($1) } : nil
    }
    /// What the tiles to fetch weigh.
    public var size: ByteEstimate { rows.reduce(ByteEstimate(bytes: 0, margin: 0)) { $0 + $1.size } }

    /// How long it takes at least, at the rates that are allowed and known, in seconds; sources are
    /// loaded side by side. Nil if no rate is known.
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
