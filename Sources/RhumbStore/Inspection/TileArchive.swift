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

    /// The path or name, as given.
    var path: String { get }

    /// The name of the format, such as "PMTiles 3".
    var format: String { get }

    /// Reads the size of tiles in pixels; nil to assume 256.
    var probe: TileProbe? { get }

    /// Calls a function for all tiles in the file, including those outside the declared zooms and bounds.
    /// Consecutive tiles that share a stored body may be one run. A damaged part is a run with a failure, and
    /// the walk continues if possible.
    /// - Throws: `ArchiveFailure` if the tiles can't be listed, `CancellationError`, or any error of `visit`.
    func walk(_ detail: TileDetail, _ visit: (StoredTileRun) throws -> Void) throws

    /// The declared compression of the tiles; unknown if the format has no such declaration.
    var compression: Compression { get }

    /// Returns a tile's body as stored, which may be compressed, and is empty for a tile without content; nil
    /// if there is no such tile. Unlike `tile`, it returns bodies that Rhumb can't draw.
    /// - Throws: `TileFailure` if the body can't be read.
    func storedBody(_ tile: TileID) throws(TileFailure) -> [UInt8]?

    /// True if bodies are drawn when they are read, which takes longer than reading them.
    var isDrawnOnDemand: Bool { get }

    /// Throws if some tiles can't be drawn, before any tile is listed or drawn.
    func checkDrawing() throws(TileFailure)

    /// Prepares for tiles that are drawn row by row, if that is faster than along the curve of the ids.
    /// - Returns: True if it is faster.
    func prepareRows() -> Bool

    /// The size of the tiles and directories in bytes; nil if the archive is on this machine.
    var remoteSize: Int? { get }

    /// Throws if the archive is on a server that fails.
    func checkServer() throws(ArchiveFailure)

    /// Announces tiles that will be read. Archives on servers then load them in few requests.
    /// - Returns: The parts to load; nil if the archive is on this machine.
    /// - Throws: `TileFailure` if a directory is damaged or can't be loaded.
    func plan(_ tiles: [TileID]) throws(TileFailure) -> ReadPlan?

    /// The declared properties of the tiles.
    var declaredContent: DeclaredContent { get }

    /// Checks everything except the bodies of the tiles, and calls a function with each fault.
    /// - Parameter isThorough: False to leave out checks that read more than the header, the metadata and the
    ///   directories.
    /// - Throws: `CancellationError` if the task is cancelled.
    func checkStructure(isThorough: Bool, _ report: (VerificationFault) -> Void) throws
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
    /// False by default.
    public var isDrawnOnDemand: Bool { false }
    /// Does nothing by default.
    public func checkDrawing() throws(TileFailure) {}
    /// Returns false by default.
    public func prepareRows() -> Bool { false }
    /// nil by default.
    public var remoteSize: Int? { nil }
    /// Does nothing by default.
    public func checkServer() throws(ArchiveFailure) {}
    /// Does nothing by default.
    public func plan(_ tiles: [TileID]) throws(TileFailure) -> ReadPlan? { nil }

    /// The maximum number of tiles that are processed one by one: one for each byte of the file, or
    /// 16,777,216 for small ones. A few bytes of PMTiles can list thousands of millions. Folders have no
    /// limit, because each of their tiles is a file.
    package var listLimit: Int {
        guard let facts = FileFacts(path) else { return max(1 << 24, remoteSize ?? 0) }
        return facts.isFolder ? .max : max(1 << 24, Int(clamping: facts.size))
    }

    /// Returns the problem of an archive that lists more tiles than the limit.
    func listProblem(_ count: Int) -> String {
        "it lists \(AmountText.count(count)) tiles, more than \(AmountText.count(listLimit)) for a file of its size"
    }

    /// Calls a function for each tile in the file, lowest zoom first, including tiles outside the declared
    /// zooms and bounds. Damaged parts are skipped.
    /// - Throws: `ArchiveFailure` if the tiles can't be listed or are too many, or any error of `body`.
    public func eachTile(_ body: (TileID) throws -> Void) throws {
        var count = 0
        let limit = listLimit
        try walk(.ids()) { run in
            count = count.saturatingAdd(run.count)
            guard count <= limit else {
                throw ArchiveFailure(
                    path, .unsupported, listProblem(count), "extract a smaller area to a PMTiles file")
            }
            for id in run.ids {
                guard let tile = TileID(hilbertID: id) else { return }
                try body(tile)
            }
        }
    }

    /// Returns the declared bounds, extended to the tiles outside of them. Reads all directories.
    /// - Returns: nil if the declared bounds contain all tiles, or if the extended ones would contain many
    ///   more tiles than the archive has, because some tiles are far away from the others.
    /// - Throws: `ArchiveFailure` if the directories can't be read, `CancellationError`.
    package func extendedBounds() throws -> Bounds? {
        guard let declared = info.bounds else { return nil }
        var extended = declared, count = 0, levels: Set<Int> = []
        try walk(.ids()) { run in
            count += run.count
            run.forEachSquare { square, zoom in
                levels.insert(zoom)
                guard let bounds = Bounds(square), !bounds.overlaps(declared) else { return }
                extended = extended.union(bounds)
            }
        }
        guard extended != declared else { return nil }
        let boxes = extended.worldBoxes.map { ($0.maxX - $0.minX) * ($0.maxY - $0.minY) }
        let area = boxes.reduce(0, +)
        let needed = levels.reduce(0.0) { $0 + area * Double(1 << (2 * $1)) }
        return needed > Double(count) * TileExtent.waste + TileExtent.small ? nil : extended
    }

    /// Returns the number of tiles that don't overlap the bounds. Reads all directories.
    /// - Throws: `ArchiveFailure` if the directories can't be read, `CancellationError`.
    package func count(outside bounds: Bounds) throws -> Int {
        var count = 0
        try walk(.ids()) { run in
            run.forEachSquare { square, zoom in count += bounds.countOutside(square, zoom: zoom) }
        }
        return count
    }
}

