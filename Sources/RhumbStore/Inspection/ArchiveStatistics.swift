public import RhumbCore

/// The sizes of an archive's tiles, by zoom, layer and tile. If only a sample was read, sizes and bodies are
/// those of the sample.
public struct ArchiveStatistics: Sendable, Equatable {
    /// The sizes of a set of bodies.
    public struct Sizes: Sendable, Equatable {
        /// The total in bytes.
        public private(set) var total = 0
        /// The size of the largest body in bytes.
        public private(set) var largest = 0
        /// The tile with the largest body; nil if there are no tiles.
        public private(set) var largestTile: TileID?

        /// Adds tiles with equal bodies.
        mutating func add(_ bytes: Int, times count: Int, first tile: TileID?) {
            total = total.saturatingAdd(bytes.saturatingMultiply(count))
            guard let tile, largestTile.map({ (bytes, $0) > (largest, tile) }) ?? true else { return }
            largest = bytes
            largestTile = tile
        }

        mutating func add(_ other: Sizes) {
            let sum = total.saturatingAdd(other.total)
            add(other.largest, times: 0, first: other.largestTile)
            total = sum
        }
    }

    /// The tiles of one zoom.
    public struct Zoom: Sendable, Equatable {
        /// The zoom.
        public let zoom: Int
        /// The number of tiles in the archive.
        public internal(set) var tiles = 0
        /// The number of tiles that were read.
        public internal(set) var readCount = 0
        /// The sizes of the stored bodies.
        public internal(set) var stored = Sizes()
        /// The sizes of the decompressed bodies.
        public internal(set) var plain = Sizes()
        /// The number of different bodies.
        public internal(set) var distinct = 0
        /// The number of requests for tiles that were read, by the weights; 0 without weights.
        public internal(set) var requests = 0
        /// The stored size of all requested bodies in bytes.
        public internal(set) var sentBytes = 0
    }

    /// A layer of vector tiles.
    public struct Layer: Sendable, Equatable {
        /// The name, not sanitised.
        public let name: String
        /// The number of tiles with the layer.
        public internal(set) var tiles = 0
        /// The contents of all tiles together.
        public internal(set) var size = LayerSize()
        /// The decompressed sizes of the layer in its tiles.
        public internal(set) var sizes = Sizes()
        /// The decompressed size of the layer in all requested bodies in bytes; 0 without weights.
        public internal(set) var sentBytes = 0
    }

    /// An attribute of a layer.
    public struct Field: Sendable, Equatable {
        /// The name of the layer, not sanitised.
        public let layer: String
        /// The name, not sanitised.
        public let name: String
        /// The number of tiles with the attribute.
        public internal(set) var tiles = 0
        /// The number of features with the attribute. A feature counts once for each of its tiles.
        public internal(set) var features = 0
        /// The size in bytes of the name, the values, and the references of features to them.
        public internal(set) var bytes = 0
        /// The different values.
        public internal(set) var values = DistinctCounter()
    }

    /// The tiles with sizes in a range.
    public struct Bin: Sendable, Equatable {
        /// The largest stored size of the range in bytes.
        public let limit: Int
        /// The number of tiles that were read.
        public internal(set) var tiles = 0
        /// The stored size of the tiles in bytes.
        public internal(set) var bytes = 0
    }

    /// The sizes of one tile's body.
    public struct TileSize: Sendable, Equatable {
        /// The tile.
        public let tile: TileID
        /// The stored size in bytes.
        public let stored: Int
        /// The decompressed size in bytes; nil if no bodies were read.
        public let plain: Int?
        /// The number of requests for the tile; nil without weights.
        public let requests: Int?

        /// The number by which tiles are ordered: the stored size of all requested bodies, or of one.
        var rank: Int { stored.saturatingMultiply(requests ?? 1) }
    }

