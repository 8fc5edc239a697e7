public import RhumbCore

/// The contents of a tile archive, counted tile by tile.
public struct ArchiveInspection: Sendable, Equatable {
    /// From this size on, in bytes, a tile counts as oversized.
    public static let oversize = 500_000

    /// The path as given.
    public let file: String
    /// "MBTiles", "PMTiles 3" or "folder".
    public let format: String
    /// Harmless to a terminal, as is the attribution.
    public let name: String
    /// The attribution by the archive.
    public let attribution: String
    /// The zooms in the metadata; nil if missing or invalid.
    public let declaredZooms: ClosedRange<Int>?
    /// The box the archive says it covers; nil: it says none.
    public let declaredBounds: Bounds?
    /// All metadata, unchanged.
    public let metadata: JSON
    /// The ground that the tiles of the deepest zoom cover, as one box; nil without tiles.
    public let foundBounds: Bounds?
    /// The zooms that have tiles, ascending.
    public let zooms: [ZoomStatistics]
    /// Sizes of the bodies.
    public let bodies: BodyFigures
    /// Tiles of each kind, the most frequent first.
    public let kinds: [KindCount]
    /// Tiles of each size in pixels, the most frequent first; empty without a probe.
    public let sizes: [SizeCount]
    /// The number of tiles of one colour; nil if not counted.
    public let blankTiles: Int?
    /// The number of tiles with more than `oversize` bytes.
    public let oversizedTiles: Int
    /// The five largest tiles with their bytes.
    public let largest: [TileBytes]
    /// The faults, one for each kind.
    public let faults: [ArchiveFault]

    /// All tiles, those of a shared body each counted.
    public var tileCount: Int { zooms.reduce(0) { $0 + $1.tiles } }
    /// The bytes of all tiles, those of a shared body each counted.
    public var byteCount: Int { zooms.reduce(0) { $0 + $1.bytes } }
    /// The zooms between the first and last that have no tile.
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
        /// Pixels in a row.
        public let width: Int
        /// Rows of pixels.
        public let height: Int
        /// The number of tiles.
        public let tiles: Int
    }

    /// The size of a tile's body.
    public struct TileBytes: Sendable, Equatable {
        /// The tile.
        public let tile: TileID
        /// The size of its body.
        public let bytes: Int
    }

    /// The storage of bodies.
    public struct BodyFigures: Sendable, Equatable {
        /// Different bodies and their bytes.
        public let distinct: Int
        /// Bytes of the bodies, each counted once.
        public let distinctBytes: Int
        /// Bodies in the file and their bytes.
        public let stored: Int
        /// Bytes of the bodies as the archive stores them.
        public let storedBytes: Int
        /// Tiles beyond the first of each body.
        public let repeats: Int
        /// Bytes that sharing equal bodies saves.
        public let savedBytes: Int
        /// Bytes taken by bodies that are stored more than once.
        public let wastedBytes: Int
    }
}

/// One zoom of an archive. Columns and rows are XYZ, rows from the north.
public struct ZoomStatistics: Sendable, Equatable {
    /// The zoom.
    public let zoom: Int
    /// The number of tiles.
    public let tiles: Int
    /// Bytes of their bodies.
    public let bytes: Int
    /// The bytes of the smallest and largest tile.
    public let smallest: Int
    /// Bytes of the largest body.
    public let largest: Int
    /// The tile with the largest body.
    public let largestTile: TileID
    /// The smallest rectangle with all its tiles.
    public let columns: ClosedRange<Int>
    /// The rows its tiles are in.
    public let rows: ClosedRange<Int>
    /// Tiles missing in that rectangle, and the first few.
    public let holes: Int
    /// A few of the tiles missing among others.
    public let holeExamples: [TileID]
    /// Tiles whose parent is missing, and the first few; none at the archive's first zoom.
    public let orphans: Int
    /// A few of the tiles without one above them.
    public let orphanExamples: [TileID]

    /// Bytes a tile, rounded down.
    public var average: Int { tiles > 0 ? bytes / tiles : 0 }
}

/// One kind of fault in an archive.
public struct ArchiveFault: Sendable, Equatable {
    /// The kinds of faults that are looked for.
    public enum Kind: String, Sendable, CaseIterable {
        /// The body is NULL.
        case null
        /// The body has 0 bytes.
        case empty
        /// The body's gzip data are damaged.
        case damaged
        /// The body is no PNG, JPEG or WebP picture.
        case notAPicture
        /// The body begins like a picture but can't be decoded.
        case undecodable
        /// The picture's size is not that of most others.
        case wrongSize
        /// Zoom, column and row are no tile's.
        case misplaced
        /// The same tile is there more than once.
        case repeated
        /// A directory or one of its entries is damaged.
        case directory
        /// The metadata is incomplete or wrong.
        case metadata
        /// A part could not be read.
        case unreadable
    }

    /// The kind of fault.
    public let kind: Kind
    /// The number of occurrences.
    public internal(set) var count: Int
    /// The first five: tiles as "z/x/y", or sentences.
    public internal(set) var examples: [String]
}
