internal import RhumbBase

/// The facts about a region's source for planning.
public struct PlanSource: Hashable, Sendable {
    /// What the source's provider allows.
    public enum Permission: Hashable, Sendable {
        case allowed
        /// Only by who states that he may.
        case ask(policyURL: String?)
        case denied(reason: String, policyURL: String?, alternative: String)
    }

    /// Packs against the limit that the source's policy sets.
    public struct PackUse: Hashable, Sendable {
        /// The most packs of all regions together.
        public var limit: Int
        /// Those that regions hold now.
        public var used: Int
        /// Those this region would add, keyed by their group's lowest zoom.
        public var added: TileCounts

        /// A limit of packs, how many are used, and how many would be added.
        public init(limit: Int, used: Int, added: TileCounts) {
            self.limit = limit
            self.used = used
            self.added = added
        }

        /// How many more there may be, before those to be added.
        public var left: Int { max(limit - used, 0) }
    }

    /// Data of some features: a source of its own, or layers of vector tiles.
    public struct Group: Hashable, Sendable {
        /// The names of the features; with any of them enabled a region contains it.
        public var features: Set<String>
        /// About so many in the region; nil where nothing of the source was seen yet.
        public var bytes: Int?
        /// Whether the region contains the group.
        public var isContained: Bool

        /// The share of some features in a source; nil bytes where it is not known.
        public init(features: Set<String>, bytes: Int?, isContained: Bool) {
            self.features = features
            self.bytes = bytes
            self.isContained = isContained
        }

        /// "detailRendering or offlineSearch: about 1.2 MB"
        public var text: String {
            features.sorted().joined(separator: " or ") + ": "
                + (bytes.map { "about \(AmountText.bytes($0))" } ?? "of unknown size")
        }
    }

    /// What the command line calls the source.
    public var id: String
    /// For people; harmless to a terminal.
    public var name: String
    /// The tiles of the region.
    public var counts: TileCounts
    /// How many of them are stored and fresh, by zoom.
    public var stored: [Int: Int]
    /// Tiles that whole packs have beyond those that the region's ground touches at its zooms; nil: not
    /// known.
    public var packSurplus: Int?
    /// What is known of tile sizes, by zoom.
    public var samples: [Int: ByteSample]
    /// Nil for no limit.
    public var requestsPerSecond: Double?
    /// What the connection gives or may use; nil if unknown.
    public var bytesPerSecond: Double?
    /// Whether its provider lets areas be downloaded.
    public var permission: Permission
    /// Nil where packs are not limited.
    public var packs: PackUse?

    /// What of it belongs to features beside the base map.
    public var groups: [Group] = []

    /// What else is worth knowing, a sentence each; harmless to a terminal.
    public var notes: [String] = []

    /// A source as part of a plan.
    public init(
        id: String, name: String, counts: TileCounts, stored: [Int: Int] = [:],
        samples: [Int: ByteSample] = [:], requestsPerSecond: Double? = nil,
        bytesPerSecond: Double? = nil, permission: Permission = .allowed, packs: PackUse? = nil
    ) {
        self.id = id
        self.name = SafeText.sanitised(name, limit: 80)
        self.counts = counts
        self.stored = stored
        self.samples = samples
        self.requestsPerSecond = requestsPerSecond
        self.bytesPerSecond = bytesPerSecond
        self.permission = permission
        self.packs = packs
    }
}
