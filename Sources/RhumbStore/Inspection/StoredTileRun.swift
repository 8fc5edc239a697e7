public import RhumbCore
public import RhumbEngine

/// Tiles with consecutive PMTiles ids that share one stored body.
public struct StoredTileRun: Sendable {
    /// The PMTiles ids of the tiles, which may span several zooms; empty if they are unknown because a
    /// directory is damaged.
    package let ids: Range<UInt64>
    /// The body as stored, possibly compressed, or the reason why it can't be read.
    public let body: Result<[UInt8], TileFailure>
    /// The declared compression of the body.
    public let compression: Compression

    /// The number of tiles; 0 if a damaged directory hides them.
    public var count: Int { ids.count }
    /// The first tile; nil if a damaged directory hides it.
    public var first: TileID? { ids.isEmpty ? nil : TileID(pmtilesID: ids.lowerBound) }

    /// - Parameter ids: Ids up to the deepest zoom.
    package init(
        ids: Range<UInt64>, body: Result<[UInt8], TileFailure>, compression: Compression = .unknown
    ) {
        self.ids = ids
        self.body = body
        self.compression = compression
    }

    /// Creates a run of one tile.
    package init(
        _ tile: TileID, body: Result<[UInt8], TileFailure>, compression: Compression = .unknown
    ) {
        self.init(ids: tile.pmtilesID..<tile.pmtilesID + 1, body: body, compression: compression)
    }

    /// Creates a run for a damaged part of an archive.
    package init(problem: String) {
        self.init(ids: 0..<0, body: .failure(TileFailure(.badContent, problem, remedy: .inspectArchive)))
    }

    /// Reads a tile of an archive; nil if there is no such tile.
    init?(_ tile: TileID, of archive: any TileArchive) {
        do throws(TileFailure) {
            guard let bytes = try archive.storedBody(tile) else { return nil }
            self.init(tile, body: .success(bytes), compression: archive.compression)
        } catch {
            self.init(tile, body: .failure(error))
        }
    }

    /// The ids at each zoom.
    package var zooms: [(zoom: Int, ids: Range<UInt64>)] {
        var found: [(zoom: Int, ids: Range<UInt64>)] = []
        var rest = ids
        while !rest.isEmpty {
            let zoom = TileID.zoom(pmtilesID: rest.lowerBound)
            let end = zoom >= TileID.maximumZoom ? rest.upperBound : TileID.firstPMTilesID(zoom: zoom + 1)
            let part = rest.lowerBound..<min(rest.upperBound, end)
            found.append((zoom, part))
            rest = part.upperBound..<rest.upperBound
        }
        return found
    }

    /// Returns the body, decompressed.
    /// - Throws: `TileFailure` if the body can't be read or is damaged.
    package func plain(in file: String) throws(TileFailure) -> [UInt8] {
        let stored = try body.get()
        return try TileBody.unwrapped(stored, first?.description ?? "", in: file, compression)
    }
}

/// The size of the body that tiles with consecutive PMTiles ids share.
public struct StoredTileSize: Sendable {
    /// The PMTiles ids of the tiles, up to the deepest zoom; empty if a damaged directory hides them.
    package let ids: Range<UInt64>
    /// The size of the stored body in bytes, or the reason why it is unknown.
    public let bytes: Result<Int, TileFailure>
    /// A number that is the same for tiles with the same stored body; nil if the archive doesn't know it.
    package let place: UInt64?

    package init(ids: Range<UInt64>, bytes: Int, place: UInt64?) {
        self.ids = ids
        self.bytes = .success(bytes)
        self.place = place
    }

    /// Creates the size for a run that can't be read.
    init(_ run: StoredTileRun) {
        ids = run.ids
        bytes = run.body.map(\.count)
        place = nil
    }
}
