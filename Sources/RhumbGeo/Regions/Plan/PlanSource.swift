internal import RhumbBase

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
