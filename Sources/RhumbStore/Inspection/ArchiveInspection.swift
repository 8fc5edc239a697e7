public import RhumbCore

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
    /// The number of tiles of each kind, most frequent first.
    public let kinds: [KindCount]
    /// The number of tiles of each image size, most frequent first; empty without a probe.
    public let sizes: [SizeCount]
    /// The number of tiles of a single colour; nil if not counted.
    public let blankTiles: Int?
    /// The number of tiles with more than `oversize` bytes.
    public let oversizedTiles: Int
    /// The five largest tiles.
    public let largest: [TileBytes]
    /// The faults, one entry for each kind.
    public let faults: [ArchiveFault]

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
        /// The number of distinct bodies.
        public let distinct: Int
        /// The total size of the distinct bodies in bytes.
        public let distinctBytes: Int
        /// The number of bodies stored in the file.
        public let stored: Int
        /// The total size of the stored bodies in bytes.
        public let storedBytes: Int
        /// The number of tiles whose body repeats that of another tile.
        public let repeats: Int
        /// The number of bytes saved because tiles share equal bodies.
        public let savedBytes: Int
        /// The number of bytes wasted on bodies that are stored more than once.
        public let wastedBytes: Int
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

/// A kind of fault in an archive, with the number of occurrences and examples.
public struct ArchiveFault: Sendable, Equatable {
    /// The kinds of faults.
    public enum Kind: String, Sendable, CaseIterable {
        /// The body is NULL.
        case null
        /// The body has 0 bytes.
        case empty
        /// The body has invalid gzip data.
        case damaged
        /// The body isn't a PNG, JPEG or WebP image.
        case notAPicture
        /// The body has the signature of an image, but can't be decoded.
        case undecodable
        /// The zoom, column and row don't identify a valid tile.
        case misplaced
        /// The tile occurs more than once.
        case repeated
        /// A directory or one of its entries is damaged.
        case directory
        /// The metadata is incomplete or invalid.
        case metadata
        /// A part of the archive can't be read.
        case unreadable
    }

    /// The kind of fault.
    public let kind: Kind
    /// The number of occurrences.
    public internal(set) var count: Int
    /// The first five occurrences: tiles as "z/x/y", or sentences.
    public internal(set) var examples: [String]
}
