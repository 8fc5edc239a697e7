public import RhumbBase

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

    /// The zooms of the region's maps, without those of heights for them.
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

    /// Returns true if a source has tiles in the region that add less than a quarter to those of the others,
    /// even at the upper limit of their estimated size.
    /// - Parameter source: The name of the source on the command line.
    public func isSmallAddition(_ source: String) -> Bool {
        guard let own = size(of: source), rows.contains(where: { $0.source == source && $0.tiles > 0 }) else {
            return false
        }
        return own.bytes.saturatingAdd(own.margin).saturatingMultiply(4) < size.bytes - own.bytes
    }

    private static func rows(of source: PlanSource) -> [Row] {
        source.counts.rows.map { zoom, tiles in
            let stored = min(max(source.stored[zoom] ?? 0, 0), tiles)
            let kept = tiles - stored + min(source.cached[zoom] ?? 0, stored)
            return Row(
                source: source.id, zoom: zoom, tiles: tiles, stored: stored,
                size: source.size(of: tiles - stored, zoom: zoom),
                storedSize: source.size(of: kept, zoom: zoom).times(source.storedRatio))
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

    /// The sanitised lines of the plan for users, about 70 columns wide.
    public var lines: [String] {
        table + [""] + [timeLine].compactMap(\.self) + diskLines + packLines + groupLines
            + sources.flatMap(\.notes) + verdict.lines
    }

    private var table: [String] {
        let head = ["source", "zoom", "tiles", "stored", "to fetch", "size"]
        let zoomRows = rows.map { row in
            [name(of: row.source), "\(row.zoom)"] + amounts(row.tiles, row.stored, row.toFetch, row.size)
        }
        let total = ["all", "\(zooms)"] + amounts(tiles, stored, toFetch, size)
        return TextTable(head, leading: 1, zoomRows + [total]).lines
    }

    private func amounts(_ tiles: Int, _ stored: Int, _ toFetch: Int, _ size: ByteEstimate) -> [String] {
        let most = isExact ? "" : "≤ "
        return [
            most + AmountText.count(tiles), AmountText.count(stored), most + AmountText.count(toFetch),
            size.text,
        ]
    }

    private func name(of source: String) -> String {
        let match = sources.first { $0.id == source }
        return SafeText.sanitised(match?.name ?? source, limit: 24)
    }

    private var timeLine: String? { seconds.map { "time: at least \(AmountText.seconds($0))" } }

    private var diskLines: [String] {
        (storedSize.bytes > 0 ? ["size on disk: \(storedSize.text)"] : [])
            + (freeDisk.map { ["free on disk: \(AmountText.bytes($0))"] } ?? [])
    }

    private var packLines: [String] {
        sources.compactMap { source in
            source.packs.map { packs in
                "packs of \(name(of: source.id)): \(AmountText.count(packs.added.total)) more, "
                    + "\(AmountText.count(packs.used)) used of \(AmountText.count(packs.limit))"
            }
        }
    }

    private var groupLines: [String] {
        sources.flatMap(\.groups).map { ($0.isContained ? "with " : "without ") + $0.text }
    }

    /// The plan as JSON.
    public var json: JSON {
        [
            "zooms": [.integer(zooms.lowest), .integer(zooms.highest)], "exact": .bool(packing == .exact),
            "tiles": .integer(tiles), "stored": .integer(stored), "toFetch": .integer(toFetch),
            "countsAreExact": .bool(isExact), "bytes": .integer(size.bytes), "margin": .integer(size.margin),
            "storedBytes": .integer(storedSize.bytes),
            "duration": seconds.map { .number($0.rounded(1)) } ?? .null,
            "freeBytes": .count(freeDisk),
            "groups": .array(sources.flatMap { source in source.groups.map { $0.json(of: source.id) } }),
            "notes": .array(sources.flatMap(\.notes).map { .string($0) }),
            "rows": .array(rows.map(\.json)), "packs": .array(sources.compactMap(packs)),
            "verdict": verdict.json,
        ]
    }

    private func packs(of source: PlanSource) -> JSON? {
        source.packs.map { packs in
            [
                "source": .string(source.id), "added": .integer(packs.added.total),
                "used": .integer(packs.used),
                "limit": .integer(packs.limit), "left": .integer(packs.left),
            ]
        }
    }
}

extension PlanSource.Group {
    fileprivate func json(of source: String) -> JSON {
        [
            "source": .string(source), "features": .array(features.sorted().map { .string($0) }),
            "bytes": .count(bytes), "contained": .bool(isContained),
        ]
    }
}

extension RegionPlan.Row {
    fileprivate var json: JSON {
        [
            "source": .string(source), "zoom": .integer(zoom), "tiles": .integer(tiles),
            "stored": .integer(stored),
            "toFetch": .integer(toFetch), "bytes": .integer(size.bytes), "margin": .integer(size.margin),
        ]
    }
}

/// The facts about a region's source for planning.
public struct PlanSource: Hashable, Sendable {
    /// The permission of the source's provider for downloads.
    public enum Permission: Hashable, Sendable {
        case allowed
        /// The user must state that the provider permits it.
        case ask(policyURL: String?)
        case denied(reason: String, policyURL: String?, alternative: String)
    }

    /// The use of packs, with the limit of the source's policy.
    public struct PackUse: Hashable, Sendable {
        /// The maximum number of packs in all regions together.
        public var limit: Int
        /// The number of packs that regions have now.
        public var used: Int
        /// The packs that this region would add, keyed by their group's lowest zoom.
        public var added: TileCounts

        /// Creates the use of packs from their limit, the used ones, and those to add.
        public init(limit: Int, used: Int, added: TileCounts) {
            self.limit = limit
            self.used = used
            self.added = added
        }

        /// The number of packs that may still be added.
        public var left: Int { max(limit - used, 0) }
    }

    /// The data of some features: a separate source, or layers of vector tiles.
    public struct Group: Hashable, Sendable {
        /// The names of the features. A region contains the group if any of them is enabled.
        public var features: Set<String>
        /// The approximate size of the group in the region; nil if no tile of the source is stored yet.
        public var bytes: Int?
        /// True if the region contains the group.
        public var isContained: Bool

        /// Creates the share of some features in a source. `bytes` is nil if unknown.
        public init(features: Set<String>, bytes: Int?, isContained: Bool) {
            self.features = features
            self.bytes = bytes
            self.isContained = isContained
        }

        /// The group as text: "detailRendering or offlineSearch: about 1.2 MB".
        public var text: String {
            features.sorted().joined(separator: " or ") + ": "
                + (bytes.map { "about \(AmountText.bytes($0))" } ?? "of unknown size")
        }
    }

    /// The name of the source on the command line.
    public var id: String
    /// The sanitised name of the source.
    public var name: String
    /// The tiles of the region.
    public var counts: TileCounts
    /// The number of stored fresh tiles, by zoom.
    public var stored: [Int: Int]
    /// The number of those that only the cache has, by zoom. The region gets a copy of them.
    public var cached: [Int: Int] = [:]
    /// The number of tiles that whole packs add to those that the region's area touches; nil if unknown.
    public var packSurplus: Int?
    /// The known tile sizes, by zoom.
    public var samples: [Int: ByteSample]
    /// The zooms whose samples contain all tiles of the region.
    public var measuredZooms: Set<Int> = []
    /// The size of a tile if there are no samples.
    public var usualTile = ByteEstimate.usualTile()
    /// The size of stored tiles compared with that of fetched ones.
    public var storedRatio = 1.0
    /// The allowed request rate; nil for no limit.
    public var requestsPerSecond: Double?
    /// The allowed or measured transfer rate; nil if unknown.
    public var bytesPerSecond: Double?
    /// The permission of the provider to download areas.
    public var permission: Permission
    /// The use of packs; nil if packs are not limited.
    public var packs: PackUse?

    /// The groups of layers for features other than the base map.
    public var groups: [Group] = []

    /// Further notes, one sentence each, sanitised.
    public var notes: [String] = []

    /// Creates the facts about a source.
    public init(
        id: String, name: String, counts: TileCounts, stored: [Int: Int] = [:],
        samples: [Int: ByteSample] = [:], requestsPerSecond: Double? = nil,
        permission: Permission = .allowed, packs: PackUse? = nil
    ) {
        self.id = id
        self.name = SafeText.sanitised(name, limit: 80)
        self.counts = counts
        self.stored = stored
        self.samples = samples
        self.requestsPerSecond = requestsPerSecond
        self.permission = permission
        self.packs = packs
    }

    /// Returns the size of some of the region's tiles of a zoom. It is exact if all of them were measured.
    public func size(of tiles: Int, zoom: Int) -> ByteEstimate {
        if measuredZooms.contains(zoom), let sample = samples[zoom], sample.count == tiles {
            return ByteEstimate(bytes: Int(clamping: (sample.mean * Double(tiles)).rounded()), margin: 0)
        }
        return ByteEstimate(tiles: tiles, zoom: zoom, samples: samples, usual: usualTile)
    }
}
