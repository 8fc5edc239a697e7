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

    /// The numbers of tiles, by zoom.
    public private(set) var zooms: [Zoom]
    /// The first tiles that only the second archive has, low zooms first.
    public private(set) var addedTiles: [TileID] = []
    /// The first tiles that only the first archive has, low zooms first.
    public private(set) var removedTiles: [TileID] = []
    /// The first tiles with different bodies, low zooms first.
    public private(set) var changes: [TileChange] = []
    /// The differences of the metadata. Values derived from the tiles, such as the format, are not compared.
    public let metadata: [MetadataChange]

    /// True if tiles and metadata are equal.
    public var isEqual: Bool {
        metadata.isEmpty && zooms.allSatisfy { $0.added + $0.removed + $0.changed == 0 }
    }

    /// Compares two archives. Uses 16 bytes of memory for each run of consecutive tiles.
    /// - Parameter limit: The maximum number of listed tiles of each kind.
    /// - Throws: `ArchiveFailure`, `ArchiveCopyFailure`, or `TileFailure` for a damaged tile;
    ///   `CancellationError` if the task is cancelled.
    public init(_ first: ArchiveInput, _ second: ArchiveInput, limit: Int = 10) throws {
        let own = try first.tiles(), its = try second.tiles()
        metadata = ArchiveMetadata(first.archive).changes(to: ArchiveMetadata(second.archive))
        zooms = []
        let lowest = min(own.zooms?.lowerBound ?? 0, its.zooms?.lowerBound ?? 0)
        let highest = max(own.zooms?.upperBound ?? 0, its.zooms?.upperBound ?? 0)
        var common = TileRuns()
        for zoom in lowest...highest {
            let added = its.missing(in: own, zoom: zoom), removed = own.missing(in: its, zoom: zoom)
            let (firstTiles, secondTiles) = (own.count(zoom: zoom), its.count(zoom: zoom))
            guard firstTiles + secondTiles > 0 else { continue }
            zooms.append(
                Zoom(
                    zoom: zoom, firstTiles: firstTiles, secondTiles: secondTiles,
                    added: added.reduce(0) { $0 + $1.count }, removed: removed.reduce(0) { $0 + $1.count }))
            addedTiles += ArchiveDiff.tiles(added, limit: limit - addedTiles.count)
            removedTiles += ArchiveDiff.tiles(removed, limit: limit - removedTiles.count)
            for run in own.runs(zoom: zoom) { its.runs(within: run).forEach { common.insert($0) } }
        }
        common.settle()
        try common.eachTile { tile in try compare(tile, first, second, limit) }
    }

    private mutating func compare(
        _ tile: TileID, _ first: ArchiveInput, _ second: ArchiveInput, _ limit: Int
    ) throws {
        let own = try first.stored(tile), its = try second.stored(tile)
        guard own != its else { return }
        let body = try first.plain(own, tile), other = try second.plain(its, tile)
        guard body != other, let at = zooms.firstIndex(where: { $0.zoom == tile.zoom }) else { return }
        zooms[at].changed += 1
        if changes.count < limit {
            changes.append(TileChange(tile: tile, firstBytes: body.count, secondBytes: other.count))
        }
    }

    private static func tiles(_ runs: [Range<UInt64>], limit: Int) -> [TileID] {
        Array(runs.lazy.joined().prefix(max(limit, 0)).compactMap { TileID(pmtilesID: $0) })
    }
}

extension TileRuns {
    fileprivate func count(zoom: Int) -> Int { runs(zoom: zoom).reduce(0) { $0 + $1.count } }

    /// Returns the runs of a zoom that another set lacks.
    fileprivate func missing(in other: TileRuns, zoom: Int) -> [Range<UInt64>] {
        runs(zoom: zoom).flatMap { other.gaps(within: $0) }
    }
}
