public import RhumbCore
internal import RhumbEngine

/// The contents of a tile archive, counted tile by tile.
public struct ArchiveInspection: Sendable, Equatable {
    /// The size in bytes above which a tile counts as oversized.
    public static let oversize = 500_000

    /// The path, as given.
    public let file: String
    /// The format: "MBTiles", "PMTiles 3" or "folder".
    public let format: String
    /// The name of the archive, sanitised for terminal output.
    public let name: String
    /// The archive's attribution, sanitised for terminal output.
    public let attribution: String
    /// The declared kind of the tiles; nil if there is no such declaration.
    public let declaredKind: TileKind?
    /// The zooms declared in the metadata; nil if missing or invalid.
    public let declaredZooms: ClosedRange<Int>?
    /// The declared bounds; nil if there are none.
    public let declaredBounds: Bounds?
    /// The metadata, unchanged.
    public let metadata: JSON
    /// The bounds of the tiles at the deepest zoom; nil if there are no tiles.
    public let foundBounds: Bounds?
    /// The statistics of each zoom with tiles, in ascending order.
    public let zooms: [ZoomStatistics]
    /// The number and sizes of the bodies.
    public let bodies: BodyFigures
    /// The number of tiles of each kind, most frequent first; empty if the contents were not checked.
    public let kinds: [KindCount]
    /// The number of tiles of each image size, most frequent first; empty without a probe, or if
    /// the contents were not checked.
    public let sizes: [SizeCount]
    /// The number of tiles of a single colour; nil if not counted.
    public let blankTiles: Int?
    /// The number of tiles with more than `oversize` bytes.
    public let oversizedTiles: Int
    /// The five largest tiles.
    public let largest: [TileBytes]
    /// The faults.
    public let faults: ArchiveVerification

    /// The number of tiles. Tiles with a shared body are counted individually.
    public var tileCount: Int { zooms.reduce(0) { $0 + $1.tiles } }
    /// The total size of the tiles in bytes. A shared body counts once for each of its tiles.
    public var byteCount: Int { zooms.reduce(0) { $0 + $1.bytes } }
    /// The zooms without tiles between the first and the last zoom.
    public var missingZooms: [Int] {
        guard let first = zooms.first?.zoom, let last = zooms.last?.zoom else { return [] }
        let present = Set(zooms.map(\.zoom))
        return (first...last).filter { !present.contains($0) }
    }

    /// The number of tiles of a kind.
    public struct KindCount: Sendable, Equatable {
        /// The kind of the tiles.
        public let kind: TileKind
        /// The number of tiles.
        public let tiles: Int
    }

    /// The number of tiles of an image size.
    public struct SizeCount: Sendable, Equatable {
        /// The width in pixels.
        public let width: Int
        /// The height in pixels.
        public let height: Int
        /// The number of tiles.
        public let tiles: Int
    }

    /// The size of a tile's body.
    public struct TileBytes: Sendable, Equatable {
        /// The tile.
        public let tile: TileID
        /// The size of its body in bytes.
        public let bytes: Int
    }

    /// The number and sizes of an archive's bodies.
    public struct BodyFigures: Sendable, Equatable {
        /// The number of distinct bodies; nil if they were not compared.
        public let distinct: Int?
        /// The total size of the distinct bodies in bytes; nil if they were not compared.
        public let distinctBytes: Int?
        /// The number of bodies stored in the file.
        public let stored: Int
        /// The total size of the stored bodies in bytes.
        public let storedBytes: Int
        /// The number of tiles whose body repeats that of another tile; nil if bodies were not compared.
        public let repeats: Int?
        /// The number of bytes saved because tiles share equal bodies.
        public let savedBytes: Int
        /// The number of bytes wasted on bodies that are stored more than once; nil if bodies were not
        /// compared.
        public let wastedBytes: Int?
    }
}

/// The statistics of one zoom. Columns and rows are XYZ; rows count from the north.
public struct ZoomStatistics: Sendable, Equatable {
    /// The zoom.
    public let zoom: Int
    /// The number of tiles.
    public let tiles: Int
    /// The total size of the tiles in bytes.
    public let bytes: Int
    /// The size of the smallest body in bytes.
    public let smallest: Int
    /// The size of the largest body in bytes.
    public let largest: Int
    /// The tile with the largest body.
    public let largestTile: TileID
    /// The columns of the smallest rectangle that contains all tiles.
    public let columns: ClosedRange<Int>
    /// The rows of the smallest rectangle that contains all tiles.
    public let rows: ClosedRange<Int>
    /// The number of tiles missing from that rectangle.
    public let holes: Int
    /// The first missing tiles, at most three.
    public let holeExamples: [TileID]
    /// The number of tiles whose parent is missing; 0 for the archive's first zoom.
    public let orphans: Int
    /// The first tiles whose parent is missing, at most three.
    public let orphanExamples: [TileID]

    /// The average body size in bytes, rounded down.
    public var average: Int { tiles > 0 ? bytes / tiles : 0 }
}

extension TileArchive {
    /// Reports the contents and the faults of the archive. Uses 16 bytes of memory for each run of tiles.
    /// - Parameters:
    ///   - checksContents: True to read and check every tile on all cores, which uses about 100 bytes of
    ///     memory for each distinct picture. False to read only the header, the metadata and the directories.
    ///   - limit: The maximum number of faults of each kind to list.
    ///   - probe: Reads the size of pictures; nil to skip that check.
    ///   - decode: Decodes pictures; nil to check only their first bytes.
    /// - Throws: `ArchiveFailure` if the tiles can't be listed; `CancellationError` if the task is cancelled.
    public func inspect(
        checksContents: Bool = false, limit: Int = 10, probe: TileProbe? = nil, decode: TileDecode? = nil
    ) throws -> ArchiveInspection {
        let isReadable = refusal.map { $0.reason == .vectorTiles } ?? true
        let check =
            checksContents && isReadable ? ContentCheck(declaredContent, probe: probe, decode: decode) : nil
        var figures = ArchiveScan()
        var faults = FaultScan(declared: declaredContent, metadata: metadata, limit: limit)
        try checkStructure(isThorough: checksContents) { faults.add($0) }
        if let check {
            _ = try TileTraversal(archive: self, sample: nil).visit(check.examine) {
                figures.add($0, $1)
                faults.add($0, $1)
            }
        } else {
            try walk(.sizes) { run in
                try Task.checkCancellation()
                let finding = ContentCheck.Finding(listed: run)
                figures.add(run, finding)
                faults.add(run, finding)
            }
        }
        figures.settle()
        let unchecked: ArchiveVerification.Unchecked? =
            check != nil
            ? nil : isReadable ? .notRequested : refusal.map { .refused("\($0.problem); \($0.advice)") }
        return figures.result(self, faults.result(figures.tiles, unchecked: unchecked), check)
    }
}
