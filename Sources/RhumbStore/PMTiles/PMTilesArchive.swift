public import RhumbCore
public import RhumbEngine

/// A PMTiles archive of version 3: one file with directories along a Hilbert curve.
public final class PMTilesArchive: TileArchive {
    /// The description by the archive.
    public let info: TileSourceInfo
    /// The metadata object; empty if it can't be read.
    public let metadata: JSON
    /// Why its tiles can't be shown; nil: they can.
    public let refusal: ArchiveFailure?
    let file: PMTilesFile
    let probe: TileProbe?
    /// Why the metadata can't be read.
    let metadataProblem: String?

    /// Opens a file.
    /// - Throws: `ArchiveFailure`
    public convenience init(_ path: String, probe: TileProbe? = nil) throws(ArchiveFailure) {
        try self.init(try FileBytes(path), name: path, probe: probe)
    }

    /// Opens an archive that lies anywhere.
    /// - Parameters:
    ///   - name: what to call it in errors, and in the status line if it does not name itself.
    ///   - probe: tells the tiles' size in pixels; nil: 256 is assumed.
    /// - Throws: `ArchiveFailure`
    public init(
        _ bytes: any ByteSource, name: String, probe: TileProbe? = nil
    ) throws(ArchiveFailure) {
        let file = try PMTilesFile(bytes, name: name)
        self.file = file
        self.probe = probe
        do throws(TileFailure) {
            metadata = try file.metadata()
            metadataProblem = metadata.object == nil ? "the metadata is not a JSON object" : nil
        } catch {
            metadata = [:]
            metadataProblem = error.message
        }
        let body = PMTilesArchive.firstBody(file)
        info = file.index.info(metadata, body: body, probe)
        refusal = file.index.refusal(body: body)
    }

    private static func firstBody(_ file: PMTilesFile) -> [UInt8]? {
        var entry = file.root.entries.first
        for _ in 1..<PMTilesIndex.deepest {
            guard let leaf = entry, leaf.isLeaf else { break }
            entry = try? file.leaf(leaf).entries.first
        }
        guard let entry, !entry.isLeaf, let stored = try? file.stored(entry, "") else { return nil }
        return try? file.index.body(stored, "")
    }

    /// Returns true if the archive has tiles of that zoom.
    public func hasTile(_ tile: TileID) -> Bool { info.zooms.contains(tile.zoom) }

    /// The tile's picture or vector tile, unpacked.
    /// - Throws: `TileFailure`: `badContent` for damaged directories or data.
    public func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
        if let refusal, refusal.reason != .vectorTiles { throw TileFailure(.refused, refusal.description) }
        guard let entry = try file.entry(for: tile.pmtilesID) else { return .absent }
        let stored = try file.stored(entry, "\(tile)")
        return .bitmap(.encoded(try file.index.body(stored, "\(tile)")))
    }

    /// Calls `body` for every tile there is.
    public func eachTile(_ body: (TileID) throws -> Void) rethrows {
        var end: UInt64 = 0
        for case .tiles(let entry) in PMTilesEntries(file) where entry.id >= end {
            for id in 0..<UInt64(entry.run) {
                guard let tile = TileID(pmtilesID: entry.id &+ id) else { return }
                try body(tile)
                end = entry.id + id + 1
            }
        }
    }
}