    /// The statistics to collect.
    public struct Options: Sendable {
        /// True to decode vector tiles and measure their layers.
        public var measuresLayers = false
        /// True to measure the attributes of the layers, too.
        public var measuresFields = false
        /// False to use only the sizes in the archive's directories. All bodies then remain unread, even
        /// damaged ones, and their decompressed sizes unknown.
        public var readsBodies = true
        /// The number of requests for each tile; nil for unweighted statistics.
        public var weights: TileRequests?
        /// The maximum number of tiles to read at each zoom; nil for all tiles.
        public var sample: Int?
        /// The number of largest tiles to list.
        public var top = 10
        /// The size in bytes that no stored body should exceed; nil for no limit.
        public var budget: Int?

        /// Creates the default options.
        public init() {}
    }

    /// The zooms with tiles, in ascending order.
    public let zooms: [Zoom]
    /// The number of different bodies. If no bodies were read, each stored body counts as different.
    public let distinct: Int
    /// The stored size of the different bodies in bytes.
    public let distinctBytes: Int
    /// True if the bodies were read, so that their decompressed sizes are known.
    public let hasReadBodies: Bool
    /// The layers, largest first; nil if not measured.
    public let layers: [Layer]?
    /// The attributes, largest first; nil if not measured.
    public let fields: [Field]?
    /// The number of vector tiles without features; nil if layers are not measured.
    public let emptyCount: Int?
    /// The stored sizes of the tiles. Each range ends at 1, 2 or 5 times a power of ten; the first and the
    /// last one have tiles.
    public let histogram: [Bin]
    /// The number of requests in the weights, including those for tiles that the archive lacks; nil without
    /// weights.
    public let weightedRequests: Int?
    /// The tiles with the largest stored bodies, largest first. With weights, those with the largest product
    /// of size and requests.
    public let largest: [TileSize]
    /// The number of tiles over the budget.
    public let overBudgetCount: Int
    /// The tiles over the budget, largest first, at most `listLimit`.
    public let overBudget: [TileSize]
    /// The damaged tiles and directories. They are missing from all other figures.
    public let problems: TileProblems
    /// True if there are more layers or attributes than `ArchiveSchema.layerLimit`, so that some are missing.
    public let isTruncated: Bool

    /// Maximum number of listed tiles over the budget.
    public static let listLimit = 1000

    /// The number of tiles in the archive.
    public var tileCount: Int { zooms.reduce(0) { $0.saturatingAdd($1.tiles) } }
    /// The number of tiles that were read.
    public var readCount: Int { zooms.reduce(0) { $0.saturatingAdd($1.readCount) } }
    /// The number of read tiles whose body repeats that of another.
    public var duplicates: Int { readCount - distinct }
    /// The number of requests for tiles that were read; 0 without weights.
    public var requests: Int { zooms.reduce(0) { $0.saturatingAdd($1.requests) } }
    /// The stored size of all requested bodies in bytes; 0 without weights.
    public var sentBytes: Int { zooms.reduce(0) { $0.saturatingAdd($1.sentBytes) } }
    /// The sizes of the stored bodies. A shared body counts once for each of its tiles.
    public var stored: Sizes { zooms.reduce(into: Sizes()) { $0.add($1.stored) } }
    /// The sizes of the decompressed bodies.
    public var plain: Sizes { zooms.reduce(into: Sizes()) { $0.add($1.plain) } }
}

extension TileArchive {
    /// Measures the tiles. Uses all cores, and about 40 bytes of memory per distinct body.
    /// - Parameter file: The archive's path, for messages.
    /// - Throws: `ArchiveFailure` if the tiles can't be listed, or if layers are measured and no tile is a
    ///   vector tile.
    public func statistics(
        of file: String, _ options: ArchiveStatistics.Options = .init()
    ) throws -> ArchiveStatistics {
        var scan = StatisticsScan(file: file, options: options)
        guard options.readsBodies else {
            try walk(.sizes) { scan.add($0) }
            return try scan.result(counts: nil)
        }
        let counts = try TileTraversal(archive: self, sample: options.sample).visit(scan.examine) {
            scan.add($0, $1)
        }
        return try scan.result(counts: counts)
    }
}
