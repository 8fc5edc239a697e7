public import RhumbCore

/// What a tile archive holds, counted tile by tile.
public struct ArchiveInspection: Sendable, Equatable {
    /// From this size on, in bytes, a tile counts as oversized.
    public static let oversize = 500_000

    /// The path as given.
    public let file: String
    /// "MBTiles", "PMTiles 3" or "folder".
    public let format: String
    /// Harmless to a terminal, as is the attribution.
    public let name: String
    public let attribution: String
    /// What the metadata claims; nil where it is silent or makes no sense.
    public let declaredZooms: ClosedRange<Int>?
    public let declaredBounds: Bounds?
    /// All metadata, as they came.
    public let metadata: JSON
    /// The ground that the tiles of the deepest zoom cover, as one box; nil without tiles.
    public let foundBounds: Bounds?
    /// The zooms that have tiles, ascending.
    public let zooms: [ZoomFigures]
    public let bodies: BodyFigures
    /// Tiles of each kind, the most frequent first.
    public let kinds: [KindCount]
    /// Tiles of each size in pixels, the most frequent first; empty without a probe.
    public let sizes: [SizeCount]
    /// Tiles of one colour throughout; nil if nobody looked.
    public let blankTiles: Int?
    /// How many tiles have more than `oversize` bytes.
    public let oversizedTiles: Int
    /// The five largest tiles with their bytes.
    public let largest: [TileBytes]
    /// What is wrong, one for each kind of fault.
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

    public struct KindCount: Sendable, Equatable {
        public let kind: TileKind
        public let tiles: Int
    }

    public struct SizeCount: Sendable, Equatable {
        public let width: Int
        public let height: Int
        public let tiles: Int
    }

    public struct TileBytes: Sendable, Equatable {
        public let tile: TileID
        public let bytes: Int
    }

    /// How the tiles' bodies are kept.
    public struct BodyFigures: Sendable, Equatable {
        /// Different bodies and their bytes.
        public let distinct: Int
        public let distinctBytes: Int
        /// Bodies in the file and their bytes.
        public let stored: Int
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
public struct ZoomFigures: Sendable, Equatable {
    public let zoom: Int
    public let tiles: Int
    public let bytes: Int
    /// The bytes of the smallest and largest tile.
    public let smallest: Int
    public let largest: Int
    public let largestTile: TileID
    /// The smallest rectangle with all its tiles.
    public let columns: ClosedRange<Int>
    public let rows: ClosedRange<Int>
    /// Tiles missing in that rectangle, and the first few.
    public let holes: Int
    public let holeExamples: [TileID]
    /// Tiles whose parent is missing, and the first few; none at the archive's first zoom.
    public let orphans: Int
    public let orphanExamples: [TileID]

    /// Bytes a tile, rounded down.
    public var average: Int { tiles > 0 ? bytes / tiles : 0 }
}

/// One kind of fault in an archive.
public struct ArchiveFault: Sendable, Equatable {
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
        /// The metadata is missing something, or says what is not so.
        case metadata
        /// A part could not be read.
        case unreadable
    }

    public let kind: Kind
    /// How often it was met.
    public internal(set) var count: Int
    /// The first five: tiles as "z/x/y", or sentences.
    public internal(set) var examples: [String]
}
