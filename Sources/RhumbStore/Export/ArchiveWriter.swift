internal import Glibc
public import RhumbCore

/// Writes a tile archive to a temporary file next to its destination. The file is renamed when complete, and
/// removed if the writer is released before. Not thread-safe.
public protocol ArchiveWriter: AnyObject {
    /// Adds a tile: an encoded picture, or a vector tile with or without gzip.
    /// - Throws: `ExportFailure`.
    func add(_ tile: TileID, _ body: [UInt8]) throws(ExportFailure)

    /// Adds tiles with consecutive PMTiles ids that share a body.
    /// - Throws: `ExportFailure`.
    func add(_ ids: Range<UInt64>, _ body: [UInt8]) throws(ExportFailure)

    /// Completes and renames the file. The writer can't be used afterwards.
    /// - Throws: `ExportFailure`, also if no tile was added.
    func finish() throws(ExportFailure) -> ExportSummary
}

extension ArchiveWriter {
    /// Adds the tiles one by one.
    public func add(_ ids: Range<UInt64>, _ body: [UInt8]) throws(ExportFailure) {
        for id in ids {
            if let tile = TileID(hilbertID: id) { try add(tile, body) }
        }
    }
}

/// The result of writing an archive.
public struct ExportSummary: Equatable, Sendable {
    /// The number of tiles written.
    public let tiles: Int
    /// The number of bodies stored. Equal ones are usually stored once.
    public let bodies: Int
    /// The size of the file in bytes.
    public let bytes: Int
    /// The zooms of the tiles.
    public let zooms: ClosedRange<Int>
    /// The number of tiles that were left out because they have no content.
    public internal(set) var emptyTiles = 0
    /// The number of a region's tiles that are not in the archive because they are not stored.
    public var missingTiles = 0
    /// The number of a region's tiles that are not in the archive because their stored bodies are damaged.
    public var damagedTiles = 0

    /// The parts of the inputs that are no tiles of the archive.
    package internal(set) var omissions = ArchiveOmissions()

    /// True if the archive has all tiles of its region that exist.
    public var isWhole: Bool { missingTiles == 0 && damagedTiles == 0 }
}

/// The parts of archives that copies of them can't have.
package struct ArchiveOmissions: Equatable, Sendable {
    /// The number of further bodies of tiles that occur more than once.
    package internal(set) var repeated = 0
    /// The first few of these tiles.
    package internal(set) var repeatedTiles: [TileID] = []
    /// The number of rows or files without a valid position.
    package internal(set) var invalid = 0
    /// The problems of the first few of them.
    package internal(set) var problems: [String] = []

    /// The maximum number of examples.
    private static let exampleLimit = 5

    /// True if nothing is omitted.
    package var isEmpty: Bool { repeated == 0 && invalid == 0 }

    mutating func add(_ problem: String) {
        invalid += 1
        if problems.count < Self.exampleLimit { problems.append(problem) }
    }

    /// Adds the repeated tiles that satisfy a condition.
    mutating func add(repeatedIn tiles: TileRuns, where isIncluded: (TileID) -> Bool = { _ in true }) {
        for tile in tiles.repeatedRuns.lazy.joined().compactMap({ TileID(hilbertID: $0) })
        where isIncluded(tile) {
            repeated += 1
            if repeatedTiles.count < Self.exampleLimit { repeatedTiles.append(tile) }
        }
    }
}

/// The metadata of an archive.
public struct ExportLabel: Equatable, Sendable {
    /// The name of the archive.
    public var name: String
    /// The attribution, which may contain HTML.
    public var attribution = ""
    /// The description of the archive in a sentence.
    public var summary = ""
    /// True if the tiles are an overlay for another map.
    public var isOverlay = false
    /// True if the tiles are known to be vector tiles; if false, the first tile decides.
    public var holdsVectorTiles = false
    /// The known layers of the vector tiles. Layers found in the tiles are added.
    public var vectorLayers: [String] = []
    /// The value of `vector_layers`; nil to collect the layers and their attributes from the tiles.
    var vectorLayerList: JSON?
    /// The program that creates the archive, with its version.
    public var generator = ""
    /// The bounds; nil to use those of the tiles.
    public var bounds: Bounds?
    /// The initial centre of the map; nil for the centre of the bounds.
    public var center: Coordinate?
    /// The initial zoom of the map, 0…30; nil for the lowest zoom.
    public var centerZoom: Int?
    /// Additional members. They can't replace those of the formats, except the type.
    public var more = JSONObject()

