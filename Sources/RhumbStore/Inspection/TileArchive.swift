public import RhumbCore
public import RhumbEngine

/// A file or folder of map tiles. It is a data source that can also be inspected.
public protocol TileArchive: TileLayerDataSource {
    /// The description, available before any tile is read.
    var info: TileSourceInfo { get }
    /// The metadata as an object, unchanged. Its strings are not sanitised.
    var metadata: JSON { get }
    /// The reason why the tiles can't be shown as pictures; nil if they can.
    var refusal: ArchiveFailure? { get }

    /// Calls a function once for each tile in the file, lowest zoom first, including tiles outside the
    /// declared zooms and bounds.
    /// - Throws: `ArchiveFailure` if the tiles can't be listed, or any error of `body`.
    func eachTile(_ body: (TileID) throws -> Void) throws

    /// The declared compression of the tiles; unknown if the format has no such declaration.
    var compression: Compression { get }

    /// Returns a tile's body as stored, which may be compressed; nil if there is no such tile. Unlike `tile`,
    /// it returns bodies that Rhumb can't draw.
    /// - Throws: `TileFailure` if the body is missing or can't be read.
    func storedBody(_ tile: TileID) throws(TileFailure) -> [UInt8]?

    /// Calls a function with the stored bodies of all tiles, each with the consecutive tiles that share it.
    /// A damaged part is reported as a run with a failure, and reading continues if possible.
    /// - Throws: `ArchiveFailure` if the tiles can't be listed, or any error of `body`.
    func eachStoredRun(_ body: (StoredTileRun) throws -> Void) throws

    /// Calls a function with the sizes of all stored bodies, without reading the bodies.
    /// - Throws: `ArchiveFailure` if the sizes can't be listed, or any error of `body`.
    func eachStoredSize(_ body: (StoredTileSize) throws -> Void) throws

    /// The size of the tiles and directories in bytes; nil if the archive is on this machine.
    var remoteSize: Int? { get }

    /// Announces tiles that will be read. Archives on servers then load them in few requests.
    /// - Returns: The parts to load; nil if the archive is on this machine.
    /// - Throws: `TileFailure` if a directory is damaged or can't be loaded.
    func plan(_ tiles: [TileID]) throws(TileFailure) -> ReadPlan?

    /// The declared properties of the tiles.
    var declaredContent: DeclaredContent { get }

    /// Checks everything except the bodies of the tiles, and calls a function with each fault.
    /// - Throws: `CancellationError` if the task is cancelled.
    func checkStructure(_ report: (VerificationFault) -> Void) throws

    /// Inspects all tiles. Uses about 250 bytes of memory per distinct tile.
    /// - Parameter decode: Decodes a tile, or returns nil for a damaged one. Needed to count damaged pictures
    ///   and tiles of a single colour; nil skips both counts, which is much faster.
    /// - Throws: `ArchiveFailure` if nothing can be read. Damaged parts are counted in the result.
    func inspect(decode: TileDecode?) throws(ArchiveFailure) -> ArchiveInspection
}

/// An archive whose indices can be searched for the tiles of an area.
protocol IndexedArchive: TileArchive {
    /// Returns those of some tiles that the archive has. Only reads the indices that may contain them.
    /// - Throws: `TileFailure` if an index is damaged; `CancellationError` if the task is cancelled.
    func tiles(among wanted: TileRuns) throws -> TileRuns
}

/// Decodes an encoded picture; returns nil if that fails.
public typealias TileDecode = @Sendable ([UInt8]) -> Raster?

extension TileArchive {
    /// Unknown by default.
    public var compression: Compression { .unknown }
    /// nil by default.
    public var remoteSize: Int? { nil }
    /// Does nothing by default.
    public func plan(_ tiles: [TileID]) throws(TileFailure) -> ReadPlan? { nil }

    /// Reads the bodies by default.
    public func eachStoredSize(_ body: (StoredTileSize) throws -> Void) throws {
        try eachStoredRun { try body(StoredTileSize($0)) }
    }

    /// Lists the tiles and reads them one by one.
    public func eachStoredRun(_ body: (StoredTileRun) throws -> Void) throws {
        var done = 0
        try eachTile { tile in
            done += 1
            WorkProgress.report(done, of: nil)
            if let run = StoredTileRun(tile, of: self) { try body(run) }
        }
    }
}
