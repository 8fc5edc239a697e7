public import RhumbCore

/// Writes a tile archive. The file appears under its name only when it is whole: until then it
/// grows beside it, and goes away if the writer does. Not for two threads at once.
public protocol ArchiveWriter: AnyObject {
    /// Adds a tile: a picture as it is encoded, or a vector tile, packed with gzip or not.
    /// - Throws: `ExportFailure`
    func add(_ tile: TileID, _ body: [UInt8]) throws(ExportFailure)

    /// Completes the file and gives it its name. The writer is of no use afterwards.
    /// - Throws: `ExportFailure`, also if there was no tile.
    func finish() throws(ExportFailure) -> ExportSummary
}

/// The result of an export.
public struct ExportSummary: Equatable, Sendable {
    /// Tiles written.
    public let tiles: Int
    /// Bodies stored; equal ones are stored once.
    public let bodies: Int
    /// The file's size.
    public let bytes: Int
    /// The zooms they are of.
    public let zooms: ClosedRange<Int>
}

/// The metadata of an archive.
public struct ExportLabel: Equatable, Sendable {
    /// The name.
    public var name: String
    /// The attribution; may be HTML.
    public var attribution = ""
    /// The description, in a sentence.
    public var summary = ""
    /// True if the tiles are an overlay.
    public var isOverlay = false
    /// True if the tiles are known to be vector tiles; otherwise the first tile decides.
    public var holdsVectorTiles = false
    /// The layers that the vector tiles are known to have, besides those that are found in them.
    public var vectorLayers: [String] = []
    /// The program that makes the archive, with its version.
    public var generator = ""
    /// The ground it covers; nil: what its tiles cover.
    public var bounds: Bounds?
    /// More to say under names of one's own; the names of the formats are not replaced.
    public var more = JSONObject()

    /// A name and nothing else.
    public init(name: String) { self.name = name }
}

/// The kinds of archive that are written.
public enum ArchiveFormat: String, Sendable, CaseIterable {
    case mbtiles
    case pmtiles

    /// The format that a path's ending names, whatever its case.
    public init?(path: String) {
        guard let dot = path.lastIndex(of: ".") else { return nil }
        self.init(rawValue: path[path.index(after: dot)...].lowercased())
    }

    /// True if tiles must be added in the order of `TileID.pmtilesID`.
    public var needsOrder: Bool { self == .pmtiles }

    /// Begins an archive.
    /// - Parameter isReplacing: whether a file of that name may be replaced.
    /// - Throws: `ExportFailure`
    public func writer(
        to path: String, label: ExportLabel, isReplacing: Bool = false
    ) throws(ExportFailure) -> any ArchiveWriter {
        switch self {
        case .mbtiles: try MBTilesWriter(path, label: label, isReplacing: isReplacing)
        case .pmtiles: try PMTilesWriter(path, label: label, isReplacing: isReplacing)
        }
    }
}
