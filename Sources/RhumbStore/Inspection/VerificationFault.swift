public import RhumbCore

/// A fault of a tile archive.
public struct VerificationFault: Sendable, Equatable {
    /// The kinds of faults, in the order of reports. Raw values are those of JSON.
    public enum Kind: String, Sendable, CaseIterable {
        /// The header has invalid values, or sections that overlap.
        case header
        /// A directory, or the database, is damaged.
        case directory
        /// Entries or leaf directories are not in ascending order.
        case order
        /// Bodies overlap.
        case overlap
        /// The header declares clustered bodies, but they are not in the order of the tiles.
        case clustering
        /// A declared number of tiles differs from the number found.
        case count
        /// The metadata is missing, incomplete or invalid.
        case metadata
        /// The declared zooms differ from those of the tiles.
        case zooms
        /// The bounds or the centre are invalid, or tiles are outside of the bounds.
        case bounds
        /// The declared layers differ from those in the tiles.
        case layers
        /// The zoom, column and row identify no tile.
        case position
        /// The tile occurs more than once.
        case duplicate
        /// The body is NULL or has no bytes.
        case empty
        /// The body can't be read.
        case unreadable
        /// The compression differs from the declared one, or is damaged.
        case compression
        /// The format of the tile differs from the declared one, or is unknown.
        case format
        /// The tile can't be decoded.
        case content
        /// The picture has a different size from most others.
        case size
        /// Polygons have rings in the wrong direction.
        case winding
        /// Features are far outside of their tile.
        case extent

        /// True if a repaired copy doesn't have the fault.
        public var isRepairable: Bool {
            switch self {
            case .header, .directory, .order, .overlap, .clustering, .count, .metadata, .zooms, .bounds,
                .layers, .position, .duplicate, .empty:
                true
            case .unreadable, .compression, .format, .content, .size, .winding, .extent: false
            }
        }
    }

    /// The location of a fault.
    public enum Location: Sendable, Equatable {
        /// The archive as a whole.
        case archive
        case tile(TileID)
        /// An offset in the file.
        case byte(UInt64)
    }

    /// The kind of fault.
    public let kind: Kind
    /// The location of the fault.
    public let location: Location
    /// The problem, sanitised for terminal output.
    public let problem: String
    /// The number of occurrences, such as the tiles of a run.
    public let count: Int

    /// Creates a fault of the archive as a whole.
    package init(_ kind: Kind, _ problem: String, count: Int = 1) {
        self.init(kind, .archive, problem, count: count)
    }

    package init(_ kind: Kind, _ location: Location, _ problem: String, count: Int = 1) {
        self.kind = kind
        self.location = location
        self.problem = SafeText.sanitised(problem)
        self.count = count
    }
}

/// The properties of its tiles that an archive declares.
public struct DeclaredContent: Sendable {
    /// The format of the tiles; nil if it is missing or unknown.
    public var kind: TileKind?
    /// True if the tiles may also have other formats of pictures.
    package var mixesPictures = false
    /// The compression of the bodies; unknown if the archive can't declare it.
    public var compression = Compression.unknown
    /// The zooms; nil if missing or invalid.
    public var zooms: ClosedRange<Int>?
    /// The bounds; nil if missing or invalid.
    public var bounds: Bounds?

    /// Reads the members that metadata of all formats share.
    package init(_ metadata: JSON) {
        let description = ArchiveDescription(metadata: metadata)
        kind = TileKind(declared: metadata["format"]?.string ?? "")
        zooms = description.zooms
        bounds = description.bounds
    }

    /// Returns the problem of the declared zooms; nil if there is none. The first declared zoom may be lower
    /// than that of the tiles, because clients then find no tiles there.
    func zoomProblem(_ found: ClosedRange<Int>) -> String? {
        guard let zooms, zooms.upperBound != found.upperBound || zooms.lowerBound > found.lowerBound else {
            return nil
        }
        return
            "zooms \(zooms.lowerBound) to \(zooms.upperBound) declared, \(found.lowerBound) to \(found.upperBound) found"
    }
}

extension TileKind {
    /// Creates the kind that the metadata of MBTiles or TileJSON names; nil if unknown.
    init?(declared format: String) {
        switch format.lowercased() {
        case "png", "image/png": self = .png
        case "jpg", "jpeg", "image/jpeg": self = .jpeg
        case "webp", "image/webp": self = .webp
        case "pbf", "mvt", "application/vnd.mapbox-vector-tile": self = .vector
        case "mlt", "application/vnd.maplibre-tile", "application/vnd.maplibre-vector-tile": self = .mapLibre
        default: return nil
        }
    }
}
