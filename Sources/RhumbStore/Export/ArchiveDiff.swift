public import RhumbCore
internal import RhumbEngine

/// The differences between two archives. Tiles are compared by their decompressed bodies, so that the format
/// and the compression do not count.
public struct ArchiveDiff: Equatable, Sendable {
    /// The numbers of tiles at a zoom.
    public struct Zoom: Equatable, Sendable {
        /// The zoom.
        public let zoom: Int
        /// The number of tiles in the first archive.
        public let firstTiles: Int
        /// The number of tiles in the second archive.
        public let secondTiles: Int
        /// The number of tiles that only the second archive has.
        public let added: Int
        /// The number of tiles that only the first archive has.
        public let removed: Int
        /// The number of tiles with different bodies.
        public internal(set) var changed = 0
    }

    /// A tile that differs.
    public struct TileChange: Equatable, Sendable {
        /// The tile.
        public let tile: TileID
        /// The size of its decompressed body in the first archive, in bytes.
        public let firstBytes: Int
        /// The size of its decompressed body in the second archive, in bytes.
        public let secondBytes: Int
        /// The mean distance of the pictures' colours in OKLab, 0…1; 1 is the distance of black and
        /// white; nil for vector tiles, for damaged pictures, for pictures of different sizes, and if
        /// pictures are not compared.
        public let difference: Double?
    }

    /// The numbers of features that differ in a layer of vector tiles. A feature counts once for each tile.
    public struct Layer: Equatable, Sendable {
        /// The name, not sanitised.
        public let name: String
        /// The numbers of features; kinds without features may be missing.
        public internal(set) var counts: [LayerDifference.Kind: Int] = [:]
    }

    /// A feature that differs.
    public struct FeatureChange: Equatable, Sendable {
        /// The tile.
        public let tile: TileID
        /// The name of the layer, not sanitised.
        public let layer: String
        /// The kind of difference.
        public let kind: LayerDifference.Kind
        /// The id; nil if there is none.
        public let id: UInt64?
        /// The attribute "name"; nil if there is none. Not sanitised.
        public let name: String?
        /// The names of the attributes that differ, sorted and not sanitised; empty unless changed.
        public let fields: [String]
        /// True if the feature is changed and its shape differs.
        public let hasOtherShape: Bool
        /// The shape, of a removed feature as in the first archive; nil unless requested, and if damaged.
        public let shape: TileShape?
    }

    /// A member of the metadata that differs.
    public struct MetadataChange: Equatable, Sendable {
        /// The name of the member.
        public let name: String
        /// The value in the first archive; nil if absent.
        public let first: JSON?
        /// The value in the second archive; nil if absent.
        public let second: JSON?
    }

    /// The differences to find.
    public struct Options: Sendable {
        /// The maximum number of listed tiles, and of features, of each kind.
        public var limit = 10
        /// True to compare the features of vector tiles.
        public var comparesFeatures = false
        /// The only zoom at which features are compared and listed, with their shapes; nil for all zooms,
        /// without shapes.
        public var shownZoom: Int?
        /// Decodes pictures to compare their colours; nil to compare only bytes.
        public var decode: TileDecode?

        /// Creates the default options.
        public init() {}
    }

    /// The numbers of tiles, by zoom.
    public internal(set) var zooms: [Zoom] = []
    /// The first tiles that only the second archive has, low zooms first.
    public internal(set) var addedTiles: [TileID] = []
    /// The first tiles that only the first archive has, low zooms first.
    public internal(set) var removedTiles: [TileID] = []
    /// The first tiles with different bodies, low zooms first.
    public internal(set) var changes: [TileChange] = []
    /// The layers with features that differ, sorted by name; nil if features are not compared.
    public internal(set) var layers: [Layer]?
    /// The first features of each kind that differ, low zooms first.
    public internal(set) var featureChanges: [FeatureChange] = []
    /// The tiles whose features can't be compared.
    public internal(set) var problems = TileProblems()
    /// The differences of the metadata. Values derived from the tiles, such as the format, are not compared.
    public let metadata: [MetadataChange]

    /// True if tiles and metadata are equal.
    public var isEqual: Bool {
        metadata.isEmpty && zooms.allSatisfy { $0.added + $0.removed + $0.changed == 0 }
    }

    /// Compares two archives. Uses all cores, and 16 bytes of memory for each run of consecutive tiles.
    /// - Parameter limit: The maximum number of listed tiles of each kind.
    /// - Throws: `ArchiveFailure`, `ArchiveCopyFailure`, or `TileFailure` for a damaged tile;
    ///   `CancellationError` if the task is cancelled.
    public init(_ first: ArchiveInput, _ second: ArchiveInput, limit: Int = 10) throws {
        var options = Options()
        options.limit = limit
        try self.init(first, second, options)
    }

    /// Compares two archives with options.
    /// - Throws: `ArchiveFailure`, `ArchiveCopyFailure`, or `TileFailure` for a damaged tile;
    ///   `ArchiveFailure` if features are compared and the archives have no vector tiles; `CancellationError`
    ///   if the task is cancelled.
    public init(_ first: ArchiveInput, _ second: ArchiveInput, _ options: Options) throws {
        metadata = ArchiveMetadata(first.archive).changes(to: ArchiveMetadata(second.archive))
        if options.comparesFeatures {
            for input in [first, second] where !input.holdsVectorTiles {
                throw ArchiveFailure.noVectorTiles(input.path)
            }
            layers = []
        }
        var own = try first.tiles(), its = try second.tiles()
        try first.checkCount(of: own)
        try second.checkCount(of: its)
        own = try first.withoutBlank(own) { !its.contains($0) }
        its = try second.withoutBlank(its) { !own.contains($0) }
        let lowest = min(own.zooms?.lowerBound ?? 0, its.zooms?.lowerBound ?? 0)
        let highest = max(own.zooms?.upperBound ?? 0, its.zooms?.upperBound ?? 0)
        var common = TileRuns(), added: [Range<UInt64>] = [], removed: [Range<UInt64>] = []
        for zoom in lowest...highest {
            let new = its.missing(in: own, zoom: zoom), old = own.missing(in: its, zoom: zoom)
            let (firstTiles, secondTiles) = (own.count(zoom: zoom), its.count(zoom: zoom))
            guard firstTiles + secondTiles > 0 else { continue }
            zooms.append(
                Zoom(
                    zoom: zoom, firstTiles: firstTiles, secondTiles: secondTiles,
                    added: new.reduce(0) { $0 + $1.count }, removed: old.reduce(0) { $0 + $1.count }))
            addedTiles += ArchiveDiff.tiles(new, limit: options.limit - addedTiles.count)
            removedTiles += ArchiveDiff.tiles(old, limit: options.limit - removedTiles.count)
            for run in own.runs(zoom: zoom) { its.runs(within: run).forEach { common.insert($0) } }
            added += new
            removed += old
        }
        common.settle()
        try collect(common, added: added, removed: removed, first, second, options)
        for input in [first, second] { try input.checkUnchanged() }
    }

    private static func tiles(_ runs: [Range<UInt64>], limit: Int) -> [TileID] {
        Array(runs.lazy.joined().prefix(max(limit, 0)).compactMap { TileID(hilbertID: $0) })
    }
}

extension TileRuns {
    fileprivate func count(zoom: Int) -> Int { runs(zoom: zoom).reduce(0) { $0 + $1.count } }

    /// Returns the runs of a zoom that another set lacks.
    fileprivate func missing(in other: TileRuns, zoom: Int) -> [Range<UInt64>] {
        runs(zoom: zoom).flatMap { other.gaps(within: $0) }
    }
}