extension Bounds {
    /// Returns the number of tiles of a zoom within a square that don't overlap these bounds.
    fileprivate func countOutside(_ square: TileID, zoom: Int) -> Int {
        guard let box = Bounds(square), overlaps(box) else { return 1 << (2 * (zoom - square.zoom)) }
        if square.zoom == zoom || union(box) == self { return 0 }
        return square.children.reduce(0) { $0 + countOutside($1, zoom: zoom) }
    }
}

private enum TileExtent {
    /// The number of tiles in the bounds for each tile of the archive, and a number that is never too large.
    static let waste = 8.0, small = 10_000.0
}

extension StoredTileRun {
    /// Calls a function for the largest squares of tiles that the run consists of, each as the tile of a
    /// lower zoom with the same area.
    fileprivate func forEachSquare(_ visit: (_ square: TileID, _ zoom: Int) -> Void) {
        var id = ids.lowerBound
        while id < ids.upperBound, let tile = TileID(hilbertID: id) {
            let index = id - TileID.firstHilbertID(zoom: tile.zoom)
            var levels = 0
            while levels < tile.zoom, index.isMultiple(of: 4 << UInt64(2 * levels)),
                ids.upperBound - id >= 4 << UInt64(2 * levels)
            { levels += 1 }
            if let square = TileID(zoom: tile.zoom - levels, x: tile.x >> levels, y: tile.y >> levels) {
                visit(square, tile.zoom)
            }
            id += 1 << UInt64(2 * levels)
        }
    }
}

/// The parts of a remote archive that are needed for some tiles.
public struct ReadPlan: Sendable, Equatable {
    /// The number of bytes to load, with the gaps between parts that are loaded together.
    public let bytes: Int
    /// The number of requests.
    public let requests: Int
}