    /// Creates metadata with only a name.
    public init(name: String) { self.name = name }
}

/// The archive formats that Rhumb writes.
public enum ArchiveFormat: String, Sendable, CaseIterable {
    case mbtiles
    case pmtiles

    /// Creates the format of a path's extension, ignoring case; nil if unknown.
    public init?(path: String) {
        switch ArchiveContainer(path: path) {
        case .mbTiles: self = .mbtiles
        case .pmTiles: self = .pmtiles
        default: return nil
        }
    }

    /// The suffixes of the formats in a sentence: ".mbtiles or .pmtiles".
    public static let suffixes = allCases.map { ".\($0)" }.joined(separator: " or ")

    /// True if tiles must be added in the order of `TileID.hilbertID`.
    public var needsOrder: Bool { self == .pmtiles }

    /// Creates a writer for an archive.
    /// - Parameter isReplacing: If true, an existing file may be replaced.
    /// - Throws: `ExportFailure`.
    public func writer(
        to path: String, label: ExportLabel, isReplacing: Bool = false
    ) throws(ExportFailure) -> any ArchiveWriter {
        switch self {
        case .mbtiles: try MBTilesWriter(path, label: label, isReplacing: isReplacing)
        case .pmtiles: try PMTilesWriter(path, label: label, isReplacing: isReplacing)
        }
    }
}

/// The destination of a new archive: a file of an `ArchiveFormat`, or a folder if the path ends in a slash.
struct ArchiveDestination: Sendable {
    private let path: String
    private let isReplacing: Bool
    /// The format of the file; nil for a folder.
    private let format: ArchiveFormat?

    /// - Parameters:
    ///   - inputs: The archives that are read, which must not be replaced.
    ///   - isReplacing: If true, an existing file may be replaced. A folder never is.
    /// - Throws: `ArchiveCopyFailure`
    init(_ path: String, inputs: [ArchiveInput], isReplacing: Bool) throws(ArchiveCopyFailure) {
        let isFolder = path.hasSuffix("/")
        format = isFolder ? nil : ArchiveFormat(path: path)
        guard isFolder || format != nil else {
            throw ArchiveCopyFailure(
                path, .format, "unknown archive format",
                "use a name that ends in \(ArchiveFormat.suffixes), or in / for a folder")
        }
        guard !inputs.contains(where: { $0.isSame(as: path) }) else {
            throw ArchiveCopyFailure(path, .sameFile, "it is also an input", "choose another name")
        }
        var facts = stat()
        if isFolder, lstat(PartFile.withoutSlash(path), &facts) == 0, facts.st_mode & S_IFMT == S_IFLNK {
            throw ArchiveCopyFailure(
                path, .folderExists, "it is a symbolic link", "name the folder that it leads to")
        }
        if isFolder, FolderNames.list(path)?.isEmpty == false {
            throw ArchiveCopyFailure(
                path, .folderExists, "the folder has contents", "choose another name or remove it")
        }
        self.path = path
        self.isReplacing = isReplacing
    }

    /// True if the format stores consecutive tiles with a common body as one entry.
    var storesRuns: Bool { format?.needsOrder == true }
    /// The path of the file if its tiles must be added in the order of their PMTiles ids; nil otherwise.
    var orderedPath: String? { format?.needsOrder == true ? path : nil }

    /// Creates a writer.
    /// - Throws: `ExportFailure`
    func writer(_ label: ExportLabel) throws(ExportFailure) -> any ArchiveWriter {
        guard let format else { return try TileFolderWriter(path, label: label) }
        return try format.writer(to: path, label: label, isReplacing: isReplacing)
    }
}
