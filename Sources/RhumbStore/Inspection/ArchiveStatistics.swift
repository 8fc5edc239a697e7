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
    }

    /// The sizes of one tile's body.
    public struct TileSize: Sendable, Equatable {
        /// The tile.
        public let tile: TileID
        /// The stored size in bytes.
        public let stored: Int
        /// The decompressed size in bytes.
        public let plain: Int
    }

    /// The statistics to collect.
    public struct Options: Sendable {
        /// True to decode vector tiles and measure their layers.
        public var measuresLayers = false
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
    /// The number of different bodies.
    public let distinct: Int
    /// The stored size of the different bodies in bytes.
    public let distinctBytes: Int
    /// The layers, largest first; nil if not measured.
    public let layers: [Layer]?
    /// The tiles with the largest stored bodies, largest first.
    public let largest: [TileSize]
    /// The number of tiles over the budget.
    public let overBudgetCount: Int
    /// The tiles over the budget, largest first, at most `listLimit`.
    public let overBudget: [TileSize]
    /// The damaged tiles and directories. They are missing from all other figures.
    public let problems: TileProblems
    /// True if there are more layers than `ArchiveSchema.layerLimit`, so that some are missing.
    public let isTruncated: Bool

    /// Maximum number of listed tiles over the budget.
    public static let listLimit = 1000

    /// The number of tiles in the archive.
    public var tileCount: Int { zooms.reduce(0) { $0.saturatingAdd($1.tiles) } }
    /// The number of tiles that were read.
    public var readCount: Int { zooms.reduce(0) { $0.saturatingAdd($1.readCount) } }
    /// The number of read tiles whose body repeats that of another.
    public var duplicates: Int { readCount - distinct }
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
        let counts = try TileTraversal(archive: self, sample: options.sample).visit(scan.examine) {
            scan.add($0, $1)
        }
        return try scan.result(counts: counts)
    }
}
